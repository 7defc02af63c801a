import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { notificationBody, pruneDeliveries, writeDeliveries } from "../../src/webhooks/index.ts";
import { testDatabase } from "../harness/database.ts";
import { taskRecord } from "../harness/task-record.ts";
import { createAccount, deliveriesOf, endTasks } from "./fixture.ts";

const { database } = await testDatabase();

test("the destination is the task's own address, or else the account's default, and is fixed at the end", async () => {
  const account = await createAccount(database, "https://default.example.com/hook");
  await endTasks(database, account);
  await endTasks(database, account, { webhookUrl: "https://own.example.com:8443/hook" });
  await database.query(
    "update webhooks set url = 'https://later.example.com/', origin = 'https://later.example.com' where account_id = $1",
    [account],
  );
  const [first, second] = await deliveriesOf(database, account);
  assert.deepEqual(
    [first?.url, first?.to_default, first?.state],
    ["https://default.example.com/hook", true, "pending"],
  );
  assert.deepEqual([second?.url, second?.to_default], ["https://own.example.com:8443/hook", false]);
});

test("an end without any address is written as skipped, with no body", async () => {
  const account = await createAccount(database);
  await endTasks(database, account);
  const [delivery] = await deliveriesOf(database, account);
  assert.deepEqual([delivery?.state, delivery?.url, delivery?.body, delivery?.phase], ["skipped", null, null, null]);
});

test("deliveries are there with the end, or not at all", async () => {
  const account = await createAccount(database, "https://default.example.com/");
  await assert.rejects(
    database.transaction(async (tx) => {
      const record = taskRecord();
      await tx.query(
        "insert into batches (id, account_id, task_count, estimated_points, created_at) values ($1, $2, 1, 0, now())",
        [record.batchId, account],
      );
      await tx.query(
        `insert into tasks (id, account_id, batch_id, item_index, question, platform, deep_analysis, output, result_format, priority, price_points, created_at)
         values ($1, $2, $3, 0, 'q', 'simulator', false, 'answer', 'json', 5, 1, now())`,
        [record.taskId, account, record.batchId],
      );
      const ends = [{ accountId: account, taskId: record.taskId, webhookUrl: null, record }];
      assert.equal((await writeDeliveries(tx, ends)).due, true);
      throw new Error("the end did not happen");
    }),
  );
  assert.deepEqual(await deliveriesOf(database, account), []);
});

test("one call writes any number of ends of several accounts, each its own delivery", async () => {
  const accounts = [await createAccount(database, "https://a.example.com/"), await createAccount(database, null)];
  for (const account of accounts) await endTasks(database, account, { count: 1000 });
  assert.equal(
    (await deliveriesOf(database, accounts[0] ?? "")).filter(({ state }) => state === "pending").length,
    1000,
  );
  assert.equal(
    (await deliveriesOf(database, accounts[1] ?? "")).filter(({ state }) => state === "skipped").length,
    1000,
  );
  assert.deepEqual(await writeDeliveries(database, []), { ids: [], due: false });
});

test("a body as long as the limit is whole; one byte more, and the task is sent in the omitted form, exactly", () => {
  const record = taskRecord({ content: "ä".repeat(500), clientReference: "ref-1" });
  const whole = notificationBody(record, 1, Number.MAX_SAFE_INTEGER);
  assert.deepEqual(JSON.parse(whole.toString()), {
    event: "task.finished",
    deliveryRevision: 1,
    task: { ...record, resultOmitted: false },
  });
  assert.deepEqual(notificationBody(record, 1, whole.length), whole);
  assert.deepEqual(JSON.parse(notificationBody(record, 2, whole.length - 1).toString()), {
    event: "task.finished",
    deliveryRevision: 2,
    task: {
      taskId: record.taskId,
      clientReference: "ref-1",
      state: "completed",
      content: null,
      revision: 1,
      chargedPoints: 1,
      createdAt: record.createdAt,
      completedAt: record.completedAt,
      resultOmitted: true,
    },
  });
});

test("the limit counts bytes of the raw body, whatever the content", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 0xffff }), { maxLength: 300 }).map((units) => String.fromCharCode(...units)),
      fc.integer({ min: 900, max: 1400 }),
      (content, bytesMax) => {
        const record = taskRecord({ content });
        const whole = notificationBody(record, 1, Number.MAX_SAFE_INTEGER);
        const body = notificationBody(record, 1, bytesMax);
        assert.equal(JSON.parse(body.toString()).task.resultOmitted, whole.length > bytesMax);
        assert.ok(body.length <= bytesMax);
      },
    ),
  );
});

test("the default limit is 256 KiB", async () => {
  const account = await createAccount(database, "https://a.example.com/");
  await endTasks(database, account, { content: "x".repeat(256 * 1024) });
  await endTasks(database, account, { content: "x".repeat(250 * 1024) });
  const omitted = (await deliveriesOf(database, account)).map(
    ({ body }) => JSON.parse(String(body)).task.resultOmitted,
  );
  assert.deepEqual(omitted, [true, false]);
});

test("pruning deletes what ended long ago with its attempts, and nothing that is pending", async () => {
  const account = await createAccount(database, "https://a.example.com/");
  await endTasks(database, account, { count: 4 });
  const [pending, old, young] = await deliveriesOf(database, account);
  const finish =
    "with ended as (delete from delivery_queue where delivery_ids <@ $1) update deliveries set state = 'delivered', body = null, finished_at = now() where id = any($1)";
  await database.query(finish, [[old?.id, young?.id]]);
  await database.query("update deliveries set created_at = now() - interval '40 days' where id = any($1)", [
    [pending?.id, old?.id],
  ]);
  assert.deepEqual(await pruneDeliveries(database, 30), { deleted: 1 });
  const left = (await deliveriesOf(database, account)).map(({ id }) => id);
  assert.ok(left.includes(pending?.id ?? "") && left.includes(young?.id ?? "") && !left.includes(old?.id ?? ""));
});
