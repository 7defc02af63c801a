/** Whether 95 % means 95 %: simulated panels whose truth is known. The seeds are fixed, so the results are always the same. */
import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { computeFigures, estimate, jaccard, rankBiasedOverlap, type Cell, type MeasureId } from "../src/index.ts";
import { answer, brand, failedTask, panelOf, source } from "./answers.ts";
import { meanRate, randomFrom, simulatePanel, type Truth } from "./simulated-panels.ts";

const panels = 2000;
/** 98 %, and what chance may add to it in so many simulated panels. */
const highest = (count: number) => 0.98 + Math.sqrt((0.98 * 0.02) / count);
const independent: Truth = {
  topics: 25,
  promptsOfTopic: 2,
  runs: 7,
  answersOfRun: 1,
  logit: 0,
  ofTopics: 1.5,
  ofPrompts: 1.5,
  ofRuns: 0,
  ofGroups: 0,
};
const truths: Readonly<Record<string, Truth>> = {
  "independent answers": independent,
  "a rate of about 9 %": { ...independent, logit: -3, ofTopics: 1, ofPrompts: 1 },
  "a rate of about 87 %": { ...independent, logit: 2.5, ofTopics: 1, ofPrompts: 1 },
  "answers of one run that agree": { ...independent, answersOfRun: 3, ofGroups: 1 },
  "runs that move every prompt": {
    ...independent,
    runs: 14,
    logit: -1.5,
    ofTopics: 1,
    ofPrompts: 1,
    ofRuns: 0.8,
    ofGroups: 1,
  },
  "a month of runs, each moved a little": { ...independent, runs: 28, ofTopics: 1, ofRuns: 0.3 },
  "five runs": { ...independent, topics: 40, promptsOfTopic: 1, runs: 5, logit: -2, ofTopics: 1, ofPrompts: 1 },
};

suite("intervals of 95 % cover what they should in 93 to 98 % of 2,000 panels", () => {
  for (const [name, truth] of Object.entries(truths)) {
    test(name, (t) => {
      const random = randomFrom(20_260_101);
      const ofAll = meanRate(truth.logit, Math.hypot(truth.ofTopics, truth.ofPrompts, truth.ofRuns, truth.ofGroups));
      const covered = { these: 0, like: 0 };
      let refused = 0;
      for (let panel = 0; panel < panels; panel++) {
        const { cells, rate } = simulatePanel(truth, random);
        const { interval: these, tooFew } = estimate(cells, "rate", "these_prompts");
        const like = estimate(cells, "rate", "prompts_like_these").interval;
        if (these === null || like === null) {
          assert.equal(tooFew?.what, "dependent_runs");
          refused++;
          continue;
        }
        if (these.low <= rate && rate <= these.high) covered.these++;
        if (like.low <= ofAll && ofAll <= like.high) covered.like++;
      }
      const published = panels - refused;
      const [these, like] = [covered.these / published, covered.like / published];
      t.diagnostic(`these prompts ${(100 * these).toFixed(1)} %, prompts like these ${(100 * like).toFixed(1)} %`);
      assert.ok(refused <= 0.02 * panels, `${refused} without an interval`);
      assert.ok(these >= 0.93 && these <= highest(panels), `these prompts: ${these}`);
      assert.ok(like >= 0.93 && like <= highest(panels), `prompts like these: ${like}`);
    });
  }
});

suite("intervals of the share of tasks that failed cover it in 93 to 98 % of 1,000 panels", () => {
  const base = { ...independent, topics: 30, runs: 14, logit: -3, ofTopics: 1, ofPrompts: 1 };
  const failing: Readonly<Record<string, Truth>> = {
    "one in fourteen fails, some prompts more than others": base,
    "runs in which many fail at once": { ...base, logit: -2, ofRuns: 1, ofGroups: 0.5 },
    "two repeats that fail together": { ...base, answersOfRun: 2, ofGroups: 1.5 },
  };
  const rounds = 1000;
  for (const [name, truth] of Object.entries(failing)) {
    test(name, (t) => {
      const random = randomFrom(20_260_102);
      const ofAll = meanRate(truth.logit, Math.hypot(truth.ofTopics, truth.ofPrompts, truth.ofRuns, truth.ofGroups));
      const covered = { these: 0, like: 0 };
      for (let round = 0; round < rounds; round++) {
        const { cells, rate } = simulatePanel(truth, random);
        const [row] = figuresOfTasks(cells);
        const [these, like] = [row?.thesePrompts.interval ?? null, row?.promptsLikeThese.interval ?? null];
        assert.ok(these !== null && like !== null);
        if (these.low <= rate && rate <= these.high) covered.these++;
        if (like.low <= ofAll && ofAll <= like.high) covered.like++;
      }
      const [these, like] = [covered.these / rounds, covered.like / rounds];
      t.diagnostic(`these prompts ${(100 * these).toFixed(1)} %, prompts like these ${(100 * like).toFixed(1)} %`);
      assert.ok(these >= 0.93 && these <= highest(panels), `these prompts: ${these}`);
      assert.ok(like >= 0.93 && like <= highest(panels), `prompts like these: ${like}`);
    });
  }
});

