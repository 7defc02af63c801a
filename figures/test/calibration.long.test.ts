/** Whether 95 % means 95 %: simulated panels whose truth is known. The seeds are fixed, so the results are always the same. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { detectChange, discoveries, estimate } from "../src/index.ts";
import { meanRate, randomFrom, simulatePanel, simulateRuns, type Truth } from "./simulated-panels.ts";

const panels = 2000;
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

suite("intervals of 95 % cover what they should in 93 to 97 % of 2,000 panels", () => {
  for (const [name, truth] of Object.entries(truths)) {
    test(name, (t) => {
      const random = randomFrom(20_260_101);
      const ofAll = meanRate(truth.logit, Math.hypot(truth.ofTopics, truth.ofPrompts, truth.ofRuns, truth.ofGroups));
      const covered = { these: 0, like: 0 };
      for (let panel = 0; panel < panels; panel++) {
        const { cells, rate } = simulatePanel(truth, random);
        const these = estimate(cells, "rate", "these_prompts").interval;
        const like = estimate(cells, "rate", "prompts_like_these").interval;
        assert.ok(these !== null && like !== null);
        if (these.low <= rate && rate <= these.high) covered.these++;
        if (like.low <= ofAll && ofAll <= like.high) covered.like++;
      }
      const [these, like] = [covered.these / panels, covered.like / panels];
      t.diagnostic(`these prompts ${(100 * these).toFixed(1)} %, prompts like these ${(100 * like).toFixed(1)} %`);
      assert.ok(these >= 0.93 && these <= 0.97, `these prompts: ${these}`);
      assert.ok(like >= 0.93 && like <= 0.97, `prompts like these: ${like}`);
    });
  }
});

suite("changes that are looked at after every run", () => {
  const found = (input: Parameters<typeof simulateRuns>[0], within: (run: number) => boolean, seed: number) => {
    const random = randomFrom(seed);
    return Array.from({ length: 1000 }, () => detectChange(simulateRuns(input, random))).filter(
      (change) => change.verdict === "changed" && within(Number(change.foundAt.slice(1))),
    ).length;
  };

  test("of 1,000 panels in which nothing changes for 28 days, at most 5 % ever raise an alarm", (t) => {
    for (const [logit, ofRuns] of [
      [0, 0],
      [-3, 0],
      [-5, 0],
      [0, 0.3],
    ] as const) {
      const alarms = found({ runs: 28, logit, ofRuns, fallsBy: 0, from: 28 }, () => true, 7);
      t.diagnostic(`${alarms} alarms with a logit of ${logit} and runs that move by ${ofRuns}`);
      assert.ok(alarms <= 50, `${alarms}`);
    }
  });

  test("of 1,000 panels of 50 prompts whose rate of a half falls by 30 %, at least 90 % are found within 14 days", (t) => {
    const falls = found({ runs: 28, logit: 0, ofRuns: 0, fallsBy: 0.3, from: 14 }, (run) => run >= 14, 11);
    t.diagnostic(`${falls} found`);
    assert.ok(falls >= 900, `${falls}`);
  });

  test("of 500 cells, 50 of which change, at most 5 % of the discoveries are none", (t) => {
    const random = randomFrom(3);
    let shares = 0;
    const rounds = 40;
    for (let round = 0; round < rounds; round++) {
      const evidence = Array.from({ length: 500 }, (_, cell) => {
        const change = detectChange(
          simulateRuns({ runs: 28, logit: 0, ofRuns: 0, fallsBy: cell < 50 ? 0.6 : 0, from: 12 }, random),
          1e-9,
        );
        return change.verdict === "not_enough_data" ? 0 : change.evidence;
      });
      const isFound = discoveries(evidence);
      const all = isFound.filter(Boolean).length;
      const wrong = isFound.filter((one, cell) => one && cell >= 50).length;
      shares += all === 0 ? 0 : wrong / all;
    }
    t.diagnostic(`false discovery rate ${((100 * shares) / rounds).toFixed(2)} %`);
    assert.ok(shares / rounds <= 0.05);
  });
});
