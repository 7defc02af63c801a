/** The simulator's queues against queueing theory: mean waits of M/D/1 and M/M/c, which have closed forms. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EventQueue } from "../src/simulation/event-queue.ts";
import { chooser, Random } from "../src/simulation/random.ts";
import { Resource } from "../src/simulation/resource.ts";

const arrivals = 200_000;
/** With a fixed seed, so that it either always holds or never. */
const tolerance = 0.03;

/** The mean wait, in units of the mean service time, of arrivals that are independent of each other. */
function simulate(servers: number, utilisation: number, service: (random: Random) => number) {
  const events = new EventQueue();
  const random = new Random(1);
  const resource = new Resource(events, servers);
  let left = arrivals;
  let waitedMs = 0;
  const arrive = () => {
    const at = events.now;
    resource.acquire(() => {
      waitedMs += events.now - at;
      events.after(service(random), () => resource.release());
    });
    if (--left > 0) events.after(random.exponential(1 / (servers * utilisation)), arrive);
  };
  arrive();
  events.runUntil((2 * arrivals) / (servers * utilisation));
  assert.equal(left, 0);
  return { wait: waitedMs / arrivals, heldMs: resource.heldMs };
}

function assertNear(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual / expected - 1) <= tolerance, `${what}: ${actual}, expected ${expected}`);
}

for (const utilisation of [0.3, 0.6, 0.8]) {
  test(`a lock held for a fixed time, ${utilisation} of the time, is waited for as in M/D/1`, () => {
    const { wait, heldMs } = simulate(1, utilisation, () => 1);
    // Pollaczek and Khinchine, without variance of the service time.
    assertNear(wait, utilisation / (2 * (1 - utilisation)), "wait");
    assertNear(heldMs, arrivals, "held");
  });

  test(`four cores, ${utilisation} of the time busy, are waited for as in M/M/4`, () => {
    const servers = 4;
    const { wait } = simulate(servers, utilisation, (random) => random.exponential(1));
    const offered = servers * utilisation;
    // Erlang's B by its recursion, C from it.
    let blocked = 1;
    for (let n = 1; n <= servers; n++) blocked = (offered * blocked) / (n + offered * blocked);
    const waits = blocked / (1 - utilisation * (1 - blocked));
    assertNear(wait, waits / (servers * (1 - utilisation)), "wait");
  });
}

test("events happen in the order of their times, and of their scheduling if these are equal", () => {
  const events = new EventQueue();
  const random = new Random(2);
  const happened: [number, number][] = [];
  for (let nth = 0; nth < 1000; nth++) {
    const at = Math.floor(random.uniform() * 50);
    events.after(at, () => happened.push([at, nth]));
  }
  events.runUntil(50);
  assert.equal(happened.length, 1000);
  assert.deepEqual(
    happened,
    happened.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]),
  );
});

test("the same seed gives the same numbers, and distributions have the means that they are asked for", () => {
  const draw = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 5 }, () => random.uniform());
  };
  assert.deepEqual(draw(3), draw(3));
  assert.notDeepEqual(draw(3), draw(4));
  const mean = (next: () => number) => Array.from({ length: arrivals }, next).reduce((a, b) => a + b) / arrivals;
  const random = new Random(5);
  assertNear(
    mean(() => random.geometric(20)),
    20,
    "geometric",
  );
  assertNear(
    mean(() => random.logNormal(20, 0.6)),
    20,
    "log-normal",
  );
  assertNear(mean(chooser(random, [1, 2, 1])), 1, "chosen");
});
