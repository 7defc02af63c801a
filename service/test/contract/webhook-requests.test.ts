/** docs/webhooks.md#the-request and docs/webhooks.md#rotate-the-secret. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, test } from "node:test";
import type { Notification, WebhookRecord } from "@querent/contract";
import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { startReceiver, type Received } from "../harness/receiver.ts";
import { item, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const receiver = await startReceiver();
after(() => receiver.close());
const service = await startTestService({
  environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8,::1", QUERENT_EGRESS_CA: receiver.caFile },
});

const at = (path: string) => receiver.requests.filter((request) => request.path === path);
const firstAt = (path: string) => until(`a notice at ${path}`, () => at(path)[0]);
const noticeIn = (request: Received) => JSON.parse(request.body.toString("utf8")) as Notification;
const secretOf = async (account: TestAccount) => (await account.get<WebhookRecord>("/v1/webhook")).body.signingSecret;

test("each task has its own notification when it ends: tasks of one batch are not merged", async () => {
  const account = await service.account();
  const path = `/${account.accountId}`;
  const { tasks } = await account.submit(
    ["Why?", "fail=platform_auth", "empty=1"].map((question) => item(question, { webhookUrl: receiver.url(path) })),
  );
  await until("three notices", () => at(path).length >= 3);
  assert.deepEqual(
    at(path)
      .map((request) => noticeIn(request).task.taskId)
      .toSorted(),
    tasks.map((task) => task.taskId).toSorted(),
  );
  assert.equal(new Set(at(path).map((request) => request.headers["x-service-delivery"])).size, 3);
});

test("the destination is the task's webhookUrl if given, otherwise the account's address", async () => {
  const account = await service.account();
  const [own, fallback] = [`/own-${account.accountId}`, `/default-${account.accountId}`];
  await account.call("PUT", "/v1/webhook", { body: { url: receiver.url(fallback) } });
  const { tasks } = await account.submit([item("Own?", { webhookUrl: receiver.url(own) }), item("Default?")]);
  assert.equal(noticeIn(await firstAt(own)).task.taskId, tasks[0]?.taskId);
  assert.equal(noticeIn(await firstAt(fallback)).task.taskId, tasks[1]?.taskId);
});

test("X-Service-Signature is sha256= and the hex HMAC-SHA256 of the raw bytes, keyed with the signing secret", async () => {
  const account = await service.account();
  const path = `/${account.accountId}`;
  await account.ask("Zürich 🙂?", { webhookUrl: receiver.url(path) });
  const request = await firstAt(path);
  const secret = await secretOf(account);
  const signature = String(request.headers["x-service-signature"]);
  assert.equal(signature, `sha256=${createHmac("sha256", secret).update(request.body).digest("hex")}`);
  assert.ok(await verify(secret, request.body.toString("utf8"), signature));
});

test("X-Service-Delivery is the delivery's id; content type, agent, secret version and time come along", async () => {
  const account = await service.account();
  const path = `/${account.accountId}`;
  await account.ask("Why?", { webhookUrl: receiver.url(path) });
  const { headers } = await firstAt(path);
  assert.match(String(headers["x-service-delivery"]), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.equal(headers["content-type"], "application/json");
  assert.match(String(headers["user-agent"]), /^Querent\//);
  assert.equal(headers["x-service-secret-version"], "1");
  assert.ok(!Number.isNaN(Date.parse(String(headers["x-service-timestamp"]))));
});

test("after a rotation, later notifications are signed with the new secret immediately", async () => {
  const account = await service.account();
  const path = `/${account.accountId}`;
  const former = await secretOf(account);
  await account.call("POST", "/v1/webhook/signing-secret/rotation");
  await account.ask("Why?", { webhookUrl: receiver.url(path) });
  const request = await firstAt(path);
  const signature = String(request.headers["x-service-signature"]);
  assert.ok(await verify(await secretOf(account), request.body.toString("utf8"), signature));
  assert.ok(!(await verify(former, request.body.toString("utf8"), signature)));
  assert.equal(request.headers["x-service-secret-version"], "2");
});

/** By a library of Standard Webhooks, with the secret as it is shown. */
function verifyStandard({ body, headers }: Received, secret: string): Notification {
  const pick = (name: string) => [name, String(headers[name])] as const;
  return new Webhook(secret, { format: "raw" }).verify(
    body,
    Object.fromEntries(["webhook-id", "webhook-timestamp", "webhook-signature"].map(pick)),
  ) as Notification;
}

test("Webhook-Signature is verified by a Standard Webhooks library: of a notification, a redelivery and a test", async () => {
  const account = await service.account();
  const path = `/${account.accountId}`;
  await account.call("PUT", "/v1/webhook", { body: { url: receiver.url(path) } });
  const secret = await secretOf(account);
  const taskId = await account.ask("Zürich 🙂?");
  const first = await firstAt(path);
  assert.equal(verifyStandard(first, secret).task.taskId, taskId);
  assert.equal(first.headers["webhook-id"], first.headers["x-service-delivery"]);
  assert.equal(
    Number(first.headers["webhook-timestamp"]),
    Math.floor(Date.parse(String(first.headers["x-service-timestamp"])) / 1000),
  );
  await until("the delivery to be recorded", async () => {
    const { status } = await account.call(
      "POST",
      `/v1/deliveries/${String(first.headers["x-service-delivery"])}/redelivery`,
    );
    return status === 202;
  });
  await until("the redelivery", () => at(path).length >= 2);
  await account.call("POST", "/v1/webhook/test");
  const [, again, tested] = await until("the test", () => (at(path).length >= 3 ? at(path) : null));
  assert.ok(again !== undefined && tested !== undefined);
  assert.equal(verifyStandard(again, secret).deliveryRevision, 2);
  assert.notEqual(again.headers["webhook-id"], first.headers["webhook-id"]);
  assert.equal(tested.headers["x-service-test"], "true");
  verifyStandard(tested, secret);
  // As a string that any such library takes.
  const asString = `whsec_${Buffer.from(secret).toString("base64")}`;
  const headers = first.headers as Record<string, string>;
  new Webhook(asString).verify(first.body, headers);
  assert.throws(() => new Webhook(asString).verify(first.body, { ...headers, "webhook-id": "another" }));
});

test("during a rotation with an overlap, a Standard Webhooks library with either secret believes the notification", async () => {
  const account = await service.account();
  const path = `/${account.accountId}`;
  const former = await secretOf(account);
  await account.call("POST", "/v1/webhook/signing-secret/rotation", { body: { previousSecretValidSeconds: 60 } });
  const taskId = await account.ask("Why?", { webhookUrl: receiver.url(path) });
  const request = await firstAt(path);
  for (const secret of [former, await secretOf(account)])
    assert.equal(verifyStandard(request, secret).task.taskId, taskId);
});

test("a 2xx answer ends the delivery, and the record tells of it", async () => {
  const account = await service.account();
  const path = `/${account.accountId}`;
  await account.call("PUT", "/v1/webhook", { body: { url: receiver.url(path) } });
  await account.ask("Why?");
  await firstAt(path);
  await until("the success to be recorded", async () => {
    return (await account.get<WebhookRecord>("/v1/webhook")).body.lastSuccessAt !== null;
  });
  assert.equal(at(path).length, 1);
});

test("without an address nothing is sent, and the task ends all the same", async () => {
  const account = await service.account();
  assert.equal((await account.answerTo("Why?")).state, "completed");
});
