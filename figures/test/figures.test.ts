/** Estimates and their intervals, on panels that are small enough to compute by hand. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  coreAndTail,
  dateChange,
  discoveries,
  estimate,
  evidenceOf,
  jaccard,
  meanOverPairs,
  rankBiasedOverlap,
  type Cell,
} from "../src/index.ts";

const cells = (topics: number, runs: number, value: (topic: number, run: number) => number): Cell[] =>
  Array.from({ length: topics }, (_, topic) => ({
    topic: `t${topic}`,
    weight: 1,
    answers: Array.from({ length: runs }, (__, run) => ({ run: `r${run}`, value: value(topic, run) })),
  }));

suite("estimates", () => {
  test("without answers there is no value, and below the floor no interval but what is needed", () => {
    assert.deepEqual(estimate([], "rate", "these_prompts"), {
      value: null,
      interval: null,
      tooFew: { what: "answers", there: 0, needed: 1 },
      cells: 0,
      answers: 0,
    });
    const fewRuns = estimate(
      cells(30, 4, () => 1),
      "rate",
      "these_prompts",
    );
    assert.deepEqual(
      [fewRuns.value, fewRuns.interval, fewRuns.tooFew],
      [1, null, { what: "runs", there: 4, needed: 5 }],
    );
    const fewTopics = estimate(
      cells(19, 5, () => 1),
      "rate",
      "prompts_like_these",
    );
    assert.deepEqual(fewTopics.tooFew, { what: "topics", there: 19, needed: 20 });
  });

  test("a rate of 0 or 1 has an interval with a width, inside of 0 and 1", () => {
    for (const scope of ["these_prompts", "prompts_like_these"] as const) {
      const never = estimate(
        cells(25, 7, () => 0),
        "rate",
        scope,
      ).interval;
      const always = estimate(
        cells(25, 7, () => 1),
        "rate",
        scope,
      ).interval;
      assert.ok(never !== null && always !== null);
      assert.equal(never.low, 0);
      assert.ok(never.high > 0.005 && never.high < 0.3, `${never.high}`);
      assert.ok(Math.abs(always.low - (1 - never.high)) < 1e-12);
      assert.equal(always.high, 1);
    }
  });

  test("prompts that always answer alike are certain for these prompts, and not for prompts like these", () => {
    const stable = cells(30, 7, (topic) => topic % 2);
    const these = estimate(stable, "rate", "these_prompts").interval;
    const like = estimate(stable, "rate", "prompts_like_these").interval;
    assert.ok(these !== null && like !== null);
    assert.ok(these.high - these.low < 0.2);
    assert.ok(like.high - like.low > 0.3);
  });

  test("a cell's number of answers is not its weight", () => {
    const [many, few] = cells(2, 6, (topic) => topic);
    assert.ok(many !== undefined && few !== undefined);
    const repeated = { ...many, answers: [...many.answers, ...many.answers, ...many.answers] };
    assert.equal(estimate([repeated, few], "rate", "these_prompts").value, 0.5);
    assert.equal(estimate([{ ...many, weight: 3 }, few], "rate", "these_prompts").value, 0.25);
  });

  test("a share is a ratio of sums; answers without any part of it do not count, and without all there is none", () => {
    const cell = (value: number, of: number): Cell => ({ topic: "t", weight: 1, answers: [{ run: "r", value, of }] });
    assert.equal(estimate([cell(1, 4), cell(2, 2), cell(0, 0)], "rate", "these_prompts").value, 0.5);
    assert.equal(estimate([cell(0, 0)], "rate", "these_prompts").value, null);
  });

  test("a mean has an interval that may leave 0 to 1", () => {
    const positions = estimate(
      cells(20, 6, (topic, run) => 1 + ((topic + run) % 5)),
      "mean",
      "these_prompts",
    );
    assert.ok(positions.interval !== null && positions.interval.low > 1);
    assert.ok(positions.interval.low <= 3.1 && positions.interval.high >= 2.9);
  });
});

suite("changes", () => {
  const series = (values: readonly number[]) =>
    values.map((value, index) => ({ run: `r${index}`, value, answers: 50 }));
  const wobble = (base: number, count: number) =>
    Array.from({ length: count }, (_, n) => base + ([0.02, -0.03, 0.01, 0][n % 4] ?? 0));
  const noise = { variance: 0.002, df: 30, memory: 0 };

  test("a fall is evidence, and the days with which it may have begun are told", () => {
    const runs = series([...wobble(0.5, 12), ...wobble(0.3, 10)]);
    const { evidence } = evidenceOf(runs, noise);
    assert.ok(evidence > 20, `${evidence}`);
    const dating = dateChange(runs, noise);
    assert.equal(dating.beginning, 12);
    assert.ok(
      dating.earliest <= 12 && dating.latest >= 12 && dating.latest - dating.earliest < 4,
      JSON.stringify(dating),
    );
    assert.ok(dating.gradual < 0.2, `${dating.gradual}`);
  });

  test("a rise over three weeks is gradual", () => {
    const runs = series(Array.from({ length: 34 }, (_, day) => 0.25 + 0.35 * Math.min(1, Math.max(0, (day - 8) / 20))));
    const dating = dateChange(runs, noise);
    assert.ok(dating.gradual > 0.9, `${dating.gradual}`);
    assert.ok(dating.earliest <= 9 && dating.latest >= 9, JSON.stringify(dating));
  });

  test("what runs resemble is less evidence: prompts that repeat their answers, and moves of all prompts that last", () => {
    const runs = series([...wobble(0.5, 12), ...wobble(0.42, 10)]);
    const independent = evidenceOf(runs, noise).evidence;
    assert.ok(evidenceOf(runs, { ...noise, memory: 0.5 }).evidence < independent / 2);
    const slow = series(Array.from({ length: 24 }, (_, run) => 0.5 + 0.15 * Math.sin(run / 3)));
    const moved = evidenceOf(slow, noise);
    assert.ok(moved.evidence < 20 && moved.ifIndependent > 100 * moved.evidence, JSON.stringify(moved));
  });

  test("of many, only those are discoveries whose evidence outweighs their number", () => {
    assert.deepEqual(discoveries([100, 1, 0.5, 30, 0.1]), [true, false, false, false, false]);
    assert.deepEqual(discoveries([100, 60, 0.5, 40, 0.1]), [true, true, false, true, false]);
    assert.deepEqual(discoveries([19, 1]), [false, false]);
    assert.deepEqual(discoveries([]), []);
  });
});

suite("stability", () => {
  test("Jaccard's index", () => {
    assert.equal(jaccard(new Set(["a", "b"]), new Set(["b", "c"])), 1 / 3);
    assert.equal(jaccard(new Set(), new Set(["b"])), 0);
    assert.equal(jaccard(new Set(), new Set()), null);
  });

  test("rank-biased overlap is 1 for the same ranking, 0 for disjoint ones, and weighs the first ranks more", () => {
    const ranking = ["a", "b", "c", "d"];
    assert.ok(Math.abs((rankBiasedOverlap(ranking, ranking) ?? 0) - 1) < 1e-12);
    assert.equal(rankBiasedOverlap(ranking, ["w", "x", "y", "z"]), 0);
    const firstSwapped = rankBiasedOverlap(ranking, ["b", "a", "c", "d"]) ?? 0;
    const lastSwapped = rankBiasedOverlap(ranking, ["a", "b", "d", "c"]) ?? 0;
    assert.ok(firstSwapped < lastSwapped && lastSwapped < 1);
    assert.equal(rankBiasedOverlap([], ranking), null);
    assert.equal(rankBiasedOverlap(["a", "a", "b"], ["a", "b"]), rankBiasedOverlap(["a", "b"], ["a", "b"]));
  });

  test("rank-biased overlap of rankings of different lengths, calculated by hand", () => {
    // Overlaps 1, 1, 2: formula 32 with p = 0.5, s = 2, l = 3.
    const byHand =
      ((1 - 0.5) / 0.5) * ((1 / 1) * 0.5 + (1 / 2) * 0.25 + (2 / 3 + (1 * 1) / (2 * 3)) * 0.125) +
      ((2 - 1) / 3 + 1 / 2) * 0.125;
    assert.ok(Math.abs((rankBiasedOverlap(["a", "b"], ["a", "c", "b"], 0.5) ?? 0) - byHand) < 1e-12);
    assert.equal(
      rankBiasedOverlap(["a", "c", "b"], ["a", "b"], 0.5),
      rankBiasedOverlap(["a", "b"], ["a", "c", "b"], 0.5),
    );
  });

  test("means over pairs, and the core and the tail of lists", () => {
    assert.equal(
      meanOverPairs([1, 2, 4], (a, b) => b - a),
      2,
    );
    assert.equal(
      meanOverPairs([1], () => 1),
      null,
    );
    const lists = [
      new Set(["a", "b"]),
      new Set(["a"]),
      new Set(["a", "c"]),
      new Set(["a", "b"]),
      new Set(["a", "b", "d"]),
    ];
    assert.deepEqual(coreAndTail(lists), { core: ["a"], tail: ["b", "c", "d"] });
    assert.deepEqual(coreAndTail(lists, 0.6), { core: ["a", "b"], tail: ["c", "d"] });
  });
});
