import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { backoffMs } from "../runtime/backoff.ts";
import { BootError } from "./boot-error.ts";
import type { Migration, MigrationStep, ConcurrentIndex } from "./migration-file.ts";

/**
 * A step waits for its lock at most this long, since later requests for the lock queue behind it. Its statement gets the rest
 * of a second, including the wait, so that nobody waits longer for a step.
 */
const lockTimeoutMs = 400;
const statementTimeoutMs = 900;
/** How long a step is retried while others hold the locks that it needs. */
const patienceMs = 600_000;
/** How often a statement may run into its time limit before it counts as one that takes too long. */
const timeoutsMax = 3;
/** How long a batch of a backfill should take. The number of rows follows from it. */
const batchTargetMs = 150;
const batchRowsFirst = 500;
const batchRowsMax = 5_000;

/** Events of a migration, for the log. */
export type MigrationEvent =
  /** The process waits until another one has applied these. */
  | { readonly event: "schema.behind"; readonly lacking: readonly string[] }
  | { readonly event: "schema.other_migrates" }
  | {
      readonly event: "schema.step_done";
      readonly migration: string;
      readonly step: number;
      readonly durationMs: number;
    }
  /** A step did not get its lock, and will be retried. */
  | {
      readonly event: "schema.step_delayed";
      readonly migration: string;
      readonly step: number;
      readonly tries: number;
      readonly why: string;
    };

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onEvent?: (event: MigrationEvent) => void;
}

/** Runs the steps of a migration that have not been done. The caller holds the lock of the migrations. */
export async function runMigration(client: pg.Client, migration: Migration, options: RunOptions): Promise<void> {
  // If a migration of several steps is interrupted, its completed steps remain. Until it is complete, this row tells older code
  // whether it may use the database.
  if (migration.steps.length > 1)
    await client.query(
      "insert into migration_progress (version, name, sha256, min_compatible) values ($1, $2, $3, $4) on conflict do nothing",
      [migration.version, migration.name, migration.sha256, migration.minCompatible],
    );
  const { rows } = await client.query<{ steps_done: number }>(
    "select steps_done from migration_progress where version = $1",
    [migration.version],
  );
  const done = rows[0]?.steps_done ?? 0;
  for (const [index, step] of migration.steps.entries()) {
    if (index < done) continue;
    options.signal.throwIfAborted();
    const startedAt = performance.now();
    try {
      await runStep(client, { migration, step, number: index + 1 }, options);
    } catch (error) {
      if (options.signal.aborted) throw error;
      throw new BootError(failure(migration, index + 1, error), error);
    }
    const durationMs = Math.round(performance.now() - startedAt);
    options.onEvent?.({ event: "schema.step_done", migration: migration.name, step: index + 1, durationMs });
  }
}

interface StepOf {
  readonly migration: Migration;
  readonly step: MigrationStep;
  /** The number of the step, from 1. */
  readonly number: number;
}

async function runStep(client: pg.Client, of: StepOf, options: RunOptions): Promise<void> {
  const { step } = of;
  const attempt = (sql: string) => patiently(client, of, options, () => atOnce(client, sql));
  switch (step.kind) {
    case "transaction":
      return attempt(
        `${isExpanding(of.migration) ? brief : `set local lock_timeout = ${lockTimeoutMs}`};\n${step.sql}\n;${recordOf(client, of)}`,
      );
    case "validate":
      return attempt(`set local lock_timeout = ${lockTimeoutMs};\n${step.sql}\n;${recordOf(client, of)}`);
    case "concurrently":
      await patiently(client, of, options, () => buildIndex(client, step.index, (sql) => attempt(`${brief};\n${sql}`)));
      return atOnce(client, recordOf(client, of));
    case "backfill":
      await backfill(client, { ...of, step }, options);
      return atOnce(client, recordOf(client, of));
  }
}

const brief = `set local lock_timeout = ${lockTimeoutMs}; set local statement_timeout = ${statementTimeoutMs}`;

