/**
 * Whether a plan keeps its promise: a pilot, the plan made from it, the panel asked as planned, and its interval. The seeds are fixed,
 * so the results are always the same.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { estimate, plan, varianceComponents, type WantedPrecision } from "../src/index.ts";
import { randomFrom, simulatePanel, type Truth } from "./simulated-panels.ts";

const simulations = 500;
const pilot: Truth = {
  topics: 100,
  promptsOfTopic: 1,
  runs: 14,
  answersOfRun: 1,
  logit: 0,
  ofTopics: 1.2,
  ofPrompts: 0,
  ofRuns: 0,
  ofGroups: 0,
};
const limits = { kind: "rate", runsMax: 366, repeatsMax: 10, promptsMax: 1000 } as const;
const like = { ...limits, scope: "prompts_like_these" } as const;
const these = { ...limits, scope: "these_prompts" } as const;

interface Case {
  readonly truth: Truth;
  readonly request: Omit<WantedPrecision, "topics" | "prompts">;
  /** So few runs, in the pilot or the plan, that the width is uncertain: then the range that the plan states must be right. */
  readonly few?: true;
}

const cases: Readonly<Record<string, Case>> = {
  "prompts like these, a width of 8 points": { truth: pilot, request: { ...like, width: 0.08 } },
  "prompts like these, a rate of 20 %": {
    truth: { ...pilot, topics: 300, logit: -1.6 },
    request: { ...like, width: 0.06 },
  },
  "prompts like these, two prompts of a topic": {
    truth: { ...pilot, promptsOfTopic: 2, ofTopics: 0.9, ofPrompts: 0.8 },
    request: { ...like, width: 0.08 },
  },
  "these prompts, a width of 2 points": { truth: pilot, request: { ...these, width: 0.02 } },
  "these prompts, three repeats that agree": {
    truth: { ...pilot, answersOfRun: 3, ofGroups: 1, ofTopics: 1 },
    request: { ...these, width: 0.02 },
  },
  "these prompts, a width of 5 points in two weeks": {
    truth: pilot,
    request: { ...these, width: 0.05, runsMax: 14 },
    few: true,
  },
  "these prompts, runs that move every prompt": {
    truth: { ...pilot, runs: 28, ofRuns: 0.4 },
    request: { ...these, width: 0.05 },
    few: true,
  },
};

suite("the width that was planned is exceeded by at most 15 % in at least 90 % of 500 panels", () => {
  for (const [name, { truth, request, few }] of Object.entries(cases))
    test(name, (t) => {
      const random = randomFrom(20_260_301);
      const ratios: number[] = [];
      let answers = 0;
      let inRange = 0;
      let refused = 0;
      const here = { topics: truth.topics, prompts: truth.topics * truth.promptsOfTopic };
      for (let simulation = 0; simulation < simulations; simulation++) {
        const panel = simulatePanel(truth, random);
        const components = varianceComponents(panel.cells);
        assert.ok(components !== null);
        const { samePrompts, moreTopics, least } = plan(components, { ...request, ...here });
        const design = (request.scope === "these_prompts" ? samePrompts : moreTopics) ?? least;
        assert.ok(design !== null, "there is a plan");
        answers += design.answers / simulations;
        const asked = simulatePanel(
          {
            ...truth,
            topics: design.topics,
            promptsOfTopic: design.prompts / design.topics,
            runs: design.runs,
            answersOfRun: design.repeats,
          },
          random,
        );
        const { interval, tooFew } = estimate(asked.cells, "rate", request.scope);
        if (interval === null) {
          assert.equal(tooFew?.what, "dependent_runs");
          refused++;
          continue;
        }
        const width = interval.high - interval.low;
        ratios.push(width / design.width);
        if (width >= design.likely.low && width <= design.likely.high) inRange += 1 / simulations;
      }
      const [within, kept] = [
        share(ratios, (ratio) => Math.abs(ratio - 1) <= 0.15),
        share(ratios, (ratio) => ratio <= 1.15),
      ];
      const median = ratios.toSorted((a, b) => a - b)[Math.floor(simulations / 2)] ?? 0;
      assert.ok(refused <= 0.02 * simulations, `${refused} without an interval`);
      t.diagnostic(
        `at most 15 % wider: ${percent(kept)}, and neither narrower: ${percent(within)}; in the stated range of 80 %: ${percent(inRange)}; median ${median.toFixed(3)} of the promise; ${Math.round(answers)} answers`,
      );
      if (few === true) assert.ok(inRange >= 0.7, `${inRange}`);
      else assert.ok(kept >= 0.9, `${kept}`);
    });
});

const share = (values: readonly number[], holds: (value: number) => boolean) =>
  values.filter(holds).length / values.length;
const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
