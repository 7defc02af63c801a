/**
 * The counts of what each account stores.
 *
 * Invariant: what a request stores without points is counted in its own transaction, with the expressions that also measure it. So a count
 * is above the rows by what was deleted or has expired since it was measured, and below them only by runs and seals of panels.
 */
import type { StorageKind } from "@querent/contract";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { rowsAs, type Database, type Queryable, type Transaction } from "../db/index.ts";
import { limitedKinds, measuredKinds, parts, rowsOf, type Part } from "./storage-kinds.ts";

/** Counts what the caller's transaction has stored. */
export async function countStored(
  tx: Transaction,
  { accountId, kind }: { readonly accountId: string; readonly kind: StorageKind },
  ...added: readonly unknown[]
): Promise<void> {
  // Locks: the account's row of the kind, until the commit: so this is the last statement of its transaction, or stands behind the lock of the
  // account. Index: the primary keys.
  await tx.query({
    name: `count stored ${kind}`,
    text: `insert into account_storage as s (account_id, kind, row_count, bytes)
           select $1, '${kind}', count(*), coalesce(sum(bytes), 0)::bigint from (${rowsOf(kind, true)}) added having count(*) > 0
           on conflict (account_id, kind) do update
             set row_count = s.row_count + excluded.row_count, bytes = s.bytes + excluded.bytes`,
    values: [accountId, ...added],
  });
}

/** Rows that no statement had counted: of a kind that is counted completely, a sign of a defect, or of older code beside this one. */
export interface Uncounted {
  readonly accountId: string;
  readonly kind: StorageKind;
  readonly rows: number;
}

/**
 * Compares the counts of one account with its rows, and corrects them. Each kind is measured by one
 * statement, whose snapshot has both, so what is stored meanwhile is neither lost nor counted twice.
 */
export async function measureStored(
  db: Queryable,
  accountId: string,
  kinds: readonly StorageKind[] = limitedKinds,
): Promise<Uncounted[]> {
  const uncounted: Uncounted[] = [];
  for (const kind of kinds) {
    // Locks: the account's row of the kind. Index: the primary keys, all of which begin with the account.
    const { rows } = await db.query<{ row_count: number; measured_at: Date | null }>({
      name: `measure stored ${kind}`,
      text: `with measured as (
               select count(*) as row_count, coalesce(sum(bytes), 0)::bigint as bytes from (${rowsOf(kind, false)}) rows
             ), difference as (
               select m.row_count - coalesce(c.row_count, 0) as row_count, m.bytes - coalesce(c.bytes, 0) as bytes, c.measured_at
                 from measured m left join account_storage c on c.account_id = $1 and c.kind = '${kind}'
                where m.row_count > 0 or c.kind is not null
             ), corrected as (
               insert into account_storage as s (account_id, kind, row_count, bytes, measured_at)
               select $1, '${kind}', row_count, bytes, now() from difference
               on conflict (account_id, kind) do update
                 set row_count = s.row_count + excluded.row_count, bytes = s.bytes + excluded.bytes,
                     measured_at = excluded.measured_at
             )
             select row_count, measured_at from difference where row_count > 0`,
      values: [accountId],
    });
    const isCounted = parts[kind].every(({ added }) => added !== undefined);
    for (const { row_count: count, measured_at: measuredAt } of rows)
      if (isCounted && measuredAt !== null) uncounted.push({ accountId, kind, rows: count });
  }
  return uncounted;
}

/** After each statement follows a pause of this many times its duration: measuring takes a twentieth of one connection. */
const pauses = 19;
const pauseMsMax = 60_000;

/** Time for one statement of the regular measuring. Those of requests have less. */
const slowMsMax = 300_000;

/**
 * Corrects the counts of all accounts, and measures what is only told. What fails keeps its former count until the next time: one account
 * that holds too much does not stand in the way of the others.
 */
export async function measureAllStored(
  database: Database,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
): Promise<Uncounted[]> {
  const uncounted: Uncounted[] = [];
  const { rows } = await database.query<{ id: string }>("select id from accounts order by id");
  /** Does one step of the measuring; false if it failed, or nothing more is to be done. */
  const step = async (work: () => Promise<void>): Promise<boolean> => {
    if (signal.aborted) return false;
    const startedAt = performance.now();
    const isDone = await work().then(
      () => true,
      (error: unknown) => {
        onFault(error);
        return false;
      },
    );
    const pauseMs = Math.min(pauseMsMax, (performance.now() - startedAt) * pauses);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    return isDone;
  };
  const correct = async (db: Queryable, accountId: string, kinds: readonly StorageKind[]) =>
    void uncounted.push(...(await measureStored(db, accountId, kinds)));
  for (const { id } of rows)
    await step(async () => {
      try {
        await correct(database, id, limitedKinds);
      } catch (error) {
        if (!isTooSlow(error)) throw error;
        // Each kind in a transaction of its own: it locks the account's count of the kind until its commit.
        for (const kind of limitedKinds) await withTime(database, (db) => correct(db, id, [kind]));
      }
    });
  for (const kind of measuredKinds) {
    const sums: Sums = new Map();
    let isWhole = true;
    for (const part of parts[kind])
      for (const partition of await partitionsOf(database, part.from))
        isWhole =
          (await step(() => withTime(database, (db) => addPartition(db, part, { partition, sums })))) && isWhole;
    if (isWhole && !signal.aborted) await writeMeasured(database, kind, sums);
  }
  return uncounted;
}