const isExpanding = ({ version, minCompatible }: Migration) => minCompatible < version;

/** The last step also records the migration. */
function recordOf(client: pg.Client, { migration, number }: StepOf): string {
  const { version, name, sha256, minCompatible, steps } = migration;
  if (number < steps.length)
    return `update migration_progress set steps_done = ${number}, position = null where version = ${version}`;
  return `delete from migration_progress where version = ${version};
    insert into migrations (version, name, sha256, min_compatible)
    values (${version}, ${client.escapeLiteral(name)}, ${client.escapeLiteral(sha256)}, ${minCompatible})`;
}

/**
 * Runs a transaction that is sent in one message, including its commit: its locks are not held while the server waits for this
 * process, which may be stopped or gone.
 */
async function atOnce(client: pg.Client, sql: string): Promise<void> {
  try {
    await client.query(`begin;\n${sql};\ncommit`);
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/**
 * A batch continues after a position, in the order of an index. At a position that the statistics do not know, the planner expects
 * a row or two, and would read and sort all that is left, for each batch.
 */
const followIndexes = "set local enable_sort = off; set local enable_seqscan = off";

/** Repeats the statement until nothing is left. The position is committed with the rows, so that an interruption repeats none. */
async function backfill(client: pg.Client, of: StepOf, options: RunOptions): Promise<void> {
  const { version } = of.migration;
  let rowsMax = batchRowsFirst;
  for (;;) {
    options.signal.throwIfAborted();
    const startedAt = performance.now();
    let left = false;
    await patiently(client, of, options, () =>
      inTransaction(client, async () => {
        await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
        if (rowsMax > 1) await client.query(`set local statement_timeout = ${statementTimeoutMs}`);
        await client.query(followIndexes);
        const { rows: at } = await client.query<{ position: string | null }>(
          "select position from migration_progress where version = $1",
          [version],
        );
        const { rows } = await client
          .query<{ position: string | null }>(of.step.sql, [at[0]?.position ?? null, rowsMax])
          .catch((error: unknown) => {
            if (isTimeout(error)) rowsMax = Math.max(1, Math.floor(rowsMax / 4));
            throw error;
          });
        const position = rows[0]?.position ?? null;
        left = position !== null;
        if (left)
          await client.query("update migration_progress set position = $2 where version = $1", [version, position]);
      }),
    );
    if (!left) return;
    const tookMs = performance.now() - startedAt;
    if (tookMs > batchTargetMs) rowsMax = Math.max(1, Math.floor(rowsMax / 2));
    else if (tookMs < batchTargetMs / 3) rowsMax = Math.min(batchRowsMax, rowsMax * 2);
    // The pause is as long as the batch, so that a backfill uses at most half of one connection's share of the server, and standbys keep up.
    await pause(Math.min(1_000, tookMs), undefined, { signal: options.signal });
  }
}

async function inTransaction(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  await client.query("begin");
  try {
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/** Repeats what found its lock taken, with a pause in which those that waited behind it go on. */
async function patiently(client: pg.Client, of: StepOf, options: RunOptions, work: () => Promise<void>): Promise<void> {
  const until = performance.now() + patienceMs;
  let timeouts = 0;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (isTimeout(error)) timeouts++;
      if (!(isBusy(error) || isTimeout(error)) || timeouts > timeoutsMax) throw error;
      if (performance.now() > until)
        throw new Error(`${error.message}. ${await oldestTransactions(client)}`, { cause: error });
      const delay = { event: "schema.step_delayed", migration: of.migration.name, step: of.number } as const;
      options.onEvent?.({ ...delay, tries, why: error.message });
      await pause(backoffMs(tries, { firstMs: 250, maxMs: 5_000 }), undefined, { signal: options.signal });
    }
  }
}

/** Lock not available, deadlock. */
const isBusy = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError && (error.code === "55P03" || error.code === "40P01");
const isTimeout = (error: unknown): error is Error => error instanceof pg.DatabaseError && error.code === "57014";

async function oldestTransactions(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; application: string; seconds: number }>(
    `select pid, coalesce(nullif(application_name, ''), usename::text, '?') as application,
            extract(epoch from now() - xact_start)::int as seconds
       from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
      order by xact_start limit 3`,
  );
  if (rows.length === 0) return "No other transaction is open now: start again.";
  const list = rows.map(({ pid, application, seconds }) => `${application} (process ${pid}, ${seconds} s)`).join(", ");
  return `The oldest open transactions are those of ${list}: end them, and start again.`;
}

function failure(migration: Migration, number: number, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (migration.steps.length === 1) {
    return `Migration ${migration.name} failed and was rolled back: ${reason}. The database is as it was before, and the version that ran on it until now still does. Put right what the message names, and start again.`;
  }
  const still = isExpanding(migration)
    ? "and the version that ran on it until now still does"
    : "and only this version may be started on it";
  return `Step ${number} of ${migration.steps.length} of migration ${migration.name} failed: ${reason}. The steps before it stay, ${still}. Put right what the message names, and start again: it goes on with this step.`;
}

/**
 * Builds an index while others write to its table. An index that an interrupted build left invalid is dropped and built again.
 * `briefly` runs a statement that needs its locks for an instant.
 *
 * PostgreSQL builds none concurrently on a partitioned table: there the index is created on the parent alone, which is instant,
 * then on each partition concurrently, and attached. A partition that is created meanwhile has it from its start.
 */
async function buildIndex(
  client: pg.Client,
  index: ConcurrentIndex,
  briefly: (sql: string) => Promise<void>,
): Promise<void> {
  const { name, table, create, definition } = index;
  const { rows } = await client.query<{ partitioned: boolean }>(
    "select relkind = 'p' as partitioned from pg_class where oid = to_regclass($1)",
    [table],
  );
  if (rows[0]?.partitioned !== true) return buildOn(client, index, table, name);
  await briefly(`${create} if not exists ${name} on only ${table} ${definition}`);
  for (;;) {
    const partition = await partitionWithout(client, index);
    if (partition === null) return;
    const own = partition.startsWith(`${table}_`) ? partition.slice(table.length + 1) : partition;
    try {
      await buildOn(client, index, partition, `${name}_${own}`);
      await briefly(`alter index ${name} attach partition ${name}_${own}`);
    } catch (error) {
      // The partition was dropped meanwhile.
      if (!(error instanceof pg.DatabaseError && (error.code === "42P01" || error.code === "42704"))) throw error;
    }
  }
}

/** Locks: SHARE UPDATE EXCLUSIVE on the table, which lets everyone read and write. */
async function buildOn(client: pg.Client, { create, definition }: ConcurrentIndex, table: string, name: string) {
  const { rows } = await client.query<{ valid: boolean }>(
    "select indisvalid as valid from pg_index where indexrelid = to_regclass($1)",
    [name],
  );
  if (rows[0]?.valid === true) return;
  if (rows[0] !== undefined) await client.query(`drop index concurrently ${name}`);
  try {
    await client.query(`${create} concurrently ${name} on ${table} ${definition}`);
  } catch (error) {
    // An invalid index is maintained by every write and used by none.
    await client.query(`drop index concurrently if exists ${name}`).catch(() => {});
    throw error;
  }
}

async function partitionWithout(client: pg.Client, { name, table }: ConcurrentIndex): Promise<string | null> {
  const { rows } = await client.query<{ partition: string }>(
    `select c.relname as partition
       from pg_inherits p join pg_class c on c.oid = p.inhrelid
      where p.inhparent = to_regclass($1) and not p.inhdetachpending
        and not exists (select from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
                         where i.inhparent = to_regclass($2) and x.indrelid = c.oid)
      order by c.relname limit 1`,
    [table, name],
  );
  return rows[0]?.partition ?? null;
}