/** A value of 1 is a task that failed, and one of 0 an answer. */
function figuresOfTasks(cells: readonly Cell[]) {
  const tasks = cells.flatMap(({ answers }, cell) => answers.map((task) => ({ ...task, promptId: `p${cell}` })));
  const prompts = cells.map(({ topic }, cell) => ({ promptId: `p${cell}`, topic, intent: null, branded: [] }));
  const panel = { ...panelOf({ prompts: [], entities: [] }), prompts, failuresSince: "2020" };
  const failures = tasks
    .filter(({ value }) => value === 1)
    .map(({ promptId, run }) => failedTask({ promptId, runId: run }));
  const answers = tasks.filter(({ value }) => value === 0).map(({ promptId, run }) => answer({ promptId, runId: run }));
  return computeFigures(panel, answers, { measure: "failure_rate", by: "none" }, failures);
}

suite("intervals of figures of answers cover what they should in 93 to 98 % of 1,000 panels", () => {
  const days = Array.from({ length: 14 }, (_, day) => `2026-01-${String(day + 1).padStart(2, "0")}`);
  const definition = panelOf({
    prompts: Array.from({ length: 40 }, (_, prompt) => `p${prompt}`),
    entities: [brand("own", "own"), brand("rival", "competitor")],
  });
  /** The answers of 40 prompts on 14 days, two each, of which each draws what it names or cites. */
  const answersOf = (draw: (prompt: number) => Parameters<typeof answer>[0]) =>
    days.flatMap((day) =>
      definition.prompts.flatMap(({ promptId }, prompt) =>
        [1, 2].map(() => answer({ ...draw(prompt), promptId, observedAt: `${day}T06:00:00.000Z`, runId: day })),
      ),
    );
  const coverage = (measure: MeasureId, truth: number, draw: (prompt: number) => Parameters<typeof answer>[0]) => {
    let [covered, refused] = [0, 0];
    const rounds = 1000;
    for (let round = 0; round < rounds; round++) {
      const [row] = computeFigures(definition, answersOf(draw), { measure, entityId: "own", by: "none" });
      const { interval = null, reason = null } = row?.thesePrompts ?? {};
      if (interval === null) {
        assert.equal(reason?.code, "dependent_runs");
        refused++;
      } else if (interval.low <= truth && truth <= interval.high) covered++;
    }
    assert.ok(refused <= 0.02 * rounds, `${refused} without an interval`);
    return covered / (rounds - refused);
  };
  const check = (name: string, covered: number, t: TestContext) => {
    t.diagnostic(`${name}: ${(100 * covered).toFixed(1)} %`);
    assert.ok(covered >= 0.93 && covered <= highest(1000), `${name}: ${covered}`);
  };

  test("first place, given that it is named, of a brand that half of the prompts hardly ever name", (t) => {
    const random = randomFrom(5);
    const named = (prompt: number) => (prompt % 2 === 0 ? 0.05 : 0.6);
    // The rival is named before it in 0.3 of the answers.
    const covered = coverage("first_place", 0.7, (prompt) => {
      const names = [...(random() < 0.3 ? ["rival"] : []), ...(random() < named(prompt) ? ["own"] : [])];
      return { mentions: names };
    });
    check("first place", covered, t);
  });

  test("agreement of sources within days and between days", (t) => {
    const random = randomFrom(6);
    const hosts = ["a", "b", "c", "d"];
    // Each of four domains is cited in half of the answers. Of two answers, at least one of which cites something, the Jaccard index
    // is the mean of common / either over all pairs of sets.
    const sets = Array.from({ length: 16 }, (_, bits) => new Set(hosts.filter((_host, bit) => (bits >> bit) & 1)));
    const values = sets.flatMap((one) => sets.flatMap((other) => jaccard(one, other) ?? []));
    const truth = values.reduce((sum, value) => sum + value, 0) / values.length;
    const draw = () => ({
      sources: hosts.filter(() => random() < 0.5).map((host) => source(`https://${host}.example/`)),
    });
    for (const measure of ["source_agreement_within_days", "source_agreement_between_days"] as const)
      check(measure, coverage(measure, truth, draw), t);
  });

  test("rank-biased overlap, and changes of the first place", (t) => {
    const random = randomFrom(8);
    const orders = [["own", "rival"], ["rival", "own"], ["own"]];
    const pairs = orders.flatMap((one) => orders.map((other) => rankBiasedOverlap(one, other) ?? 0));
    const truth = pairs.reduce((sum, value) => sum + value, 0) / pairs.length;
    const draw = () => ({ mentions: orders[Math.floor(random() * 3)] ?? [] });
    for (const measure of ["order_agreement_within_days", "order_agreement_between_days"] as const)
      check(measure, coverage(measure, truth, draw), t);
    check("first_place_changes", coverage("first_place_changes", 4 / 9, draw), t);
    check("first_place_changes_between_runs", coverage("first_place_changes_between_runs", 4 / 9, draw), t);
  });
});
