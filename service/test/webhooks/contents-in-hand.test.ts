/** What waits in memory for the notifier beside: what is not there is read, and what is there is not held for ever. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ContentsInHand } from "../../src/webhooks/send/contents-in-hand.ts";
import { testDatabase } from "../harness/database.ts";
import { startReceiver } from "../harness/receiver.ts";
import { upkeepDeliveries } from "../../src/webhooks/send/claim.ts";
import { releaseHeld } from "../../src/webhooks/settings/settings.ts";
import { createAccount, deliveriesOf, endTasks, startNotifier, until } from "./fixture.ts";

const saying = (body: Buffer) => ({ taskId: "t", url: "https://a.example/", body });

test("each is there once, up to 8 KiB each", () => {
  const inHand = new ContentsInHand();
  inHand.keep("a", saying(Buffer.from("A")));
  inHand.keep("long", saying(Buffer.alloc(8 * 1024 + 1)));
  assert.deepEqual(inHand.take("a"), saying(Buffer.from("A")));
  assert.equal(inHand.take("a"), null);
  assert.equal(inHand.take("long"), null);
});

test("what nobody takes makes room after ten seconds, and nothing comes in before", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const inHand = new ContentsInHand();
  const content = saying(Buffer.alloc(8 * 1024));
  for (let n = 0; n < 4_096; n++) inHand.keep(`first ${n}`, content);
  inHand.keep("late", content);
  assert.equal(inHand.take("late"), null);
  assert.ok(inHand.take("first 7"));
  inHand.keep("one more", content);
  inHand.keep("one too many", content);
  assert.ok(inHand.take("one more"));
  assert.equal(inHand.take("one too many"), null);
  inHand.keep("the last", content);
  now = 10_001;
  inHand.keep("later", content);
  assert.ok(inHand.take("later"));
  assert.equal(inHand.take("first 0"), null);
});

test("every notice carries the bytes that were written, in hand or not, at the first attempt and the next", async () => {
  const { database } = await testDatabase();
  const tries = new Map<string, number>();
  await using receiver = await startReceiver(({ headers }, response) => {
    const id = String(headers["x-service-delivery"]);
    tries.set(id, (tries.get(id) ?? 0) + 1);
    response.writeHead(tries.get(id) === 1 ? 503 : 200).end();
  });
  const account = await createAccount(database, receiver.url());
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  const all = new Map<string, Buffer | null>();
  for (const options of [
    { inHand: notifier.inHand },
    {},
    { inHand: notifier.inHand },
    { inHand: new ContentsInHand() },
  ]) {
    await endTasks(database, account, { count: 6, ...options });
    for (const { id, body } of await deliveriesOf(database, account)) if (body !== null) all.set(id, body);
    notifier.wake();
  }
  await until(async () => {
    await database.query("update delivery_queue set next_attempt_at = now() where place = 'waiting'");
    await database.query("delete from delivery_breakers");
    notifier.wake();
    return (await deliveriesOf(database, account)).every(({ state }) => state === "delivered");
  }, "the second attempts");
  assert.equal(all.size, 24);
  assert.equal(receiver.requests.length, 48);
  for (const { headers, body } of receiver.requests)
    assert.deepEqual(body, all.get(String(headers["x-service-delivery"])));
  await notifier.end();
});

test("what was held goes to the address as it is now, not to the one in hand", async () => {
  const { database } = await testDatabase();
  await using receiver = await startReceiver((_request, response) => response.writeHead(204).end());
  const account = await createAccount(database, receiver.url("/former"));
  const { origin } = new URL(receiver.url());
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  const endHeld = async () => {
    await database.query("update webhooks set suspended_at = now()");
    await endTasks(database, account, { count: 5, inHand: notifier.inHand });
    await database.query("update webhooks set suspended_at = null, url = $1", [receiver.url("/new")]);
  };
  await endHeld();
  await releaseHeld(database, account, { url: receiver.url("/new"), origin });
  await endHeld();
  await upkeepDeliveries(database);
  await until(async () => {
    notifier.wake();
    return (await deliveriesOf(database, account)).every(({ state }) => state === "delivered");
  }, "all ten");
  assert.deepEqual(
    receiver.requests.map(({ path }) => path),
    Array.from({ length: 10 }, () => "/new"),
  );
  await notifier.end();
});
