import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate } from "../../src/db/index.ts";
import { testDatabase } from "../harness/database.ts";

test("a migrated database has nothing left to migrate, however many processes ask at once", async () => {
  const { database } = await testDatabase();
  const runs = await Promise.all([migrate(database), migrate(database), migrate(database)]);
  assert.deepEqual(runs, [{ applied: [] }, { applied: [] }, { applied: [] }]);
});

test("a schema newer than the code is refused", async () => {
  const { database } = await testDatabase();
  await database.query("insert into migrations (version, name, sha256) values (9999, '9999_future.sql', '')");
  await assert.rejects(migrate(database), /newer than this code/);
});

test("a migration that was edited after it was applied is refused", async () => {
  const { database } = await testDatabase();
  await database.query("update migrations set sha256 = 'other' where version = 1");
  await assert.rejects(migrate(database), /was changed after it was applied/);
});
