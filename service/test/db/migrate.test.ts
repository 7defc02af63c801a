import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BootError, Database, migrate, type MigrationEvent } from "../../src/db/index.ts";
import { emptyDatabase, testDatabase } from "../harness/database.ts";

test("a migrated database has nothing left to migrate, however many processes ask at once", async () => {
  const { database } = await testDatabase();
  const runs = await Promise.all([migrate(database), migrate(database), migrate(database)]);
  assert.deepEqual(runs, [{ applied: [] }, { applied: [] }, { applied: [] }]);
});

test("the migrations of a new database announce none of their steps", async () => {
  const { url } = await emptyDatabase();
  const database = new Database({ connection: { connectionString: url }, connectionsMax: 2 });
  const events: MigrationEvent[] = [];
  const { applied } = await migrate(database, { onEvent: (event) => events.push(event) });
  await database.close();
  assert.equal(applied[0], "0001_initial.sql");
  assert.deepEqual(events, []);
});

/** What an operator is told, who starts this version on a database with these migrations. */
async function refusal(change: string): Promise<string> {
  const { database } = await testDatabase();
  await database.query(change);
  const error = await migrate(database).then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(error instanceof BootError, "it is told in a message, without a stack");
  return error.message;
}

test("a server that accepts no writes, such as a standby, is refused with what to do", async () => {
  const said = await refusal(
    "do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$",
  );
  assert.match(said, /accepts no writes: it is a standby.*Nothing was started.*Start again.*DATABASE_URL/);
});

test("a schema newer than the code is refused, with what to do", async () => {
  const said = await refusal("insert into migrations (version, name, sha256) values (9999, '9999_future.sql', '')");
  assert.match(said, /by a newer version of Querent.*9999_future\.sql.*Nothing was changed\. Start the newer version/);
});

test("a database whose migrations are not the released ones is refused, with what to do", async () => {
  for (const change of [
    "update migrations set sha256 = 'other' where version = 1",
    "update migrations set name = '0001_other.sql' where version = 1",
    "delete from migrations where version = 1",
  ])
    assert.match(
      await refusal(change),
      /by an unreleased version of Querent.*0001_.*Nothing was changed\..*restore a backup/,
    );
});

test("a migration that fails leaves the database as it was, and says so", async () => {
  const { database } = await testDatabase();
  await database.query("delete from migrations where version > 1");
  const before = await database.query("select * from migrations");
  await assert.rejects(migrate(database), (error) => {
    assert.ok(error instanceof BootError);
    assert.match(error.message, /failed(?: and was rolled back)?: .* (already exists|does not exist).*still does/s);
    return true;
  });
  assert.deepEqual((await database.query("select * from migrations")).rows, before.rows);
});

test("a migration that has landed is never changed: each has the digest that was noted when it was added", () => {
  const folder = join(import.meta.dirname, "../../src/db/migrations");
  const noted = readFileSync(join(folder, "SHA256SUMS"), "utf8");
  const digests = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex")}  ${name}\n`,
    );
  assert.equal(
    digests.join(""),
    noted,
    "A new migration: add its line, `cd service/src/db/migrations && sha256sum *.sql > SHA256SUMS`. A changed one: restore it, and write a new one.",
  );
});
