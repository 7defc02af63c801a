/** What deliveries say: read right before they are sent, however long it is, and to the address as it is then. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testDatabase } from "../harness/database.ts";
import { startReceiver } from "../harness/receiver.ts";
import { upkeepDeliveries } from "../../src/webhooks/send/notifier.ts";
import { resumePaused } from "../../src/webhooks/settings/settings.ts";
import { createAccount, deliveriesOf, endTasks, startNotifier, until } from "./fixture.ts";

test("every delivery carries the bytes that were written, at the first attempt and the next, also where a batch is too long for memory", async () => {
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
  for (const content of ["An answer.", "x".repeat(200_000), "Another.", "y".repeat(60_000)]) {
    await endTasks(database, account, { count: 6, content });
    for (const { id, body } of await deliveriesOf(database, account)) if (body !== null) all.set(id, body);
    notifier.wake();
  }
  await until(async () => {
    await database.query("update delivery_queue set next_attempt_at = now() where state = 'waiting'");
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

test("what was paused goes to the address as it is now", async () => {
  const { database } = await testDatabase();
  await using receiver = await startReceiver((_request, response) => response.writeHead(204).end());
  const account = await createAccount(database, receiver.url("/former"));
  const { origin } = new URL(receiver.url());
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  const endWhilePaused = async () => {
    await database.query("update webhooks set suspended_at = now()");
    await endTasks(database, account, { count: 5 });
    await database.query("update webhooks set suspended_at = null, url = $1", [receiver.url("/new")]);
  };
  await endWhilePaused();
  await resumePaused(database, account, { url: receiver.url("/new"), origin });
  await endWhilePaused();
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
