/** Events of an account that belong to no single task: announced once, delivered, redelivered and read like the ends of tasks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  AnyNotification,
  DeliveryDetail,
  DeliveryPage,
  EventPage,
  EventType,
  WebhookRecord,
} from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { announceEvent, pruneDeliveries, signature, type AccountEvent } from "../../src/webhooks/index.ts";
import { startReceiver } from "../harness/receiver.ts";
import { item, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const receiver = await startReceiver();
const service = await startTestService({
  environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_EGRESS_CA: receiver.caFile },
});
test.after(() => receiver.close());
const { database } = service;

const subscribe = async (account: TestAccount, events: readonly EventType[], url: string | null = receiver.url()) => {
  const { status, body, text } = await account.call<WebhookRecord>("PUT", "/v1/webhook", { body: { url, events } });
  assert.equal(status, 200, text);
  return body;
};
const cap = (accountId: string, subject = "day 50"): AccountEvent => ({
  accountId,
  type: "cap.reached",
  subject,
  data: {
    kind: "account",
    subject: null,
    period: "day",
    periodStart: "2026-11-22",
    thresholdPercent: 50,
    limitPoints: 100,
    usedPoints: 51,
    refusedPoints: null,
  },
});
const announce = (event: AccountEvent) => database.transaction((tx) => announceEvent(tx, event));
const deliveriesOf = async (account: TestAccount) =>
  (await account.get<DeliveryPage>("/v1/deliveries")).body.deliveries;
const feedOf = async (account: TestAccount, query = "") =>
  (await account.get<EventPage<EventType>>(`/v1/events?limit=100${query}`)).body;

test("an account that has subscribed gets a signed delivery, and others get nothing", async () => {
  const account = await service.account();
  const other = await service.account();
  await subscribe(account, ["task.finished", "cap.reached"]);
  await subscribe(other, ["task.finished"]);
  assert.equal(await announce(cap(other.accountId)), false);
  assert.equal(await announce(cap(account.accountId)), true);
  await until("the delivery", async () => (await deliveriesOf(account))[0]?.state === "delivered");
  const [delivery] = await deliveriesOf(account);
  assert.ok(delivery);
  assert.deepEqual([delivery.event, delivery.taskId, delivery.deliveryRevision], ["cap.reached", null, 1]);
  const request = receiver.requests.find(({ headers }) => headers["x-service-delivery"] === delivery.deliveryId);
  assert.ok(request);
  const { body: settings } = await account.get<WebhookRecord>("/v1/webhook");
  assert.equal(request.headers["x-service-signature"], signature(settings.signingSecret, request.body));
  const sent = JSON.parse(request.body.toString()) as AnyNotification;
  assert.ok(sent.event === "cap.reached");
  assert.deepEqual(
    [sent.eventId, sent.deliveryRevision, sent.data],
    [delivery.eventId, 1, cap(account.accountId).data],
  );
  // The body that is made again has the same bytes.
  const { body: detail } = await account.get<DeliveryDetail>(`/v1/deliveries/${delivery.deliveryId}`);
  assert.deepEqual([detail.request?.bodyOrigin, detail.request?.body], ["rebuilt", request.body.toString()]);
  assert.deepEqual(await deliveriesOf(other), []);
});

test("the same event is announced once, also by transactions at the same moment, and never by one that fails", async () => {
  const account = await service.account();
  await subscribe(account, ["task.finished", "cap.reached"]);
  await assert.rejects(
    database.transaction(async (tx) => {
      assert.equal(await announceEvent(tx, cap(account.accountId)), true);
      throw new Error("what was announced did not happen");
    }),
  );
  assert.deepEqual(await deliveriesOf(account), []);
  const told = await Promise.all(Array.from({ length: 5 }, () => announce(cap(account.accountId))));
  assert.equal(told.filter(Boolean).length, 1);
  assert.equal((await deliveriesOf(account)).length, 1);
});

test("an event of an account without an endpoint is skipped, and can be redelivered later, alone or by a recovery", async () => {
  const account = await service.account();
  await subscribe(account, ["task.finished", "cap.reached"], null);
  for (const subject of ["one", "two"]) await announce(cap(account.accountId, subject));
  const skipped = await deliveriesOf(account);
  assert.deepEqual(
    skipped.map(({ state }) => state),
    ["skipped", "skipped"],
  );
  const [second, first] = skipped;
  const redeliver = () => account.call("POST", `/v1/deliveries/${first?.deliveryId}/redelivery`);
  refused(await redeliver(), "state_conflict");
  // Omitted, the subscription stays.
  const { body } = await account.call<WebhookRecord>("PUT", "/v1/webhook", { body: { url: receiver.url() } });
  assert.deepEqual(body.events, ["task.finished", "cap.reached"]);
  assert.equal((await redeliver()).status, 202);
  const recovery = { since: "2026-01-01T00:00:00Z", limit: 10 };
  const recovered = await account.call<{ redeliveredCount: number }>("POST", "/v1/webhook/recovery", {
    body: recovery,
  });
  assert.equal(recovered.body.redeliveredCount, 1, recovered.text);
  await until(
    "both",
    async () => (await deliveriesOf(account)).filter(({ state }) => state === "delivered").length === 2,
  );
  const sent = (await deliveriesOf(account)).filter(({ state }) => state === "delivered");
  assert.deepEqual(new Set(sent.map(({ eventId }) => eventId)), new Set([first?.eventId, second?.eventId]));
  assert.ok(sent.every(({ deliveryRevision }) => deliveryRevision === 2));
});

test("the feed has the account's events for readers who ask for their types, in the order of commits among the ends of tasks", async () => {
  const account = await service.account();
  await subscribe(account, ["task.finished", "cap.reached"]);
  const end = async () => {
    const { body } = await account.post([item()], { "idempotency-key": newId() });
    const taskId = (body as { tasks: { taskId: string }[] }).tasks[0]?.taskId ?? "";
    await until("its end", async () => (await account.task(taskId)).state !== "pending");
  };
  await end();
  await announce(cap(account.accountId, "one"));
  await end();
  await announce(cap(account.accountId, "two"));
  const types = ({ events }: Awaited<ReturnType<typeof feedOf>>) =>
    events.map(({ notification }) => notification.event);
  assert.deepEqual(types(await feedOf(account)), ["task.finished", "task.finished"]);
  const all = await feedOf(account, "&types=cap.reached,task.finished");
  assert.deepEqual(types(all), ["task.finished", "cap.reached", "task.finished", "cap.reached"]);
  // Every position continues exactly behind itself, whatever types it was read with.
  for (const [index, { cursor }] of all.events.entries()) {
    const rest = await feedOf(account, `&types=task.finished,cap.reached&after=${cursor}`);
    assert.deepEqual(rest.events, all.events.slice(index + 1));
    const ends = await feedOf(account, `&after=${cursor}`);
    assert.deepEqual(
      ends.events,
      all.events.slice(index + 1).filter(({ notification }) => notification.event === "task.finished"),
    );
  }
  const caps = await feedOf(account, "&types=cap.reached");
  assert.deepEqual([types(caps), caps.hasMore], [["cap.reached", "cap.reached"], false]);
  const [one] = (await feedOf(account, "&types=cap.reached")).events;
  assert.deepEqual((await account.get<EventPage<EventType>>("/v1/events?types=cap.reached&limit=1")).body.events, [
    one,
  ]);
  const latest = await feedOf(account, "&types=cap.reached&after=latest");
  assert.deepEqual(latest.events, []);
  refused(await account.get("/v1/events?types=cap.exploded"), "validation_failed");
});

test("a reader that is not sent the ends of tasks does not fall out of the history when they are deleted", async () => {
  const account = await service.account();
  await subscribe(account, ["task.finished", "cap.reached"]);
  await announce(cap(account.accountId));
  const before = await feedOf(account, "&types=cap.reached");
  const { body } = await account.post([item()], { "idempotency-key": "k" });
  const taskId = (body as { tasks: { taskId: string }[] }).tasks[0]?.taskId ?? "";
  await account.ended(taskId);
  assert.equal((await account.task(taskId)).state, "completed");
  await until("its delivery", async () => (await deliveriesOf(account)).every(({ state }) => state === "delivered"));
  const { nextCursor } = await feedOf(account, `&types=cap.reached&after=${before.nextCursor}`);
  await database.query("update deliveries set created_at = now() - interval '20 days' where account_id = $1", [
    account.accountId,
  ]);
  await pruneDeliveries(database, 14);
  assert.equal((await account.get(`/v1/events?types=cap.reached&after=${nextCursor}`)).status, 200);
  assert.equal((await account.get(`/v1/events?types=cap.reached&after=${before.nextCursor}`)).status, 410);
  // What was announced once in a month is not announced again in it, although the delivery is gone.
  assert.equal(await announce(cap(account.accountId)), false);
  await database.query("update account_events set created_at = now() - interval '41 days' where account_id = $1", [
    account.accountId,
  ]);
  await pruneDeliveries(database, 14);
  assert.equal(await announce(cap(account.accountId)), true);
});

test("the ends of tasks cannot be unsubscribed from", async () => {
  const account = await service.account();
  const change = { body: { url: null, events: ["cap.reached"] } };
  const { errors } = refused(await account.call("PUT", "/v1/webhook", change), "validation_failed");
  assert.equal(errors?.[0]?.pointer, "/events");
  refused(
    await account.call("PUT", "/v1/webhook", { body: { url: null, events: ["task.began"] } }),
    "validation_failed",
  );
});
