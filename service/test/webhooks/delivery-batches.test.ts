/** The batches in which deliveries are queued, claimed and recorded. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import fc from "fast-check";
import type { QueryConfig } from "pg";
import type { Database, Transaction } from "../../src/db/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { supersedeWaiting } from "../../src/webhooks/outbox/outbox.ts";
import {
  batchDeliveriesMax,
  destinationSlots,
  groupIntoBatches,
  type QueuedDelivery,
} from "../../src/webhooks/outbox/delivery-turns.ts";
import { claimDeliveries, type ClaimedDelivery } from "../../src/webhooks/send/claim-deliveries.ts";
import { upkeepDeliveries } from "../../src/webhooks/send/notifier.ts";
import { recordAttempts, AttemptRecorder } from "../../src/webhooks/send/record-attempts.ts";
import { testDatabase } from "../harness/database.ts";
import { startReceiver } from "../harness/receiver.ts";
import { attempted, createAccount, deliveriesOf, endTasks, everything, startNotifier, until } from "./fixture.ts";

const { database } = await testDatabase();
beforeEach(() => database.query("truncate deliveries, delivery_queue, delivery_breakers"));

interface QueueRow {
  readonly id: string;
  readonly delivery_ids: readonly string[];
  readonly state: string;
  readonly attempts: number;
}

/** The queue, checked: it holds each pending delivery once, and nothing else. */
async function queue(): Promise<QueueRow[]> {
  // One statement: one snapshot.
  const { rows } = await database.query<{ queue: QueueRow[]; pending: string[] }>(
    `select coalesce((select json_agg(q) from (
                select id, delivery_ids, state, attempts from delivery_queue order by next_attempt_at, id) q), '[]') as queue,
            array(select id::text from deliveries where state = 'pending' order by id) as pending`,
  );
  const { queue, pending } = rows[0] ?? { queue: [], pending: [] };
  assert.deepEqual(queue.flatMap((row) => row.delivery_ids).toSorted(), pending);
  return queue;
}

const failed = { status: 500, next: { state: "pending", delayMs: 5_000 } } as const;

async function claimOne(count: number): Promise<{ account: string; rows: readonly ClaimedDelivery[] }> {
  const account = await createAccount(database, "https://receiver.example.com/hook");
  await endTasks(database, account, { count });
  const { rows } = await claimDeliveries(database, { ...everything, slots: 1, slotDeliveries: 5 });
  return { account, rows };
}

test("whatever is queued is in one batch, of one destination, in its order; no destination has fewer batches than it can use", () => {
  const delivery = fc.record({
    deliveryId: fc.constant(null).map(() => newId()),
    accountId: fc.constantFrom("a", "b"),
    origin: fc.constantFrom("https://one.example", "https://two.example"),
    toDefault: fc.boolean(),
    state: fc.constantFrom("queued" as const, "held" as const),
    expiresAt: fc.constantFrom(null, "2026-11-21T12:00:00.000Z", "2026-11-22T12:00:00.000Z"),
  });
  const destinationOf = (one: Omit<QueuedDelivery, "deliveryId" | "expiresAt">) =>
    [one.accountId, one.origin, one.toDefault, one.state].join(" ");
  fc.assert(
    fc.property(fc.array(delivery, { maxLength: 400 }), (queued) => {
      const batches = groupIntoBatches(queued);
      for (const [destination, deliveries] of Map.groupBy(queued, destinationOf)) {
        const own = batches.filter((batch) => destinationOf(batch) === destination);
        assert.deepEqual(
          own.flatMap(({ deliveryIds }) => deliveryIds),
          deliveries.map(({ deliveryId }) => deliveryId),
        );
        assert.ok(own.length >= Math.min(destinationSlots, deliveries.length));
        for (const { id, deliveryIds } of own) {
          assert.ok(deliveryIds.length <= batchDeliveriesMax);
          assert.equal(deliveryIds.length === 1, deliveryIds.includes(id));
        }
      }
      assert.equal(batches.flatMap(({ deliveryIds }) => deliveryIds).length, queued.length);
      assert.equal(new Set(batches.map(({ id }) => id)).size, batches.length);
    }),
  );
});

