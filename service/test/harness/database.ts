/**
 * A separate database for each test file: a clone of a migrated template, on one real PostgreSQL server started by
 * `tools/test.ts` (`TEST_DATABASE_URL` names it).
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import pg from "pg";
import { Database, migrate } from "../../src/db/index.ts";

/** A new database, migrated and empty; it is dropped when the test file ends. */
export async function testDatabase(): Promise<{ database: Database; url: string }> {
  const { url, drop } = await create((template ??= await templateDatabase()));
  const database = new Database({
    connection: { connectionString: url },
    connectionsMax: 10,
    connectTimeoutMs: 180_000,
  });
  after(async () => {
    await database.close();
    await drop();
  });
  return { database, url };
}

/** A new, empty database, for services that set it up themselves; it is dropped when the test file ends. */
export async function emptyDatabase(): Promise<{ url: string }> {
  const { url, drop } = await create("template1");
  after(drop);
  return { url };
}

/** A copy of a database that nothing is connected to, as a backup that was restored; it is dropped when the test file ends. */
export async function copyDatabase(url: string): Promise<{ url: string }> {
  const copy = await create(new URL(url).pathname.slice(1));
  after(copy.drop);
  return { url: copy.url };
}

/** The default strategy copies through the write-ahead log, which takes twice as much processor time. */
async function create(source: string): Promise<{ url: string; drop: () => Promise<unknown> }> {
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  await asAdmin((client) => client.query(`create database ${name} template ${source} strategy file_copy`));
  const drop = () => asAdmin((client) => client.query(`drop database if exists ${name} with (force)`));
  return { url: databaseUrl(name), drop };
}

/**
 * Its name, once it is there. Never a promise that test files share: Node gives hooks that are set after waiting for it to the file that
 * made the promise.
 */
let template: string | undefined;

/** Created once for each version of the migrations; test files that start together wait for each other. */
async function templateDatabase(): Promise<string> {
  const folder = join(import.meta.dirname, "../../src/db/migrations");
  const hash = createHash("sha256");
  for (const file of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, file)));
  const name = `template_${hash.digest("hex").slice(0, 16)}`;
  await asAdmin(async (client) => {
    await client.query("select pg_advisory_lock(1)");
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount === 1) return;
    await client.query(`create database ${name}_making`);
    const database = new Database({
      connection: { connectionString: databaseUrl(`${name}_making`) },
      connectionsMax: 1,
    });
    await migrate(database);
    await database.close();
    await client.query(`alter database ${name}_making rename to ${name}`);
  });
  return name;
}

async function asAdmin<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl("postgres") });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The URL of a database on that server. */
export function databaseUrl(name: string): string {
  const server = process.env["TEST_DATABASE_URL"];
  if (server === undefined) throw new Error("TEST_DATABASE_URL is not set: run the tests with `npm test`.");
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
