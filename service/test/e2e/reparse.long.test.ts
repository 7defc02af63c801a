/** The operator's commands beside a running service: what a platform sent, and reading it again. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, test } from "node:test";
import type { Notification, TaskRecord } from "@querent/contract";
import { cleanEnvironment, runCommand, startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { startReceiver } from "../harness/receiver.ts";
import { until } from "../harness/wait.ts";

const receiver = await startReceiver();
after(() => receiver.close());

test("an answer that was half read gets a second revision beside the running service: record, ETag, notice and feed tell of it", async () => {
  using folder = temporaryFolder();
  const environment = {
    QUERENT_DATA_DIR: folder.path,
    QUERENT_ACCESS_TOKEN: "token-of-the-reparse-test",
    QUERENT_EGRESS_ALLOW: "127.0.0.0/8,::1",
    QUERENT_EGRESS_CA: receiver.caFile,
  };
  const service = await startServiceProcess(environment);
  const headers = { authorization: "Bearer token-of-the-reparse-test" };
  const get = (path: string, more: Record<string, string> = {}) =>
    fetch(`${service.address}${path}`, { headers: { ...headers, ...more } });
  const item = {
    question: "sources=2 cards=product unread=sources,products",
    platformCode: "simulator",
    options: {},
    webhookUrl: receiver.url("/r"),
  };
  const submitted = await fetch(`${service.address}/v1/tasks/batch`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", "idempotency-key": "k" },
    body: JSON.stringify([item, { ...item, question: "sources=1" }]),
  });
  const { tasks } = (await submitted.json()) as { tasks: { taskId: string }[] };
  const taskId = tasks[0]?.taskId ?? "";
  await receiver.received(2);
  const first = await get(`/v1/tasks/${taskId}`);
  const before = (await first.json()) as TaskRecord;
  assert.deepEqual(
    [before.revision, before.sources.length, before.availability?.sources, before.availability?.products],
    [1, 0, "parse_failed", "parse_failed"],
  );

  const raw = await runCommand(environment, ["task", "raw", taskId]);
  assert.equal(raw.code, 0, raw.stderr);
  assert.match(raw.stdout, /"sources":\[\{/);
  const none = await runCommand(environment, ["task", "raw", tasks[1]?.taskId ?? ""]);
  assert.deepEqual(
    [none.code, none.stderr],
    [1, "querentd: This platform's answers are stored without the bytes that it sent.\n"],
  );

  const costs = await runCommand(environment, ["platform", "costs", "--days", "1", "--json"]);
  const [simulator] = (JSON.parse(costs.stdout) as { platforms: Record<string, unknown>[] }).platforms;
  assert.deepEqual([simulator?.["platform"], simulator?.["completed"], simulator?.["metered"]], ["simulator", 2, 0]);
  assert.match(
    (await runCommand(environment, ["platform", "costs"])).stdout,
    /^simulator +2 +2 +0 +1\.0 +- +- +- +0 +- +unknown$/m,
  );

  const unscoped = await runCommand(environment, ["reparse"]);
  assert.equal(unscoped.code, 1);
  assert.match(unscoped.stderr, /^querentd: Specify which answers/);
  const unreadable = await runCommand(environment, ["reparse", "--platform", "sample"]);
  assert.match(unreadable.stderr, /stored without the bytes.*: simulator, openai, /);

  const dry = await runCommand(environment, ["reparse", "--platform", "simulator", "--dry-run", "--json"]);
  assert.equal((JSON.parse(dry.stdout) as { changed: number }).changed, 1);
  const done = await runCommand(environment, ["reparse", "--platform", "simulator", "--since", "1d", "--json"]);
  assert.equal(done.code, 0, done.stderr);
  assert.deepEqual((({ read, changed, unreadable, finished }) => [read, changed, unreadable, finished])(JSON.parse(done.stdout) as Record<string, unknown>), [1, 1, 1, true]); // prettier-ignore

  const etag = first.headers.get("etag") ?? "";
  const second = await get(`/v1/tasks/${taskId}`, { "if-none-match": etag });
  assert.equal(second.status, 200);
  assert.notEqual(second.headers.get("etag"), etag);
  const record = (await second.json()) as TaskRecord;
  assert.deepEqual([record.revision, record.sources.length, record.products.length], [2, 2, 1]);
  assert.equal(record.observedAt, before.observedAt);
  assert.equal(record.chargedPoints, before.chargedPoints);

  const [, , third] = await receiver.received(3);
  const notice = JSON.parse(third?.body.toString("utf8") ?? "") as Notification;
  assert.deepEqual(notice, { event: "task.finished", deliveryRevision: 2, task: { ...record, resultOmitted: false } });
  const { events } = (await (await get("/v1/events")).json()) as { events: { notification: Notification }[] };
  assert.deepEqual(events.at(-1)?.notification, notice);
  assert.equal(events.length, 3);
  assert.equal(await service.end("SIGTERM"), 0);
});

test("a reading that is killed is run again, and each answer has one second revision and one second notice", async () => {
  using folder = temporaryFolder();
  const environment = { QUERENT_DATA_DIR: folder.path, QUERENT_ACCESS_TOKEN: "token-of-the-reparse-test" };
  const service = await startServiceProcess(environment);
  const headers = { authorization: "Bearer token-of-the-reparse-test" };
  const count = 1_000;
  const submitted = await fetch(`${service.address}/v1/tasks/batch`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", "idempotency-key": "k" },
    body: JSON.stringify(
      Array.from({ length: count }, (_, n) => ({
        question: `sources=1 unread=sources ${n}`,
        platformCode: "simulator",
        options: {},
      })),
    ),
  });
  const { batchId } = (await submitted.json()) as { batchId: string };
  const get = async <Body>(path: string) =>
    (await (await fetch(`${service.address}${path}`, { headers })).json()) as Body;
  await until("the tasks to end", async () => (await get<{ counts: { pending: number } }>(`/v1/batches/${batchId}`)).counts.pending === 0); // prettier-ignore

  const words = ["reparse", "--batch", batchId, "--json"];
  const main = new URL("../../src/main.ts", import.meta.url).pathname;
  const killed = spawn(process.execPath, [main, ...words], { env: cleanEnvironment(environment), stdio: "ignore" });
  const exited = new Promise((resolve) => killed.once("exit", resolve));
  const revised = async () => {
    const text = await (await fetch(`${service.address}/v1/batches/${batchId}/results`, { headers })).text();
    return text.split("\n").filter((line) => line.includes('"revision":2')).length;
  };
  await until("some revisions", async () => (await revised()) > 0 || killed.exitCode !== null);
  killed.kill("SIGKILL");
  await exited;
  const again = await runCommand(environment, words);
  assert.equal(again.code, 0, again.stderr);
  assert.equal((JSON.parse(again.stdout) as { read: number }).read, count);
  assert.equal(await revised(), count);
  let [events, after] = [0, ""];
  for (let more = true; more;) {
    const page = await get<{ events: unknown[]; nextCursor: string; hasMore: boolean }>(`/v1/events?limit=100${after}`);
    events += page.events.length;
    after = `&after=${page.nextCursor}`;
    more = page.hasMore;
  }
  assert.equal(events, 2 * count);
  assert.equal(await service.end("SIGTERM"), 0);
});
