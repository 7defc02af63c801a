import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import dns from "node:dns/promises";
import { once } from "node:events";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import { verify } from "@octokit/webhooks-methods";
import type { Transaction } from "../../src/db/index.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { destinationSlots } from "../../src/webhooks/outbox/delivery-turns.ts";
import { claimDeliveries } from "../../src/webhooks/send/claim-deliveries.ts";
import { announceEvent } from "../../src/webhooks/index.ts";
import { upkeepDeliveries } from "../../src/webhooks/send/notifier.ts";
import { recordAttempts, type LoggedDeliveryAttempt } from "../../src/webhooks/send/record-attempts.ts";
import { testDatabase } from "../harness/database.ts";
import type { NotifierProcessInput } from "../harness/notifier-process.ts";
import { startRawReceiver, startReceiver } from "../harness/receiver.ts";
import {
  attempted,
  createAccount,
  deliveriesOf,
  endTasks,
  everything,
  guardFor,
  secretOf,
  startNotifier,
  until,
  type DeliveryRow,
} from "./fixture.ts";

const { database, url } = await testDatabase();
beforeEach(() => database.query("truncate deliveries, delivery_queue, delivery_turns, delivery_breakers"));

/** Makes what waits for its next attempt due now, in place of time passing. */
async function timePasses(): Promise<void> {
  await database.query("update delivery_queue set next_attempt_at = now() where state = 'waiting'");
  await database.query("delete from delivery_breakers");
}

test("retries carry the same id and the same bytes, signed anew, until one succeeds; every attempt is on record", async () => {
  let answers = 0;
  await using receiver = await startReceiver((_received, response) =>
    response.writeHead(++answers < 4 ? 500 : 200).end(`answer ${answers}`),
  );
  const account = await createAccount(database, receiver.url());
  await endTasks(database, account);
  const [written] = await deliveriesOf(database, account);
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  for (let attempt = 1; attempt <= 4; attempt++) {
    await receiver.received(attempt);
    await until(async () => (await deliveriesOf(database, account))[0]?.attempts === attempt);
    await timePasses();
    notifier.wake();
  }
  const { secret } = await secretOf(database, account);
  for (const request of receiver.requests) {
    assert.equal(request.headers["x-service-delivery"], written?.id);
    assert.deepEqual(request.body, written?.body);
    assert.ok(await verify(secret, request.body.toString(), String(request.headers["x-service-signature"])));
  }
  const [log] = (await database.query<{ attempt_log: LoggedDeliveryAttempt[] }>("select attempt_log from deliveries"))
    .rows;
  const attempts = log?.attempt_log ?? [];
  assert.deepEqual(
    attempts.map(({ status, responseSnippet }) => `${status} ${responseSnippet}`),
    ["500 answer 1", "500 answer 2", "500 answer 3", "200 answer 4"],
  );
  for (const [index, low] of [5, 20, 60].entries()) {
    const { startedAt = "", nextAttemptAt = null } = attempts[index] ?? {};
    const wait = (Date.parse(nextAttemptAt ?? "") - Date.parse(startedAt)) / 1000;
    assert.ok(wait >= low && wait < low * 1.1 + 1, `${index}: ${wait}`);
  }
  assert.equal(attempts[3]?.nextAttemptAt, null);
  await notifier.end();
});

