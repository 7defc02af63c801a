import assert from "node:assert/strict";
import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { test } from "node:test";
import { Announcer, readAnnounced } from "../../src/db/announcer.ts";
import { newId } from "../../src/kernel/ids.ts";
import { cancelTasks } from "../../src/tasks/finish/cancel-tasks.ts";
import { answered, testEngine } from "../harness/engine.ts";
import { testDatabase } from "../harness/database.ts";
import { until } from "../harness/wait.ts";

/** Messages that are under way until the test ends them. */
function controlled() {
  const sent: { channel: string; payload: string; end: (error?: Error) => void }[] = [];
  const announcer = new Announcer(
    (channel, payload) =>
      new Promise((resolve, reject) => {
        sent.push({ channel, payload, end: (error) => (error === undefined ? resolve(null) : reject(error)) });
      }),
  );
  return { announcer, sent, payloads: () => sent.map(({ payload }) => payload) };
}

test("what is announced while a message is under way goes together into the next one", async () => {
  const { announcer, sent, payloads } = controlled();
  announcer.announce("a", ["one"]);
  await turn();
  for (const name of ["two", "three", "two"]) announcer.announce("a", [name]);
  await turn();
  assert.deepEqual(payloads(), ["one"], "one message at a time");
  announcer.announce("b", ["other"]);
  await turn();
  assert.deepEqual(payloads(), ["one", "other"], "channels don't wait for each other");
  sent[0]?.end();
  await turn();
  assert.deepEqual(payloads(), ["one", "other", "two,three"]);
  sent[2]?.end();
  await turn();
  assert.equal(sent.length, 3, "and nothing is left to send");
});

test("a message names everything if its names would be too long, or if one of those that it merges did", async () => {
  const { announcer, sent, payloads } = controlled();
  announcer.announce(
    "a",
    Array.from({ length: 210 }, () => newId()),
  );
  await turn();
  assert.ok(Buffer.byteLength(payloads()[0] ?? "") < 8_000);
  assert.equal(readAnnounced(payloads()[0] ?? "").length, 210);
  for (let n = 0; n < 10_000; n++) announcer.announce("a", [newId()]);
  sent[0]?.end();
  await turn();
  assert.equal(payloads()[1], "");
  announcer.announce("a", ["one"]);
  announcer.announce("a", []);
  sent[1]?.end();
  await turn();
  assert.deepEqual(readAnnounced(payloads()[2] ?? "-"), []);
});

test("a message that can't be sent is dropped, and later ones are sent", async () => {
  const { announcer, sent, payloads } = controlled();
  announcer.announce("a", ["lost"]);
  await turn();
  sent[0]?.end(new Error("the database is away"));
  await turn();
  announcer.announce("a", ["kept"]);
  await turn();
  assert.deepEqual(payloads(), ["lost", "kept"]);
});

test("a database announces to those who listen, and an outage costs it nothing but the message", async () => {
  const { database } = await testDatabase();
  const listener = await database.connect();
  await listener.query("listen some_channel");
  const heard = once(listener, "notification") as Promise<[{ payload: string }]>;
  database.announce("some_channel", ["a", "b"]);
  assert.equal((await heard)[0].payload, "a,b");
  // The connections of the pool break.
  await listener.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  const again = once(listener, "notification");
  await until("a later message to arrive", async () => {
    database.announce("some_channel", []);
    return Promise.race([again.then(() => true), turn(false)]);
  });
  await listener.end();
});

test("more canceled runs than a message can name are all aborted at once", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  // Nothing but the message tells the node before the test is over.
  const times = { leaseTtlMs: 3_600_000, renewEveryMs: 1_800_000 };
  const { held } = await engine.node(undefined, { times });
  const running = () => held.filter(({ signal }) => !signal.aborted).length;
  const taskIds = await engine.submit(account, 300);
  await until("all to run", () => held.length === 300);
  await cancelTasks(engine.database, taskIds, engine.ends);
  await until("all to be aborted", () => running() === 0);
  await engine.submit(account, 1);
  const next = await until("the slots to be free", () => held[300]);
  next.end(answered);
  await engine.allEnded();
  await engine.assertSound();
});
