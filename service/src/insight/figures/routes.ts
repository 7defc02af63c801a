import { api } from "@querent/contract";
import { hasBounds, measures as definedMeasures, type PanelDefinition } from "@querent/figures";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route, type RouteRequest } from "../../api/route.ts";
import { readsUntil, type Database } from "../../db/index.ts";
import type { Computation, Computer } from "../computing/computer.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { answerPages, memoryForWindow, narrowWindow } from "./answer-pages.ts";
import { comparePanel } from "./compare-panel.ts";
import { definitionWords } from "./definition-words.ts";
import { job, type FigureInput } from "./figure-job.ts";
import { job as pairsJob } from "./pairs-job.ts";
import { readDefinition } from "./read-definition.ts";
import { failurePages } from "./read-failures.ts";
import { measuresOf, partsOf, requireEntity } from "./requests.ts";
import { windowOf, type FigureWindow } from "./window.ts";

export interface FigureRoutesDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  readonly computer: Computer;
}

export function figureRoutes({ database, entities, computer }: FigureRoutesDeps): Route[] {
  return [
    route(api.getFigures, async ({ caller: { accountId }, params, query, signal }) => {
      const window = await windowOf(database, { accountId, panelId: params.panel_id }, query);
      const panel = await readDefinition(database, entities, accountId, params.panel_id);
      if (panel === null) throw new ProblemError("not_found", "There is no such panel.");
      const body = await computer.reply(computationOf(database, accountId, { panel, window, query, signal }));
      return { status: 200, headers: jsonHeaders, body };
    }),

    route(api.comparePanel, async ({ caller: { accountId }, params, query, signal }) => {
      const {
        measure,
        entityId,
        domain,
        sourceType,
        platformCode,
        locale,
        persona,
        kind,
        importId,
        from,
        to,
        ...other
      } = query;
      const body = await comparePanel(
        { database, entities, computer },
        { accountId, signal },
        {
          ...{ panelId: params.panel_id, measure, entityId, domain, sourceType },
          one: { platformCode, locale, persona, kind, importId, from, to },
          other: {
            panelId: other.withPanelId,
            platformCode: other.withPlatformCode,
            locale: other.withLocale,
            persona: other.withPersona,
            kind: other.withKind,
            importId: other.withImportId,
            from: other.withFrom,
            to: other.withTo,
          },
        },
      );
      return { status: 200, headers: jsonHeaders, body };
    }),

    route(api.listPairs, async ({ caller: { accountId }, params, query, signal }) => {
      const {
        measure = "first_place_changes_between_runs",
        all = false,
        promptId = null,
        from,
        to,
        ...surface
      } = query;
      const panel = await readDefinition(database, entities, accountId, params.panel_id);
      if (panel === null) throw new ProblemError("not_found", "There is no such panel.");
      const window = await windowOf(database, { accountId, panelId: panel.panelId }, { from, to });
      const selection = { panelId: panel.panelId, ...window, ...surface };
      const body = await computer.reply({
        accountId,
        job: pairsJob,
        input: { panel, measure, all, promptId, window },
        inputs: { answers: (db) => answerPages(db, accountId, selection, partsOf({ measure })) },
        signal,
        narrow: narrowWindow,
        memoryMiB: () => memoryForWindow(readsUntil(database, signal), accountId, selection),
      });
      return { status: 200, headers: jsonHeaders, body };
    }),

    route(api.listMeasures, ({ query: { language = "en" } }) => {
      const spoken = definedMeasures.map((measure) => ({ ...measure, ...definitionWords(measure, language) }));
      return Promise.resolve({ status: 200, body: { measures: spoken } });
    }),
  ];
}

/** The body is JSON already. */
export const jsonHeaders = { "content-type": "application/json; charset=utf-8" } as const;

type FigureQuery = RouteRequest<typeof api.getFigures>["query"];

function computationOf(
  database: Database,
  accountId: string,
  {
    panel,
    window,
    query,
    signal,
  }: { panel: PanelDefinition; window: FigureWindow; query: FigureQuery; signal: AbortSignal },
): Computation<FigureInput> {
  const { measure, entityId, domain, sourceType, by = "none", blend = false, from: _, to: __, ...surface } = query;
  const measures = { measure, entityId, domain, sourceType };
  requireEntity(panel, measures);
  // Failed tasks make the bounds of shares.
  const failing = measuresOf(measures).some(hasBounds) ? "all" : measures;
  const selection = { panelId: panel.panelId, ...window, ...withoutOtherPlatforms(surface, measure) };
  return {
    accountId,
    job,
    input: { panel, measures, surface, window, by, blend },
    inputs: {
      failures: (db) => failurePages(db, accountId, selection, failing),
      answers: (db) => answerPages(db, accountId, selection, partsOf(measures)),
    },
    signal,
    narrow: by === "none" ? narrowWindow : narrowFigures,
    memoryMiB: () => memoryForWindow(readsUntil(database, signal), accountId, selection),
  };
}

const narrowFigures = {
  ...narrowWindow,
  detail: "Choose a shorter window, a platform, fewer measures, or an `entityId`.",
};

/** The measure that compares platforms needs the answers of the others, too. */
function withoutOtherPlatforms<Surface extends { platformCode?: string }>(
  surface: Surface,
  measure: string | undefined,
): Omit<Surface, "platformCode"> & { platformCode?: string } {
  if (measure?.includes("platform_source_agreement") !== true) return surface;
  const { platformCode: _, ...others } = surface;
  return others;
}