test("410 stops the delivery, Retry-After delays it, and after the 14th attempt it has failed", async () => {
  await using receiver = await startReceiver((received, response) => {
    if (received.path === "/gone") response.writeHead(410).end();
    else if (received.path === "/later") response.writeHead(503, { "retry-after": "7200" }).end();
    else response.writeHead(500).end();
  });
  const account = await createAccount(database);
  for (const path of ["/gone", "/later", "/last"])
    await endTasks(database, account, { webhookUrl: receiver.url(path) });
  await database.query(
    `update delivery_queue q set attempts = 13 from deliveries d where d.id = any (q.delivery_ids) and d.url like '%/last'`,
  );
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  await receiver.received(3);
  await until(async () =>
    (await deliveriesOf(database, account)).every(({ phase }) => phase === null || phase === "waiting"),
  );
  const [gone, later, last] = (await deliveriesOf(database, account)) as [DeliveryRow, DeliveryRow, DeliveryRow];
  assert.deepEqual([gone.state, gone.attempts, gone.body], ["failed", 1, null]);
  assert.deepEqual([last.state, last.body], ["failed", null]);
  assert.equal(later.state, "pending");
  const seconds = ((later.next_attempt_at?.getTime() ?? 0) - Date.now()) / 1000;
  assert.ok(seconds > 7_100 && seconds <= 7_201, String(seconds));
  await notifier.end();
});

test("20 claimers share 4,000 deliveries: each is claimed once, and no destination ever has more than its slots in flight", async () => {
  for (let n = 0; n < 4; n++) {
    const account = await createAccount(database);
    for (let origin = 0; origin < 2; origin++)
      await endTasks(database, account, { count: 500, webhookUrl: `https://r${origin}.example.com/` });
  }
  const claimed: string[] = [];
  const slots = new Map<string, number>();
  const claimer = async () => {
    for (;;) {
      const { rows, backlog } = await claimDeliveries(database, { ...everything, slots: 5, slotDeliveries: 13 });
      for (const row of rows) {
        claimed.push(row.id);
        const key = `${row.accountId} ${row.origin} ${row.slot}`;
        slots.set(key, (slots.get(key) ?? 0) + 1);
      }
      const destinations = Map.groupBy(slots.keys(), (key) => key.slice(0, key.lastIndexOf(" ")));
      for (const slots of destinations.values()) assert.ok(slots.length <= destinationSlots);
      const { rows: taken } = await database.query<{ n: number }>(
        "select max(n) as n from (select count(distinct slot) as n from delivery_queue where state = 'in_flight' group by account_id, origin) x",
      );
      assert.ok((taken[0]?.n ?? 0) <= destinationSlots);
      for (const row of rows) slots.delete(`${row.accountId} ${row.origin} ${row.slot}`);
      await recordAttempts(
        database,
        rows.map((row) => attempted(row)),
      );
      if (!backlog && rows.length === 0) return;
    }
  };
  await Promise.all(Array.from({ length: 20 }, claimer));
  assert.equal(claimed.length, 4_000);
  assert.equal(new Set(claimed).size, 4_000);
});

test("a slot is given to one claimer at a time, however many ask at once", async () => {
  const account = await createAccount(database);
  await endTasks(database, account, { count: 500, webhookUrl: "https://r.example.com/" });
  const claims = await Promise.all(
    Array.from({ length: 20 }, () => claimDeliveries(database, { ...everything, slots: 1, slotDeliveries: 2 })),
  );
  const owners = claims.flatMap(({ rows }) => [...new Set(rows.map(({ slot }) => slot))]);
  assert.deepEqual(
    owners.toSorted((a, b) => a - b),
    [0, 1, 2, 3],
  );
});

test("whoever lost a lease can record nothing, once another has claimed the row", async () => {
  const account = await createAccount(database);
  await endTasks(database, account, { webhookUrl: "https://r.example.com/" });
  const [stale] = (await claimDeliveries(database, { ...everything, leaseMs: 0 })).rows;
  assert.ok(stale);
  await until(async () => (await upkeepDeliveries(database)).requeued === 1);
  const [owner] = (await claimDeliveries(database, everything)).rows;
  assert.ok(owner);
  assert.deepEqual([owner.id, owner.fence], [stale.id, stale.fence + 1]);
  assert.deepEqual(await recordAttempts(database, [attempted(stale)]), new Set());
  assert.deepEqual(await recordAttempts(database, [{ kind: "released", delivery: stale, delayMs: 0 }]), new Set());
  const [row] = await deliveriesOf(database, account);
  assert.deepEqual([row?.state, row?.attempts, row?.phase], ["pending", 0, "in_flight"]);
  assert.deepEqual(await recordAttempts(database, [attempted(owner)]), new Set([owner.id]));
  assert.deepEqual(await recordAttempts(database, [attempted(owner)]), new Set(), "recording again changes nothing");
  const { rows } = await database.query("select jsonb_array_length(attempt_log) as attempts from deliveries");
  assert.deepEqual(rows, [{ attempts: 1 }]);
});

