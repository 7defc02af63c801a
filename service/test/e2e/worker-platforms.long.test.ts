/** Workers with and without a platform's key on one database, as processes: each claims only what it can ask. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { NodeList, PlatformList, Problem, SubmissionAccepted, TaskRecord } from "@querent/contract";
import pg from "pg";
import { emptyDatabase } from "../harness/database.ts";
import { runCommand, startServiceProcess, type ServiceProcess } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

const folder = mkdtempSync(join(tmpdir(), "querent-workers-"));
const started: ServiceProcess[] = [];
// Before the database's own: hooks run in the order in which they were set.
after(async () => {
  await Promise.all(started.map((process) => process.end("SIGKILL")));
  await client.end();
  rmSync(folder, { recursive: true });
});
const { url } = await emptyDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
writeFileSync(
  join(folder, "keyed.mjs"),
  `export const createPlatform = ({ environment }) => ({
    missing: environment.KEYED_API_KEY === undefined ? "Set the environment variable KEYED_API_KEY." : null,
    ask: async () => ({
      kind: "answered",
      answer: { parts: [{ type: "markdown", markdown: "Yes." }], sources: [], reasoning: null, search: null, pageHtml: null,
        modelVersion: null, observedAt: new Date(), endpoint: null, region: null, unreadable: [] },
      raw: null,
      consumption: null,
    }),
  });`,
);
writeFileSync(
  join(folder, "platforms.yaml"),
  "platforms: {keyed: {module: ./keyed.mjs}, lost-web: {recipe: ./nowhere.yaml}, lost: {module: ./nowhere.mjs}}\n",
);
const key = { KEYED_API_KEY: "secret-of-keyed" };
const environment = {
  DATABASE_URL: url,
  QUERENT_DATA_DIR: folder,
  QUERENT_CONFIG: join(folder, "platforms.yaml"),
  QUERENT_ACCESS_TOKEN: "token-of-the-worker-platform-tests",
  QUERENT_DATABASE_CONNECTIONS: "6",
};
const start = async (roles: string, more: Readonly<Record<string, string>> = {}) => {
  const process = await startServiceProcess({ ...environment, ...more }, ["serve", "--roles", roles]);
  started.push(process);
  return process;
};

interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}
const api = await start("api");
let sent = 0;
const call = async <Body>(method: string, path: string, body?: unknown): Promise<Answer<Body>> => {
  const response = await fetch(`${api.address}${path}`, {
    method,
    headers: {
      authorization: "Bearer token-of-the-worker-platform-tests",
      "idempotency-key": `${sent++}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
};
const items = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ question: `${n}?`, platformCode: "keyed", options: {} }));
const submit = async (count: number) => {
  const { status, body } = await call<SubmissionAccepted>("POST", "/v1/tasks/batch", items(count));
  assert.equal(status, 202, JSON.stringify(body));
  return body.tasks.map(({ taskId }) => taskId);
};
const record = async (taskId = "") => (await call<TaskRecord>("GET", `/v1/tasks/${taskId}`)).body;
const states = async () =>
  (await client.query<{ state: string; n: number }>("select state, count(*)::int as n from tasks group by state")).rows;
const platform = async () => {
  const { platforms } = (await call<PlatformList>("GET", "/v1/platforms")).body;
  return platforms.find(({ platformCode }) => platformCode === "keyed");
};
const nodes = async () => (await call<NodeList>("GET", "/v1/admin/nodes")).body.nodes;
/** As if a minute had passed since the workers that could ask it were last heard of. */
const forgetThose = () =>
  client.query("update node_platforms set seen_at = now() - interval '61 seconds' where 'keyed' = any(askable)");

test("without a report of any worker, an API process without the key refuses the platform", async () => {
  assert.equal((await platform())?.state, "not_configured");
  const { status, body } = await call<Problem>("POST", "/v1/tasks/batch", items(1));
  assert.equal(status, 422);
  assert.equal(body.errors?.[0]?.code, "platform_not_configured");
});

let keyless: ServiceProcess;
let keyed: ServiceProcess;
test("if one of two workers has no key, the API accepts what the other can ask, and every task completes", async () => {
  keyless = await start("worker");
  keyed = await start("worker", key);
  await until("the API to know", async () => (await platform())?.state === "ready");
  await submit(60);
  await until("all to end", async () => (await states()).every(({ state }) => state !== "pending"));
  assert.deepEqual(await states(), [{ state: "completed", n: 60 }]);
  assert.deepEqual((await client.query("select from task_attempts")).rows, [], "nothing was given back");
});

