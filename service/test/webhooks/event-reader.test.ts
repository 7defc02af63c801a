/** Live readers of the feed. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";
import { EventFeed, startOfFeed } from "../../src/webhooks/index.ts";
import { getTasks } from "../../src/tasks/index.ts";
import { testDatabase } from "../harness/database.ts";
import { temporaryFolder } from "../harness/process.ts";
import { until } from "../harness/wait.ts";
import { createAccount as createFeedAccount, endTasks } from "./fixture.ts";

const { database } = await testDatabase();
const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());

test("a reader that takes nothing for a while is cut off; one that reads is kept alive by comments", async () => {
  const accountId = await createFeedAccount(database);
  const feed = new EventFeed(
    { database, records: { read: getTasks }, bodyBytesMax: 100_000 },
    { pollMs: 20, heartbeatMs: 20, stalledHeartbeatsMax: 3 },
  );
  const { signal } = new AbortController();
  const silent = feed.open(accountId, startOfFeed, signal);
  const eager = feed.open(accountId, startOfFeed, signal);
  let text = "";
  eager.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await endTasks(database, accountId, { count: 60, content: "x".repeat(20_000) });
  // Told of by nobody: the poll finds it.
  await until("the events", () => text.split("event: task.finished").length === 61);
  await until("the silent one to be cut", () => silent.destroyed);
  assert.ok(silent.readableLength < 300_000, "it held a slice and no more");
  await until("signs of life", () => text.endsWith(":\n\n:\n\n"));
  assert.equal(eager.destroyed, false);
  assert.equal(feed.readers, 1);
  await feed.stop();
  await until("the other to end", () => eager.destroyed);
});

test("readers at one place share their reads, and idle ones cost one statement a poll", async () => {
  const accountId = await createFeedAccount(database);
  const query = database.query.bind(database) as (...args: unknown[]) => Promise<never>;
  const named = { "read events": 0, "event heads": 0 } as Record<string, number>;
  const counting = Object.create(database, {
    query: {
      value: (first: { name?: string }, ...rest: unknown[]) => {
        const name = first.name ?? "";
        named[name] = (named[name] ?? 0) + 1;
        return query(first, ...rest);
      },
    },
  }) as typeof database;
  const feed = new EventFeed(
    { database: counting, records: { read: getTasks }, bodyBytesMax: 100_000 },
    { pollMs: 20, heartbeatMs: 10 },
  );
  const { signal } = new AbortController();
  let heard = 0;
  for (let n = 0; n < 500; n++)
    feed
      .open(accountId, startOfFeed, signal)
      .on("data", (chunk: Buffer) => (heard += chunk.toString().split("event:").length - 1));
  await until("polls", () => (named["event heads"] ?? 0) >= 5);
  const idle = named["read events"] ?? 0;
  assert.ok(idle <= 2, `${idle} reads for nothing`);
  await endTasks(database, accountId);
  feed.wake([accountId]);
  await until("all to hear", () => heard === 500);
  assert.ok((named["read events"] ?? 0) - idle <= 8, `${named["read events"]} reads`);
  await feed.stop();
});

test("a database that is away for a while ends no reader and loses no event", async () => {
  const accountId = await createFeedAccount(database);
  const query = database.query.bind(database) as (...args: unknown[]) => Promise<never>;
  let isAway = false;
  const flaky = Object.create(database, {
    query: {
      value: (...args: unknown[]) => (isAway ? Promise.reject(new Error("Connection terminated")) : query(...args)),
    },
  }) as typeof database;
  const feed = new EventFeed({ database: flaky, records: { read: getTasks }, bodyBytesMax: 100_000 }, { pollMs: 20 });
  let text = "";
  const reader = feed.open(accountId, startOfFeed, new AbortController().signal);
  reader.on("data", (chunk: Buffer) => (text += chunk.toString()));
  isAway = true;
  await endTasks(database, accountId, { count: 3 });
  feed.wake([accountId]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(text.includes("event:"), false);
  isAway = false;
  await until("the events", () => text.split("event: task.finished").length === 4);
  await feed.stop();
});

test("a reader whose last event was lost by a restore is cut off, also if another event has its number by then", async () => {
  const accountId = await createFeedAccount(database);
  const feed = new EventFeed({ database, records: { read: getTasks }, bodyBytesMax: 100_000 }, { pollMs: 20 });
  for (const endedAfter of [1, 3, 5]) {
    await endTasks(database, accountId, { count: 4 });
    const { rows } = await database.query<{ head: number }>(
      "select max(event_number) as head from deliveries where account_id = $1",
      [accountId],
    );
    const head = rows[0]?.head ?? 0;
    let text = "";
    const reader = feed.open(accountId, startOfFeed, new AbortController().signal);
    reader.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const ended = once(reader, "end");
    const { rows: all } = await database.query("select from deliveries where account_id = $1", [accountId]);
    await until("the events", () => text.split("event: task.finished").length === all.length + 1);
    // The database loses the last three, and gives their numbers again.
    await database.transaction(async (tx) => {
      await tx.query("delete from deliveries where account_id = $1 and event_number > $2", [accountId, head - 3]);
      await tx.query("select setval('event_numbers', $1)", [head - 3]);
    });
    await endTasks(database, accountId, { count: endedAfter });
    await ended;
    assert.equal(text.split("event: task.finished").length, all.length + 1, "nothing after an event that is not there");
  }
  await feed.stop();
});
