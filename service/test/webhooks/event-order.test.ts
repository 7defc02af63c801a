/** No event becomes visible before one with a smaller number: what a reader has passed, it has seen. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { afterEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Transaction } from "../../src/db/index.ts";
import { createSigningSecret } from "../../src/webhooks/index.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { startOfFeed, type FeedPosition, readEvents } from "../../src/webhooks/feed/read-events.ts";
import { endLateTasks, getTasks } from "../../src/tasks/index.ts";
import { cancelTasks } from "../../src/tasks/finish/cancel-tasks.ts";
import { atRacePoints } from "../../src/runtime/race-points.ts";
import { testEngine } from "../harness/engine.ts";
import { until } from "../harness/wait.ts";

const engine = await testEngine();
const { database } = engine;
afterEach(() => atRacePoints(null));
const masterKey = new MasterKey(randomBytes(32));

const account = async (name: string) => {
  const accountId = await engine.account(name);
  await createSigningSecret(database, masterKey, accountId);
  return accountId;
};
const feedOf = async (accountId: string, after: FeedPosition, limit = 50) => {
  const deps = { database, records: { read: getTasks }, bodyBytesMax: 100_000 };
  const slice = await readEvents(deps, { accountId, types: ["task.finished"] }, after, {
    limit,
    bytesMax: Number.POSITIVE_INFINITY,
  });
  assert.ok(slice !== null);
  return slice;
};

test("an end that was numbered first and is committed late holds back those after it: nobody sees a later number before", async () => {
  // Fails when the announcement comes before the points: then the second end commits while the first is held.
  const accountId = await account("held");
  const [first = "", second = ""] = await engine.submit(accountId, 2);
  let secondCommitted = false;
  let isFirst = true;
  const { promise: numbered, resolve: isNumbered } = Promise.withResolvers<void>();
  atRacePoints(async (point) => {
    if (point !== "end.numbered" || !isFirst) return;
    isFirst = false;
    await numbered;
    for (let waited = 0; waited < 500 && !secondCommitted; waited += 10) await sleep(10);
  });
  const held = cancelTasks(database, [first], engine.ends);
  await until("the first end to be numbered", async () => {
    const { rowCount } = await database.query(
      "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction' and query ~ 'delivery_queue|account_storage' and pid <> pg_backend_pid()",
    );
    return rowCount === 1;
  });
  isNumbered();
  const overtaking = cancelTasks(database, [second], engine.ends).then(() => (secondCommitted = true));
  let position = startOfFeed;
  const seen: string[] = [];
  const read = async () => {
    const { entries, next } = await feedOf(accountId, position);
    seen.push(...entries.map(({ payload }) => (JSON.parse(payload) as { task: { taskId: string } }).task.taskId));
    position = next;
  };
  let isOver = false;
  const over = Promise.all([held, overtaking]).then(() => (isOver = true));
  while (!isOver) await read();
  await over;
  await read();
  assert.deepEqual(seen, [first, second]);
});

test("on the way to the database the points go before the numbers", async () => {
  const accountId = await account("wire");
  const statements: string[] = [];
  const watched = Object.create(database, {
    transaction: {
      value: (work: (tx: Transaction) => Promise<unknown>) =>
        database.transaction((tx) => {
          const query = tx.query.bind(tx) as (...args: unknown[]) => Promise<never>;
          const watch = (first: string | { text: string }, ...rest: unknown[]) => {
            statements.push(typeof first === "string" ? first : first.text);
            return query(first, ...rest);
          };
          return work(Object.create(tx, { query: { value: watch } }) as Transaction);
        }),
    },
  }) as typeof database;
  await cancelTasks(watched, await engine.submit(accountId, 3), engine.ends);
  const points = statements.findIndex((text) => /update accounts/.test(text));
  const numbers = statements.findIndex((text) => /nextval\('event_numbers'\)/.test(text));
  assert.ok(points >= 0 && numbers > points, `${points} ${numbers}`);
});

test("8 enders of two accounts, held at random places, by cancellation and by deadline: readers that follow miss none and see none twice", async () => {
  const accounts = [await account("a"), await account("b")];
  const perAccount = 400;
  const jitter = () => (Math.random() < 0.5 ? sleep(Math.random() * 8) : Promise.resolve());
  atRacePoints((point) => (point.startsWith("end.") ? jitter() : undefined));
  const tasks = new Map<string, string[]>();
  for (const accountId of accounts) {
    const ids = await engine.submit(accountId, perAccount - 100);
    // These end by their deadline, in batches that mix the accounts.
    const late = await engine.submit(accountId, 100, { startBefore: new Date(Date.now() - 1000).toISOString() });
    tasks.set(accountId, [...ids, ...late]);
  }
  const queue = accounts.flatMap((accountId) => (tasks.get(accountId) ?? []).slice(0, perAccount - 100));
  queue.sort(() => Math.random() - 0.5);
  let isOver = false;
  const ender = async () => {
    for (let some = queue.splice(0, 1 + Math.floor(Math.random() * 9)); some.length > 0; some = queue.splice(0, 5)) {
      await cancelTasks(database, some, engine.ends).catch(async (error: { code?: string }) => {
        // Enders lock tasks in the order of their ids; a batch with tasks of both accounts may still meet another.
        assert.equal(error.code, "40P01");
        queue.push(...some);
      });
    }
  };
  const deadlines = async () => {
    while ((await endLateTasks(database, engine.ends)).taskIds.length > 0);
  };
  const follow = async (accountId: string) => {
    const seen: string[] = [];
    let position = startOfFeed;
    for (let last = false; ;) {
      last = isOver;
      const { entries, next, hasMore } = await feedOf(accountId, position, 20);
      assert.ok(next.number >= position.number);
      seen.push(...entries.map(({ payload }) => (JSON.parse(payload) as { task: { taskId: string } }).task.taskId));
      position = next;
      if (last && !hasMore) return seen;
    }
  };
  const following = accounts.map(follow);
  await Promise.all([...Array.from({ length: 8 }, ender), deadlines()]);
  isOver = true;
  for (const [index, seen] of (await Promise.all(following)).entries()) {
    const ids = tasks.get(accounts[index] ?? "") ?? [];
    assert.equal(seen.length, ids.length);
    assert.deepEqual(new Set(seen), new Set(ids));
  }
});

test("a look for new events reads the index alone, however many deliveries there are", async () => {
  const { rows } = await database.query<{ "QUERY PLAN": string }>(
    `explain select d.event_number from deliveries d where d.account_id = '01900000-0000-7000-8000-000000000000' and d.event_number > 5
      order by d.event_number desc limit 1`,
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  assert.match(plan, /Index Only Scan Backward using deliveries_first_events/);
  assert.doesNotMatch(plan, /Seq Scan|Sort  /);
});
