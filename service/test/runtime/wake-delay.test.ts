/** Processes that a message wakes together: few look while one claims, whatever their number, and one that is alone does not wait. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { DelayedLook, delayAmong, LearnedDelay } from "../../src/runtime/wake-delay.ts";
import { until } from "../harness/wait.ts";
import { Random } from "../../../bench/src/simulation/random.ts";

/** How long the claim takes that finds the work. */
const claimMs = 2;

/** Who looks before the first one has claimed. */
const lookersOf = (delays: readonly number[]) => {
  const first = Math.min(...delays);
  return { first, beside: delays.filter((delay) => delay <= first + claimMs).length - 1 };
};

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test("of processes that know each other, few look at once, and the first one soon", () => {
  const source = new Random(1);
  const random = () => source.uniform();
  assert.equal(delayAmong(0, random), 0);
  for (const processes of [2, 6, 60, 200]) {
    const rounds = Array.from({ length: 1000 }, () =>
      lookersOf(Array.from({ length: processes }, () => delayAmong(processes - 1, random))),
    );
    assert.ok(mean(rounds.map(({ first }) => first)) < 2.5, `${processes}: the first after a few milliseconds`);
    assert.ok(mean(rounds.map(({ beside }) => beside)) <= Math.max(1.5, processes / 40), `${processes}: few beside it`);
  }
});

test("processes that do not know each other learn how many they are", () => {
  for (const processes of [2, 20, 60]) {
    const source = new Random(processes);
    const all = Array.from({ length: processes }, () => new LearnedDelay(() => source.uniform()));
    const rounds = Array.from({ length: 1000 }, () => {
      const delays = all.map((one) => one.nextMs());
      const { first, beside } = lookersOf(delays);
      const winner = delays.indexOf(first);
      all.forEach((one, index) => one.looked(index === winner));
      return { first, beside };
    }).slice(100);
    assert.ok(mean(rounds.map(({ first }) => first)) < 5, `${processes}: the first after a few milliseconds`);
    assert.ok(mean(rounds.map(({ beside }) => beside)) < 2, `${processes}: few beside it`);
  }
});

test("one that was crowded and is alone again waits no more after a few messages", () => {
  const delay = new LearnedDelay(() => 0.999);
  for (let misses = 0; misses < 20; misses++) delay.looked(false);
  assert.ok(delay.isCrowded && delay.nextMs() > 99 && delay.nextMs() <= 100);
  let messages = 0;
  for (; delay.isCrowded; messages++) delay.looked(true);
  assert.ok(messages <= 4, `${messages} messages`);
  assert.equal(delay.nextMs(), 0);
});

test("messages of one delay are one look, none is lost, and nothing is looked at after the end", async () => {
  let looks = 0;
  let delayMs = 0;
  const delayed = new DelayedLook(
    () => delayMs,
    () => looks++,
  );
  delayed.hear();
  assert.equal(looks, 1, "Without a delay, at once.");
  delayMs = 5;
  for (let messages = 0; messages < 10; messages++) delayed.hear();
  assert.equal(looks, 1);
  await until("one look", () => looks === 2);
  delayed.hear();
  await until("the next one", () => looks === 3);
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    delayed.hear();
    delayed.stop();
    mock.timers.tick(1000);
    assert.equal(looks, 3);
  } finally {
    mock.timers.reset();
  }
});
