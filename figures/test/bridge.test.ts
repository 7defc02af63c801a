import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { combine } from "../src/bridge.ts";
import { bridge, pairsMin, type BridgeUnit } from "../src/index.ts";
import golden from "./golden/bridge.json" with { type: "json" };

suite("the bridge", () => {
  test("its weight, value and standard error are those of PPI++ to nine digits", () => {
    assert.ok(golden.cases.length >= 12);
    for (const { observed, predicted, others, lambda, value, standardError } of golden.cases) {
      const unit = (given: number, seen: number | null): BridgeUnit => ({
        promptId: "p",
        topic: "t",
        run: "r",
        predicted: given,
        observed: seen,
      });
      const found = combine([
        ...predicted.map((given, index) => unit(given, observed[index] ?? null)),
        ...others.map((given) => unit(given, null)),
      ]);
      assert.ok(found !== null);
      const error = Math.sqrt(found.parts.reduce((total, part) => total + part ** 2, 0));
      for (const [actual, expected] of [
        [found.lambda, lambda],
        [found.value, value],
        [error, standardError],
      ] as const)
        assert.ok(Math.abs(actual - expected) <= 1e-9, `${actual}, not ${expected}`);
    }
  });

  const units = (runs: number, share: number, observed: (prompt: number, run: number) => number, shift = 1) =>
    Array.from({ length: 40 * runs }, (_, index): BridgeUnit => {
      const [prompt, run] = [index % 40, Math.floor(index / 40)];
      const isAsked = (prompt + shift * run) % Math.round(1 / share) === 0;
      return {
        promptId: `p${prompt}`,
        topic: `t${prompt}`,
        run: `r${run}`,
        predicted: (prompt + run) % 3 === 0 ? 1 : 0,
        observed: isAsked ? observed(prompt, run) : null,
      };
    });

  test("predictions that are always right narrow the interval, and those that say nothing have no weight", () => {
    const right = bridge(
      units(20, 0.2, (prompt, run) => ((prompt + run) % 3 === 0 ? 1 : 0)),
      "rate",
      "these_prompts",
    );
    assert.equal(right.verdict, "informs");
    assert.ok(right.lambda > 0.7 && right.gain > 0.5, JSON.stringify(right));
    const nothing = bridge(
      units(20, 0.2, (prompt, run) => (prompt * 7 + run * 3) % 2),
      "rate",
      "these_prompts",
    );
    assert.equal(nothing.verdict, "tells_nothing");
    assert.ok(nothing.lambda < 0.2 && nothing.gain < 0.1, JSON.stringify(nothing));
    assert.ok(Math.abs((nothing.value ?? 0) - (nothing.observedOnly.value ?? 1)) < 0.05);
  });

  test("below a floor there is no interval, and what is missing is said", () => {
    const all = units(20, 0.2, () => 1);
    assert.deepEqual(bridge([], "rate", "these_prompts").tooFew, { what: "pairs", there: 0, needed: pairsMin });
    assert.equal(bridge(all.slice(0, 80), "rate", "these_prompts").tooFew?.what, "pairs");
    assert.deepEqual(
      bridge(
        units(4, 1, () => 1),
        "rate",
        "these_prompts",
      ).tooFew,
      { what: "runs", there: 4, needed: 5 },
    );
    const oneTopic = all.map((unit) => ({ ...unit, topic: "t" }));
    assert.deepEqual(bridge(oneTopic, "rate", "prompts_like_these").tooFew, { what: "topics", there: 1, needed: 20 });
    const fixed = units(20, 0.2, () => 1, 0);
    assert.equal(bridge(fixed, "rate", "these_prompts").tooFew?.what, "redrawn_runs");
  });
});
