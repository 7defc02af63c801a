/** Workers with and without a browser on one database, as processes: what can't be done is refused, what can be is done by those that can. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { PlatformList, Problem, Quote, SubmissionAccepted, TaskRecord } from "@querent/contract";
import pg from "pg";
import { stringify } from "yaml";
import { loadRecipe } from "../../src/platforms/index.ts";
import { emptyDatabase } from "../harness/database.ts";
import { startServiceProcess } from "../harness/process.ts";
import { until } from "../harness/wait.ts";
import { examplePage, recipeFile } from "../platforms/web/fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "querent-browsers-"));
const started: Awaited<ReturnType<typeof startServiceProcess>>[] = [];
// Before the database's own: hooks run in the order in which they were set.
after(async () => {
  await Promise.all(started.map((process) => process.end("SIGKILL")));
  await client.end();
  rmSync(folder, { recursive: true });
});
const { url } = await emptyDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
const page = await examplePage();
writeFileSync(join(folder, "example.yaml"), stringify({ ...loadRecipe(recipeFile).recipe, entry: page.address }));
writeFileSync(
  join(folder, "platforms.yaml"),
  stringify({ platforms: { "example-web": { recipe: "./example.yaml" } } }),
);
const start = async (roles: string, environment: Readonly<Record<string, string>> = {}) => {
  const process = await startServiceProcess(
    {
      DATABASE_URL: url,
      QUERENT_DATA_DIR: folder,
      QUERENT_CONFIG: join(folder, "platforms.yaml"),
      QUERENT_ACCESS_TOKEN: "token-of-the-browser-tests",
      QUERENT_BROWSER_EGRESS_ALLOW: "127.0.0.0/8",
      QUERENT_DATABASE_CONNECTIONS: "6",
      QUERENT_PUBLIC_URL: "https://querent.example",
      ...environment,
    },
    ["serve", "--roles", roles],
  );
  started.push(process);
  return process;
};

interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}
let sent = 0;
const api = await start("api");
const call = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${api.address}${path}`, {
    method,
    headers: {
      authorization: "Bearer token-of-the-browser-tests",
      "idempotency-key": `${sent++}`,
      prefer: "wait=30",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};
const needy = [
  { question: "a picture", platformCode: "simulator", options: { output: "screenshot" } },
  { question: "a page", platformCode: "example-web", options: {} },
];
const isUsable = async () => {
  const { platforms } = (await call("GET", "/v1/platforms")).body as PlatformList;
  const web = platforms.find(({ platformCode }) => platformCode === "example-web");
  const simulator = platforms.find(({ platformCode }) => platformCode === "simulator");
  assert.ok(web !== undefined && simulator !== undefined);
  assert.equal(web.configured, web.unavailable === null);
  assert.equal(web.unavailable === null, simulator.outputs.includes("screenshot"), "both, or neither");
  return web.unavailable === null;
};
const assertRefused = async () => {
  const { status, body } = (await call("POST", "/v1/tasks/batch", needy)) as Answer<Problem>;
  assert.equal(status, 422);
  assert.equal(body.code, "validation_failed");
  const errors = body.errors?.map(({ pointer, code }) => [pointer, code]);
  assert.deepEqual(errors, [
    ["/0/options/output", "browser_unavailable"],
    ["/1/platformCode", "browser_unavailable"],
  ]);
  const quote = (await call("POST", "/v1/tasks/quote", needy)).body as Quote;
  assert.deepEqual(
    quote.items.flatMap((item) => item.errors),
    body.errors,
  );
};
const outputs = () => started.map(({ output }) => output()).join("\n");
const endOf = (taskId: string) =>
  until("the end of a task", async () => {
    const task = (await call("GET", `/v1/tasks/${taskId}`)).body as TaskRecord;
    return task.state === "pending" ? null : task;
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${outputs()}`);
  });
/** The browsers stay usable a moment ago, however long the machine takes for the work. */
const withinTheMinute = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  const see = () => void client.query("update node_browsers set seen_at = now() where usable");
  const timer = setInterval(see, 1000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};
