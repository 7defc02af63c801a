import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "./pool.ts";

const folder = join(import.meta.dirname, "migrations");
/** Session advisory lock that whoever migrates holds: "querent" in ASCII, cut to 53 bits. */
const migrationLock = 0x71_75_65_72_65_6e;

interface Migration {
  version: number;
  name: string;
  sql: string;
  sha256: string;
}

/**
 * Brings the schema up to this code's version. Safe to call from several processes at once: one migrates, the others
 * wait and find it done. Each migration is one transaction. Refuses a schema that is newer than the code,
 * and one whose applied migrations are not the ones this code knows.
 */
export async function migrate(database: Database): Promise<{ applied: string[] }> {
  const migrations = await readMigrations();
  const client = await database.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await client.query(
      `create table if not exists migrations (
         version integer primary key, name text not null, sha256 text not null, applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ version: number; name: string; sha256: string }>(
      "select version, name, sha256 from migrations order by version",
    );
    for (const row of rows) {
      const known = migrations.find((migration) => migration.version === row.version);
      if (known === undefined) {
        throw new Error(
          `The database's schema is newer than this code: it has migration ${row.name}. Run the newer version.`,
        );
      }
      if (known.sha256 !== row.sha256) {
        throw new Error(`Migration ${known.name} was changed after it was applied to this database. Restore the file.`);
      }
    }
    const applied: string[] = [];
    for (const migration of migrations.slice(rows.length)) {
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
        throw new Error(`Migration ${migration.name} failed and was rolled back.`, { cause: error });
      }
      applied.push(migration.name);
    }
    return { applied };
  } finally {
    await client.end();
  }
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
