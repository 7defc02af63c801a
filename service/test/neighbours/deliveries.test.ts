/** Receivers that hang hold up nobody's deliveries but those of the account that they belong to. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { claimDeliveries } from "../../src/webhooks/send/claim-deliveries.ts";
import { testDatabase } from "../harness/database.ts";
import { startReceiver } from "../harness/receiver.ts";
import {
  createAccount,
  deliveriesOf,
  endTasks,
  everything,
  guardFor,
  startNotifier,
  until,
} from "../webhooks/fixture.ts";

const { database } = await testDatabase();

test("accounts whose receivers all hang take a quarter of the slots each, and others are delivered to beside them", async () => {
  await using healthy = await startReceiver();
  const hanging = await Promise.all(Array.from({ length: 24 }, () => startReceiver(() => undefined)));
  const guard = guardFor(healthy.caFile);
  const hangers = await Promise.all([1, 2, 3, 4].map(() => createAccount(database)));
  for (const hanger of hangers)
    for (const receiver of hanging) await endTasks(database, hanger, { webhookUrl: receiver.url() });
  // Longer than the test: nothing below comes about because an attempt ran out of time.
  const notifier = startNotifier(database, {
    caFile: healthy.caFile,
    guard,
    slotsMax: 16,
    sender: { totalTimeoutMs: 900_000 },
    leaseMs: 1_000_000,
  });
  const hung = () => hanging.reduce((sum, { requests }) => sum + requests.length, 0);
  await until(() => hung() === 14, "all slots that are not kept to be taken");
  for (const hanger of hangers) assert.ok((notifier.inFlightByAccount.get(hanger) ?? 0) <= 4);

  // One after the other, as accounts that had nothing in flight.
  for (let round = 0; round < 3; round++) {
    const neighbour = await createAccount(database, healthy.url());
    await endTasks(database, neighbour, { count: 3 });
    notifier.wake();
    await until(
      async () => (await deliveriesOf(database, neighbour)).every(({ state }) => state === "delivered"),
      "a neighbour's deliveries",
    );
  }
  assert.equal(hung(), 14, "and the others still hang");
  for (const receiver of hanging) await receiver.close();
  await notifier.end(0);
});

test("a claim serves accounts in turn, each of them its destinations in turn", async () => {
  await database.query("truncate deliveries, delivery_queue, delivery_breakers");
  const [many, few] = [await createAccount(database), await createAccount(database)];
  // One by one, so that there is a row of the queue for each.
  for (let origin = 0; origin < 8; origin++)
    await endTasks(database, many, { webhookUrl: `https://r${origin}.example.com/` });
  for (let n = 0; n < 4; n++) await endTasks(database, few, { webhookUrl: "https://few.example.com/" });
  const { rows } = await claimDeliveries(database, { ...everything, slots: 8, accountSlots: 6, slotDeliveries: 1 });
  const slotsOf = (accountId: string) =>
    new Set(rows.filter((row) => row.accountId === accountId).map(({ origin, slot }) => `${origin} ${slot}`));
  assert.equal(slotsOf(few).size, 4);
  assert.equal(slotsOf(many).size, 4);
  assert.equal(new Set(rows.filter((row) => row.accountId === many).map(({ origin }) => origin)).size, 4);

  const inFlight = new Map([[many, 5]]);
  const next = await claimDeliveries(database, {
    ...everything,
    slots: 8,
    accountSlots: 6,
    slotDeliveries: 1,
    inFlight,
  });
  assert.equal(next.rows.length, 1, "one more is what the account may have");
});
