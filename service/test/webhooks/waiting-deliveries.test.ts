/** Deliveries that wait: what their owner sees of them, what becomes of what they say, and when they are given up. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import type {
  DeliveryDetail,
  DeliveryPage,
  DeliveryRecord,
  Notification,
  RecoveryReply,
  WebhookRecord,
} from "@querent/contract";
import type { Database } from "../../src/db/index.ts";
import { endPaused, expireBodies } from "../../src/webhooks/index.ts";
import { forgetAttempts, getTasks, maintainResults } from "../../src/tasks/index.ts";
import { startReceiver } from "../harness/receiver.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

/** What a path of the receiver answers; 204 where nothing is set. */
const answers = new Map<string, number>();
const receiver = await startReceiver(({ path }, response) => response.writeHead(answers.get(path) ?? 204).end());
const service = await startTestService({
  environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_EGRESS_CA: receiver.caFile },
});
test.after(() => receiver.close());
const { database } = service;
const expiring = { database, records: { read: getTasks }, bodyBytesMax: 262_144 };

const setAddress = async (account: TestAccount, url: string) => {
  const answer = await account.call<WebhookRecord>("PUT", "/v1/webhook", { body: { url } });
  assert.equal(answer.status, 200, answer.text);
};
const webhookOf = async (account: TestAccount) => (await account.get<WebhookRecord>("/v1/webhook")).body;
const deliveryOf = async (account: TestAccount, taskId: string, fits: (delivery: DeliveryRecord) => boolean) =>
  until(`a delivery of ${taskId} as expected`, async () =>
    (await account.get<DeliveryPage>(`/v1/deliveries?taskId=${taskId}`)).body.deliveries.find(fits),
  );
const requestsTo = (path: string) => receiver.requests.filter((request) => request.path === path);

/** An account whose address is suspended, since it answered 410. */
async function suspendedAccount(path: string): Promise<TestAccount> {
  const account = await service.account();
  answers.set(path, 410);
  await setAddress(account, receiver.url(path));
  await account.answerTo("Is anybody there?");
  await until("the suspension", async () => (await webhookOf(account)).status === "suspended");
  return account;
}

/** Lets an account's results expire, as if the days had passed: everything that tells when, in every table. */
async function expireResults(accountId: string): Promise<void> {
  const own = "select id from tasks where account_id = $1";
  for (const table of ["task_results", "artifacts"])
    await database.query(
      `create table if not exists ${table}_20200101 partition of ${table} for values from ('2020-01-01') to ('2020-01-02')`,
    );
  const past = "expires_at = '2020-01-08T00:00:00Z'";
  await database.query(`update task_results set ${past}, day = '2020-01-01' where task_id in (${own})`, [accountId]);
  await database.query(`update tasks set ${past}, result_day = '2020-01-01' where account_id = $1`, [accountId]);
  await database.query(`update task_attempts set ${past} where task_id in (${own})`, [accountId]);
  await database.query(`update deliveries set ${past} where account_id = $1`, [accountId]);
  await database.query(`update delivery_queue set ${past} where account_id = $1`, [accountId]);
}

