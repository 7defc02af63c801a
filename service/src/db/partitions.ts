/**
 * Partitions of tables by ranges of ids, which contain their time. The last partition has no end, so a row has a place at any
 * time; before its beginning comes near, it gets an end, and a new last one follows it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { firstIdAt, timeOfId } from "../kernel/ids.ts";
import type { Database, Queryable, Transaction } from "./pool.ts";
import { createHash } from "node:crypto";
import { open, rename } from "node:fs/promises";

export interface PartitionedTable {
  readonly table: string;
  /** The column that selects the partition. */
  readonly key: string;
}

export interface Partition {
  readonly name: string;
  /** The first time of its ids; null: of all ids before `to`. */
  readonly from: Date | null;
  /** The first time after it; null: it has no end. */
  readonly to: Date | null;
  /** Being removed by a process that has not completed this yet. */
  readonly detaching: boolean;
}

export const partitionPeriods = ["day", "week", "month"] as const;
export type PartitionPeriod = (typeof partitionPeriods)[number];

/** The partitions of a table, oldest first. */
export async function listPartitions(db: Queryable, { table }: Pick<PartitionedTable, "table">): Promise<Partition[]> {
  const { rows } = await db.query<{ name: string; from: string | null; to: string | null; detaching: boolean }>(
    `select c.relname as name, i.inhdetachpending as detaching,
            substring(pg_get_expr(c.relpartbound, c.oid) from $$FROM \\('([^']*)'$$) as from,
            substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \\('([^']*)'$$) as to
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass`,
    [table],
  );
  return rows
    .map(({ name, from, to, detaching }) => ({
      name,
      from: from === null ? null : timeOfId(from),
      to: to === null ? null : timeOfId(to),
      detaching,
    }))
    .toSorted((a, b) => (a.from?.getTime() ?? 0) - (b.from?.getTime() ?? 0));
}

/**
 * Adds partitions until the last one begins at least a whole period after now. Safe to run in several processes concurrently.
 * Returns the new partitions.
 */
export async function extendPartitions(
  database: Database,
  table: PartitionedTable,
  period: PartitionPeriod,
): Promise<{ created: string[] }> {
  const created: string[] = [];
  for (;;) {
    const { rows: clock } = await database.query<{ now: Date }>("select now() as now");
    const now = clock[0]?.now ?? new Date();
    const last = (await listPartitions(database, table)).at(-1);
    if (last === undefined || last.from === null || last.to !== null)
      throw new Error(`The last partition of ${table.table} has an end.`);
    if (last.from >= nextBoundary(nextBoundary(now, period), period)) return { created };
    const end = nextBoundary(last.from > now ? last.from : now, period);
    const name = await split(database, table, { name: last.name, from: last.from, to: end });
    if (name !== null) created.push(name);
  }
}

/** The first day, Monday or first of a month (UTC) after a time. */
export function nextBoundary(time: Date, period: PartitionPeriod): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  if (period === "month") return new Date(Date.UTC(year, month + 1));
  const daysToMonday = 7 - ((time.getUTCDay() + 6) % 7);
  return new Date(Date.UTC(year, month, day + (period === "day" ? 1 : daysToMonday)));
}

/** Ends the last partition at a time, and adds one like it after that. Returns its name; null if another process did this. */
async function split(
  database: Database,
  { table, key }: PartitionedTable,
  last: { readonly name: string; readonly from: Date; readonly to: Date },
): Promise<string | null> {
  const [from, to] = [firstIdAt(last.from), firstIdAt(last.to)];
  // With this constraint, attaching the partition with an end reads none of its rows. It is checked without locking out anybody.
  const bounded = `${last.name}_range`;
  const client = await database.connect();
  try {
    await withShortLocks(database, (tx) =>
      tx.query(`alter table ${last.name} drop constraint if exists ${bounded},
                add constraint ${bounded} check (${key} >= '${from}' and ${key} < '${to}') not valid`),
    );
    await client.query(`alter table ${last.name} validate constraint ${bounded}`);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === undefinedObject) return null;
    throw error;
  } finally {
    await client.end();
  }
  // Locks: the whole table, for some milliseconds.
  return withShortLocks(database, async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtextextended($1 || ' partitions', 0))", [table]);
    const { rows } = await tx.query<{ is_last: boolean; options: string | null }>(
      `select pg_get_expr(relpartbound, oid) like '%TO (MAXVALUE)' as is_last, array_to_string(reloptions, ', ') as options
         from pg_class where oid = $1::regclass`,
      [last.name],
    );
    if (rows[0]?.is_last !== true) {
      await tx.query(`alter table ${last.name} drop constraint if exists ${bounded}`);
      return null;
    }
    const { options } = rows[0];
    const next = `${table}_${last.to.toISOString().slice(0, 10).replaceAll("-", "")}`;
    // Like the last one, with the indexes that only partitions have.
    await tx.query(
      `create table ${next} (like ${last.name} including all)${options === null ? "" : ` with (${options})`}`,
    );
    await tx.query(`alter table ${next} drop constraint ${bounded}`);
    await tx.query(`alter table ${table} detach partition ${last.name}`);
    await tx.query(`alter table ${table} attach partition ${last.name} for values from ('${from}') to ('${to}')`);
    await tx.query(`alter table ${table} attach partition ${next} for values from ('${to}') to (maxvalue)`);
    await tx.query(`alter table ${last.name} drop constraint ${bounded}`);
    return next;
  });
}