test("after SIGKILL in the middle of sending, the next process sends the same ids and bytes, and nothing is lost", async () => {
  const key = randomBytes(32);
  await using receiver = await startReceiver();
  const account = await createAccount(database, receiver.url(), new MasterKey(key));
  await endTasks(database, account, { count: 300 });
  const bodies = new Map((await deliveriesOf(database, account)).map(({ id, body }) => [id, body]));
  // Every seventh request gets no answer at first: those are in flight at the kill.
  let hold = true;
  receiver.answer = (_received, response) =>
    void (hold && receiver.requests.length % 7 === 0 ? undefined : response.writeHead(200).end());
  const input: NotifierProcessInput = {
    databaseUrl: url,
    masterKey: key.toString("hex"),
    caFile: receiver.caFile,
    leaseMs: 700_000,
    totalTimeoutMs: 600_000,
  };
  const child = fork(join(import.meta.dirname, "../harness/notifier-process.ts"), [JSON.stringify(input)]);
  await receiver.received(25);
  child.kill("SIGKILL");
  await until(async () => {
    const { rows } = await database.query(
      "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'",
    );
    return rows.length === 0;
  }, "what it had asked of the database to be over");
  // In place of the time after which a dead process's work is anybody's.
  await database.query("update delivery_queue set lease_until = now() where state = 'in_flight'");
  hold = false;
  const before = receiver.requests.length;
  const notifier = startNotifier(database, { caFile: receiver.caFile, key: new MasterKey(key) });
  await until(
    async () => (await deliveriesOf(database, account)).every(({ state }) => state === "delivered"),
    "all delivered",
  );
  await notifier.end();
  assert.ok(before < 300);
  const received = Map.groupBy(receiver.requests, ({ headers }) => String(headers["x-service-delivery"]));
  assert.equal(received.size, 300);
  for (const [id, requests] of received) for (const { body } of requests) assert.deepEqual(body, bodies.get(id));
  // Repeats: in flight, and answered but not recorded yet, at the kill; a destination has four slots.
  assert.ok(receiver.requests.length - 300 <= 2 * destinationSlots + 32, String(receiver.requests.length));
});

test("an event whose notifier is killed while it sends is sent again by another, with the same id and bytes", async () => {
  let hold = true;
  await using receiver = await startReceiver(
    (_received, response) => void (hold ? undefined : response.writeHead(204).end()),
  );
  const key = randomBytes(32);
  const account = await createAccount(database, receiver.url(), new MasterKey(key));
  await database.query("update webhooks set events = array_append(events, 'cap.reached') where account_id = $1", [
    account,
  ]);
  const announced = await database.transaction((tx) =>
    announceEvent(tx, {
      accountId: account,
      type: "cap.reached",
      subject: "account day 2026-11-22 80",
      data: {
        kind: "account",
        subject: null,
        period: "day",
        periodStart: "2026-11-22",
        thresholdPercent: 80,
        limitPoints: 100,
        usedPoints: 80,
        refusedPoints: null,
      },
    }),
  );
  assert.ok(announced);
  const input: NotifierProcessInput = {
    databaseUrl: url,
    masterKey: key.toString("hex"),
    caFile: receiver.caFile,
    leaseMs: 700_000,
    totalTimeoutMs: 600_000,
  };
  const child = fork(join(import.meta.dirname, "../harness/notifier-process.ts"), [JSON.stringify(input)]);
  await receiver.received(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  await database.query("update delivery_queue set lease_until = now() where state = 'in_flight'");
  hold = false;
  const notifier = startNotifier(database, { caFile: receiver.caFile, key: new MasterKey(key) });
  await until(
    async () => (await deliveriesOf(database, account)).every(({ state }) => state === "delivered"),
    "the event to be delivered",
  );
  await notifier.end();
  const [first, again, ...more] = receiver.requests;
  assert.ok(first && again);
  assert.deepEqual(more, []);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers["x-service-delivery"], first.headers["x-service-delivery"]);
  assert.equal(JSON.parse(String(first.body)).eventId, first.headers["x-service-delivery"]);
});

