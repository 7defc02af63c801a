import { api } from "@querent/contract";
import { decodeCursor, encodeCursor } from "../../api/cursor.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import { idPattern } from "../../kernel/ids.ts";
import type { Database } from "../../db/index.ts";
import type { EntitySearch } from "../../observations/entities/entity-search.ts";
import { importAnswers, requirePlaced } from "./import-answers.ts";
import { placeAnswers, type PanelChoice } from "./place-answers.ts";
import { readLines } from "./read-lines.ts";
import { getImport, listImports } from "./read-imports.ts";

export interface ImportRoutesDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  /** How long the texts of imported answers are kept. */
  readonly retentionMs: number;
}

function choiceOf({ panelId, panel }: { panelId?: string; panel?: string }): PanelChoice {
  if (panelId !== undefined && panel !== undefined)
    throw new ProblemError("validation_failed", "A request names one panel. Nothing was imported.", {
      errors: [{ pointer: "?panel", code: "not_allowed", detail: "Leave out either `panel` or `panelId`." }],
    });
  if (panelId !== undefined) return { panelId };
  return panel === undefined ? null : { name: panel };
}

export function importRoutes({ database, entities, retentionMs }: ImportRoutesDeps): Route[] {
  return [
    route(api.importAnswers, async ({ caller, query, rawBody }) => {
      const { name, format = "querent", firstLine = 1 } = query;
      const choice = choiceOf(query);
      const { answers, lineCount, errors } = await readLines(rawBody, { format, firstLine });
      const { accountId } = caller;
      const mayWritePanels = caller.scopes.includes("panels:write");
      const part = { accountId, name, format, firstLine, lineCount, answers, choice, mayWritePanels };
      // Before the texts are searched, which takes most of the time; and together with what the lines' form has said.
      const placed = await placeAnswers(database, part, false);
      requirePlaced(part, { ...placed, faults: [...errors, ...placed.faults] });
      return { status: 200, body: await importAnswers(database, part, { entities, retentionMs }) };
    }),

    route(api.listImports, async ({ caller, query: { name = null, cursor, limit = 50 } }) => {
      const beforeId = cursor === undefined ? null : decodeCursor(cursor, idPattern);
      const { imports, nextId } = await listImports(database, caller.accountId, { name, beforeId, limit });
      return { status: 200, body: { imports, nextCursor: nextId === null ? null : encodeCursor(nextId) } };
    }),

    route(api.getImport, async ({ caller, params }) => {
      const found = await getImport(database, caller.accountId, params.import_id);
      if (found === null) throw new ProblemError("not_found", "There is no such import.");
      return { status: 200, body: found };
    }),
  ];
}
