import { api, figureAnswersMax } from "@querent/contract";
import { measures, type PanelDefinition } from "@querent/figures";
import type { AccountSemaphore } from "../../api/account-semaphore.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route, type RouteRequest } from "../../api/route.ts";
import type { Database } from "../../db/index.ts";
import { compute } from "../computing/compute.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { answerPages } from "./answer-pages.ts";
import { readDefinition } from "./read-definition.ts";
import { readFailedTasks } from "./read-failures.ts";
import { partsOf, requireEntity } from "./requests.ts";
import { windowOf, type FigureWindow } from "./window.ts";

export interface FigureRoutesDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
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
        const body = await computeFigures(database, accountId, { panel, window, query, signal });
        return { status: 200, headers: jsonHeaders, body };
      } finally {
        release();
      }
    }),

    route(api.listMeasures, () => Promise.resolve({ status: 200, body: { measures: [...measures] } })),
  ];
}

/** The body is JSON already. */
export const jsonHeaders = { "content-type": "application/json; charset=utf-8" } as const;

type FigureQuery = RouteRequest<typeof api.getFigures>["query"];

async function computeFigures(
  database: Database,
  accountId: string,
  {
    panel,
    window,
    query,
    signal,
  }: { panel: PanelDefinition; window: FigureWindow; query: FigureQuery; signal: AbortSignal },
): Promise<string | Buffer> {
  const { measure, entityId, domain, sourceType, by = "none", from: _, to: __, ...surface } = query;
  const measures = { measure, entityId, domain, sourceType };
  requireEntity(panel, measures);
  const selection = { panelId: panel.panelId, ...window, ...withoutOtherPlatforms(surface, measure) };
  const failures = await readFailedTasks(database, accountId, selection, measures);
  const pages = answerPages(database, accountId, selection, partsOf(measures));
  const job = { kind: "figures", panel, failures, asked: { measures, surface, window, by } } as const;
  return compute({ job, answers: figureAnswersMax, signal }, pages);
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