test("receivers that hang hold up nobody else, though their deliveries are first in line and many", async () => {
  await using hanging = await startRawReceiver(() => {});
  await using healthy = await startReceiver();
  const dead = await createAccount(database, hanging.url());
  await endTasks(database, dead, { count: 1_000 });
  const alive = await createAccount(database, healthy.url());
  const notifier = startNotifier(database, {
    caFile: healthy.caFile,
    slotsMax: 16,
    leaseMs: 700_000,
    sender: { totalTimeoutMs: 600_000 },
  });
  await until(() => hanging.connections() > 0);
  for (let n = 1; n <= 20; n++) {
    await endTasks(database, alive);
    notifier.wake();
    await healthy.received(n);
  }
  const before = await deliveriesOf(database, dead);
  assert.ok(
    before.every(({ attempts }) => attempts === 0),
    "before the first of the hanging requests ends",
  );
  assert.ok(hanging.connections() <= destinationSlots);
  await notifier.end(0);
  const cut = await deliveriesOf(database, dead);
  assert.ok(
    cut.every(({ attempts, phase }) => attempts === 0 && phase === "queued"),
    "cut requests are handed back untried",
  );
});

test("names whose server never answers hold up nobody else, though their deliveries are first in line", async () => {
  const silent = createSocket("udp4").bind(0, "127.0.0.1");
  await once(silent, "listening");
  await using healthy = await startReceiver();
  for (let n = 0; n < 3; n++) {
    const account = await createAccount(database);
    await endTasks(database, account, { count: 100, webhookUrl: `https://tarpit-${n}.example.com/` });
  }
  const alive = await createAccount(database, healthy.url());
  let asked = 0;
  silent.on("message", () => asked++);
  const resolvers: dns.Resolver[] = [];
  const guard = guardFor(healthy.caFile, {
    dnsTimeoutMs: 600_000,
    createResolver: () => {
      const resolver = new dns.Resolver({ timeout: 600_000, tries: 1 });
      resolvers.push(resolver);
      resolver.setServers([`127.0.0.1:${silent.address().port}`]);
      return resolver;
    },
  });
  const notifier = startNotifier(database, { caFile: healthy.caFile, guard, slotsMax: 16, leaseMs: 700_000 });
  await until(() => asked >= 3);
  for (let n = 1; n <= 20; n++) {
    await endTasks(database, alive);
    notifier.wake();
    await healthy.received(n);
  }
  const { rows } = await database.query(
    "select from deliveries where jsonb_array_length(attempt_log) > 0 and account_id <> $1",
    [alive],
  );
  assert.equal(rows.length, 0, "before the first of the look-ups is given up");
  for (const resolver of resolvers) resolver.cancel();
  await notifier.end(0);
  silent.close();
});