const assertDone = async (count: number) => {
  const items = Array.from({ length: count }, () => needy).flat();
  const { status, body } = (await call("POST", "/v1/tasks/batch", items)) as Answer<SubmissionAccepted>;
  assert.equal(status, 202, JSON.stringify(body));
  for (const { taskId } of body.tasks) {
    const record = await endOf(taskId);
    assert.equal(record.state, "completed", `${JSON.stringify(record.failure)}\n${outputs()}`);
  }
};

test("before any worker was heard of, what needs a browser is accepted: it waits for one like everything else", async () => {
  assert.equal(await isUsable(), true);
  const quote = (await call("POST", "/v1/tasks/quote", needy)).body as Quote;
  assert.equal(quote.valid, true);
});

test("a worker without a browser says so loudly when it starts, and what needs one is refused", async () => {
  const worker = await start("worker", { QUERENT_BROWSER_PATH: "/nowhere/chromium" });
  await until("its banner", () => worker.output().includes("This process can use no browser"));
  assert.match(worker.output(), /QUERENT_BROWSER_PATH \(\/nowhere\/chromium\): there is no such file/);
  await until("the API to know", async () => !(await isUsable()));
  await assertRefused();
});

let withBrowser: Awaited<ReturnType<typeof start>>;
test("a second worker that has a browser joins: all is accepted again, and done by the one that can", async () => {
  withBrowser = await start("worker", {
    ...(process.env["QUERENT_BROWSER_PATH"] === undefined
      ? {}
      : { QUERENT_BROWSER_PATH: process.env["QUERENT_BROWSER_PATH"] }),
  });
  await until("the API to know", isUsable);
  await assertDone(6);
  // The first worker hears of the second within seconds. What it takes before that it gives back; then it takes nothing that it can't do.
  const givenBack = () => started.flatMap(({ output }) => output().match(/task\.lost/g) ?? []).length;
  await until("a round in which no worker takes what it can't do", async () => {
    const before = givenBack();
    await assertDone(3);
    return givenBack() === before;
  });
});

test("it goes for a restart: what needs a browser is accepted for a minute, waits, and costs no attempt", async () => {
  const { status, body } = await withinTheMinute(async () => {
    await withBrowser.end("SIGTERM");
    const accepted = (await call("POST", "/v1/tasks/batch", needy)) as Answer<SubmissionAccepted>;
    withBrowser = await start("worker");
    return accepted;
  });
  assert.equal(status, 202);
  for (const { taskId } of body.tasks) {
    const record = await endOf(taskId);
    assert.equal(record.state, "completed", JSON.stringify(record.failure));
  }
});

test("it goes for good: after the minute all is refused again; an accepted picture fails and costs nothing, and an accepted page waits", async () => {
  await withBrowser.end("SIGTERM");
  const { status, body } = (await call("POST", "/v1/tasks/batch", needy)) as Answer<SubmissionAccepted>;
  assert.equal(status, 202);
  await client.query("update node_browsers set seen_at = now() - interval '61 seconds' where usable");
  await until("the API to know", async () => !(await isUsable()));
  await assertRefused();
  const [picture, waiting] = body.tasks;
  const { failure, chargedPoints } = await endOf(picture?.taskId ?? "");
  assert.deepEqual([failure?.code, chargedPoints], ["output_unavailable", 0]);
  const task = await until("its reason", async () => {
    await client.query(
      "update node_platforms set seen_at = now() - interval '61 seconds' where 'example-web' = any(askable)",
    );
    const { body: record } = (await call("GET", `/v1/tasks/${waiting?.taskId}`)) as Answer<TaskRecord>;
    return record.progress?.reason === "no_worker" && record;
  });
  assert.equal(task.state, "pending");
});
