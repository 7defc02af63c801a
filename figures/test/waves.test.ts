/** The functions that runs in waves are decided with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { drawWave, readWaves } from "../src/index.ts";
import { weightColumns } from "../src/weight-columns.ts";

test("a wave asks each cell with its probability, and in all as many as these add up to", () => {
  const probabilities = [1, 0.2, 0.5, 0.3, 1, 0.25, 0.75];
  const counts = probabilities.map(() => 0);
  for (let draw = 0; draw < 1000; draw++) {
    const drawn = drawWave(probabilities, draw / 1000);
    assert.equal(drawn.filter(Boolean).length, 4);
    for (const [index, isDrawn] of drawn.entries()) counts[index] = (counts[index] ?? 0) + Number(isDrawn);
  }
  for (const [index, probability] of probabilities.entries())
    assert.ok(Math.abs((counts[index] ?? 0) / 1000 - probability) <= 0.002);
});

test("cells whose answers agree are asked less often, and questions without an answer count as not asked", () => {
  const task = (cell: string, wave: number, value: number | null) => ({ cell, wave, probability: 1, value });
  const known = Array.from({ length: 10 }, (_, index) => [
    task("clear", index + 1, 1),
    task("even", index + 1, index % 2),
    task("failing", index + 1, null),
  ]).flat();
  const { figure, answers, lastAnswers, probabilities } = readWaves(["clear", "even", "failing"], known);
  assert.deepEqual([figure.waves, figure.width, answers, lastAnswers], [10, null, 20, 2]);
  const [clear, even, failing] = probabilities;
  assert.ok(clear !== undefined && clear < 0.5);
  assert.deepEqual([even, failing], [1, 1]);
  assert.deepEqual(readWaves(["clear"], known).answers, 10);
  assert.equal(readWaves(["failing"], known).lastAnswers, 0);
  assert.ok(Number.isFinite(readWaves(["failing"], known).figure.value));
});

test("answers count by the reciprocal of their probability, and equal probabilities change nothing", () => {
  const answers = { values: [1, 0, 1], ofs: [1, 1, 1] };
  assert.equal(weightColumns(answers, [1, 1, 1]), answers);
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / 3;
  // (1 + 0 x 2 + 1 x 4) / 7
  assert.ok(Math.abs(meanOf(weightColumns(answers, [1, 0.5, 0.25]).values) - 5 / 7) < 1e-12);
  const equal = weightColumns(answers, [0.5, 0.5, 0.5]);
  for (const [index, value] of equal.values.entries())
    assert.ok(Math.abs(value - (answers.values[index] ?? 0)) < 1e-12);
  assert.deepEqual(equal.ofs, [1, 1, 1]);
});
