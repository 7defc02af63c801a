import { api } from "@querent/contract";
import { decodeCursor, encodeCursor } from "../../api/cursor.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import type { Database } from "../../db/index.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { importAnswers } from "./import-answers.ts";
import { readLines } from "./read-lines.ts";
import { getImport, listImports } from "./read-imports.ts";

export interface ImportRoutesDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  /** How long the texts of imported answers are kept. */
  readonly retentionMs: number;
}

const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function importRoutes({ database, entities, retentionMs }: ImportRoutesDeps): Route[] {
  return [
    route(api.importAnswers, async ({ caller, query, rawBody }) => {
      const { name, format = "querent", firstLine = 1 } = query;
      const { answers, lineCount } = await readLines(rawBody, { format, firstLine });
      const part = { accountId: caller.accountId, name, format, firstLine, lineCount, answers };
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