/** Every column of every table that holds the text, however it is stored. */
async function placesOf(db: Database, text: string): Promise<string[]> {
  const { rows: columns } = await db.query<{ table: string; column: string; type: string }>(
    `select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  );
  const places: string[] = [];
  for (const { table, column, type } of columns) {
    const holds =
      type === "bytea"
        ? `position(convert_to($1, 'UTF8') in "${column}") > 0`
        : `position($1 in "${column}"::text) > 0`;
    const { rows } = await db.query<{ n: number }>(`select count(*)::int as n from "${table}" where ${holds}`, [text]);
    if ((rows[0]?.n ?? 0) > 0) places.push(`${table}.${column}`);
  }
  return places;
}

test("after expiry nothing of the answer is kept in any table, and what was held is sent as the expired record", async () => {
  const account = await suspendedAccount("/expires");
  const record = await account.answerTo("Tell me. size=600");
  // A piece that JSON writes as it is, and that is not in the question.
  const answer = /[\w .,]{30,}/g.exec(record.content?.replace(record.question, "") ?? "")?.[0] ?? "";
  assert.ok(answer.length >= 30, record.content ?? "");
  const held = await deliveryOf(account, record.taskId, ({ phase }) => phase === "held");
  assert.deepEqual((await placesOf(database, answer)).map((place) => place.replace(/_(\d{8}|first)/, "")).sort(), [
    "deliveries.body",
    "task_results.result",
  ]);
  await expireResults(account.accountId);
  await maintainResults(database);
  await expireBodies(expiring);
  await forgetAttempts(database);
  assert.deepEqual(await placesOf(database, answer), []);
  answers.delete("/expires");
  await setAddress(account, receiver.url("/expires"));
  const sent = await until("it to be sent", () =>
    requestsTo("/expires").find(({ headers }) => headers["x-service-delivery"] === held.deliveryId),
  );
  const { task } = JSON.parse(sent.body.toString()) as Notification;
  assert.ok(!task.resultOmitted);
  assert.deepEqual([task.taskId, task.state, task.expired, task.content], [record.taskId, "completed", true, null]);
  await deliveryOf(account, record.taskId, ({ state }) => state === "delivered");
});

test("a retry that comes after expiry says so, also when nothing has made its body anew before", async () => {
  const account = await service.account();
  answers.set("/later", 503);
  await setAddress(account, receiver.url("/later"));
  const { taskId } = await account.answerTo("Tell me later.");
  const waiting = await deliveryOf(account, taskId, ({ phase }) => phase === "waiting");
  assert.equal(waiting.waitingFor, "retry");
  await expireResults(account.accountId);
  answers.delete("/later");
  await database.query("update delivery_queue set next_attempt_at = now() where account_id = $1", [account.accountId]);
  await deliveryOf(account, taskId, ({ state }) => state === "delivered");
  const bodies = requestsTo("/later").map(({ body }) => (JSON.parse(body.toString()) as Notification).task);
  assert.deepEqual(
    bodies.map((task) => (task.resultOmitted ? null : [task.expired, task.content === null])),
    [
      [false, false],
      [true, true],
    ],
  );
  assert.equal(new Set(requestsTo("/later").map(({ headers }) => headers["x-service-delivery"])).size, 1);
});

test("a body that has expired is shown as it will be sent", async () => {
  const account = await suspendedAccount("/shown");
  const { taskId } = await account.answerTo("Show me.");
  const { deliveryId } = await deliveryOf(account, taskId, ({ phase }) => phase === "held");
  await expireResults(account.accountId);
  const { body } = await account.get<Notification>(`/v1/deliveries/${deliveryId}/body`);
  assert.ok(!body.task.resultOmitted && body.task.expired);
});

test("one 410 suspends the address and says that it is gone; what waits for it says so", async () => {
  const account = await suspendedAccount("/gone");
  const webhook = await webhookOf(account);
  assert.deepEqual([webhook.suspendedReason, webhook.lastFailureStatus, webhook.lastFailureFault], ["gone", 410, null]);
  assert.ok(webhook.lastFailureAt !== null);
  const [first] = (await account.get<DeliveryPage>("/v1/deliveries")).body.deliveries;
  assert.deepEqual([first?.state, first?.failureReason], ["failed", "gone"]);
  const { taskId } = await account.answerTo("And now?");
  const held = await deliveryOf(account, taskId, ({ phase }) => phase === "held");
  assert.deepEqual([held.state, held.waitingFor, held.nextAttemptAt], ["pending", "endpoint_suspended", null]);
  await setAddress(account, receiver.url("/gone-no-more"));
  assert.deepEqual(
    [(await webhookOf(account)).suspendedReason, (await webhookOf(account)).lastFailureStatus],
    [null, null],
  );
  await deliveryOf(account, taskId, ({ state }) => state === "delivered");
});

test("what a suspended address holds is given up 3 days after the results, and can be recovered", async () => {
  const account = await suspendedAccount("/held");
  const [young, old] = [await account.answerTo("Young?"), await account.answerTo("Old?")];
  await deliveryOf(account, old.taskId, ({ phase }) => phase === "held");
  const age = (taskId: string, days: number) =>
    database.query("update deliveries set created_at = now() - $2 * interval '1 day' where task_id = $1", [
      taskId,
      days,
    ]);
  await age(young.taskId, 9.9);
  await age(old.taskId, 10.1);
  await endPaused(database, 7);
  const ended = await deliveryOf(account, old.taskId, () => true);
  assert.deepEqual([ended.state, ended.failureReason, ended.waitingFor], ["failed", "endpoint_suspended", null]);
  assert.equal((await deliveryOf(account, young.taskId, () => true)).waitingFor, "endpoint_suspended");
  const { rows } = await database.query("select from deliveries where task_id = $1 and body is not null", [old.taskId]);
  assert.equal(rows.length, 0);
  const since = new Date(Date.parse(ended.createdAt) - 1000).toISOString();
  const until = new Date(Date.parse(ended.createdAt) + 1000).toISOString();
  const { body } = await account.call<RecoveryReply>("POST", "/v1/webhook/recovery", { body: { since, until } });
  assert.equal(body.redeliveredCount, 1);
});

test("an attempt shows the headers that signed it, and the body is given byte for byte", async () => {
  const account = await service.account();
  answers.set("/signed", 503);
  await setAddress(account, receiver.url("/signed"));
  const { taskId } = await account.answerTo("Sign it: ü 世界");
  const { deliveryId } = await deliveryOf(account, taskId, ({ phase }) => phase === "waiting");
  const { body: detail, text } = await account.get<DeliveryDetail>(`/v1/deliveries/${deliveryId}`);
  const [sent] = requestsTo("/signed");
  assert.ok(sent);
  const [attempt] = detail.attempts;
  assert.deepEqual(Object.keys(attempt?.headers ?? {}), [
    "X-Service-Signature",
    "X-Service-Secret-Version",
    "X-Service-Timestamp",
    "Webhook-Id",
    "Webhook-Timestamp",
    "Webhook-Signature",
  ]);
  for (const [name, value] of Object.entries(attempt?.headers ?? {}))
    assert.equal(sent.headers[name.toLowerCase()], value, name);
  const { signingSecret } = await webhookOf(account);
  assert.ok(!text.includes(signingSecret));
  const kept = await account.get(`/v1/deliveries/${deliveryId}/body`);
  assert.deepEqual([kept.headers["content-type"], kept.headers["body-origin"]], ["application/json", "kept"]);
  assert.equal(kept.text, sent.body.toString());
  const digest = createHmac("sha256", signingSecret).update(kept.text).digest("hex");
  assert.equal(attempt?.headers?.["X-Service-Signature"], `sha256=${digest}`);
  answers.delete("/signed");
  await database.query("update delivery_queue set next_attempt_at = now() where account_id = $1", [account.accountId]);
  await deliveryOf(account, taskId, ({ state }) => state === "delivered");
  const rebuilt = await account.get(`/v1/deliveries/${deliveryId}/body`);
  assert.deepEqual([rebuilt.headers["body-origin"], rebuilt.text], ["rebuilt", kept.text]);
});

test("while an overlap lasts, the former secret's signature is shown beside", async () => {
  const account = await service.account();
  await setAddress(account, receiver.url("/overlap"));
  await account.call("POST", "/v1/webhook/signing-secret/rotation", { body: { previousSecretValidSeconds: 600 } });
  const { taskId } = await account.answerTo("Twice?");
  const { deliveryId } = await deliveryOf(account, taskId, ({ state }) => state === "delivered");
  const { body } = await account.get<DeliveryDetail>(`/v1/deliveries/${deliveryId}`);
  const shown = body.attempts[0]?.headers?.["X-Service-Signature-Previous"];
  assert.equal(shown, requestsTo("/overlap")[0]?.headers["x-service-signature-previous"]);
  assert.match(shown ?? "", /^sha256=/);
});

test("a delivery whose receiver is left alone after failures says so, and until when", async () => {
  const account = await service.account();
  answers.set("/failing", 500);
  const { taskId } = await account.answerTo("Anybody?", { webhookUrl: receiver.url("/failing") });
  await deliveryOf(account, taskId, ({ phase }) => phase === "waiting");
  await database.query(
    "update delivery_breakers set failures_in_row = 5, open_until = now() + interval '1 hour' where account_id = $1",
    [account.accountId],
  );
  const { waitingFor, nextAttemptAt } = await deliveryOf(account, taskId, () => true);
  assert.equal(waitingFor, "receiver_failing");
  assert.ok(Date.parse(nextAttemptAt ?? "") > Date.now() + 3_000_000);
});

test("of a delivery that was skipped there is no body", async () => {
  const account = await service.account();
  const { taskId } = await account.answerTo("Nobody to tell?");
  const { deliveryId } = await deliveryOf(account, taskId, ({ state }) => state === "skipped");
  assert.equal((await account.get(`/v1/deliveries/${deliveryId}/body`)).status, 404);
});
