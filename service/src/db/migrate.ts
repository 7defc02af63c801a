import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { BootError } from "./boot-error.ts";
import { migrationsFolder, readMigrations, type Migration } from "./migration-file.ts";
import { faultOf, pendingOf, prepareState, readState } from "./migration-state.ts";
import type { Database } from "./pool.ts";
import { runMigration, type MigrationEvent } from "./run-migration.ts";

/** Session advisory lock held while migrating: "querent" in ASCII, cut to 53 bits. */
const migrationLock = 0x71_75_65_72_65_6e;
/** How often a process looks whether the one that migrates is done. */
const pollMs = 250;

export interface MigrateOptions {
  /** Where the migrations are. */
  readonly folder?: string;
  /** What to do if the database lacks migrations: apply them, wait until another process has, or refuse to start. */
  readonly pending?: "apply" | "wait" | "refuse";
  readonly onEvent?: (event: MigrationEvent) => void;
  /** Stops between two steps or batches. What was done stays, and the next run goes on from there. */
  readonly signal?: AbortSignal;
}

/**
 * Migrates the schema to this code's version. Safe to call from several processes concurrently: one migrates, and the others
 * wait and find it done. It can be interrupted at any moment, and goes on from there when it is called again. A database that
 * needs nothing is only read. Refuses a schema that this code cannot use.
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const { pending = "apply", signal = new AbortController().signal } = options;
  const migrations = await readMigrations(options.folder ?? migrationsFolder);
  await requireWritable(database);
  let lacking = await lackingMigrations(database, migrations);
  if (lacking === null) return { applied: [] };
  if (pending === "refuse") throw new BootError(behind(lacking));
  if (pending === "wait") {
    options.onEvent?.({ event: "schema.behind", lacking: lacking.map(({ name }) => name) });
    while (lacking !== null) {
      await pause(4 * pollMs, undefined, { signal });
      lacking = await lackingMigrations(database, migrations);
    }
    return { applied: [] };
  }
  const client = await database.connect();
  try {
    await lock(client, options, signal);
    await client.query(prepareState);
    const applied: string[] = [];
    const state = await readState(client);
    const fault = faultOf(state, migrations);
    if (fault !== null) throw new BootError(fault);
    // Steps are announced for operators who upgrade data; a new database has none.
    const isNew = state.applied.length === 0 && state.begun.length === 0;
    const onEvent = (event: MigrationEvent) => {
      if (!isNew || event.event !== "schema.step_done") options.onEvent?.(event);
    };
    for (const migration of pendingOf(state, migrations)) {
      signal.throwIfAborted();
      await runMigration(client, migration, { onEvent, signal });
      applied.push(migration.name);
    }
    return { applied };
  } finally {
    await client.end();
  }
}

/** The migrations that the database lacks; null if it lacks none. Throws if this code must not use the database. */
async function lackingMigrations(database: Database, migrations: readonly Migration[]): Promise<Migration[] | null> {
  const state = await readState(database);
  const fault = faultOf(state, migrations);
  if (fault !== null) throw new BootError(fault);
  const lacking = pendingOf(state, migrations);
  return lacking.length === 0 && state.prepared ? null : lacking;
}

/** Asks on a new connection, since those of before a switchover may still lead to the former primary. */
async function requireWritable(database: Database): Promise<void> {
  const client = await database.connect();
  const { rows } = await client.query<{ read_only: string }>(
    "select current_setting('transaction_read_only') as read_only",
  );
  await client.end();
  if (rows[0]?.read_only !== "on") return;
  throw new BootError(
    "The PostgreSQL server accepts no writes: it is a standby, or a primary that is being replaced. Nothing was started, and accepted tasks wait in the database. Start again once it accepts writes, or put an address that leads to the primary into DATABASE_URL.",
  );
}

/**
 * Takes the lock, or asks again for it: a session that waits inside of a statement would be waited for by `create index
 * concurrently` of the one that holds it, and PostgreSQL would end one of both as a deadlock.
 */
async function lock(client: pg.Client, { onEvent }: MigrateOptions, signal: AbortSignal): Promise<void> {
  // If this process is killed, the server notices it and ends the statement within a second, which releases the lock. Not every
  // server's system can: there the lock is released when the statement is done.
  await client.query("set client_connection_check_interval = 1000").catch(() => {});
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      migrationLock,
    ]);
    if (rows[0]?.taken === true) return;
    if (tries === 0) onEvent?.({ event: "schema.other_migrates" });
    await pause(pollMs, undefined, { signal });
  }
}

function behind(lacking: readonly Migration[]): string {
  return `The database lacks what this version needs: ${lacking.map(({ name }) => name).join(", ")}. QUERENT_MIGRATE=refuse leaves migrating to you. Nothing was started. Run \`querentd migrate --plan\` of this version to see what it would do, then \`querentd migrate\`, and start again.`;
}