test("a quarter of the slots is kept for early attempts: late ones can't fill the process", async () => {
  for (let n = 0; n < 10; n++) {
    const account = await createAccount(database);
    await endTasks(database, account, { count: 10, webhookUrl: "https://late.example.com/" });
  }
  await database.query("update delivery_queue set attempts = 3");
  const fresh = await createAccount(database);
  await endTasks(database, fresh, { count: 10, webhookUrl: "https://early.example.com/" });
  const { rows } = await claimDeliveries(database, { ...everything, slots: 8, lateSlots: 6, slotDeliveries: 1 });
  assert.equal(new Set(rows.flatMap(({ late, batchId }) => (late ? [batchId] : []))).size, 6);
  assert.ok(rows.some(({ accountId }) => accountId === fresh));
  const none = await claimDeliveries(database, { ...everything, slots: 8, lateSlots: 0, slotDeliveries: 1 });
  assert.ok(none.rows.every(({ late }) => !late));
  assert.ok(none.rows.length > 0);
});

test("a destination's first slot goes before any destination's second", async () => {
  const accounts: string[] = [];
  for (let n = 0; n < 5; n++) {
    accounts.push(await createAccount(database));
    await endTasks(database, accounts[n] ?? "", { count: 50, webhookUrl: "https://r.example.com/" });
  }
  const { rows } = await claimDeliveries(database, { ...everything, slots: 5, slotDeliveries: 3 });
  assert.deepEqual(new Set(rows.map(({ accountId }) => accountId)), new Set(accounts));
});

test("faults of the database and of the key spend no attempt, and what was answered meanwhile is recorded after", async () => {
  await using receiver = await startReceiver();
  const account = await createAccount(database, receiver.url());
  await endTasks(database, account);
  const wrong = startNotifier(database, { caFile: receiver.caFile, key: new MasterKey(randomBytes(32)) });
  await until(async () => (await deliveriesOf(database, account))[0]?.phase === "waiting");
  assert.equal((await deliveriesOf(database, account))[0]?.attempts, 0);
  assert.equal(receiver.requests.length, 0);
  await wrong.end();
  // The connection breaks while the answer is on its way, again and again.
  let broken = 3;
  const flaky = Object.create(database, {
    query: { value: database.query.bind(database) },
    transaction: {
      value: (work: (tx: Transaction) => Promise<unknown>) =>
        broken-- > 0 ? Promise.reject(new Error("Connection terminated unexpectedly")) : database.transaction(work),
    },
    transactionOf: { value: database.transactionOf.bind(database) },
  }) as typeof database;
  await timePasses();
  const notifier = startNotifier(flaky, { caFile: receiver.caFile });
  await until(async () => (await deliveriesOf(database, account))[0]?.state === "delivered");
  assert.equal(receiver.requests.length, 1);
  assert.ok(broken <= 0);
  await notifier.end();
});

test("a stop lets requests under way end, records them, and claims nothing more", async () => {
  const { promise: release, resolve } = Promise.withResolvers<void>();
  await using receiver = await startReceiver(
    (_received, response) => void release.then(() => response.writeHead(200).end()),
  );
  const account = await createAccount(database, receiver.url());
  await endTasks(database, account, { count: 40 });
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  await receiver.received(destinationSlots);
  const stopped = notifier.end(5_000);
  resolve();
  await stopped;
  const rows = await deliveriesOf(database, account);
  assert.equal(rows.filter(({ state, attempts }) => state === "delivered" && attempts === 1).length, destinationSlots);
  assert.equal(
    rows.filter(({ phase, attempts }) => phase === "queued" && attempts === 0).length,
    40 - destinationSlots,
  );
  assert.equal(receiver.requests.length, destinationSlots);
});

