/** A platform of a version that stored no sessions, after the migration that adds them. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Database, migrate } from "../../src/db/index.ts";
import { keepSession, readSessions } from "../../src/sessions/index.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { emptyDatabase } from "../harness/database.ts";

const migrations = join(import.meta.dirname, "../../src/db/migrations");

test("a platform of before has no stored session until one is imported, and its limits stay", async () => {
  const { url } = await emptyDatabase();
  const database = new Database({ connection: { connectionString: url }, connectionsMax: 2 });
  const folder = mkdtempSync(join(tmpdir(), "querent-migrations-"));
  after(() => rmSync(folder, { recursive: true }));
  for (const name of readdirSync(migrations))
    if (name < "0029" && name.endsWith(".sql")) copyFileSync(join(migrations, name), join(folder, name));
  try {
    await migrate(database, { folder });
    await database.query("insert into platforms (code, running_max, attempts_max) values ('chatgpt', 3, 3)");
    const { applied } = await migrate(database);
    assert.ok(applied.includes("0029_platform_sessions.sql"));
    assert.deepEqual(await readSessions(database), []);
    const masterKey = new MasterKey(randomBytes(32));
    const text = JSON.stringify({ cookies: [], origins: [] });
    await keepSession(database, masterKey, { platform: "chatgpt", name: "default", text });
    assert.deepEqual(
      (await readSessions(database)).map(({ platform, name }) => `${platform}/${name}`),
      ["chatgpt/default"],
    );
    assert.equal((await readSessions(database))[0]?.needsPerson, false);
    const { rows } = await database.query("select running_max from platforms where code = 'chatgpt'");
    assert.deepEqual(rows, [{ running_max: 3 }]);
  } finally {
    await database.close();
  }
});

test("a session that old code set aside is signed out, and needs no person", async () => {
  const { url } = await emptyDatabase();
  const database = new Database({ connection: { connectionString: url }, connectionsMax: 2 });
  const folder = mkdtempSync(join(tmpdir(), "querent-migrations-"));
  after(() => rmSync(folder, { recursive: true }));
  for (const name of readdirSync(migrations))
    if (name < "0031" && name.endsWith(".sql")) copyFileSync(join(migrations, name), join(folder, name));
  try {
    await migrate(database, { folder });
    await database.query(
      "insert into platform_sessions (platform, name, sealed, bytes, signed_in_at, signed_out_at) values ('p', 'one', '', 0, now(), now())",
    );
    const { applied } = await migrate(database);
    assert.ok(applied.includes("0031_sessions_that_need_a_person.sql"));
    const stateOf = async () => (await readSessions(database))[0]?.needsPerson;
    assert.equal(await stateOf(), false);
    // Old code beside the new one resumes a session that needs a person, and later sets it aside again.
    await database.query("update platform_sessions set human_check_at = signed_out_at");
    assert.equal(await stateOf(), true);
    await database.query("update platform_sessions set signed_out_at = now() + interval '1 second'");
    assert.equal(await stateOf(), false);
  } finally {
    await database.close();
  }
});
