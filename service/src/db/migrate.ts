import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { BootError } from "./boot-error.ts";
import type { Database } from "./pool.ts";

const folder = join(import.meta.dirname, "migrations");
/** Session advisory lock held while migrating: "querent" in ASCII, cut to 53 bits. */
const migrationLock = 0x71_75_65_72_65_6e;

interface Migration {
  version: number;
  name: string;
  sql: string;
  sha256: string;
}

/**
 * Migrates the schema to this code's version. Safe to call from several processes concurrently: one migrates, and the others
 * wait and find it done. Each migration is one transaction. Refuses a schema that is newer than the code, and one whose applied
 * migrations differ from the ones in this code.
 */
export async function migrate(database: Database): Promise<{ applied: string[] }> {
  const migrations = await readMigrations();
  const client = await database.connect();
  try {
    await requireWritable(client);
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await client.query(
      `create table if not exists migrations (
         version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ version: number; name: string; sha256: string }>(
      "select version, name, sha256 from migrations order by version",
    );
    const fault = faultOf(rows, migrations);
    if (fault !== null) throw new BootError(fault);
    const applied: string[] = [];
    const done = new Set(rows.map(({ version }) => version));
    for (const migration of migrations.filter(({ version }) => !done.has(version))) {
      await client.query("begin");
      try {
        await client.query(migration.sql);
        await client.query("insert into migrations (version, name, sha256) values ($1, $2, $3)", [
          migration.version,
          migration.name,
          migration.sha256,
        ]);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw new BootError(
          `Migration ${migration.name} failed and was rolled back: ${error instanceof Error ? error.message : String(error)}. The database is as it was before, and the version that ran on it until now still does. Put right what the message names, and start again.`,
          error,
        );
      }
      applied.push(migration.name);
    }
    return { applied };
  } finally {
    await client.end();
  }
}

async function requireWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ read_only: string }>(
    "select current_setting('transaction_read_only') as read_only",
  );
  if (rows[0]?.read_only !== "on") return;
  throw new BootError(
    "The PostgreSQL server accepts no writes: it is a standby, or a primary that is being replaced. Nothing was started, and accepted tasks wait in the database. Start again once it accepts writes, or put an address that leads to the primary into DATABASE_URL.",
  );
}

interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly sha256: string;
}

/** Why this code must not use a database with these migrations: what happened, what it means, what to do. Null: it may. */
function faultOf(rows: readonly AppliedMigration[], migrations: readonly Migration[]): string | null {
  for (const row of rows) {
    const known = migrations.find(({ version }) => version === row.version);
    if (known === undefined) {
      return `The database was made, or upgraded, by a newer version of Querent: it has the migration ${row.name}, which this version does not know. Nothing was changed. Start the newer version; to go back to this one, restore a backup from before the upgrade.`;
    }
    if (known.name !== row.name || known.sha256 !== row.sha256) {
      return `The database was made by an unreleased version of Querent: its migration ${row.name} is not the one that this version has as ${known.name}, so its tables may be others. Nothing was changed. Start the version that made it and take the results away (\`GET /v1/batches/{batch_id}/results\`), or restore a backup that a released version made; for a fresh start, set \`QUERENT_DATA_DIR\` or \`DATABASE_URL\` to an empty one. If a file in service/src/db/migrations was edited, restore it: released migrations are never changed.`;
    }
  }
  const last = rows.at(-1)?.version ?? 0;
  const missing = migrations.find(({ version }) => version < last && !rows.some((row) => row.version === version));
  if (missing !== undefined) {
    return `The database was made by an unreleased version of Querent: it has the migration ${rows.at(-1)?.name ?? ""}, and not ${missing.name}, which comes before it. Nothing was changed. Start the version that made it and take the results away, or restore a backup that a released version made.`;
  }
  return null;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), "utf8");
      return { version: Number(name.slice(0, 4)), name, sql, sha256: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}
