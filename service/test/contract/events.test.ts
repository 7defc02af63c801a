/**
 * docs/reference/api.md#events and docs/webhooks.md#event-feed.
 * The event feed: every end in one order, in pages and live, with nothing missed and nothing repeated.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventPage, Notification } from "@querent/contract";
import { pruneDeliveries } from "../../src/webhooks/index.ts";
import { openEventStream } from "../harness/event-stream.ts";
import { startReceiver } from "../harness/receiver.ts";
import { invalidAt, item, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const receiver = await startReceiver();
const service = await startTestService({
  environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_EGRESS_CA: receiver.caFile },
});
test.after(() => receiver.close());

const page = async (account: TestAccount, query = "") => {
  const answer = await account.get<EventPage>(`/v1/events${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const writeText = (text: string) => Buffer.from(text).toString("base64url");
const taskIds = (events: readonly { data: string }[]) =>
  events.map(({ data }) => (JSON.parse(data) as Notification).task.taskId);
const submitAndEnd = async (account: TestAccount, count: number) => {
  const { tasks } = await account.submit(Array.from({ length: count }, () => item()));
  await Promise.all(tasks.map(({ taskId }) => account.ended(taskId)));
  return tasks.map(({ taskId }) => taskId);
};

test("every end is an event, whatever its state and whether or not there was an address, with the notification's very payload", async () => {
  const account = await service.account();
  const notified = await account.ask("Why?", { webhookUrl: receiver.url() });
  await account.ended(notified);
  await account.answerTo("fail=platform_refused");
  const canceled = await account.ask("delay=60s");
  assert.equal((await account.call("POST", `/v1/tasks/${canceled}/cancellation`)).status, 200);
  const { events, nextCursor, hasMore } = await page(account);
  assert.deepEqual(
    events.map(({ notification }) => notification.task.state),
    ["completed", "failed", "canceled"],
  );
  assert.equal(hasMore, false);
  assert.equal(nextCursor, events[2]?.cursor);
  const sent = await until("the notification", () =>
    receiver.requests.find(({ headers }) => headers["x-service-delivery"] === events[0]?.deliveryId),
  );
  assert.equal(JSON.stringify(events[0]?.notification), sent.body.toString());
});

test("pages join without gap or repeat; the end of the feed is a position to go on from", async () => {
  const account = await service.account();
  const empty = await page(account);
  assert.deepEqual([empty.events, empty.hasMore], [[], false]);
  assert.deepEqual(await page(account, `?after=${empty.nextCursor}`), empty);
  const ids = await submitAndEnd(account, 25);
  const seen: string[] = [];
  let after = empty.nextCursor;
  for (;;) {
    const { events, nextCursor, hasMore } = await page(account, `?after=${after}&limit=7`);
    seen.push(...events.map(({ notification }) => notification.task.taskId));
    after = nextCursor;
    if (!hasMore) break;
  }
  assert.equal(seen.length, 25);
  assert.deepEqual(new Set(seen), new Set(ids));
  assert.deepEqual((await page(account, `?after=${after}`)).events, []);
  assert.deepEqual((await page(account, "?after=latest")).nextCursor, after);
  const [later] = await submitAndEnd(account, 1);
  assert.deepEqual(
    (await page(account, `?after=${after}`)).events.map(({ notification }) => notification.task.taskId),
    [later],
  );
});

test("a redelivery is no event", async () => {
  const account = await service.account();
  const taskId = await account.ask("Why?", { webhookUrl: receiver.url() });
  await account.ended(taskId);
  const { events, nextCursor } = await page(account);
  await until("the delivery", async () => {
    const answer = await account.call("POST", `/v1/deliveries/${events[0]?.deliveryId}/redelivery`);
    return answer.status === 202;
  });
  assert.deepEqual((await page(account, `?after=${nextCursor}`)).events, []);
});

test("the feed is the account's alone, and needs tasks:read", async () => {
  const account = await service.account();
  await submitAndEnd(account, 2);
  const stranger = await service.account();
  assert.deepEqual((await page(stranger)).events, []);
  // A position means nothing in another account: its event is not there; never a look into another's.
  const { nextCursor } = await page(account);
  refused(await stranger.get(`/v1/events?after=${nextCursor}`), "events_replaced");
  const writer = await account.withToken({ scopes: ["tasks:write", "webhook:manage"] });
  refused(await writer.get("/v1/events"), "scope_missing");
  refused(await writer.get("/v1/events", { accept: "text/event-stream" }), "scope_missing");
});

test("what is no cursor of this feed is refused, live too", async () => {
  const account = await service.account();
  const malformed = ["9".repeat(16), "0-0123456789ab", "1-0123456789a", "1-0123456789ab.", "1-0123456789AB"];
  for (const after of ["x", "LTE", "MDE", ...malformed.map((text) => writeText(text)), "%00", "latest%20"]) {
    for (const accept of ["application/json", "text/event-stream"])
      refused(await account.get(`/v1/events?after=${after}`, { accept }), "validation_failed");
  }
  refused(
    await account.get("/v1/events", { accept: "text/event-stream", "last-event-id": "../../etc" }),
    "validation_failed",
  );
  invalidAt(await account.get("/v1/events?limit=101"), { "?limit": "out_of_range" });
  invalidAt(await account.get("/v1/events?cursor=x"), { "?cursor": "unknown_field" });
});

test("events outlive their deliveries and results, and a position from before the kept history is refused with the reason", async () => {
  const account = await service.account();
  const first = await submitAndEnd(account, 3);
  const { events: before } = await page(account);
  await service.database.query("update tasks set expires_at = now() - interval '1 s' where id = $1", [first[0]]);
  await service.database.query("update task_results set expires_at = now() - interval '1 s' where task_id = $1", [
    first[0],
  ]);
  const expired = (await page(account)).events.find(({ notification }) => notification.task.taskId === first[0]);
  assert.ok(expired !== undefined && !expired.notification.task.resultOmitted && expired.notification.task.expired);

  // The second is still on its way, and stays; history begins after the third all the same.
  await service.database.query(
    "update deliveries set created_at = now() - interval '40 days' where account_id = $1 and event_number is not null",
    [account.accountId],
  );
  await service.database.query(
    "update deliveries set state = 'pending', url = 'https://a.example.com/', origin = 'https://a.example.com', body = '', finished_at = null where id = $1",
    [before[1]?.deliveryId],
  );
  assert.equal((await pruneDeliveries(service.database, 30)).deleted, 2);
  assert.deepEqual((await page(account)).events, []);
  const [later] = await submitAndEnd(account, 1);
  for (const accept of ["application/json", "text/event-stream"]) {
    const answer = await account.get(`/v1/events?after=${before[1]?.cursor}`, { accept });
    refused(answer, "gone");
    const link = /^<(\/v1\/events\?after=[\w-]+)>; rel="first"$/.exec(answer.headers["link"] ?? "")?.[1];
    const { body } = await account.get<EventPage>(link ?? "");
    assert.deepEqual(
      body.events.map(({ notification }) => notification.task.taskId),
      [later],
    );
  }
  // The last position that was kept is still good.
  assert.equal((await page(account, `?after=${before[2]?.cursor}`)).events.length, 1);
});

test("live: what is there comes first, what ends comes at once, in the form of the standard", async () => {
  const account = await service.account();
  const ids = await submitAndEnd(account, 3);
  const stream = await openEventStream(service.address, account.token);
  assert.equal(stream.response.statusCode, 200);
  assert.equal(stream.response.headers["content-type"], "text/event-stream");
  assert.equal(stream.response.headers["cache-control"], "no-store");
  await until("what was there", () => stream.events.length === 3);
  const later = await submitAndEnd(account, 4);
  await until("what ended since", () => stream.events.length === 7);
  assert.deepEqual(new Set(taskIds(stream.events)), new Set([...ids, ...later]));
  const { events } = await page(account);
  assert.deepEqual(
    stream.events,
    events.map(({ cursor, notification }) => ({
      id: cursor,
      event: "task.finished",
      data: JSON.stringify(notification),
    })),
  );
  stream.close();
});

test("live: Last-Event-ID resumes with the next event, whatever the address says; `latest` begins now", async () => {
  const account = await service.account();
  await submitAndEnd(account, 5);
  const { events } = await page(account);
  const lastEventId = events[1]?.cursor ?? "";
  const resumed = await openEventStream(service.address, account.token, { after: "latest", lastEventId });
  const latest = await openEventStream(service.address, account.token, { after: "latest" });
  await until("the rest", () => resumed.events.length === 3);
  assert.deepEqual(
    resumed.events.map(({ id }) => id),
    events.slice(2).map(({ cursor }) => cursor),
  );
  const [taskId] = await submitAndEnd(account, 1);
  await until("the new one", () => resumed.events.length === 4 && latest.events.length === 1);
  assert.deepEqual(taskIds(latest.events), [taskId]);
  resumed.close();
  latest.close();
});

test("a reader that is cut off again and again while tasks end misses nothing and gets nothing twice", async () => {
  const account = await service.account();
  // Enough for streams of 1 to 17 events, each length once.
  const total = 160;
  const seen: string[] = [];
  let lastEventId: string | undefined;
  let isDone = false;
  const reading = (async () => {
    let cuts = 0;
    while (!isDone) {
      let left = 1 + (cuts % 17);
      const stream = await openEventStream(service.address, account.token, {
        ...(lastEventId === undefined ? {} : { lastEventId }),
        onEvent: ({ id, data }) => {
          if (left-- <= 0) return; // arrived with the rest of a chunk, after the client was gone
          lastEventId = id;
          seen.push((JSON.parse(data) as Notification).task.taskId);
          if (seen.length === total) isDone = true;
          if (left === 0 || isDone) stream.close();
        },
      });
      await stream.ended;
      cuts++;
    }
    return cuts;
  })();
  const ids: string[] = [];
  for (let n = 0; n < 10; n++) {
    const { tasks } = await account.submit(Array.from({ length: total / 10 }, (_, i) => item(`delay=${i * 5}ms`)));
    ids.push(...tasks.map(({ taskId }) => taskId));
  }
  assert.ok((await reading) > 10);
  assert.equal(seen.length, total);
  assert.deepEqual(new Set(seen), new Set(ids));
});

test("HEAD, and a client that goes away at once, leave no reader behind", async () => {
  const account = await service.account();
  const answer = await account.call("HEAD", "/v1/events", { headers: { accept: "text/event-stream" } });
  assert.equal(answer.status, 200);
  for (let n = 0; n < 5; n++) (await openEventStream(service.address, account.token)).close();
  await until("readers to be gone", async () => {
    const { text } = await account.get("/metrics");
    return /^querent_event_readers 0$/m.test(text);
  });
});

test("a stop of the service ends live readers", async () => {
  const account = await service.account();
  const stream = await openEventStream(service.address, account.token);
  const stopped = service.stop();
  await stream.ended;
  assert.equal(stream.response.complete, true, "ended, not cut");
  await stopped;
});
