import type { LedgerEntry, LedgerPage, UsageRecord } from "@querent/contract";
import type { Database, Queryable } from "../db/index.ts";
import { scanPage } from "../api/scan-page.ts";
import type { Caller } from "../api/route.ts";

/** The account's points, and its usage by day and platform. `from` and `to` are truncated to whole UTC days, both included. */
export async function readUsage(
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
export async function readLedger(database: Queryable, accountId: string, query: LedgerQuery): Promise<LedgerPage> {
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
