import { api, usageDaysMax, type StorageUse, type UsageDay } from "@querent/contract";
import type { Database, ListReader, Queryable } from "../db/index.ts";
import { asOfHeaders, route, type Route, type RouteReply } from "../api/route.ts";
import { csvLines } from "@querent/client";
import { negotiate } from "../api/negotiate.ts";
import { decodeCursor, encodeCursor } from "../api/cursor.ts";
import { ProblemError } from "../api/problem-error.ts";
import { readLedger, readUsage } from "./usage.ts";

const dayMs = 86_400_000;

const prefersCsv = (accept: string | undefined) => negotiate(accept, ["application/json", "text/csv"]) === "text/csv";

interface UsageRoutesDeps {
  readonly database: Database;
  readonly lists: ListReader;
  /** What an account stores. */
  readonly storageOf: (accountId: string) => Promise<StorageUse>;
}

export function usageRoutes(deps: UsageRoutesDeps): Route[] {
  return [
    route(api.getUsage, async ({ caller, query }) => {
      const to = query.to === undefined ? new Date() : new Date(query.to);
      const from = query.from === undefined ? new Date(to.getTime() - 29 * dayMs) : new Date(query.from);
      const [usage, storage] = await Promise.all([
        readUsage(deps.database, caller, { from, to }),
        deps.storageOf(caller.accountId),
      ]);
      return { status: 200, body: { ...usage, storage } };
    }),
    route(api.getUsageDays, async ({ caller, query, headers }) => {
      const range = dayRange(query);
      const { db, asOf } = deps.lists.source();
      const days = await readUsageDays(db, caller.accountId, range);
      if (prefersCsv(headers["accept"])) return csv(dayColumns, days, asOf);
      return { status: 200, headers: asOfHeaders(asOf), body: { ...range, days } };
    }),
    route(api.getLedger, async ({ caller, query, headers, signal }) => {
      const before = query.cursor === undefined ? null : Number(decodeCursor(query.cursor, /^\d{1,16}$/));
      const limit = query.limit ?? 100;
      const { db, asOf } = deps.lists.source();
      const page = await readLedger(db, caller.accountId, { ...query, before, limit });
      if (prefersCsv(headers["accept"])) {
        // A CSV table cannot indicate that more follows, so it is short only at the end of the ledger.
        const entries = [...page.entries];
        for (let next = page.nextCursor; next !== null && entries.length < limit && !signal.aborted;) {
          const wanted = { ...query, before: Number(next), limit: limit - entries.length };
          const more = await readLedger(db, caller.accountId, wanted);
          entries.push(...more.entries);
          next = more.nextCursor;
        }
        return csv(entryColumns, entries, asOf);
      }
      return {
        status: 200,
        headers: asOfHeaders(asOf),
        body: { ...page, nextCursor: page.nextCursor === null ? null : encodeCursor(page.nextCursor) },
      };
    }),
  ];
}

const entryColumns = ["entryId", "kind", "points", "batchId", "taskId", "note", "createdAt"] as const;
const dayColumns = [
  "day",
  "platformCode",
  "tokenId",
  "tokenName",
  "completed",
  "failed",
  "canceled",
  "chargedPoints",
] as const;

function csv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, string | number | null>>[],
  asOf: Date | null,
): RouteReply {
  const lines = csvLines([columns, ...rows.map((row) => columns.map((column) => row[column]))]);
  return { status: 200, headers: { ...asOfHeaders(asOf), "content-type": "text/csv; charset=utf-8" }, body: lines };
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The default for missing bounds is the last 30 days. */
function dayRange(query: { from?: string; to?: string }): { from: string; to: string } {
  const to = query.to ?? dayOf(Date.now());
  const from = query.from ?? dayOf(Date.parse(to) - 29 * dayMs);
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days >= 1 && days <= usageDaysMax) return { from, to };
  throw new ProblemError("validation_failed", "The parameters are not valid.", {
    errors: [
      {
        pointer: "?from",
        code: "out_of_range",
        detail: `From the first day to the last it has to be 1 to ${usageDaysMax} days.`,
      },
    ],
  });
}

/** Usage by UTC day, platform and token; both days included. */
async function readUsageDays(
  database: Queryable,
  accountId: string,
  range: { from: string; to: string },
): Promise<UsageDay[]> {
  // Index: the key of usage_hours, account and hour.
  const { rows } = await database.query<UsageDay & Record<string, unknown>>(
    `select d.day::text, d.platform as "platformCode", d.token_id as "tokenId", t.name as "tokenName", d.completed, d.failed,
            d.canceled, d.points as "chargedPoints"
     from (select (hour at time zone 'UTC')::date as day, platform, token_id, sum(completed)::bigint as completed,
                  sum(failed)::bigint as failed, sum(canceled)::bigint as canceled, sum(charged_points)::bigint as points
           from usage_hours
           where account_id = $1 and hour >= $2::timestamp at time zone 'UTC'
             and hour < ($3::timestamp + interval '1 day') at time zone 'UTC'
           group by 1, 2, 3) d
     left join access_tokens t on t.id = d.token_id
     order by d.day desc, d.platform, d.token_id`,
    [accountId, range.from, range.to],
  );
  return rows;
}
