import { api, type StoredPanel } from "@querent/contract";
import { measureDeleted } from "../accounts/index.ts";
import type { Database } from "../db/index.ts";
import { decodeCursor, encodeCursor } from "../api/cursor.ts";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route } from "../api/route.ts";
import { idPattern } from "../kernel/ids.ts";
import { readMaxPoints, type ItemRules } from "../tasks/index.ts";
import { projectForNew, projectsToList } from "../projects/index.ts";
import type { EntitySearch } from "../observations/entities/entity-search.ts";
import { panelRecord } from "./definitions/read-definition.ts";
import { deleteObservations } from "../observations/records/delete-observations.ts";
import { judgeBrands, withBrands } from "./definitions/panel-brands.ts";
import { createPanel, deletePanel, getPanel, listPanels, listRevisions, replacePanel } from "./definitions/panels.ts";
import { moveToProject } from "./definitions/panel-projects.ts";
import { quoteInvalid, quotePanel } from "./definitions/quote-panel.ts";
import { judgePanel, readPanel } from "./definitions/read-panel.ts";
import { runNow } from "./schedule/start-run.ts";
import { getRun, listRuns } from "./schedule/runs.ts";

export interface PanelRoutesDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  readonly rules: () => Promise<ItemRules>;
  /** Called with the platforms that have new tasks. */
  readonly onSubmitted: (platforms: readonly string[]) => void;
}

const noSuchPanel = () => new ProblemError("not_found", "There is no such panel.");

export function panelRoutes(deps: PanelRoutesDeps): Route[] {
  return [...storedPanels(deps), ...quotes(deps), ...runs(deps)];
}

function storedPanels({ database, entities, rules }: PanelRoutesDeps): Route[] {
  const recordOf = (accountId: string, panel: StoredPanel) => panelRecord({ database, entities }, accountId, panel);
  return [
    route(api.createPanel, async ({ caller, query, body }) => {
      const place = { accountId: caller.accountId, projectId: await projectForNew(database, caller, query.project) };
      const read = await withBrands(database, place, readPanel(body, await rules()));
      const panel = await createPanel(database, place, read);
      return {
        status: 201,
        headers: { location: `/v1/panels/${panel.panelId}` },
        body: await recordOf(caller.accountId, panel),
      };
    }),

    route(api.listPanels, async ({ caller, query }) => {
      const projects = await projectsToList(database, caller, query.project);
      const { panels, nextId } = await listPanels(database, caller.accountId, { projects, ...pageOf(query) });
      return { status: 200, body: { panels, nextCursor: nextId === null ? null : encodeCursor(nextId) } };
    }),

    route(api.getPanel, async ({ caller, params, query }) => ({
      status: 200,
      body: await recordOf(
        caller.accountId,
        existing(await getPanel(database, caller.accountId, params.panel_id, query.revision)),
      ),
    })),

    route(api.putPanel, async ({ caller, params, body }) => {
      const before = existing(await getPanel(database, caller.accountId, params.panel_id));
      const place = { accountId: caller.accountId, projectId: before.projectId };
      const panel = await withBrands(database, place, readPanel(body, await rules(), before));
      const stored = existing(await replacePanel(database, caller.accountId, params.panel_id, panel));
      return { status: 200, body: await recordOf(caller.accountId, stored) };
    }),

    route(api.deletePanel, async ({ caller, params }) => {
      const isDeleted = await deletePanel(database, caller.accountId, params.panel_id);
      // Also if there is no such panel, so that a repeated request completes a deletion that was interrupted.
      await deleteObservations(database, caller.accountId, { panelId: params.panel_id });
      await measureDeleted(database, caller.accountId, ["panels", "reports", "imports"]);
      if (!isDeleted) throw noSuchPanel();
      return { status: 204 };
    }),

    route(api.moveToProject, async ({ caller: { accountId }, params, body: { panelIds, entityIds } }) => {
      const what = { panelIds: panelIds ?? [], entityIds: entityIds ?? [] };
      return { status: 200, body: await moveToProject(database, { accountId, projectId: params.project_id }, what) };
    }),

    route(api.listPanelRevisions, async ({ caller, params }) => {
      existing(await getPanel(database, caller.accountId, params.panel_id));
      return { status: 200, body: await listRevisions(database, caller.accountId, params.panel_id) };
    }),
  ];
}

function quotes({ database, rules }: PanelRoutesDeps): Route[] {
  return [
    route(api.quoteNewPanel, async ({ caller, query, body }) => {
      const place = { accountId: caller.accountId, projectId: await projectForNew(database, caller, query.project) };
      const now = await rules();
      const read = judgePanel(body, now);
      const verdict = "panel" in read ? await judgeBrands(database, place, read.panel) : read;
      return {
        status: 200,
        body:
          "panel" in verdict
            ? await quotePanel(
                database,
                caller.accountId,
                { panelId: null, projectId: place.projectId, panel: verdict.panel },
                now,
              )
            : await quoteInvalid(database, caller.accountId, verdict.errors.slice(0, 100)),
      };
    }),

    route(api.quotePanel, async ({ caller, params }) => {
      const panel = existing(await getPanel(database, caller.accountId, params.panel_id));
      const { panelId, projectId, schedule } = panel;
      const stored = { panelId, projectId, panel: { content: panel, schedule } };
      return { status: 200, body: await quotePanel(database, caller.accountId, stored, await rules()) };
    }),
  ];
}

function runs({ database, rules, onSubmitted }: PanelRoutesDeps): Route[] {
  return [
    route(api.runPanel, async ({ caller, params, headers, idempotencyKey, traceParent, full }) => {
      const request = {
        accountId: caller.accountId,
        tokenId: caller.tokenId,
        traceParent,
        panelId: params.panel_id,
        key: idempotencyKey ?? "",
        pointsMax: readMaxPoints(headers),
        full,
      };
      const run = await runNow(database, request, await rules());
      if (run === null) throw noSuchPanel();
      onSubmitted(run.platforms);
      const body = await getRun(database, caller.accountId, params.panel_id, run.runId);
      if (body === null) throw noSuchPanel();
      return { status: 202, body, ...(run.replayed ? { headers: { "idempotent-replayed": "true" } } : {}) };
    }),

    route(api.listPanelRuns, async ({ caller, params, query }) => {
      existing(await getPanel(database, caller.accountId, params.panel_id));
      const { runs: list, nextId } = await listRuns(database, caller.accountId, params.panel_id, pageOf(query));
      return { status: 200, body: { runs: list, nextCursor: nextId === null ? null : encodeCursor(nextId) } };
    }),

    route(api.getPanelRun, async ({ caller, params }) => {
      const run = await getRun(database, caller.accountId, params.panel_id, params.run_id);
      if (run === null) throw new ProblemError("not_found", "The panel has no such run.");
      return { status: 200, body: run };
    }),
  ];
}

function existing(panel: StoredPanel | null): StoredPanel {
  if (panel === null) throw noSuchPanel();
  return panel;
}

function pageOf({ cursor, limit = 50 }: { cursor?: string; limit?: number }) {
  return { beforeId: cursor === undefined ? null : decodeCursor(cursor, idPattern), limit };
}
