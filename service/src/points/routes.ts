import {
  api,
  usageDaysMax,
  type StorageUse,
  type UsageDay,
  type LedgerEntry,
  type LedgerPage,
  type ProjectUsageDay,
  type UsageRecord,
} from "@querent/contract";
import type { Database, ListReader, Queryable } from "../db/index.ts";
import { asOfHeaders, route, type Route, type RouteReply, type Caller } from "../api/route.ts";
import { csvLines } from "@querent/client";
import { negotiate } from "../api/negotiate.ts";
import { decodeCursor, encodeCursor } from "../api/cursor.ts";
import { ProblemError } from "../api/problem-error.ts";
import { listProjects, projectsToList } from "../projects/index.ts";
import { scanPage } from "../api/scan-page.ts";

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
    route(api.getProjectUsage, async ({ caller, query, headers }) => {
      const range = dayRange(query);
      const projects = await projectsToList(deps.database, caller, query.project);
      const { db, asOf } = deps.lists.source();
      const days = await readProjectUsage(db, caller.accountId, projects, range);
      if (prefersCsv(headers["accept"])) return csv(projectColumns, days, asOf);
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

const projectColumns = [
  "day",
  "projectId",
  "projectName",
  "platformCode",
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
    `select d.day::text, d.platform as "platformCode", d.token_id as "tokenId", coalesce(t.name, p.email) as "tokenName", d.completed, d.failed,
            d.canceled, d.points as "chargedPoints"
     from (select (hour at time zone 'UTC')::date as day, platform, token_id, sum(completed)::bigint as completed,
                  sum(failed)::bigint as failed, sum(canceled)::bigint as canceled, sum(charged_points)::bigint as points
           from usage_hours
           where account_id = $1 and hour >= $2::timestamp at time zone 'UTC'
             and hour < ($3::timestamp + interval '1 day') at time zone 'UTC'
           group by 1, 2, 3) d
     left join access_tokens t on t.id = d.token_id
     left join members m on m.id = d.token_id
     left join persons p on p.id = m.person_id
     order by d.day desc, d.platform, d.token_id`,
    [accountId, range.from, range.to],
  );
  return rows;
}

/** Usage by UTC day, project and platform; both days included. `projects`: null for all. */
async function readProjectUsage(
  database: Queryable,
  accountId: string,
  projects: readonly string[] | null,
  range: { from: string; to: string },
): Promise<ProjectUsageDay[]> {
  // Index: the primary key, account and hour.
  const { rows } = await database.query<ProjectUsageDay & Record<string, unknown>>(
    `select (hour at time zone 'UTC')::date::text as day, project_id as "projectId", platform as "platformCode",
            sum(completed)::bigint as completed, sum(failed)::bigint as failed, sum(canceled)::bigint as canceled,
            sum(charged_points)::bigint as "chargedPoints"
       from project_usage_hours
      where account_id = $1 and hour >= $2::timestamp at time zone 'UTC'
        and hour < ($3::timestamp + interval '1 day') at time zone 'UTC' and ($4::uuid[] is null or project_id = any($4))
      group by 1, 2, 3 order by 1 desc, 2, 3`,
    [accountId, range.from, range.to, projects],
  );
  const names = new Map(
    (await listProjects(database, { accountId, projects })).map(({ projectId, name }) => [projectId, name]),
  );
  return rows.map((row) => ({ ...row, projectName: names.get(row.projectId) ?? null }));
}

/** The account's points, and its usage by day and platform. `from` and `to` are truncated to whole UTC days, both included. */
async function readUsage(
  database: Database,
  { accountId, tokenId, scopes }: Caller,
  range: { from: Date; to: Date },
): Promise<Omit<UsageRecord, "storage">> {
  const { rows: accounts } = await database.query<{
    name: string;
    available: number;
    held: number;
    captured: number;
    granted: number;
  }>(
    `select name, points_available as available, points_held as held, points_captured as captured, points_granted as granted
     from accounts where id = $1`,
    [accountId],
  );
  const account = accounts[0];
  if (account === undefined) throw new Error(`account ${accountId} is gone`);
  const { rows: days } = await database.query<UsageRecord["days"][number]>(
    `select (hour at time zone 'UTC')::date::text as day, platform as "platformCode", sum(completed)::bigint as completed,
            sum(failed)::bigint as failed, sum(canceled)::bigint as canceled, sum(charged_points)::bigint as "chargedPoints"
     from usage_hours
     where account_id = $1 and hour >= date_trunc('day', $2::timestamptz, 'UTC')
       and hour < date_trunc('day', $3::timestamptz, 'UTC') + interval '24 hours'
     group by 1, 2
     order by 1 desc, 2`,
    [accountId, range.from, range.to],
  );
  const { name, ...balance } = account;
  return {
    account: name,
    token: { tokenId, scopes: [...scopes] },
    balance,
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    days,
  };
}

export interface LedgerQuery {
  readonly kind?: LedgerEntry["kind"];
  readonly taskId?: string;
  readonly batchId?: string;
  readonly from?: string;
  readonly to?: string;
  /** Entries older than this one. */
  readonly before: number | null;
  readonly limit: number;
}

type LedgerRow = Omit<LedgerEntry, "createdAt"> & { createdAt: Date };

/** A page of the account's ledger, newest first. A page can be short although `nextCursor` is set: see `scanPage`. */
async function readLedger(database: Queryable, accountId: string, query: LedgerQuery): Promise<LedgerPage> {
  const filter = [
    accountId,
    query.kind ?? null,
    query.taskId ?? null,
    query.batchId ?? null,
    query.from ?? null,
    query.to ?? null,
  ];
  // Indexes: ledger_task, read completely, if a task is given; otherwise the primary key. Locks nothing.
  const from =
    query.taskId === undefined
      ? "ledger"
      : "(select * from ledger where account_id = $1 and task_id = $3::uuid offset 0) ledger";
  const isWhole = filter.slice(1).every((value) => value === null) || query.taskId !== undefined;
  const { rows, next } = await scanPage<LedgerRow, number>(
    { before: query.before, limit: query.limit, isWhole },
    (row) => row.entryId,
    async ({ before, rowsMax, wanted }) => {
      const found = await database.query<LedgerRow & { fits: boolean; nth: number }>(
        `select * from (
           select id as "entryId", kind, points, batch_id as "batchId", task_id as "taskId", note, created_at as "createdAt",
                  row_number() over (order by id desc)::int as nth,
                  coalesce(($2::text is null or kind = $2)
                       and ($3::uuid is null or task_id = $3)
                       and ($4::uuid is null or batch_id = $4)
                       and ($5::timestamptz is null or created_at >= $5)
                       and ($6::timestamptz is null or created_at < $6), false) as fits
           from (
             select * from ${from}
             where account_id = $1 and ($7::bigint is null or id < $7)
             order by id desc
             limit $8::int
           ) ledger
         ) entries
         where fits or nth = $8::int
         order by "entryId" desc
         limit $9::int`,
        [...filter, before, rowsMax, wanted],
      );
      return {
        rows: found.rows.filter((row) => row.fits),
        last: found.rows.find(({ nth }) => nth === rowsMax)?.entryId ?? null,
      };
    },
  );
  return { entries: rows.map(ledgerEntry), nextCursor: next === null ? null : String(next) };
}

const ledgerEntry = ({ entryId, kind, points, batchId, taskId, note, createdAt }: LedgerRow): LedgerEntry => ({
  entryId,
  kind,
  points,
  batchId,
  taskId,
  note,
  createdAt: createdAt.toISOString(),
});
