/** Panels of a version that judged nothing, after the migration that adds what is kept of changes. */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Database, migrate } from "../../src/db/index.ts";
import { markDue, takeDue } from "../../src/reports/changes/evaluations.ts";
import { newId } from "../../src/kernel/ids.ts";
import { emptyDatabase } from "../harness/database.ts";

const migrations = join(import.meta.dirname, "../../src/db/migrations");

test("a panel that ran before is not judged until one of its next runs ends, and then once", async () => {
  const { url } = await emptyDatabase();
  const database = new Database({ connection: { connectionString: url }, connectionsMax: 2 });
  const folder = mkdtempSync(join(tmpdir(), "querent-migrations-"));
  after(() => rmSync(folder, { recursive: true }));
  for (const name of readdirSync(migrations))
    if (name < "0025" && name.endsWith(".sql")) copyFileSync(join(migrations, name), join(folder, name));
  try {
    await migrate(database, { folder });
    const [accountId, panelId] = [newId(), newId()];
    const run = (slot: string) =>
      database.query(
        `insert into panel_runs (account_id, panel_id, id, revision, slot, state, batch_ids, cell_count, task_count, points, created_at)
         values ($1, $2, $3, 1, $4, 'started', array[$3::uuid], 2, 2, 2, $4)`,
        [accountId, panelId, newId(), slot],
      );
    await run("2026-11-01T06:00:00Z");
    const { applied } = await migrate(database);
    assert.ok(applied.includes("0025_panel_changes.sql"));
    assert.equal(await takeDue(database), null);
    // The previous version, beside it.
    await run("2026-11-02T06:00:00Z");
    await database.transaction((tx) => markDue(tx, { accountId, panelId }));
    const taken = await takeDue(database);
    assert.deepEqual([taken?.panelId, taken?.evaluatedAt], [panelId, null]);
    assert.ok(taken !== null && taken.waitedSeconds >= 0 && taken.waitedSeconds < 300);
    assert.equal(await takeDue(database), null);
  } finally {
    await database.close();
  }
});