/** A transaction whose statements may take long. */
function withTime(database: Database, work: (db: Queryable) => Promise<void>): Promise<void> {
  return database.transaction(
    async (tx) => {
      const query = (config: pg.QueryConfig | string, values?: unknown[]) =>
        tx.query({
          ...(typeof config === "string" ? { text: config, ...(values !== undefined && { values }) } : config),
          query_timeout: slowMsMax,
        } as pg.QueryConfig);
      await work({ query: query as Queryable["query"] });
    },
    { settings: { statement_timeout: `${slowMsMax}` } },
  );
}

type Sums = Map<string, { rows: number; bytes: number }>;

/** Adds what each account holds in one partition. Reads all of it, and locks nothing. */
async function addPartition(
  db: Queryable,
  { where = "true", bytes }: Part,
  { partition, sums }: { readonly partition: string; readonly sums: Sums },
): Promise<void> {
  const { rows } = await db.query<{ id: string; row_count: number; bytes: number }>(
    `select t.account_id as id, count(*) as row_count, sum(${bytes})::bigint as bytes from ${partition} t
      where ${where} group by 1`,
  );
  for (const account of rows) {
    const sum = sums.get(account.id) ?? { rows: 0, bytes: 0 };
    sums.set(account.id, { rows: sum.rows + account.row_count, bytes: sum.bytes + account.bytes });
  }
}

/**
 * After a deletion by a request, so that the account has its room again. If it takes too long, the regular measuring does it: what was to
 * be deleted is deleted.
 */
export async function measureDeleted(db: Queryable, accountId: string, kinds: readonly StorageKind[]): Promise<void> {
  try {
    await measureStored(db, accountId, kinds);
  } catch (error) {
    if (!isTooSlow(error)) throw error;
  }
}

const isTooSlow = (error: unknown) => error instanceof pg.DatabaseError && error.code === "57014";

/** True if no process has measured since. */
export async function isMeasuringDue(database: Database, everyMs: number): Promise<boolean> {
  // Index: the primary key; reads a row for each account and kind. Locks nothing.
  const { rows } = await database.query<{ due: boolean }>(
    `select not exists (select from account_storage where kind = any($1) and measured_at > now() - $2 * interval '1 millisecond') as due`,
    [measuredKinds, everyMs],
  );
  return rows[0]?.due === true;
}

async function partitionsOf(database: Database, from: string): Promise<string[]> {
  const table = from.split(" ", 1)[0] ?? from;
  const { rows } = await database.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by inhrelid",
    [table],
  );
  return rows.length === 0 ? [table] : rows.map(({ name }) => name);
}

const measuredRows = rowsAs<readonly [accountId: string, sum: { readonly rows: number; readonly bytes: number }]>("m", {
  id: ["uuid", ([accountId]) => accountId],
  row_count: ["bigint", ([, { rows }]) => rows],
  bytes: ["bigint", ([, { bytes }]) => bytes],
});

async function writeMeasured(
  database: Database,
  kind: StorageKind,
  sums: ReadonlyMap<string, { readonly rows: number; readonly bytes: number }>,
): Promise<void> {
  // Locks: the rows of the kind, in the order of the accounts. Accounts that hold nothing any more have a row with zeros.
  await database.query(
    `with measured as (
       select a.id, coalesce(m.row_count, 0) as row_count, coalesce(m.bytes, 0) as bytes
         from accounts a left join ${measuredRows.after(1)} on m.id = a.id
        where m.id is not null or exists (select from account_storage s where s.account_id = a.id and s.kind = $1)
     )
     insert into account_storage (account_id, kind, row_count, bytes, measured_at)
     select id, $1, row_count, bytes, now() from measured order by id
     on conflict (account_id, kind) do update
       set row_count = excluded.row_count, bytes = excluded.bytes, measured_at = excluded.measured_at`,
    [kind, ...measuredRows.values([...sums])],
  );
}
