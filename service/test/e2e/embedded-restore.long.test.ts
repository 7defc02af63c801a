/** docs/how-to/back-up.md#restore-the-embedded-database: `querentd restore`, what it refuses, and what is left if it is killed. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cleanEnvironment, runCommand, startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

const main = join(import.meta.dirname, "../../src/main.ts");
const token = "a-token-for-the-restore-of-32-chr";
const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());
const [data, backup] = [join(folder.path, "data"), join(folder.path, "backup")];
const environment = { QUERENT_DATA_DIR: data, QUERENT_ACCESS_TOKEN: token, QUERENT_LOG_LEVEL: "warn" };
let [kept, later] = ["", ""];

/** A data folder with two tasks, and a backup of it that has the first one. */
before(async () => {
  const service = await startServiceProcess(environment);
  kept = await submit(service.address);
  assert.equal(await stateOf(service.address, kept, { wait: true }), 200);
  const made = await runCommand(environment, ["backup", backup]);
  assert.equal(made.code, 0, made.stderr);
  later = await submit(service.address);
  const busy = await runCommand(environment, ["restore", backup, "--replace"]);
  assert.equal(busy.code, 1);
  assert.match(busy.stderr, /in use by a running service \(pid \d+/);
  await service.end("SIGTERM");
});

test("a folder with a database, and what is no whole backup, are refused, and nothing changes", async () => {
  const names = readdirSync(data);
  const broken = join(folder.path, "broken");
  mkdirSync(join(broken, "postgres/data/global"), { recursive: true });
  const interrupted = join(folder.path, "other.unfinished");
  cpSync(backup, interrupted, { recursive: true });
  const torn = join(folder.path, "torn");
  cpSync(backup, torn, { recursive: true });
  writeFileSync(join(torn, "postgres/data/global/pg_control"), "x".repeat(8192));
  const cases: [words: string[], message: RegExp][] = [
    [[backup], /has a database\. Nothing was changed.*--replace/],
    [[join(folder.path, "nowhere"), "--replace"], /no backup at .*Nothing was changed/],
    [[broken, "--replace"], /not a backup.*PG_VERSION.*Nothing was changed/],
    [[interrupted, "--replace"], /interrupted.*Nothing was changed/],
    [[data, "--replace"], /is the data folder.*Nothing was changed/],
    [[folder.path, "--replace"], /not a backup/],
    [
      [torn, "--replace"],
      /torn can't be restored, and the data folder was not changed\. The embedded PostgreSQL did not start/,
    ],
  ];
  for (const [words, message] of cases) {
    const { code, stderr } = await runCommand(environment, ["restore", ...words]);
    assert.equal(code, 1, words.join(" "));
    assert.match(stderr, message);
    assert.deepEqual(
      readdirSync(data).filter((name) => name !== "holder.json"),
      names,
      words.join(" "),
    );
  }
  const own = await runCommand({ DATABASE_URL: "postgresql://localhost:1/none" }, ["restore", backup]);
  assert.match(own.stderr, /docs\/how-to\/back-up\.md/);
  await hasBoth(environment);
});

test("a restore that is killed while it copies leaves the former data, and the next one takes its place", async () => {
  const killed = spawn(process.execPath, [main, "restore", backup, "--replace"], {
    env: cleanEnvironment(environment),
    stdio: "ignore",
  });
  const ended = once(killed, "exit");
  await until("it to copy", () => existsSync(join(data, "restored.unfinished/new/postgres/data/base")));
  killed.kill("SIGKILL");
  assert.deepEqual(await ended, [null, "SIGKILL"]);
  await hasBoth(environment);
});

test("a restore that was interrupted after it was decided is completed by the next start, which says so", async () => {
  const other = join(folder.path, "decided");
  cpSync(data, other, { recursive: true });
  rmSync(join(other, "restored.unfinished"), { recursive: true, force: true });
  cpSync(join(backup, "postgres"), join(other, "restored/new/postgres"), { recursive: true });
  chmodSync(join(other, "restored/new/postgres/data"), 0o700);
  renameSync(join(other, "postgres"), join(other, "restored/postgres"));
  const service = await startServiceProcess({ ...environment, QUERENT_DATA_DIR: other });
  try {
    assert.match(service.output(), /"postgres\.restored"/);
    assert.equal(await stateOf(service.address, kept), 200);
    assert.equal(await stateOf(service.address, later), 404);
  } finally {
    await service.end("SIGTERM");
  }
});

test("a restore replaces the data, says what is lost, and keeps the former ones", async () => {
  // As from a tape, or a bucket: readable by everyone.
  chmodSync(join(backup, "postgres/data"), 0o755);
  const restored = await runCommand(environment, ["restore", backup, "--replace"]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, /Tasks of the former database that were accepted later, and are lost: 1\./);
  assert.match(restored.stdout, /Master key: it decrypts the secrets of the backup/);
  const replaced = readdirSync(data).find((name) => name.startsWith("replaced-")) ?? "";
  assert.ok(restored.stdout.includes(join(data, replaced)));
  assert.equal(existsSync(join(data, "restored.unfinished")), false);
  const checked = await runCommand(environment, ["check"]);
  assert.equal(checked.code, 0, checked.stdout + checked.stderr);
  const service = await startServiceProcess(environment);
  assert.equal(await stateOf(service.address, kept), 200);
  assert.equal(await stateOf(service.address, later), 404);
  await service.end("SIGTERM");

  // The former data are a backup, too.
  const back = await runCommand(environment, ["restore", join(data, replaced), "--replace", "--json"]);
  assert.equal(back.code, 0, back.stderr);
  assert.equal((JSON.parse(back.stdout) as { lost: number }).lost, 0);
  await hasBoth(environment);
});

test("on a new machine it needs no option, and says that the master key is missing", async () => {
  const fresh = join(folder.path, "fresh");
  const elsewhere = { ...environment, QUERENT_DATA_DIR: fresh };
  const restored = await runCommand(elsewhere, ["restore", backup]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, /There is no master key at .*fresh\/master\.key/);
  assert.match(restored.stdout, /There was no database before/);
  cpSync(join(data, "master.key"), join(fresh, "master.key"));
  const service = await startServiceProcess(elsewhere);
  assert.equal(await stateOf(service.address, kept), 200);
  await service.end("SIGTERM");
});

async function hasBoth(settings: Record<string, string>): Promise<void> {
  const service = await startServiceProcess(settings);
  try {
    for (const task of [kept, later]) assert.equal(await stateOf(service.address, task), 200);
  } finally {
    await service.end("SIGTERM");
  }
}

async function stateOf(address: string, taskId: string, { wait = false } = {}): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, ...(wait ? { prefer: "wait=30" } : {}) };
  return (await fetch(`${address}/v1/tasks/${taskId}`, { headers })).status;
}

async function submit(address: string): Promise<string> {
  const response = await fetch(`${address}/v1/tasks/batch`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    },
    body: JSON.stringify([{ question: "Why?", platformCode: "simulator" }]),
  });
  assert.equal(response.status, 202, await response.clone().text());
  const { tasks } = (await response.json()) as { tasks: [{ taskId: string }] };
  return tasks[0].taskId;
}
