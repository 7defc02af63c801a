import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { expectedOf, probabilitiesOf, sequentialFigure, waveRate, wavesMin } from "../src/index.ts";

suite("asking only as much as needed", () => {
  test("cells whose rate is clear are asked less often, but never not at all", () => {
    const probabilities = probabilitiesOf([
      { answers: 20, sum: 10 },
      { answers: 20, sum: 20 },
      { answers: 2000, sum: 0 },
      { answers: 0, sum: 0 },
    ]);
    assert.deepEqual(
      probabilities.map((one) => Math.round(100 * one) / 100),
      [1, 0.3, 0.2, 1],
    );
    assert.deepEqual(probabilitiesOf([]), []);
  });

  test("the mean of a wave is the true rate, whatever is expected of a cell", () => {
    const expected = expectedOf({ answers: 3, sum: 3 });
    const [rate, probability] = [0.6, 0.25];
    const of = (value: number | null) => waveRate([{ expected, probability, value }]);
    const mean = probability * (rate * of(1) + (1 - rate) * of(0)) + (1 - probability) * of(null);
    assert.ok(Math.abs(mean - rate) < 1e-12);
  });

  test("there is no interval before the waves that it needs", () => {
    const rates = Array.from({ length: wavesMin }, (_, index) => 0.5 + (index % 2) / 100);
    assert.equal(sequentialFigure(rates.slice(1)).width, null);
    const { value, low, high, width } = sequentialFigure(rates);
    assert.ok(low !== null && high !== null && width !== null && low < value && value < high && width < 0.01);
  });
});
