/**
 * What the work of a queue costs beside a long line that has just come, with statistics from when there was nothing: hardly more
 * than beside a short one. The planner, left to itself, has read the whole line once for each row of a claim.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { getTasks } from "../../src/tasks/index.ts";
import { handedBack } from "../../src/dispatch/queue/attempt-log.ts";
import { claim } from "../../src/dispatch/queue/claim.ts";
import { completeFenced } from "../../src/dispatch/queue/fence.ts";
import { configureLimiters, type Claimed } from "../../src/dispatch/index.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import { promoteDue, requeue } from "../../src/dispatch/queue/queue.ts";
import { newId, newIdsAt } from "../../src/kernel/ids.ts";
import { claimDeliveries, type ClaimedDelivery } from "../../src/webhooks/send/claim-deliveries.ts";
import { recordAttempts } from "../../src/webhooks/send/record-attempts.ts";
import { ContentLoader } from "../../src/webhooks/send/deliver-batch.ts";
import { testDatabase } from "../harness/database.ts";
import { countPages } from "../harness/pages.ts";
import { attempted, createAccount, deliveriesOf, endTasks, everything } from "../webhooks/fixture.ts";

/** Pages of tables and indexes that each step reads. */
type Costs = Readonly<Record<string, number>>;

function medianOf(rounds: readonly Costs[]): Costs {
  const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  return Object.fromEntries(
    Object.keys(rounds[0] ?? {}).map((step) => [step, middle(rounds.map((round) => round[step] ?? Number.NaN))]),
  );
}

/** Four times, where a look at the whole line for each row of a claim would be a hundred times. */
function assertAlike(few: Costs, many: Costs): void {
  for (const [step, pages] of Object.entries(few)) {
    const beside = many[step] ?? Number.NaN;
    assert.ok(beside < 4 * pages, `${step}: ${pages} pages beside few, ${beside} pages beside many`);
  }
}

async function deliveriesBeside(waiting: number): Promise<Costs> {
  const { url } = await testDatabase();
  const { database, pagesOf, close } = await countPages(url);
  // A quiet day, which is what the statistics know.
  for (let n = 0; n < 20; n++) {
    await endTasks(database, await createAccount(database, "https://quiet.example.com/"), { count: 80 });
    const { rows } = await claimDeliveries(database, everything);
    await recordAttempts(
      database,
      rows.map((row) => attempted(row)),
    );
  }
  await database.query("analyze");
  const busy = await createAccount(database, "https://busy.example.com/");
  await database.query(
    `with made as (
       insert into deliveries (id, account_id, task_id, delivery_revision, url, origin, to_default, state, body)
       select id, $1, id, 1, 'https://busy.example.com/', 'https://busy.example.com', true, 'pending', '{}'
         from unnest($2::uuid[]) as t(id)
       returning id
     )
     insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, state, next_attempt_at)
     select id, array[id], $1, 'https://busy.example.com', true, 'queued', now() from made`,
    [busy, newIdsAt(new Date(), waiting)],
  );
  const times: Costs[] = [];
  for (let round = 0; round < 5; round++) {
    const other = await createAccount(database, `https://r${newId()}.example.com/`);
    await endTasks(database, other, { count: 20 });
    let rows: readonly ClaimedDelivery[] = [];
    const claim = await pagesOf(async () => ({ rows } = await claimDeliveries(database, everything)));
    assert.equal(rows.filter(({ accountId }) => accountId === other).length, 20);
    assert.equal(rows.filter(({ accountId }) => accountId === busy).length, 4 * everything.slotDeliveries);
    const finish = await pagesOf(() =>
      recordAttempts(
        database,
        rows.map((row) => attempted(row)),
      ),
    );
    times.push({ claim, finish });
    assert.ok((await deliveriesOf(database, other)).every(({ state }) => state === "delivered"));
  }
  await close();
  return medianOf(times);
}

