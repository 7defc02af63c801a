/** A service that is killed in the middle of batches. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { verify } from "@octokit/webhooks-methods";
import type { LedgerPage, Notification, SubmissionAccepted, UsageRecord } from "@querent/contract";
import { startServiceProcess, temporaryFolder, type ServiceProcess } from "../harness/process.ts";
import { startReceiver } from "../harness/receiver.ts";
import { until } from "../harness/wait.ts";

const batches = 100;
const itemsPerBatch = 100;
const tasks = batches * itemsPerBatch;
const token = "token-of-the-kill-test";

test("tasks end once, are charged once and are announced under one id each, although the service is killed in the middle", async (t) => {
  using folder = temporaryFolder();
  await using receiver = await startReceiver();
  const environment = {
    QUERENT_DATA_DIR: folder.path,
    QUERENT_ACCESS_TOKEN: token,
    QUERENT_EGRESS_ALLOW: "127.0.0.0/8",
    QUERENT_EGRESS_CA: receiver.caFile,
  };
  let service = await startServiceProcess(environment);
  try {
    const secret = await setWebhook(service, receiver.url());
    const accepted = await Promise.all(Array.from({ length: batches }, (_, batch) => submit(service, batch)));
    await until("some to be announced", () => receiver.requests.length > tasks / 20);
    await service.end("SIGKILL");
    const before = receiver.requests.length;
    assert.ok(before < tasks, "the kill came in the middle");
    t.diagnostic(`killed after ${before} notifications`);

    service = await startServiceProcess(environment);
    const replayed = await Promise.all(Array.from({ length: batches }, (_, batch) => submit(service, batch)));
    assert.deepEqual(replayed, accepted, "replayed submissions return the same ids");

    const deliveries = () => new Set(receiver.requests.map((request) => request.headers["x-service-delivery"]));
    await until("every task to be announced", () => deliveries().size >= tasks, 600_000);
    await until("nothing to be held", async () => (await usage(service)).balance.held === 0);

    // Exactly one delivery id a task; a repeat, which only the kill can cause, has the same bytes.
    const taskIds = new Set(accepted.flatMap((batch) => batch.tasks.map((task) => task.taskId)));
    assert.equal(taskIds.size, tasks);
    const bytes = new Map<string, string>();
    const announced = new Map<string, string>();
    for (const { headers, body } of receiver.requests) {
      const id = String(headers["x-service-delivery"]);
      const digest = createHash("sha256").update(body).digest("hex");
      assert.equal(bytes.get(id) ?? digest, digest, "a repeated delivery has the same bytes");
      bytes.set(id, digest);
      const { task } = JSON.parse(body.toString()) as Notification;
      assert.equal(task.state, "completed");
      assert.equal(announced.get(task.taskId) ?? id, id, "a task is announced under one id");
      announced.set(task.taskId, id);
    }
    assert.deepEqual(new Set(announced.keys()), taskIds);
    t.diagnostic(`${receiver.requests.length - tasks} repeats`);

    for (const { headers, body } of receiver.requests.filter((_, index) => index % 500 === 0)) {
      assert.ok(
        await verify(secret, body.toString(), String(headers["x-service-signature"])),
        "GitHub's verifier accepts the signature",
      );
    }

    const { balance, days } = await usage(service);
    assert.equal(balance.captured, tasks * 2);
    assert.equal(
      days.reduce((sum, day) => sum + day.chargedPoints, 0),
      tasks * 2,
    );
    assert.equal(balance.available, balance.granted - balance.captured);
    const captures = await ledger(service, "capture");
    assert.equal(captures.length, tasks);
    assert.deepEqual(new Set(captures.map((entry) => entry.taskId)), taskIds);
    assert.equal(
      (await ledger(service, "hold")).reduce((sum, entry) => sum + entry.points, 0),
      tasks * 2,
    );
    assert.equal((await ledger(service, "release")).length, 0);
    assert.equal(await service.end("SIGTERM"), 0);
  } finally {
    await service.end("SIGKILL");
  }
});

const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

async function submit(service: ServiceProcess, batch: number): Promise<SubmissionAccepted> {
  const questions = [
    "How fine should I grind for espresso?",
    "What water is best for coffee?",
    "How long does cold brew keep?",
  ];
  const items = Array.from({ length: itemsPerBatch }, (_, index) => ({
    question: questions[index % questions.length],
    platformCode: "sample",
    options: {},
    clientReference: `${batch}/${index}`,
  }));
  const response = await fetch(`${service.address}/v1/tasks/batch`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": `batch-${batch}` },
    body: JSON.stringify(items),
  });
  assert.equal(response.status, 202);
  return (await response.json()) as SubmissionAccepted;
}

async function setWebhook(service: ServiceProcess, url: string): Promise<string> {
  const response = await fetch(`${service.address}/v1/webhook`, {
    method: "PUT",
    headers,
    body: JSON.stringify({ url }),
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as { signingSecret: string }).signingSecret;
}

async function usage(service: ServiceProcess): Promise<UsageRecord> {
  return (await (await fetch(`${service.address}/v1/usage`, { headers })).json()) as UsageRecord;
}

async function ledger(service: ServiceProcess, kind: string): Promise<LedgerPage["entries"]> {
  const entries: LedgerPage["entries"] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = (await (
      await fetch(
        `${service.address}/v1/usage/ledger?limit=1000&kind=${kind}${cursor === "" ? "" : `&cursor=${cursor}`}`,
        { headers },
      )
    ).json()) as LedgerPage;
    entries.push(...page.entries);
    cursor = page.nextCursor;
  }
  return entries;
}
