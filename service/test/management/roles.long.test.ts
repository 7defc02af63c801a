/** Each role has the management port, as processes that share a server. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import pg from "pg";
import { emptyDatabase } from "../harness/database.ts";
import { runCommand, startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

const masterKey = randomBytes(32).toString("hex");

async function startRole(role: string, environment: Readonly<Record<string, string>>) {
  const service = await startServiceProcess(
    { QUERENT_MANAGEMENT_PORT: "0", QUERENT_MASTER_KEY: masterKey, ...environment },
    ["serve", "--roles", role],
  );
  const url = /Management (http:\S+)/.exec(service.output())?.[1] ?? "";
  return { ...service, read: async (path: string) => readFrom(url, path) };
}

async function readFrom(url: string, path: string) {
  const response = await fetch(`${url}${path}`);
  return { status: response.status, text: await response.text() };
}

test("every role has probes and metrics, which say when the database takes no writes", async () => {
  using folder = temporaryFolder();
  const { url } = await emptyDatabase();
  const environment = { DATABASE_URL: url, QUERENT_DATA_DIR: folder.path };
  const admin = new pg.Client(url);
  await admin.connect();
  const name = new URL(url).pathname.slice(1);
  const processes = [];
  try {
    for (const role of ["api", "worker", "notifier"]) processes.push(await startRole(role, environment));
    for (const { read } of processes) {
      assert.equal((await read("/healthz")).status, 200);
      assert.equal((await read("/startupz")).status, 200);
      assert.deepEqual(await read("/readyz"), { status: 200, text: '{"status":"ready"}' });
      const metrics = await read("/metrics");
      assert.equal(metrics.status, 200);
      assert.match(metrics.text, /^querent_role\{role="\w+"\} 1$/m);
    }
    await admin.query(`alter database "${name}" set default_transaction_read_only = on`);
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
      [name],
    );
    for (const { read } of processes) {
      await until("a process that is not ready", async () => (await read("/readyz")).text.includes("read-only"));
      assert.equal((await read("/readyz")).status, 503);
      assert.equal((await read("/healthz")).status, 200, "the process is alive, and must not be restarted");
    }
  } finally {
    await admin.query(`alter database "${name}" reset default_transaction_read_only`);
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()",
      [name],
    );
    await admin.end();
    for (const { read } of processes) {
      await until("a process that is ready again", async () => (await read("/readyz")).status === 200);
    }
    for (const { end } of processes) assert.equal(await end("SIGTERM"), 0);
  }
});

test("only a worker that can't know where the API is reached says that it can make no screenshots", async () => {
  using folder = temporaryFolder();
  const { url } = await emptyDatabase();
  const environment = { DATABASE_URL: url, QUERENT_DATA_DIR: folder.path };
  const cases: [role: string, settings: Record<string, string>, missing: boolean][] = [
    ["worker", {}, true],
    ["worker", { QUERENT_PUBLIC_URL: "https://answers.example.com" }, false],
    ["api,worker", { QUERENT_PORT: "0" }, false],
    ["notifier", {}, false],
  ];
  for (const [role, settings, missing] of cases) {
    const { output, end } = await startRole(role, { ...environment, ...settings });
    assert.equal(output().includes('"public_url.missing"'), missing, role);
    assert.equal(await end("SIGTERM"), 0);
  }
});

test("a process that drains is alive and no longer ready until it has ended", async () => {
  using folder = temporaryFolder();
  const service = await startRole("api,worker,notifier", {
    QUERENT_DATA_DIR: folder.path,
    QUERENT_ACCESS_TOKEN: "token-of-the-drain-test-x",
    QUERENT_DRAIN_SECONDS: "600",
  });
  try {
    const headers = { authorization: "Bearer token-of-the-drain-test-x", "content-type": "application/json" };
    const items = [{ question: "delay=600s", platformCode: "simulator", options: {} }];
    const accepted = await fetch(`${service.address}/v1/tasks/batch`, {
      method: "POST",
      headers: { ...headers, "idempotency-key": "drain" },
      body: JSON.stringify(items),
    });
    assert.equal(accepted.status, 202);
    await until("the task to run", async () =>
      /^querent_tasks_running\{platform="simulator"\} 1$/m.test((await service.read("/metrics")).text),
    );
    service.child.kill("SIGTERM");
    await until("the process to drain", async () => (await service.read("/readyz")).text.includes("shutting down"));
    assert.equal((await service.read("/healthz")).status, 200);
    // The second signal ends it at once; the next start takes the task over.
    await until("the time in which repeated signals count as one", async () => {
      service.child.kill("SIGTERM");
      return service.child.exitCode !== null;
    });
  } finally {
    await service.end("SIGKILL");
  }
});

test("a management port that is in use is named", async () => {
  using folder = temporaryFolder();
  const other = createServer().listen(0, "127.0.0.1");
  await until("the other server", () => other.listening);
  const { port } = other.address() as AddressInfo;
  try {
    const { code, stderr } = await runCommand(
      { QUERENT_DATA_DIR: folder.path, QUERENT_PORT: "0", QUERENT_MANAGEMENT_PORT: String(port) },
      ["serve"],
    );
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`Can't listen on 127\\.0\\.0\\.1 port ${port}: .*Set QUERENT_MANAGEMENT_PORT`));
  } finally {
    other.close();
  }
});