/**
 * Removes a partition with its rows. Others go on reading and writing the table meanwhile: the removal waits for transactions
 * that have used it. If it is interrupted, call it again.
 */
export async function dropPartition(
  database: Database,
  { table }: Pick<PartitionedTable, "table">,
  { name, detaching }: Pick<Partition, "name" | "detaching">,
): Promise<void> {
  // The statement has no time limit: it waits for every transaction that has read the table, and holds back none.
  const client = await database.connect();
  try {
    await client.query(`comment on table ${name} is '${condemned}'`);
    await client.query(`alter table ${table} detach partition ${name} ${detaching ? "finalize" : "concurrently"}`);
  } catch (error) {
    const partitions = await listPartitions(database, { table });
    // Another process is removing it.
    if (partitions.some((partition) => partition.name === name)) throw error;
  } finally {
    await client.end();
  }
  await withShortLocks(database, (tx) => tx.query(`drop table if exists ${name}`));
}

/**
 * Removes all rows of a partition at once, unless `isKept` finds that one must stay. It remains, so that rows of its time still have a
 * place. Nobody else reads or writes it meanwhile, for some milliseconds. Returns whether it was emptied.
 */
export function emptyPartition(
  database: Database,
  { name }: Pick<Partition, "name">,
  isKept: (db: Queryable) => Promise<boolean>,
): Promise<boolean> {
  return withShortLocks(database, async (tx) => {
    await tx.query(`lock table ${name} in access exclusive mode`);
    if (await isKept(tx)) return false;
    await tx.query(`truncate ${name}`);
    return true;
  });
}

/** The comment on a partition that is being dropped. */
const condemned = "Being dropped by the service.";

/** Drops former partitions whose removal was interrupted after they had been detached. */
export async function dropLeftovers(database: Database, { table }: Pick<PartitionedTable, "table">): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind = 'r' and not relispartition and relname like $1 || '\\_%'
        and relnamespace = 'public'::regnamespace and obj_description(oid, 'pg_class') = $2`,
    [table, condemned],
  );
  for (const { name } of rows) await withShortLocks(database, (tx) => tx.query(`drop table if exists ${name}`));
}

/** The constraint is gone: another process has done this meanwhile. */
const undefinedObject = "42704";

const lockTimeoutMs = 500;
const triesMax = 20;
/** "lock not available", "deadlock detected" */
const lockFaults = ["55P03", "40P01"];

/**
 * Runs a transaction that locks whole tables. Everybody who comes later waits behind such a lock, even while it waits itself,
 * so it is given up after half a second, and tried again after a pause in which they go on.
 */
async function withShortLocks<Result>(database: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.transaction(work, { settings: { lock_timeout: `${lockTimeoutMs}` } });
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !lockFaults.includes(error.code ?? "") || tries === triesMax)
        throw error;
      await sleep(lockTimeoutMs);
    }
  }
}

const rowsAtOnce = 1_000;

/**
 * Writes the rows of a table to a file, a JSON object per line. The file gets its name once it is complete and on disk. Returns
 * the number of rows and the SHA-256 of the file.
 */
export async function exportTable(
  database: Database,
  name: string,
  path: string,
): Promise<{ readonly rows: number; readonly sha256: string }> {
  const client = await database.connect();
  const hash = createHash("sha256");
  let count = 0;
  try {
    const file = await open(`${path}.part`, "w");
    try {
      await client.query("begin read only");
      await client.query("set local idle_in_transaction_session_timeout = 0");
      await client.query(`declare exported no scroll cursor for select row_to_json(t)::text as row from ${name} t`);
      for (;;) {
        const { rows } = await client.query<{ row: string }>(`fetch ${rowsAtOnce} from exported`);
        if (rows.length === 0) break;
        const lines = rows.map(({ row }) => `${row}\n`).join("");
        hash.update(lines);
        await file.write(lines);
        count += rows.length;
      }
      await client.query("commit");
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
  } finally {
    await client.end();
  }
  return { rows: count, sha256: hash.digest("hex") };
}