test("a hundred ends of one destination are a few rows of the queue, which a claim leases whole", async () => {
  const account = await createAccount(database, "https://receiver.example.com/hook");
  await endTasks(database, account, { count: 100 });
  assert.deepEqual(
    (await queue()).map((row) => row.delivery_ids.length),
    [25, 25, 25, 25],
  );
  const { rows } = await claimDeliveries(database, everything);
  assert.equal(new Set(rows.map(({ id }) => id)).size, 100);
  assert.equal(new Set(rows.map(({ slot }) => slot)).size, destinationSlots);
  await recordAttempts(
    database,
    rows.map((row) => attempted(row)),
  );
  assert.deepEqual(await queue(), []);
});

test("a slot takes no more deliveries than it may have, once it has one batch", async () => {
  const account = await createAccount(database, "https://receiver.example.com/hook");
  for (let n = 0; n < 6; n++) await endTasks(database, account, { count: 80 });
  const { rows } = await claimDeliveries(database, { ...everything, slotDeliveries: 30 });
  const slots = [...Map.groupBy(rows, ({ slot }) => slot).values()].map(({ length }) => length);
  assert.equal(slots.length, destinationSlots);
  assert.ok(slots.reduce((sum, length) => sum + length, 0) <= destinationSlots * 30, slots.join());
});

test("what is recorded leaves its batch; the rest stays claimed, and is recorded under the same fence", async () => {
  const { account, rows } = await claimOne(20);
  const [first, second, ...others] = rows as [ClaimedDelivery, ClaimedDelivery, ...ClaimedDelivery[]];
  const both = [attempted(first), attempted(second)];
  assert.equal((await recordAttempts(database, both)).size, 2);
  // Once more, as after a commit that nobody heard of: nothing is recorded twice.
  assert.equal((await recordAttempts(database, both)).size, 0);
  const left = (await queue()).find(({ state }) => state === "in_flight");
  assert.deepEqual(
    left?.delivery_ids,
    others.map(({ id }) => id),
  );
  assert.equal(
    (
      await recordAttempts(
        database,
        others.map((row) => attempted(row)),
      )
    ).size,
    others.length,
  );
  const ended = (await deliveriesOf(database, account)).filter(({ state }) => state === "delivered");
  assert.deepEqual(
    ended.map(({ attempts }) => attempts),
    [1, 1, 1, 1, 1],
  );
});

test("after a failure each delivery of the batch waits alone: the failed one for its next attempt, the others not at all", async () => {
  const { rows } = await claimOne(20);
  const [first, second, ...others] = rows as [ClaimedDelivery, ClaimedDelivery, ...ClaimedDelivery[]];
  await recordAttempts(database, [
    attempted(first),
    attempted(second, failed),
    ...others.map((delivery) => ({ kind: "released" as const, delivery, delayMs: 0 })),
  ]);
  const after = new Map((await queue()).map((row) => [row.id, row]));
  assert.deepEqual(after.get(second.id), { id: second.id, delivery_ids: [second.id], state: "waiting", attempts: 1 });
  for (const { id } of others)
    assert.deepEqual(after.get(id), { id, delivery_ids: [id], state: "queued", attempts: 0 });
  assert.ok(!after.has(first.batchId));
  // Alone, it stays in its row.
  await database.query("update delivery_queue set next_attempt_at = now() where id = $1", [second.id]);
  await database.query("delete from delivery_breakers");
  const again = await claimDeliveries(database, everything);
  const retried = again.rows.find(({ id }) => id === second.id);
  assert.ok(retried);
  await recordAttempts(database, [attempted(retried, failed)]);
  const row = (await queue()).find(({ id }) => id === second.id);
  assert.deepEqual(row, { id: second.id, delivery_ids: [second.id], state: "waiting", attempts: 2 });
});

