import { api, type FigureRow } from "@querent/contract";
import { figureSteps, measureOf, measures, type PanelDefinition } from "@querent/figures";
import type { AccountSemaphore } from "../../api/account-semaphore.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route, type RouteRequest } from "../../api/route.ts";
import type { Database } from "../../db/index.ts";
import { runInSlices } from "../../runtime/slices.ts";
import type { EntityMemory } from "../entities/entity-memory.ts";
import { readAnswers } from "./read-answers.ts";
import { readDefinition } from "./read-definition.ts";
import { partsOf, requestsOf } from "./requests.ts";
import { windowOf, type FigureWindow } from "./window.ts";

export interface FigureRoutesDeps {
  readonly database: Database;
  readonly entities: EntityMemory;
  /** Limits the requests whose answers are in memory at the same time. */
  readonly limit: AccountSemaphore;
}

export function figureRoutes({ database, entities, limit }: FigureRoutesDeps): Route[] {
  return [
    route(api.getFigures, async ({ caller: { accountId }, params, query, signal }) => {
      const window = await windowOf(database, query);
      const panel = await readDefinition(database, entities, accountId, params.panel_id);
      if (panel === null) throw new ProblemError("not_found", "There is no such panel.");
      const release = await limit.acquire(accountId, signal);
      try {
        const rows = await figureRows(database, accountId, { panel, window, query });
        return { status: 200, body: { panelId: panel.panelId, revision: panel.revision, window, rows } };
      } finally {
        release();
      }
    }),

    route(api.listMeasures, () => Promise.resolve({ status: 200, body: { measures: [...measures] } })),
  ];
}

type FigureQuery = RouteRequest<typeof api.getFigures>["query"];

async function figureRows(
  database: Database,
  accountId: string,
  { panel, window, query }: { panel: PanelDefinition; window: FigureWindow; query: FigureQuery },
): Promise<FigureRow[]> {
  const { measure, entityId, domain, sourceType, by = "none", from: _, to: __, ...surface } = query;
  const given = { measure, entityId, domain, sourceType };
  const selection = { panelId: panel.panelId, ...window, ...withoutOtherPlatforms(surface, measure) };
  const answers = await readAnswers(database, accountId, selection, partsOf(given));
  const compute = figureSteps(panel, answers);
  const rows: FigureRow[] = [];
  for (const asked of requestsOf(panel, answers, given)) {
    const { definition } = measureOf(asked.measure);
    for (const row of await runInSlices(compute({ ...asked, ...surface, ...window, by })))
      rows.push({ measure: asked.measure, definition, ...row });
  }
  return rows;
}

/** The measure that compares platforms needs the answers of the others, too. */
function withoutOtherPlatforms<Surface extends { platformCode?: string }>(
  surface: Surface,
  measure: string | undefined,
): Omit<Surface, "platformCode"> & { platformCode?: string } {
  if (measure?.includes("platform_source_agreement") !== true) return surface;
  const { platformCode: _, ...others } = surface;
  return others;
}
