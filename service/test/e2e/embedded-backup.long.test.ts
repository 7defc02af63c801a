/** docs/how-to/back-up.md#the-embedded-database: a copy that was made while the service ran is a whole database. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cleanEnvironment, runCommand, startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

const main = join(import.meta.dirname, "../../src/main.ts");
const token = "a-token-for-the-backup-of-32-chars";

test("a backup that is made while tasks end is complete, and every accepted task of before is in it", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const environment = { QUERENT_DATA_DIR: data, QUERENT_ACCESS_TOKEN: token, QUERENT_LOG_LEVEL: "error" };
  const service = await startServiceProcess(environment);
  const before = await submit(service.address, 40);
  // Tasks go on being accepted, and end, while the files are copied.
  const loading = new AbortController();
  const load = (async () => {
    while (!loading.signal.aborted) await submit(service.address, 20);
  })();
  const target = join(folder.path, "backup");
  const made = await runCommand(environment, ["backup", target, "--json"]);
  loading.abort();
  await load;
  assert.equal(made.code, 0, made.stderr);
  const { database } = JSON.parse(made.stdout) as { database: { bytes: number } };
  assert.ok(database.bytes > 1_000_000);
  assert.deepEqual(readdirSync(folder.path).toSorted(), ["backup", "data"]);
  assert.equal(existsSync(join(target, "master.key")), false);

  const again = await runCommand(environment, ["backup", target]);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /is there already/);
  const nowhere = await runCommand(environment, ["backup", join(data, "lock", "backup")]);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /was not written.*nothing was left behind/s);
  await service.end("SIGTERM");

  copyFileSync(join(data, "master.key"), join(target, "master.key"));
  const restored = { ...environment, QUERENT_DATA_DIR: target };
  const checked = await runCommand(restored, ["check"]);
  assert.equal(checked.code, 0, checked.stdout + checked.stderr);
  const second = await startServiceProcess(restored);
  try {
    for (const taskId of before) {
      const response = await fetch(`${second.address}/v1/tasks/${taskId}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.equal(response.status, 200);
    }
  } finally {
    await second.end("SIGTERM");
  }
});

test("a backup that is killed leaves the service as it was, and the next one takes its place", async () => {
  using folder = temporaryFolder();
  const environment = {
    QUERENT_DATA_DIR: join(folder.path, "data"),
    QUERENT_ACCESS_TOKEN: token,
    QUERENT_LOG_LEVEL: "error",
  };
  const service = await startServiceProcess(environment);
  const target = join(folder.path, "backup");
  const killed = spawn(process.execPath, [main, "backup", target], {
    env: cleanEnvironment(environment),
    stdio: "ignore",
  });
  const ended = once(killed, "exit");
  // It copies the cluster's files, one by one.
  await until("it to copy", () => existsSync(join(`${target}.unfinished`, "postgres/data/base")));
  killed.kill("SIGKILL");
  assert.deepEqual(await ended, [null, "SIGKILL"]);
  assert.equal(existsSync(target), false);
  const [taskId = ""] = await submit(service.address, 1);

  const made = await runCommand(environment, ["backup", target]);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /The master key was not copied/);
  assert.deepEqual(readdirSync(folder.path).toSorted(), ["backup", "data"]);
  await service.end("SIGTERM");

  copyFileSync(join(folder.path, "data/master.key"), join(target, "master.key"));
  const second = await startServiceProcess({ ...environment, QUERENT_DATA_DIR: target });
  try {
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${second.address}/v1/tasks/${taskId}`, { headers })).status, 200);
  } finally {
    await second.end("SIGTERM");
  }
});

test("a database of one's own is not backed up by it, and the message says by what", async () => {
  const environment = { DATABASE_URL: "postgresql://localhost:1/none" };
  const { code, stderr } = await runCommand(environment, ["backup", "/nowhere"]);
  assert.equal(code, 1);
  assert.match(stderr, /docs\/how-to\/back-up\.md/);
});

async function submit(address: string, count: number): Promise<string[]> {
  const response = await fetch(`${address}/v1/tasks/batch`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
    body: JSON.stringify(
      Array.from({ length: count }, (_, n) => ({ question: `Why ${n}?`, platformCode: "simulator" })),
    ),
  });
  assert.equal(response.status, 202, await response.clone().text());
  const { tasks } = (await response.json()) as { tasks: { taskId: string }[] };
  return tasks.map(({ taskId }) => taskId);
}
