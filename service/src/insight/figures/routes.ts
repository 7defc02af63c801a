import { api, measureIds, type MeasureId } from "@querent/contract";
import { computeFigures, measureOf, measures, type FigureRequest, type PanelDefinition } from "@querent/figures";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import type { Database } from "../../db/index.ts";
import { yieldToEventLoop } from "../../runtime/slices.ts";
import type { EntityMemory } from "../entities/entity-memory.ts";
import { readAnswers } from "./read-answers.ts";
import { readDefinition } from "./read-definition.ts";
import { windowOf } from "./window.ts";

export interface FigureRoutesDeps {
  readonly database: Database;
  readonly entities: EntityMemory;
}

export function figureRoutes({ database, entities }: FigureRoutesDeps): Route[] {
  return [
    route(api.getFigures, async ({ caller: { accountId }, params, query }) => {
      const { measure, entityId, by = "none", from, to, ...surface } = query;
      const window = await windowOf(database, {
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      });
      const panel = await readDefinition(database, entities, accountId, params.panel_id);
      if (panel === null) throw new ProblemError("not_found", "There is no such panel.");
      const requests = requestsOf(panel, measure, entityId).map((one) => ({ ...one, ...surface, ...window, by }));
      const answers = await readAnswers(database, accountId, { panelId: panel.panelId, ...window, ...surface });
      const rows = [];
      for (const request of requests) {
        const { definition } = measureOf(request.measure);
        for (const row of computeFigures(panel, answers, request))
          rows.push({ measure: request.measure, definition, ...row });
        await yieldToEventLoop();
      }
      return { status: 200, body: { panelId: panel.panelId, revision: panel.revision, window, rows } };
    }),
    route(api.listMeasures, async () => ({ status: 200, body: { measures } })),
  ];
}

/** The figures that are asked for: of each measure, for each entity where it is about one. */
function requestsOf(
  panel: PanelDefinition,
  given: string | undefined,
  entityId: string | undefined,
): Pick<FigureRequest, "measure" | "entityId">[] {
  const about = panel.entities.filter((one) =>
    entityId === undefined ? one.relation !== "other" : one.entityId === entityId,
  );
  if (entityId !== undefined && about.length === 0)
    throw new ProblemError("validation_failed", "There is no such entity.", {
      errors: [{ pointer: "?entityId", code: "not_allowed", detail: "The account has no such entity." }],
    });
  return measuresOf(given).flatMap((measure) =>
    measureOf(measure).per === "entity" ? about.map((one) => ({ measure, entityId: one.entityId })) : [{ measure }],
  );
}

const summary: readonly MeasureId[] = ["presence", "mention_share", "first_place", "position"];

function measuresOf(given: string | undefined): readonly MeasureId[] {
  if (given === undefined) return summary;
  const named = new Set(given.split(","));
  return measureIds.filter((id) => named.has(id));
}
