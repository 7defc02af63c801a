import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { plan, varianceComponents, type Cell, type WantedPrecision, type VarianceComponents } from "../src/index.ts";
import { randomFrom, simulatePanel } from "./simulated-panels.ts";

const components: VarianceComponents = {
  value: 0.5,
  ofTopics: 0.04,
  ofPrompts: 0.02,
  ofRuns: 0,
  ofGroups: 0,
  ofAnswers: 0.16,
  areRepeatsKnown: true,
  pilot: null,
};
const limits = { kind: "rate", topics: 25, prompts: 50, runsMax: 60, repeatsMax: 10, promptsMax: 1000 } as const;
const these = (width: number, more: Partial<WantedPrecision> = {}) =>
  plan(components, { ...limits, scope: "these_prompts", width, ...more });
const like = (width: number, more: Partial<WantedPrecision> = {}) =>
  plan(components, { ...limits, scope: "prompts_like_these", width, ...more });

suite("plans", () => {
  test("a narrower interval costs more answers, and more runs come before more repeats", () => {
    const [wide, narrow] = [these(0.08).samePrompts, these(0.04).samePrompts];
    assert.ok(wide !== null && narrow !== null);
    assert.ok(narrow.answers > 2 * wide.answers, `${narrow.answers}, ${wide.answers}`);
    assert.deepEqual([wide.repeats, narrow.repeats, wide.bound], [1, 1, "width"]);
    assert.ok(wide.width <= 0.08 && wide.likely.low < wide.width && wide.likely.high > wide.width);
    const hurried = these(0.04, { runsMax: 14 }).samePrompts;
    assert.ok(hurried !== null && hurried.runs <= 14 && hurried.repeats > 1);
  });

  test("what lies between topics is not reached by more runs or repeats, but by more topics", () => {
    const { samePrompts, moreTopics, least } = like(0.1);
    assert.equal(samePrompts, null);
    assert.ok(least !== null && least.width > 0.1 && least.parts.topics > 0.95, JSON.stringify(least));
    assert.ok(moreTopics !== null && moreTopics.topics > 50 && moreTopics.width <= 0.1);
  });

  test("below a floor there is no plan for the same prompts, and a floor that binds is named", () => {
    assert.deepEqual([these(0.1, { runsMax: 4 }).samePrompts, these(0.1, { runsMax: 4 }).least], [null, null]);
    const { samePrompts, moreTopics, least } = like(0.4, { topics: 10, prompts: 20 });
    assert.deepEqual([samePrompts, least], [null, null]);
    assert.deepEqual([moreTopics?.topics, moreTopics?.bound], [20, "topics"]);
    const certain = these(0.5).samePrompts;
    assert.deepEqual([certain?.runs, certain?.repeats, certain?.bound], [5, 1, "runs"]);
  });

  test("a plan that nothing allows is null", () => {
    assert.equal(like(0.01, { promptsMax: 50 }).moreTopics, null);
    assert.equal(these(0.0001).samePrompts, null);
  });
});

suite("variance components", () => {
  const truth = { topics: 200, promptsOfTopic: 2, runs: 40, answersOfRun: 2, logit: 0, ofTopics: 1, ofPrompts: 1 };

  test("add up to the variance of the answers, each where it belongs", () => {
    const random = randomFrom(5);
    const alone = varianceComponents(simulatePanel({ ...truth, ofRuns: 0, ofGroups: 0 }, random).cells);
    assert.ok(alone !== null);
    assert.equal(alone.ofRuns, 0);
    assert.ok(alone.ofGroups < 0.01 && alone.ofTopics > 0.015 && alone.ofPrompts > 0.015, JSON.stringify(alone));
    const total = alone.ofTopics + alone.ofPrompts + alone.ofRuns + alone.ofGroups + alone.ofAnswers;
    assert.ok(Math.abs(total - 0.25) < 0.01, `${total}`);
    const moved = varianceComponents(simulatePanel({ ...truth, ofRuns: 0.7, ofGroups: 1.5 }, random).cells);
    assert.ok(moved !== null && moved.ofRuns > 0.004 && moved.ofGroups > 0.02, JSON.stringify(moved));
    assert.deepEqual(moved.pilot, { topics: 200, cells: 400, runs: 40 });
  });

  test("a pilot of one repeat does not know whether repeats agree, and one that is too small knows nothing", () => {
    const single = simulatePanel({ ...truth, answersOfRun: 1, ofRuns: 0, ofGroups: 0 }, randomFrom(6)).cells;
    assert.equal(varianceComponents(single)?.areRepeatsKnown, false);
    assert.equal(varianceComponents(single.slice(0, 4)), null);
    const twoRuns = single.map((cell): Cell => ({ ...cell, answers: cell.answers.slice(0, 2) }));
    assert.equal(varianceComponents(twoRuns), null);
    assert.equal(varianceComponents([]), null);
  });

  test("where every answer agrees there is no variance", () => {
    const cells = Array.from({ length: 25 }, (_, topic): Cell => {
      const answers = Array.from({ length: 6 }, (__, run) => ({ run: `r${run}`, value: 1 }));
      return { topic: `t${topic}`, weight: 1, answers };
    });
    const found = varianceComponents(cells);
    assert.ok(found !== null);
    assert.deepEqual([found.value, found.ofTopics, found.ofRuns, found.ofAnswers], [1, 0, 0, 0]);
    const design = plan(found, { ...limits, scope: "these_prompts", width: 0.1 }).samePrompts;
    assert.ok(design !== null && design.width > 0);
  });
});
