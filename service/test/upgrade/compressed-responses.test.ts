/** Responses that were stored as text, beside those that are stored compressed, after the migration that adds the columns. */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { textOfRaw, toRawColumns, type RawColumns } from "../../src/answers/index.ts";
import { Database, migrate } from "../../src/db/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { emptyDatabase } from "../harness/database.ts";

const migrations = join(import.meta.dirname, "../../src/db/migrations");

test("responses from before stay as they are, and those of the previous version beside it, too", async () => {
  const { url } = await emptyDatabase();
  const database = new Database({ connection: { connectionString: url }, connectionsMax: 2 });
  const folder = mkdtempSync(join(tmpdir(), "querent-migrations-"));
  after(() => rmSync(folder, { recursive: true }));
  for (const name of readdirSync(migrations))
    if (name < "0032" && name.endsWith(".sql")) copyFileSync(join(migrations, name), join(folder, name));
  const day = new Date().toISOString().slice(0, 10);
  const of = (text: string) =>
    database.query(
      `insert into task_results (day, task_id, expires_at, result, raw_type, raw_body, account_id)
       values ($1, $2, now() + interval '1 day', '{}', 'application/json', $3, gen_random_uuid())`,
      [day, newId(), text],
    );
  try {
    await migrate(database, { folder });
    await database.query(
      `create table of_before partition of task_results for values from ('${day}') to ('9999-01-01')`,
    );
    await of("before");
    const { applied } = await migrate(database);
    assert.ok(applied.includes("0032_compressed_responses.sql"));
    await of("beside");
    const long = `{"text": "${"é\u{1f600}".repeat(1024 * 1024)}"}`;
    const columns = await toRawColumns({ mediaType: "application/json", body: long });
    await database.query(
      `insert into task_results (day, task_id, expires_at, result, raw_type, raw_compressed, raw_bytes, account_id)
       values ($1, $2, now() + interval '1 day', '{}', $3, $4, $5, gen_random_uuid())`,
      [day, newId(), columns.raw_type, columns.raw_compressed, columns.raw_bytes],
    );
    const { rows } = await database.query<RawColumns>(
      "select raw_type, raw_body, raw_compressed, raw_bytes from task_results order by task_id",
    );
    const texts = await Promise.all(rows.map(textOfRaw));
    assert.ok(texts[0] === "before" && texts[1] === "beside" && texts[2] === long);
    assert.equal(rows[2]?.raw_bytes, Buffer.byteLength(long));
  } finally {
    await database.close();
  }
});

test("a stored response that decompresses to more than was stored of any is an error, not gigabytes of memory", async () => {
  const { raw_compressed } = await toRawColumns({ mediaType: "text/plain", body: "x".repeat(17 * 1024 * 1024) });
  await assert.rejects(textOfRaw({ raw_body: null, raw_compressed }), { code: "ERR_BUFFER_TOO_LARGE" });
});
