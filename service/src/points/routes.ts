import { api } from "@querent/contract";
import type { Database } from "../db/index.ts";
import { csvLines, wantsCsv } from "../kernel/csv.ts";
import { decodeCursor, encodeCursor } from "../kernel/cursor.ts";
import { route, type Route } from "../kernel/route.ts";
import { readLedger, readUsage } from "./usage.ts";

const dayMs = 86_400_000;

export function usageRoutes(deps: { database: Database }): Route[] {
  return [
    route(api.getUsage, async ({ caller, query }) => {
      const to = query.to === undefined ? new Date() : new Date(query.to);
      const from = query.from === undefined ? new Date(to.getTime() - 29 * dayMs) : new Date(query.from);
      return { status: 200, body: await readUsage(deps.database, caller.accountId, { from, to }) };
    }),
    route(api.getLedger, async ({ caller, query, headers }) => {
      const before = query.cursor === undefined ? null : Number(decodeCursor(query.cursor, /^\d{1,16}$/));
      const page = await readLedger(deps.database, caller.accountId, { ...query, before, limit: query.limit ?? 100 });
      if (wantsCsv(headers["accept"])) {
        const columns = ["entryId", "kind", "points", "batchId", "taskId", "note", "createdAt"] as const;
        const rows = page.entries.map((entry) => columns.map((column) => entry[column]));
        return {
          status: 200,
          headers: { "content-type": "text/csv; charset=utf-8" },
          body: csvLines([columns, ...rows]),
        };
      }
      return {
        status: 200,
        body: { ...page, nextCursor: page.nextCursor === null ? null : encodeCursor(page.nextCursor) },
      };
    }),
  ];
}
