import type { Database, Partition, Queryable } from "../db/index.ts";
import { listAccounts } from "../accounts/index.ts";
import { firstIdAt } from "../kernel/ids.ts";

/** Partitions created in advance, so that a service whose maintenance fails for days can still store results. */
const daysAhead = 7;
const dayMs = 86_400_000;
/** Idempotency keys are deleted after this number of days, like results. */
const keyDays = 7;

/**
 * Creates the partitions of the coming days and drops those in which every result has expired. Safe to run in several processes
 * concurrently. Results were already hidden from their own `expires_at` on.
 */
export async function maintainResults(database: Database): Promise<{ dropped: string[] }> {
  const { rows: clock } = await database.query<{ now: Date }>("select now() as now");
  const today = clock[0]?.now ?? new Date();
  const dropped: string[] = [];
  for (const table of expiring) {
    for (let day = -1; day <= daysAhead; day++)
      await makePartition(database, table, new Date(today.getTime() + day * dayMs));
    const { rows: partitions } = await database.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = '${table}'::regclass order by 1`,
    );
    for (const { name } of partitions) {
      if (name < partitionName(table, new Date(today.getTime() - dayMs)) && (await dropIfExpired(database, name)))
        dropped.push(name);
    }
  }
  return { dropped };
}

/** Tables with one partition per day, and an `expires_at` in each row. */
const expiring = ["task_results", "artifacts"] as const;
type Expiring = (typeof expiring)[number];

/** Deletes idempotency keys that are older than the promised retention. */
export async function forgetKeys(database: Database): Promise<number> {
  // Index: idempotency_keys_age. In bounded steps, so that no lock is held for long.
  const { rowCount } = await database.query(
    `delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys where created_at < now() - $1 * interval '1 day' limit 5000))`,
    [keyDays],
  );
  return rowCount ?? 0;
}

async function makePartition(database: Database, table: Expiring, day: Date): Promise<void> {
  const name = partitionName(table, day);
  const from = day.toISOString().slice(0, 10);
  const to = new Date(day.getTime() + dayMs).toISOString().slice(0, 10);
  const { rowCount } = await database.query("select 1 from pg_class where relname = $1 and relkind = 'r'", [name]);
  if (rowCount === 1) return;
  // Locks: the parent table, briefly. If two processes create the partition, the lock lets the second see that it exists.
  await database.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('${table} partitions', 0))`);
    await tx.query(`set local lock_timeout = ${lockTimeout}`);
    await tx.query(`create table if not exists ${name} partition of ${table} for values from ('${from}') to ('${to}')`);
  });
}

async function dropIfExpired(database: Database, name: string): Promise<boolean> {
  const { rows } = await database.query<{ live: boolean }>(
    `select exists (select from ${name} where expires_at > now()) as live`,
  );
  if (rows[0]?.live !== false) return false;
  await database.transactionOf([{ text: `drop table if exists ${name}` }], { settings: { lock_timeout: lockTimeout } });
  return true;
}

/** For locks of whole tables, which everybody waits behind. */
const lockTimeout = "'10s'";

const partitionName = (table: Expiring, day: Date) => `${table}_${day.toISOString().slice(0, 10).replaceAll("-", "")}`;

export const tasksTable = { table: "tasks", key: "id" } as const;

/** Whether a partition has a task that has not ended, or that ended at this time or later. */
export async function hasRecentTasks(db: Queryable, { name }: Partition, endedSince: Date): Promise<boolean> {
  // Reads the partition until it finds one. Locks nothing.
  const { rows } = await db.query<{ any: boolean }>(
    `select exists (select from ${name} where state = 'pending' or completed_at >= $1) as any`,
    [endedSince],
  );
  return rows[0]?.any ?? true;
}

const rowsAtOnce = 5_000;

/** Deletes what other tables have about tasks that were accepted before a time, account by account, in bounded steps. */
export async function forgetTasks(database: Database, acceptedBefore: Date): Promise<void> {
  const bound = firstIdAt(acceptedBefore);
  for (const { accountId } of await listAccounts(database)) {
    // Indexes: the primary keys, which begin with the account. Locks: the deleted rows.
    for (const [table, id] of [
      ["task_tags", "task_id"],
      ["unanswered_tasks", "task_id"],
      ["batches", "id"],
    ] as const) {
      for (let deleted = rowsAtOnce; deleted === rowsAtOnce;) {
        const { rowCount } = await database.query(
          `delete from ${table} where account_id = $1 and ctid = any(array(
             select ctid from ${table} where account_id = $1 and ${id} < $2 limit ${rowsAtOnce}))`,
          [accountId, bound],
        );
        deleted = rowCount ?? 0;
      }
    }
  }
}
