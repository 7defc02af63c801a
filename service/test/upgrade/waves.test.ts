/** Runs of a version that asked everything at once, after the migration that adds waves. */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Database, migrate } from "../../src/db/index.ts";
import { listRuns } from "../../src/panels/schedule/runs.ts";
import { newId } from "../../src/kernel/ids.ts";
import { emptyDatabase } from "../harness/database.ts";

const migrations = join(import.meta.dirname, "../../src/db/migrations");

test("runs and answers from before have no waves, and those of the previous version beside it neither", async () => {
  const { url } = await emptyDatabase();
  const database = new Database({ connection: { connectionString: url }, connectionsMax: 2 });
  const folder = mkdtempSync(join(tmpdir(), "querent-migrations-"));
  after(() => rmSync(folder, { recursive: true }));
  for (const name of readdirSync(migrations))
    if (name < "0030" && name.endsWith(".sql")) copyFileSync(join(migrations, name), join(folder, name));
  try {
    await migrate(database, { folder });
    const [accountId, panelId] = [newId(), newId()];
    const run = async (slot: string) => {
      const runId = newId();
      await database.query(
        `insert into panel_runs (account_id, panel_id, id, revision, slot, state, batch_ids, cell_count, task_count, points, created_at)
         values ($1, $2, $3, 1, $4, 'started', array[$3::uuid], 1, 1, 1, $4)`,
        [accountId, panelId, runId, slot],
      );
      await database.query(
        `insert into panel_tasks (account_id, task_id, panel_id, revision, run_id, prompt_id, platform, locale, persona, repeat)
         values ($1, $2, $3, 1, $4, 'p', 'sample', '', '', 1)`,
        [accountId, newId(), panelId, runId],
      );
    };
    await run("2026-11-01T06:00:00Z");
    const { applied } = await migrate(database);
    assert.ok(applied.includes("0030_waves.sql"));
    await run("2026-11-02T06:00:00Z");
    const { runs } = await listRuns(database, accountId, panelId, { beforeId: null, limit: 10 });
    assert.deepEqual(
      runs.map(({ waves, taskCount }) => [waves, taskCount]),
      [
        [null, 1],
        [null, 1],
      ],
    );
    const { rows } = await database.query("select from panel_tasks where probability is null");
    assert.equal(rows.length, 2);
  } finally {
    await database.close();
  }
});