test("a receiver that fails five times in a row is left alone for a while, at no attempt's cost, then gets one probe", async () => {
  let status = 500;
  await using receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  const account = await createAccount(database, receiver.url());
  await endTasks(database, account, { count: 30 });
  const notifier = startNotifier(database, { caFile: receiver.caFile });
  await until(
    async () =>
      (await database.query("select 1 from delivery_breakers where open_until > now() + interval '20 s'")).rowCount ===
      1,
  );
  await until(() => notifier.inFlight === 0);
  const sent = receiver.requests.length;
  assert.ok(sent >= 5 && sent <= 4 + destinationSlots, String(sent));
  await notifier.end();
  // Half open: one probe, and when that fails it is open again for twice as long.
  await database.query("update delivery_breakers set open_until = now() - interval '1 s'");
  const again = startNotifier(database, { caFile: receiver.caFile });
  await until(
    async () =>
      (await database.query("select 1 from delivery_breakers where open_until > now() + interval '50 s'")).rowCount ===
      1,
  );
  await until(() => again.inFlight === 0);
  assert.equal(receiver.requests.length, sent + 1);
  status = 200;
  await timePasses();
  again.wake();
  await until(async () => (await deliveriesOf(database, account)).every(({ state }) => state === "delivered"));
  assert.equal((await database.query("select 1 from delivery_breakers")).rowCount, 0);
  await again.end();
});

test("the default address is suspended after constant failure, not after sporadic ones or an old one", async () => {
  const failWith = async (history: string) => {
    const account = await createAccount(database, "https://r.example.com/");
    await endTasks(database, account);
    await database.query(`update webhooks set ${history} where account_id = $1`, [account]);
    const { rows } = await claimDeliveries(database, everything);
    await recordAttempts(
      database,
      rows.map((row) => attempted(row, { status: 500, next: { state: "pending", delayMs: 5_000 } })),
    );
    return (
      await database.query<{ suspended: boolean }>(
        "select suspended_at is not null as suspended from webhooks where account_id = $1",
        [account],
      )
    ).rows[0]?.suspended;
  };
  const days = (n: number) => `now() - interval '${n} days'`;
  const since = (n: number, set = 30) =>
    `url_set_at = ${days(set)}, failures = 20, first_failure_at = ${days(n)}, last_failure_at = ${days(0)}`;
  assert.equal(await failWith(`${since(5)}, last_success_at = ${days(6)}`), true, "constant failure");
  assert.equal(await failWith(`${since(5)}, last_success_at = null`), true, "constant failure, never a success");
  assert.equal(await failWith(`${since(3)}, last_success_at = ${days(4)}`), false, "not five days yet");
  assert.equal(await failWith(`${since(0.3)}, last_success_at = ${days(6)}`), false, "within half a day");
  assert.equal(
    await failWith(
      `url_set_at = ${days(30)}, last_success_at = ${days(6)}, failures = 1, first_failure_at = ${days(5)}`,
    ),
    false,
    "one old failure",
  );
  assert.equal(
    await failWith(`url_set_at = ${days(30)}, failures = 0, last_success_at = ${days(1)}`),
    false,
    "sporadic failure",
  );
  assert.equal(await failWith(`${since(6, 1)}, last_success_at = null`), false, "set anew yesterday");
});

test("an idle notifier asks the database no more than its poll says", async () => {
  await using receiver = await startReceiver();
  const query = database.query.bind(database) as (...args: unknown[]) => Promise<never>;
  let queries = 0;
  const counting = Object.create(database, {
    query: { value: (...args: unknown[]) => (queries++, query(...args)) },
    transactionOf: {
      value: (...args: Parameters<typeof database.transactionOf>) => (queries++, database.transactionOf(...args)),
    },
  }) as typeof database;
  const account = await createAccount(database, receiver.url());
  await endTasks(database, account);
  // Something that waits for later must not make it busy either.
  await database.query("update delivery_queue set state = 'waiting', next_attempt_at = now() + interval '1 h'");
  const startedAt = performance.now();
  const notifier = startNotifier(counting, { caFile: receiver.caFile, pollMs: 100, upkeepMs: 60_000 });
  await until(() => queries >= 10);
  assert.ok(performance.now() - startedAt > 6 * 80 * 0.8);
  // And it still looks at once when it is woken, and in time for what becomes due.
  await database.query("update delivery_queue set next_attempt_at = now() + interval '30 ms'");
  notifier.wake();
  await receiver.received(1);
  await notifier.end();
});