test("the nodes' list and the command tell what each worker can ask, and which setting another lacks, without its value", async () => {
  const list = await until("both reports", async () => {
    const found = await nodes();
    return found.filter(({ roles }) => roles !== null).length === 2 && found;
  });
  const missing = list.map(({ platforms }) => platforms.find(({ platformCode }) => platformCode === "keyed")?.missing);
  assert.deepEqual(new Set(missing), new Set([null, "Set the environment variable KEYED_API_KEY."]));
  for (const node of list) {
    assert.deepEqual(node.roles, ["worker"]);
    assert.equal(node.slotsMax, 1000);
    const why = (code: string) => node.platforms.find(({ platformCode }) => platformCode === code)?.missing ?? "";
    assert.match(why("lost-web"), /nowhere\.yaml.*can't be read/su);
    assert.match(why("lost"), /nowhere\.mjs can't be loaded/u);
    assert.equal(node.onlyPlatforms, null);
    assert.ok(node.alive);
  }
  const { stdout, code } = await runCommand(environment, ["nodes"]);
  assert.equal(code, 0);
  assert.match(stdout, /CANNOT ASK[^]*keyed: Set the environment variable KEYED_API_KEY\./u);
  assert.doesNotMatch(stdout + JSON.stringify(list), /secret-of-keyed/u);
});

const metrics = async () => {
  const headers = { authorization: `Bearer ${environment.QUERENT_ACCESS_TOKEN}` };
  return (await fetch(`${api.address}/metrics`, { headers })).text();
};

test("tasks whose key is removed while they wait say why, are logged once, and go on with a worker that has it", async () => {
  await keyed.end("SIGTERM");
  const waiting = await submit(5);
  const reason = await until("the reason", async () => {
    await forgetThose();
    const { progress } = await record(waiting[0]);
    return progress?.reason === "no_worker" && progress;
  });
  assert.equal(reason.phase, "queued");
  assert.equal(reason.attempt, 0);
  await until("the API to know", async () => (await platform())?.state === "not_configured");
  assert.equal((await call<Problem>("POST", "/v1/tasks/batch", items(1))).status, 422);
  await until("the warning", () => keyless.output().includes("platform.unasked"));
  await until("the metric", async () =>
    (await metrics()).includes('querent_queue_tasks{platform="keyed",reason="no_worker"} 5'),
  );

  keyed = await start("worker", key);
  await until("all to end", async () => (await states()).every(({ state }) => state !== "pending"));
  assert.deepEqual(await states(), [{ state: "completed", n: 65 }]);
  const warnings = keyless.output().match(/"event":"platform\.unasked"[^\n]*/gu) ?? [];
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? "", /"platform":"keyed","why":"Set the environment variable KEYED_API_KEY\."/u);
});

test("a worker that is restricted to others leaves the platform alone, and does not make it refused", async () => {
  await Promise.all([keyed.end("SIGTERM"), keyless.end("SIGTERM")]);
  const restricted = await start("worker", { QUERENT_WORKER_PLATFORMS: "web,simulator", ...key });
  const [taskId] = await submit(1);
  const reason = await until("the reason", async () => {
    await client.query(
      `update node_platforms set seen_at = now() - case when 'keyed' = any(askable) then interval '61 seconds' else interval '62 seconds' end
       where only_platforms is null`,
    );
    return (await record(taskId)).progress?.reason === "no_worker";
  });
  assert.ok(reason);
  assert.equal((await platform())?.state, "no_worker");
  await submit(1);
  const own = (await nodes()).find(({ onlyPlatforms }) => onlyPlatforms !== null);
  assert.deepEqual(own?.onlyPlatforms, ["web", "simulator"]);
  assert.ok(own?.platforms.every(({ platformCode }) => /-web$|^google-ai-|^simulator$/u.test(platformCode)));
  await restricted.end("SIGTERM");
  await start("worker", { QUERENT_WORKER_PLATFORMS: "api", ...key });
  await until("all to end", async () => (await states()).every(({ state }) => state !== "pending"));
  assert.deepEqual(await states(), [{ state: "completed", n: 67 }]);
});