test("a batch whose lease ran out is another's: what its former owner has to say is refused", async () => {
  const { rows } = await claimOne(20);
  await recordAttempts(
    database,
    rows.slice(0, 2).map((row) => attempted(row)),
  );
  await database.query("update delivery_queue set lease_until = now() - interval '1 s' where state = 'in_flight'");
  await upkeepDeliveries(database);
  const { rows: anew } = await claimDeliveries(database, everything);
  assert.ok(anew.some(({ id }) => id === rows[2]?.id));
  const stale = rows.slice(2);
  assert.equal(
    (
      await recordAttempts(
        database,
        stale.map((row) => attempted(row)),
      )
    ).size,
    0,
  );
  assert.equal(
    (
      await recordAttempts(
        database,
        anew.map((row) => attempted(row)),
      )
    ).size,
    18,
  );
  assert.deepEqual(await queue(), []);
});

test("what is superseded leaves its batch, and the others go out", async () => {
  await using receiver = await startReceiver((_received, response) => response.writeHead(204).end());
  const account = await createAccount(database, receiver.url());
  const tasks = await endTasks(database, account, { count: 20 });
  const taken = [tasks[0], tasks[1], tasks[7]].flatMap((task) => task ?? []);
  await database.transaction((tx) => supersedeWaiting(tx, account, taken));
  assert.equal((await queue()).length, 4);
  // A whole batch of five, too.
  const gone = [...tasks.slice(15)];
  await database.transaction((tx) => supersedeWaiting(tx, account, gone));
  assert.equal((await queue()).length, 3);
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  await until(async () => (await queue()).length === 0);
  await notifier.end();
  const { rows } = await database.query<{ task_id: string; state: string }>("select task_id, state from deliveries");
  for (const { task_id, state } of rows)
    assert.equal(state, [...taken, ...gone].includes(task_id) ? "superseded" : "delivered");
  assert.equal(receiver.requests.length, 12);
});

test("a receiver that fails now and then gets each delivery of a batch once more than it failed, and none is lost", async () => {
  const failures = new Map<string, number>();
  await using receiver = await startReceiver((received, response) => {
    const id = String(received.headers["x-service-delivery"]);
    const isBad = id.endsWith("0") && (failures.get(id) ?? 0) < 1;
    if (isBad) failures.set(id, 1);
    response.writeHead(isBad ? 500 : 200).end();
  });
  const account = await createAccount(database, receiver.url());
  for (let n = 0; n < 5; n++) await endTasks(database, account, { count: 60 });
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  await until(async () => {
    await database.query("update delivery_queue set next_attempt_at = now() where state = 'waiting'");
    await database.query("delete from delivery_breakers");
    notifier.wake();
    return (await queue()).length === 0;
  });
  await notifier.end();
  const rows = await deliveriesOf(database, account);
  assert.equal(rows.length, 300);
  for (const { id, state, attempts } of rows)
    assert.deepEqual([state, attempts], ["delivered", 1 + (failures.get(id) ?? 0)]);
  assert.equal(receiver.requests.length, 300 + failures.size);
});

test("records that come within the batch delay are written together, and one that comes later in the next write", async () => {
  const { rows } = await claimOne(6);
  const records: number[] = [];
  const counting = Object.create(database, {
    transaction: {
      value: (work: (tx: Transaction) => Promise<unknown>) =>
        database.transaction((tx) => {
          const query = (config: QueryConfig<unknown[][]>) => {
            if (config.name === "record_attempts") records.push(config.values?.[2]?.length ?? 0);
            return tx.query(config);
          };
          return work(Object.create(tx, { query: { value: query } }) as Transaction);
        }),
    },
  }) as Database;
  const unexpected = (event: object) => assert.fail(JSON.stringify(event));
  const log = { debug: () => {}, info: () => {}, warn: unexpected, error: unexpected };
  const recorder = new AttemptRecorder(counting, log, 200);
  const [first, second, third, ...others] = rows.map((delivery) => attempted(delivery));
  assert.ok(first && second && third && others.length > 0);
  const early = recorder.record(first);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await Promise.all([early, recorder.record(second)]);
  assert.deepEqual(records, [2]);
  await recorder.record(third);
  assert.deepEqual(records, [2, 1]);
  assert.equal((await queue()).flatMap(({ delivery_ids }) => delivery_ids).length, 3);
});
