/** Against SciPy and statsmodels, whose values `golden/make.py` wrote. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  adjustPValues,
  betaCdf,
  estimate,
  evidenceOf,
  normalCdf,
  normalQuantile,
  plausibleVariance,
  tCdf,
  tQuantile,
  type Cell,
} from "../src/index.ts";
import golden from "./golden/golden.json" with { type: "json" };

function close(actual: number, expected: number, what: string): void {
  assert.ok(
    Math.abs(actual - expected) <= 1e-9 * Math.max(Math.abs(expected), 1e-3),
    `${what}: ${actual}, not ${expected}`,
  );
}

const functions: Readonly<Record<string, readonly [(...numbers: number[]) => number, number[][]]>> = {
  normalQuantile: [normalQuantile, golden.normalQuantile],
  normalCdf: [normalCdf, golden.normalCdf],
  tQuantile: [tQuantile, golden.tQuantile],
  tCdf: [tCdf, golden.tCdf],
  betaCdf: [betaCdf, golden.betaCdf],
};
for (const [name, [compute, rows]] of Object.entries(functions)) {
  test(`${name} is SciPy's to nine digits`, () => {
    assert.ok(rows.length > 5);
    for (const row of rows)
      close(compute(...row.slice(0, -1)), row.at(-1) ?? Number.NaN, `${name}(${row.slice(0, -1).join()})`);
  });
}

test("p-values are adjusted as by statsmodels", () => {
  for (const [index, adjusted] of adjustPValues(golden.pValues).entries())
    close(adjusted, golden.adjusted[index] ?? Number.NaN, `p-value ${index}`);
});

test("values and intervals of rates and shares are those of clustered regressions of statsmodels, in both scopes", () => {
  for (const { cells, value, these, like } of golden.estimates) {
    const input: readonly Cell[] = cells;
    for (const [scope, expected] of [
      ["these_prompts", these],
      ["prompts_like_these", like],
    ] as const) {
      const figure = estimate(input, "rate", scope);
      close(figure.value ?? Number.NaN, value, "value");
      close(figure.interval?.low ?? Number.NaN, expected[0] ?? Number.NaN, `low, ${scope}`);
      close(figure.interval?.high ?? Number.NaN, expected[1] ?? Number.NaN, `high, ${scope}`);
    }
  }
});

test("evidence for changes is that of SciPy's multivariate distribution of Student", () => {
  assert.ok(golden.evidences.length > 2);
  for (const { values, noise, evidence, plausible } of golden.evidences) {
    const [variance = 0, df = 0, memory = 0] = noise;
    const runs = values.map((value, index) => ({ run: `r${index}`, value, answers: 50 }));
    const found = evidenceOf(runs, { variance, df, memory });
    close(found.evidence, evidence[0] ?? Number.NaN, "evidence");
    close(found.ifIndependent, evidence[1] ?? Number.NaN, "evidence of independent runs");
    close(plausibleVariance(Float64Array.from(values), { variance, df, memory }), plausible, "plausible variance");
  }
});