/** By a service that has just been set up: its first deliveries were read when the table had a page, and so was the plan made. */
async function readingBeside(waiting: number): Promise<Costs> {
  const { url } = await testDatabase();
  const { database, pagesOf, close } = await countPages(url);
  const account = await createAccount(database, "https://busy.example.com/");
  const contents = new ContentLoader({ database, records: { read: getTasks }, bodyBytesMax: 262_144 });
  await endTasks(database, account, { count: 2 });
  const { rows: claimed } = await claimDeliveries(database, everything);
  await database.query("vacuum analyze deliveries");
  for (let n = 0; n < 10; n++) assert.equal((await contents.load(claimed)).size, 2);
  const { rows } = await database.query<{ id: string }>(
    `insert into deliveries (id, account_id, task_id, delivery_revision, url, origin, to_default, state, body)
     select id, $1, id, 1, 'https://busy.example.com/', 'https://busy.example.com', true, 'pending', '{}'
       from unnest($2::uuid[]) as t(id)
     returning id`,
    [account, newIdsAt(new Date(), waiting)],
  );
  const [first] = claimed;
  assert.ok(first);
  const some = rows.slice(-500).map(({ id }) => ({ ...first, id }));
  const times: Costs[] = [];
  for (let round = 0; round < 5; round++) {
    times.push({ read: await pagesOf(async () => assert.equal((await contents.load(some)).size, 500)) });
  }
  await close();
  return medianOf(times);
}

async function tasksBeside(queued: number): Promise<Costs> {
  const { url } = await testDatabase();
  const { database, pagesOf, close } = await countPages(url);
  await configureLimiters(database, [{ code: "p", runningMax: 1000, rate: null, attemptsMax: 3, breakerAfter: null }]);
  const nodeId = await registerNode(database, { name: "n", version: "0", leaseTtlMs: 600_000 });
  const accountId = newId();
  const enqueueSome = (count: number) =>
    database.query(
      `with lane as (insert into account_lanes (platform, account_id) values ('p', $1) on conflict do nothing)
       insert into dispatch (task_id, account_id, platform, state, rank, run_at, run_timeout_s)
       select gen_random_uuid(), $1, 'p', 'queued', 4, now(), 60 from generate_series(1, $2::int)`,
      [accountId, count],
    );
  const claimSome = () => claim(database, { platform: "p", nodeId, slots: 200 });
  // A quiet day, which is what the statistics know.
  for (let n = 0; n < 10; n++) {
    await enqueueSome(200);
    const { claimed } = await claimSome();
    await database.transaction((tx) => completeFenced(tx, nodeId, claimed));
  }
  await database.query("vacuum analyze dispatch");
  await enqueueSome(queued);
  const times: Costs[] = [];
  for (let round = 0; round < 5; round++) {
    const steps: Record<string, number> = {};
    const step = async (name: string, work: () => Promise<unknown>) => (steps[name] = await pagesOf(work));
    let claimed: readonly Claimed[] = [];
    await step("claim", async () => ({ claimed } = await claimSome()));
    assert.equal(claimed.length, 200);
    const [back, ended] = [claimed.slice(0, 100), claimed.slice(100)];
    await step("requeue", () =>
      requeue(
        database,
        nodeId,
        back.map((run) => ({ ...run, back: { kind: "retry" as const, delayMs: 1 }, ended: handedBack(false) })),
      ),
    );
    await step("completeFenced", async () =>
      assert.equal((await database.transaction((tx) => completeFenced(tx, nodeId, ended))).size, 100),
    );
    await step("promote", () => promoteDue(database));
    times.push(steps);
  }
  await close();
  return medianOf(times);
}

test("a claim and a record of deliveries cost no more beside 20,000 that have just come than beside a thousand", async (t) => {
  const few = await deliveriesBeside(1_000);
  const many = await deliveriesBeside(20_000);
  t.diagnostic(JSON.stringify({ few, many }));
  assertAlike(few, many);
});

test("a claim, an end and a return of tasks cost no more beside 20,000 that have just come than beside two thousand", async (t) => {
  const few = await tasksBeside(2_000);
  const many = await tasksBeside(20_000);
  t.diagnostic(JSON.stringify({ few, many }));
  assertAlike(few, many);
});

test("what deliveries say is read as fast beside 20,000 that have just come as beside a thousand", async (t) => {
  const few = await readingBeside(1_000);
  const many = await readingBeside(20_000);
  t.diagnostic(JSON.stringify({ few, many }));
  assertAlike(few, many);
});
