/** What one account sends, whatever it is, leaves the process free for the others. */
import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { connect } from "node:net";
import { test } from "node:test";
import { AccountSemaphore } from "../../src/api/account-semaphore.ts";
import type { Quote } from "@querent/contract";
import { invalidAt, item, refused, startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const service = await startTestService({ environment: { QUERENT_LARGE_BODIES_PER_ACCOUNT: "2" } });
const account = await service.account();
const MiB = 1024 * 1024;
const quote = (body: string) => account.call<Quote>("POST", "/v1/tasks/quote", { body });

/** The time that the main thread was taken, at the longest, beside what it takes anyway on this machine. */
async function longestStep(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

test("bodies of millions of values cost no more than looking through them", async () => {
  const attacks = {
    elements: `[${"1,".repeat(4 * MiB)}1]`,
    lists: `${"[".repeat(4 * MiB)}${"]".repeat(4 * MiB)}`,
    members: `[{${Array.from({ length: 900_000 }, (_, n) => `"m${n}":1`).join(",")}}]`,
    tags: `[${`{"tags":[${"1,".repeat(3_000)}1]},`.repeat(999)}{}]`,
  };
  for (const [name, body] of Object.entries(attacks)) {
    const startedAt = process.cpuUsage();
    invalidAt(await quote(body), { "": "too_many" });
    const { user } = process.cpuUsage(startedAt);
    assert.ok(user < 1_500_000, `${name}: ${user / 1000} ms of the processor`);
  }
});

test("brackets and commas within questions are not counted", async () => {
  const question = '[{,"\\'.repeat(1_600);
  const body = JSON.stringify(Array.from({ length: 1000 }, () => item(question)));
  const answer = await quote(body);
  assert.equal(answer.status, 200, answer.text.slice(0, 500));
  assert.equal(answer.body.itemCount, 1000);
  assert.equal(answer.body.valid, true);
});

test("a thousand items that are wrong in every member are judged in steps, and others are served between them", async () => {
  const wrong = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${"x".repeat(60)}${n}`, 1]));
  const body = JSON.stringify(Array.from({ length: 1000 }, () => wrong));
  const neighbour = await service.account();
  const judged = Promise.all([quote(body), quote(body)]);
  let served = 0;
  let done = false;
  const ended = judged.finally(() => (done = true));
  const longest = await longestStep(async () => {
    while (!done) {
      assert.equal((await neighbour.get("/v1/webhook")).status, 200);
      served++;
    }
  });
  for (const answer of await ended) assert.equal(answer.body.items.length, 1000, answer.text.slice(0, 500));
  // Judged in one step each, two bodies leave a neighbour two turns of the event loop, and a request takes more than one.
  assert.ok(served > 4, `${served} requests of a neighbour were served meanwhile, the longest step took ${longest} ms`);
});

test("an account has so many large bodies under way; others wait their turn, and another account does not", async () => {
  const { port } = new URL(service.address);
  const stuck = [1, 2].map(() => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(
      `POST /v1/tasks/quote HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${account.token}\r\nContent-Type: application/json\r\nContent-Length: ${MiB}\r\n\r\n[`,
    );
    return socket;
  });
  const metrics = async () => (await account.get("/metrics")).text;
  await until("both bodies to be counted", async () =>
    (await metrics()).includes('querent_places_taken{kind="large_bodies"} 2'),
  );
  const body = JSON.stringify(Array.from({ length: 50 }, () => item("x".repeat(9_000))));
  const waits = quote(body);
  const neighbour = await service.account();
  assert.equal((await neighbour.call("POST", "/v1/tasks/quote", { body })).status, 200);
  assert.equal((await quote(JSON.stringify([item()]))).status, 200, "small ones need no place");
  for (const socket of stuck) socket.destroy();
  assert.equal((await waits).status, 200, "a client that hangs up gives its place back");
  await until("no body to be counted", async () =>
    (await metrics()).includes('querent_places_taken{kind="large_bodies"} 0'),
  );
  assert.deepEqual(
    service.events.filter(({ event }) => event === "http.fault"),
    [],
    "that it hung up is no fault of the service",
  );
});

test("who waits too long for a place is refused with 429, or 503 where the process has none left", async () => {
  const semaphore = new AccountSemaphore({ what: "bodies", perAccount: 1, inAll: 2, waitMs: 20, waitingMax: 1 });
  const release = await semaphore.acquire("a");
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => assert.fail("a place was given"),
      (error: { code: string; headers: Record<string, string> }) => [error.code, error.headers["retry-after"]],
    );
  assert.deepEqual(await refusal(semaphore.acquire("a")), ["rate_limited", "1"]);
  const second = await semaphore.acquire("b");
  assert.deepEqual(await refusal(semaphore.acquire("c")), ["unavailable", "1"]);
  const waiting = semaphore.acquire("a");
  assert.deepEqual(
    await refusal(semaphore.acquire("a")),
    ["rate_limited", "1"],
    "more than may wait are refused at once",
  );
  release();
  release();
  (await waiting)();
  second();
  assert.equal(semaphore.taken, 0);
});

test("a free place goes to the accounts that wait in rotation", async () => {
  const semaphore = new AccountSemaphore({ what: "bodies", perAccount: 9, inAll: 1, waitMs: 60_000, waitingMax: 10 });
  const order: string[] = [];
  const first = await semaphore.acquire("x");
  const all = ["a", "a", "a", "b", "c"].map(async (who) => {
    const release = await semaphore.acquire(who);
    order.push(who);
    release();
  });
  first();
  await Promise.all(all);
  assert.deepEqual(order, ["a", "b", "c", "a", "a"]);
});

test("a refused large body leaves the connection usable", async () => {
  refused(await account.post("[".repeat(MiB)), "validation_failed");
  assert.equal((await account.get("/v1/webhook")).status, 200);
});

test("a heavy place is kept for the account that waits for it, and no other overtakes it", async () => {
  const semaphore = new AccountSemaphore({ what: "bodies", perAccount: 4, inAll: 8, waitMs: 60_000, waitingMax: 10 });
  const order: string[] = [];
  const acquire = async (who: string, weight: number) => {
    const release = await semaphore.acquire(who, undefined, weight);
    order.push(who);
    return release;
  };
  const held = [await acquire("a", 4), await acquire("b", 2), await acquire("b", 2)];
  const more = [acquire("a", 4), acquire("b", 1), acquire("c", 4), acquire("d", 1)];
  held[1]?.();
  assert.equal(semaphore.taken, 6, "two are free, and kept");
  held[2]?.();
  const ofC = await more[2];
  assert.deepEqual(order, ["a", "b", "b", "c"], "who has had nothing comes first");
  ofC?.();
  held[0]?.();
  for (const release of await Promise.all(more)) release();
  assert.deepEqual(order.slice(4), ["d", "b", "a"], "then who has waited the longest for a turn");
  assert.equal(semaphore.taken, 0);
  assert.equal(semaphore.waiting, 0);
});

test("a first request may weigh more than an account may have, and a reserve is for who has nothing", async () => {
  const options = { what: "bodies", perAccount: 3, inAll: 6, reserved: 2, waitMs: 0, waitingMax: 0 };
  const semaphore = new AccountSemaphore(options);
  const refused = (promise: Promise<unknown>) => assert.rejects(promise, { code: "unavailable" });
  const large = await semaphore.acquire("a", undefined, 5);
  await assert.rejects(semaphore.acquire("a"), { code: "rate_limited" });
  large();
  await Promise.all(["a", "a", "b", "b"].map((who) => semaphore.acquire(who)));
  await refused(semaphore.acquire("a"));
  await semaphore.acquire("c");
  await semaphore.acquire("d");
  assert.equal(semaphore.taken, 6);
});
