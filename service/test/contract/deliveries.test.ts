/** docs/reference/api.md#deliveries and docs/webhooks.md#troubleshooting. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { verify } from "@octokit/webhooks-methods";
import {
  announcedEvents,
  type AnyNotification,
  type DeliveryDetail,
  type DeliveryPage,
  type DeliveryRecord,
  type Notification,
  type RecoveryReply,
  type WebhookRecord,
  type WebhookTestReply,
} from "@querent/contract";
import { compileCheck } from "../../src/kernel/validate.ts";
import { startReceiver } from "../harness/receiver.ts";
import { invalidAt, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const receiver = await startReceiver();
const service = await startTestService({
  environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_EGRESS_CA: receiver.caFile },
});
test.after(() => receiver.close());

const noSuchId = "01900000-0000-7000-8000-000000000000";

const setAddress = async (account: TestAccount, url: string | null) => {
  const answer = await account.call<WebhookRecord>("PUT", "/v1/webhook", { body: { url } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const list = async (account: TestAccount, query = "") =>
  (await account.get<DeliveryPage>(`/v1/deliveries${query}`)).body.deliveries;
const deliveryOf = async (account: TestAccount, taskId: string, state?: DeliveryRecord["state"]) =>
  until(`a delivery of ${taskId} to be ${state}`, async () =>
    (await list(account, `?taskId=${taskId}`)).find((delivery) => state === undefined || delivery.state === state),
  );
const redeliver = (account: TestAccount, deliveryId: string) =>
  account.call<DeliveryRecord>("POST", `/v1/deliveries/${deliveryId}/redelivery`);
const recover = async (account: TestAccount, body: object) => {
  const answer = await account.call<RecoveryReply>("POST", "/v1/webhook/recovery", { body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const requestsOf = (taskId: string) =>
  receiver.requests.filter(({ body }) => (JSON.parse(body.toString()) as Notification).task.taskId === taskId);

test("a delivery is listed and shows what was sent, every attempt and the receiver's answer", async () => {
  const account = await service.account();
  const taskId = await account.ask("Why?", { webhookUrl: receiver.url("/one") });
  const delivered = await deliveryOf(account, taskId, "delivered");
  const { body: detail } = await account.get<DeliveryDetail>(`/v1/deliveries/${delivered.deliveryId}`);
  assert.equal(detail.url, receiver.url("/one"));
  assert.deepEqual(
    [detail.deliveryRevision, detail.phase, detail.toAccountDefault, detail.attemptCount, detail.nextAttemptAt],
    [1, null, false, 1, null],
  );
  assert.deepEqual(
    detail.attempts.map(({ attempt, status, fault, nextAttemptAt }) => ({ attempt, status, fault, nextAttemptAt })),
    [{ attempt: 1, status: 204, fault: null, nextAttemptAt: null }],
  );
  const [received] = requestsOf(taskId);
  assert.equal(detail.request?.body, received?.body.toString(), "rebuilt, byte for byte what was sent");
  assert.equal(detail.request?.bodyOrigin, "rebuilt");
  for (const [name, value] of Object.entries(detail.request?.headers ?? {}))
    assert.equal(received?.headers[name.toLowerCase()], value, name);
  assert.doesNotMatch(JSON.stringify(detail), /whsec_/);
});

test("an attempt that failed tells its class or status, a snippet and when the next one is", async () => {
  const account = await service.account();
  receiver.answer = (received, response) =>
    received.path === "/busy" ? response.writeHead(500).end("I am\u0000 busy") : response.writeHead(204).end();
  const busy = await account.ask("Why?", { webhookUrl: receiver.url("/busy") });
  const closed = await account.ask("Why?", { webhookUrl: "https://localhost:1/" });
  for (const [taskId, status, fault, snippet] of [
    [busy, 500, null, "I am busy"],
    [closed, null, "connect", null],
  ] as const) {
    const { deliveryId } = await until("an attempt", async () =>
      (await list(account, `?taskId=${taskId}`)).find(({ attemptCount }) => attemptCount > 0),
    );
    const { body } = await account.get<DeliveryDetail>(`/v1/deliveries/${deliveryId}`);
    const [attempt] = body.attempts;
    assert.deepEqual(
      [body.state, attempt?.status, attempt?.fault, attempt?.responseSnippet],
      ["pending", status, fault, snippet],
    );
    assert.ok(attempt?.nextAttemptAt !== null && (attempt?.nextAttemptAt ?? "") > (attempt?.startedAt ?? ""));
    assert.equal(body.request?.bodyOrigin, "kept");
  }
});

test("lists are newest first, in pages without gap or repeat, and filters combine", async () => {
  const account = await service.account();
  const { tasks } = await account.submit(
    Array.from({ length: 7 }, (_, index) => ({
      question: "Why?",
      platformCode: "simulator",
      options: {},
      ...(index < 5 ? { webhookUrl: receiver.url(`/${index % 2}`) } : {}),
    })),
  );
  await until("all to be settled", async () => {
    const all = await list(account);
    return all.length === 7 && all.every(({ state }) => state !== "pending");
  });
  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: DeliveryPage = (
      await account.get<DeliveryPage>(`/v1/deliveries?limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`)
    ).body;
    seen.push(...page.deliveries.map(({ deliveryId }) => deliveryId));
    cursor = page.nextCursor;
  }
  assert.equal(new Set(seen).size, 7);
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => (a < b ? 1 : -1)),
  );
  const count = async (query: string) => (await list(account, query)).length;
  assert.equal(await count("?state=skipped"), 2);
  assert.equal(await count("?state=delivered"), 5);
  assert.equal(await count("?state=failed"), 0);
  assert.equal(await count(`?destination=${encodeURIComponent(receiver.url("/1"))}`), 2);
  const { origin } = new URL(receiver.url());
  for (const spelling of [origin, `${origin}/`, origin.toUpperCase()])
    assert.equal(await count(`?destination=${encodeURIComponent(spelling)}`), 5, spelling);
  assert.equal(await count(`?destination=${encodeURIComponent(origin)}&state=skipped`), 0);
  assert.equal(await count(`?taskId=${tasks[0]?.taskId}`), 1);
  assert.equal(await count("?createdFrom=2999-01-01T00:00:00Z"), 0);
  assert.equal(await count("?createdBefore=2999-01-01T00:00:00Z"), 7);
});

test("what a client sends is judged before anything is asked or done", async () => {
  const account = await service.account();
  const bad = async (path: string, places: Parameters<typeof invalidAt>[1]) =>
    invalidAt(await account.get(path), places);
  await bad("/v1/deliveries?state=lost", { "?state": "not_allowed" });
  await bad("/v1/deliveries?taskId=1", { "?taskId": "malformed" });
  await bad("/v1/deliveries?limit=0", { "?limit": "out_of_range" });
  await bad("/v1/deliveries?url=x", { "?url": "unknown_field" });
  await bad("/v1/deliveries?createdFrom=yesterday", { "?createdFrom": "malformed" });
  await bad(`/v1/deliveries?cursor=${"A".repeat(40)}`, { "?cursor": "malformed" });
  await bad("/v1/deliveries?destination=%00", { "?destination": "unstorable_text" });
  assert.equal((await account.get("/v1/deliveries?destination=%27%3B--")).status, 200);
  refused(await account.get("/v1/deliveries/nonsense"), "not_found");
  refused(await account.get(`/v1/deliveries/${noSuchId}`), "not_found");
  refused(await redeliver(account, noSuchId), "not_found");
  const post = (path: string, body: unknown) => account.call("POST", path, { body });
  invalidAt(await post("/v1/webhook/recovery", {}), { "/since": "required" });
  invalidAt(
    await post("/v1/webhook/recovery", { since: "x", until: 5, states: ["pending"], limit: 10_001, all: true }),
    {
      "/since": "malformed",
      "/until": "wrong_type",
      "/states/0": "not_allowed",
      "/limit": "out_of_range",
      "/all": "unknown_field",
    },
  );
  invalidAt(await post("/v1/webhook/recovery", { since: "2026-01-01T00:00:00Z", states: [] }), {
    "/states": "too_few",
  });
  invalidAt(await post("/v1/webhook/test", { url: "http://example.com/" }), { "/url": "malformed" });
  for (const url of ["https://169.254.169.254/", "https://[::1]/", "https://10.0.0.1/x"])
    invalidAt(await post("/v1/webhook/test", { url }), { "/url": "address_not_allowed" });
  refused(await account.call("DELETE", "/v1/deliveries"), "method_not_allowed");
});

test("deliveries are their account's alone, and need webhook:manage", async () => {
  const account = await service.account();
  const taskId = await account.ask("Why?", { webhookUrl: receiver.url() });
  const { deliveryId } = await deliveryOf(account, taskId, "delivered");
  const stranger = await service.account();
  refused(await stranger.get(`/v1/deliveries/${deliveryId}`), "not_found");
  refused(await redeliver(stranger, deliveryId), "not_found");
  assert.deepEqual(await list(stranger, `?taskId=${taskId}`), []);
  assert.equal((await recover(stranger, { since: "2000-01-01T00:00:00Z" })).redeliveredCount, 0);
  const reader = await account.withToken({ scopes: ["tasks:read", "tasks:write"] });
  refused(await reader.get("/v1/deliveries"), "scope_missing");
  refused(await redeliver(reader, deliveryId), "scope_missing");
  refused(await reader.call("POST", "/v1/webhook/test"), "scope_missing");
  refused(
    await reader.call("POST", "/v1/webhook/recovery", { body: { since: "2000-01-01T00:00:00Z" } }),
    "scope_missing",
  );
});

test("a redelivery has a new id, the next deliveryRevision and the task as it is now; the expired one once it has expired", async () => {
  const account = await service.account();
  const taskId = await account.ask("Why?", { webhookUrl: receiver.url("/again") });
  const first = await deliveryOf(account, taskId, "delivered");
  const again = await redeliver(account, first.deliveryId);
  assert.equal(again.status, 202, again.text);
  assert.deepEqual(
    [again.body.deliveryRevision, again.body.url, again.body.attemptCount],
    [2, receiver.url("/again"), 0],
  );
  await until("the second", () => requestsOf(taskId).length === 2);
  await service.database.query("update tasks set expires_at = now() - interval '1 s' where id = $1", [taskId]);
  await service.database.query("update task_results set expires_at = now() - interval '1 s' where task_id = $1", [
    taskId,
  ]);
  await until("the second to be settled", async () => (await deliveryOf(account, taskId)).state === "delivered");
  // Any delivery of the task will do; the revision is the task's.
  assert.equal((await redeliver(account, first.deliveryId)).body.deliveryRevision, 3);
  await until("the third", () => requestsOf(taskId).length === 3);
  const sent = requestsOf(taskId).map(({ body }) => JSON.parse(body.toString()) as Notification);
  assert.deepEqual(
    sent.map((notification) => notification.deliveryRevision),
    [1, 2, 3],
  );
  assert.deepEqual(sent[1]?.task, sent[0]?.task);
  const expired = sent[2]?.task;
  assert.ok(expired !== undefined && !expired.resultOmitted && expired.expired && expired.content === null);
  const ids = requestsOf(taskId).map(({ headers }) => headers["x-service-delivery"]);
  assert.equal(new Set(ids).size, 3);
});

test("what was skipped is redelivered to the address that is set by now, and refused while there is none", async () => {
  const account = await service.account();
  const taskId = await account.ask("Why?");
  const skipped = await deliveryOf(account, taskId, "skipped");
  assert.equal((await account.get<DeliveryDetail>(`/v1/deliveries/${skipped.deliveryId}`)).body.request, null);
  refused(await redeliver(account, skipped.deliveryId), "state_conflict");
  await setAddress(account, receiver.url("/late"));
  const { body } = await redeliver(account, skipped.deliveryId);
  assert.deepEqual([body.toAccountDefault, body.url, body.deliveryRevision], [true, receiver.url("/late"), 2]);
  await until("it to arrive", () => requestsOf(taskId).length === 1);
});

test("a task that has had a hundred deliveries is redelivered no more, neither alone nor by a recovery", async () => {
  receiver.answer = (_received, response) => response.writeHead(204).end();
  const account = await service.account();
  const { taskId } = await account.answerTo("Why?");
  const skipped = await deliveryOf(account, taskId, "skipped");
  await setAddress(account, receiver.url("/often"));
  const number = (revision: number) =>
    service.database.query("update deliveries set delivery_revision = $2 where account_id = $1", [
      account.accountId,
      revision,
    ]);
  const since = new Date(Date.parse(skipped.createdAt) - 1000).toISOString();
  await number(100);
  refused(await redeliver(account, skipped.deliveryId), "state_conflict");
  const { redeliveredCount, remaining } = await recover(account, { since });
  assert.deepEqual([redeliveredCount, remaining], [0, 0]);
  assert.equal((await list(account, `?taskId=${taskId}`)).length, 1);
  await number(99);
  assert.equal((await redeliver(account, skipped.deliveryId)).body.deliveryRevision, 100);
  await deliveryOf(account, taskId, "delivered");
  refused(await redeliver(account, skipped.deliveryId), "state_conflict");
});

test("a redelivery beside automatic retries: what waits is superseded and never sent again, what is being sent refuses", async () => {
  const account = await service.account();
  receiver.answer = (received, response) =>
    received.path === "/down" ? response.writeHead(503).end() : response.writeHead(204).end();
  const taskId = await account.ask("Why?", { webhookUrl: receiver.url("/down") });
  const waiting = await until("it to wait", async () =>
    (await list(account, `?taskId=${taskId}`)).find(({ phase }) => phase === "waiting"),
  );
  receiver.answer = (_received, response) => response.writeHead(204).end();
  const { body: made } = await redeliver(account, waiting.deliveryId);
  await until("the redelivery", async () => (await deliveryOf(account, taskId)).state === "delivered");
  const { body: former } = await account.get<DeliveryDetail>(`/v1/deliveries/${waiting.deliveryId}`);
  assert.deepEqual([former.state, former.phase, former.nextAttemptAt], ["superseded", null, null]);
  assert.deepEqual(
    requestsOf(taskId).map(({ headers }) => headers["x-service-delivery"]),
    [waiting.deliveryId, made.deliveryId],
  );

  const { promise: release, resolve } = Promise.withResolvers<void>();
  receiver.answer = (_received, response) => void release.then(() => response.writeHead(204).end());
  const slow = await account.ask("Why?", { webhookUrl: receiver.url("/slow") });
  const sending = await until("it to be sent", async () =>
    (await list(account, `?taskId=${slow}`)).find(({ phase }) => phase === "in_flight"),
  );
  await until("the request", () => requestsOf(slow).length === 1);
  refused(await redeliver(account, sending.deliveryId), "state_conflict");
  resolve();
  await deliveryOf(account, slow, "delivered");
  receiver.answer = (_received, response) => response.writeHead(204).end();
  assert.equal((await redeliver(account, sending.deliveryId)).status, 202);
});

test("redeliveries of one task at the same time get a revision each, or are refused; none is lost", async () => {
  const account = await service.account();
  const taskId = await account.ask("Why?", { webhookUrl: receiver.url() });
  const { deliveryId } = await deliveryOf(account, taskId, "delivered");
  const answers = await Promise.all(Array.from({ length: 12 }, () => redeliver(account, deliveryId)));
  const made = answers.filter(({ status }) => status === 202).map(({ body }) => body.deliveryRevision);
  assert.ok(answers.every(({ status }) => status === 202 || status === 409));
  assert.deepEqual(
    [...made].sort((a, b) => a - b),
    made.map((_, index) => index + 2),
  );
  await until("all to be settled", async () =>
    (await list(account, `?taskId=${taskId}`)).every(({ state }) => state === "delivered" || state === "superseded"),
  );
  const last = requestsOf(taskId).map(({ body }) => (JSON.parse(body.toString()) as Notification).deliveryRevision);
  assert.equal(Math.max(...last), Math.max(...made), "the last one arrived");
});

test("recovery takes up each failed or skipped delivery once, in calls side by side, repeated or bounded, and no other", async () => {
  const account = await service.account();
  await setAddress(account, null);
  const { tasks } = await account.submit(
    Array.from({ length: 450 }, () => ({ question: "Why?", platformCode: "simulator", options: {} })),
  );
  await until("all to be skipped", async () => {
    const { rows } = await service.database.query("select 1 from deliveries where account_id = $1", [
      account.accountId,
    ]);
    return rows.length === tasks.length;
  });
  // Half of them failed, to an address of the past; ten were delivered; ten are older than the range.
  await service.database.query(
    `update deliveries d set state = case when n.n <= 10 then 'delivered' when n.n <= 230 then 'failed' else 'skipped' end,
            created_at = case when n.n > 440 then now() - interval '2 h' else d.created_at end
       from (select id, row_number() over (order by id) as n from deliveries where account_id = $1) n where n.id = d.id`,
    [account.accountId],
  );
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const none = await recover(account, { since });
  assert.deepEqual([none.redeliveredCount, none.remaining, none.unaddressed], [0, 0, 430]);
  const silent = receiver.requests.length;
  receiver.answer = (_received, response) => response.writeHead(410).end();
  await setAddress(account, receiver.url("/recovered"));
  const failed = await recover(account, { since, states: ["failed"], limit: 25 });
  assert.deepEqual([failed.redeliveredCount, failed.remaining], [25, 195]);
  const range = { since, until: failed.until };
  const calls = await Promise.all(Array.from({ length: 4 }, () => recover(account, { ...range, limit: 90 })));
  assert.equal(
    calls.reduce((sum, { redeliveredCount }) => sum + redeliveredCount, 0),
    360,
  );
  const rest = await recover(account, range);
  assert.deepEqual([rest.redeliveredCount, rest.remaining, rest.unaddressed], [45, 0, 0]);
  // They fail in their turn (410), and are of another time: the same range has nothing left.
  assert.equal((await recover(account, range)).redeliveredCount, 0);
  const { rows } = await service.database.query<{ n: number }>(
    "select count(*) as n from deliveries where account_id = $1 group by task_id",
    [account.accountId],
  );
  assert.equal(rows.filter(({ n }) => n === 2).length, 430);
  assert.equal(rows.filter(({ n }) => n === 1).length, 20);
  await until("the first to arrive", () => receiver.requests.length > silent);
  receiver.answer = (_received, response) => response.writeHead(204).end();
});

test("a test can be of every event, and of a result that is left out, as the contract describes them", async () => {
  const account = await service.account();
  await setAddress(account, receiver.url("/events"));
  receiver.answer = (_received, response) => response.writeHead(204).end();
  const sent = async (body: object) => {
    const { status, text } = await account.call("POST", "/v1/webhook/test", { body });
    assert.equal(status, 200, text);
    const last = receiver.requests.findLast(({ path }) => path === "/events") ?? assert.fail();
    return JSON.parse(last.body.toString()) as AnyNotification;
  };
  for (const { type, schema } of announcedEvents) {
    const notification = await sent({ event: type });
    assert.equal(notification.event, type);
    assert.deepEqual(compileCheck(schema)(notification), [], type);
  }
  const omitted = (await sent({ resultOmitted: true })) as Notification;
  assert.deepEqual([omitted.task.resultOmitted, omitted.task.content], [true, null]);
  const post = (body: object) => account.call("POST", "/v1/webhook/test", { body });
  invalidAt(await post({ event: "cap.reached", resultOmitted: true }), { "/resultOmitted": "not_allowed" });
  assert.equal((await post({ event: "task.started" })).status, 422);
});

test("a test goes the real way: signed, with all-zero ids, marked, and in no list", async () => {
  const account = await service.account();
  refused(await account.call("POST", "/v1/webhook/test"), "state_conflict");
  const { signingSecret } = await setAddress(account, receiver.url("/test"));
  receiver.answer = (_received, response) => response.writeHead(200).end("welcome");
  const { body } = await account.call<WebhookTestReply>("POST", "/v1/webhook/test");
  assert.deepEqual(
    [body.passed, body.status, body.fault, body.responseSnippet, body.url, body.suspensionLifted],
    [true, 200, null, "welcome", receiver.url("/test"), false],
  );
  // Deliveries of the test before may still arrive.
  const [sent, another] = receiver.requests.filter(({ path }) => path === "/test");
  assert.ok(sent !== undefined && another === undefined);
  assert.equal(sent.headers["x-service-test"], "true");
  assert.equal(sent.headers["x-service-delivery"], body.deliveryId);
  assert.ok(await verify(signingSecret, sent.body.toString(), String(sent.headers["x-service-signature"])));
  const { task } = JSON.parse(sent.body.toString()) as Notification;
  assert.equal(task.taskId, "00000000-0000-0000-0000-000000000000");
  assert.deepEqual(await list(account), []);

  receiver.answer = (_received, response) => response.writeHead(500).end("no");
  const other = await account.call<WebhookTestReply>("POST", "/v1/webhook/test", {
    body: { url: receiver.url("/new") },
  });
  assert.deepEqual([other.body.passed, other.body.status, other.body.responseSnippet], [false, 500, "no"]);
  const nobody = await account.call<WebhookTestReply>("POST", "/v1/webhook/test", {
    body: { url: "https://localhost:1" },
  });
  assert.deepEqual([nobody.body.passed, nobody.body.status, nobody.body.fault], [false, null, "connect"]);
  receiver.answer = (_received, response) => response.writeHead(204).end();
});

test("a passed test of the account's address lifts its suspension and lets out what was held; one of another address does not", async () => {
  const account = await service.account();
  receiver.answer = (_received, response) => response.writeHead(410).end();
  await setAddress(account, receiver.url("/held"));
  await account.answerTo("Why?");
  await until("the suspension", async () => {
    const { body } = await account.get<WebhookRecord>("/v1/webhook");
    return body.status === "suspended";
  });
  const held = await account.ask("Why?");
  await until("it to be held", async () => (await list(account, `?taskId=${held}`))[0]?.phase === "held");
  const failing = await account.call<WebhookTestReply>("POST", "/v1/webhook/test");
  assert.deepEqual([failing.body.passed, failing.body.suspensionLifted], [false, false]);
  receiver.answer = (_received, response) => response.writeHead(204).end();
  const elsewhere = { body: { url: receiver.url("/elsewhere") } };
  const other = await account.call<WebhookTestReply>("POST", "/v1/webhook/test", elsewhere);
  assert.deepEqual([other.body.passed, other.body.suspensionLifted], [true, false]);
  const passed = await account.call<WebhookTestReply>("POST", "/v1/webhook/test");
  assert.deepEqual([passed.body.passed, passed.body.suspensionLifted], [true, true]);
  await deliveryOf(account, held, "delivered");
  assert.equal((await account.get<WebhookRecord>("/v1/webhook")).body.status, "active");
});

test("at most four tests of an account run at a time", async () => {
  const account = await service.account();
  const { promise: release, resolve } = Promise.withResolvers<void>();
  receiver.answer = (_received, response) => void release.then(() => response.writeHead(204).end());
  await setAddress(account, receiver.url());
  const before = receiver.requests.length;
  const running = Array.from({ length: 4 }, () => account.call<WebhookTestReply>("POST", "/v1/webhook/test"));
  await receiver.received(before + 4);
  refused(await account.call("POST", "/v1/webhook/test"), "state_conflict");
  resolve();
  assert.ok((await Promise.all(running)).every(({ body }) => body.passed));
  receiver.answer = (_received, response) => response.writeHead(204).end();
});
