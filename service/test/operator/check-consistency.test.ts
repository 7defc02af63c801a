import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkContents, FileStore } from "../../src/artifacts/index.ts";
import { checkConsistency, runChecks } from "../../src/operator/check-consistency.ts";
import { temporaryFolder } from "../harness/process.ts";
import { item, startTestService } from "../harness/service.ts";

const folder = temporaryFolder();
const service = await startTestService({ environment: { QUERENT_DATA_DIR: folder.path } });
const account = await service.account();
for (const more of [{ options: { output: "share_link" } }, {}]) await account.answerTo("Is it whole?", more);
await account.answerTo("fail=platform_refused");
const later = await account.submit([item("Later?", { notBefore: "2999-01-01T00:00:00Z" }), item("delay=30m")]);
const [canceled] = later.tasks.slice(1);
await account.call("POST", `/v1/tasks/${canceled?.taskId}/cancellation`);
const { database } = service;
const store = new FileStore(join(folder.path, "artifacts"));

test("a check finds nothing wrong with a database in use", async () => {
  const { checks } = await checkConsistency(database);
  assert.deepEqual(
    checks.flatMap(({ violations }) => violations),
    [],
  );
  assert.ok(checks.length >= 9);
});

// The violation, and what it violates. Each is undone.
const corruptions: readonly (readonly [change: string, holds: string | readonly string[]])[] = [
  [
    "update ledger set points = points + 1 where kind = 'capture'",
    [
      "the ledger of each account adds up to its balance",
      "each ended task was settled once, with the points that it was charged",
    ],
  ],
  ["update accounts set unfinished_tasks = unfinished_tasks + 1", "each account counts its pending tasks"],
  ["delete from dispatch", "each pending task is in the queue, and no other"],
  ["delete from task_results", "each result that has not expired is there"],
  [
    "delete from deliveries where task_id in (select id from tasks where state = 'failed')",
    "each end was announced once, unless its delivery has been pruned",
  ],
  [
    `update deliveries set state = 'pending', finished_at = null, url = 'https://localhost', origin = 'https://localhost',
            body = coalesce(body, '{}') where task_id in (select id from tasks where state = 'failed')`,
    "each delivery that is due is in the queue",
  ],
  [
    "update deliveries set event_number = 1000000 where task_id in (select id from tasks where state = 'failed')",
    "the numbers of the event feed rise, and none was given out twice",
  ],
  ["update batches set task_count = task_count + 1", "each batch is whole, and its points were held once"],
];

for (const [change, holds] of corruptions)
  test(`it is noticed that not ${[holds].flat().join(" and ")}`, async () => {
    const client = await database.connect();
    try {
      await client.query("begin");
      assert.notEqual((await client.query(change)).rowCount, 0, "the change meets a row");
      const found = (await runChecks(client)).filter(({ violations }) => violations.length > 0);
      assert.deepEqual(
        found.map((one) => one.holds),
        [holds].flat(),
      );
    } finally {
      await client.end();
    }
  });

test("an artifact that is missing or changed in the store is noticed", async () => {
  assert.deepEqual((await checkContents(database, store, 10)).violations, []);
  const { read } = await checkContents(database, store, 10);
  assert.ok(read > 0);
  const [file = ""] = readdirSync(join(folder.path, "artifacts"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  rmSync(file);
  const missing = await checkContents(database, store, 10);
  assert.equal(missing.violations.length, 1);
  assert.match(missing.violations[0] ?? "", /^task .* is not there\.$/);
  writeFileSync(file, "changed");
  assert.equal((await checkContents(database, store, 10)).violations.length, 1);
  folder[Symbol.dispose]();
});
