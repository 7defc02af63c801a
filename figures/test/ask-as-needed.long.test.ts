/** Whether figures stay right if one stops asking when the interval is narrow enough. The seeds are fixed. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { expectedOf, probabilitiesOf, sequentialFigure, waveRate, type WaveCell } from "../src/ask-as-needed.ts";
import { meanRate, randomFrom } from "./simulated-panels.ts";

const panels = 2000;
const prompts = 50;
const wavesMax = 100;

function stopWhenNarrow(
  width: number,
  { logit, ofPrompts, ofRuns }: Record<"logit" | "ofPrompts" | "ofRuns", number>,
  random: () => number,
) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const logits = Array.from({ length: prompts }, () => logit + ofPrompts * normal());
  const truth = logits.reduce((sum, one) => sum + meanRate(one, ofRuns), 0) / prompts;
  const known = logits.map(() => ({ answers: 0, sum: 0 }));
  const rates: number[] = [];
  let asked = 0;
  let figure = sequentialFigure([0]);
  while (rates.length < wavesMax && !(figure.width !== null && figure.width <= width)) {
    const shift = ofRuns * normal();
    const probabilities = probabilitiesOf(known);
    const wave = known.map((cell, index): WaveCell => {
      const probability = probabilities[index] ?? 1;
      const isAsked = random() < probability;
      const value = isAsked ? Number(random() < meanRate((logits[index] ?? 0) + shift, 0)) : null;
      return { expected: expectedOf(cell), probability, value };
    });
    for (const [index, { value }] of wave.entries()) {
      const cell = known[index];
      if (value === null || cell === undefined) continue;
      cell.answers++;
      cell.sum += value;
      asked++;
    }
    rates.push(waveRate(wave));
    figure = sequentialFigure(rates);
  }
  return { covers: (figure.low ?? 0) <= truth && truth <= (figure.high ?? 1), asked, waves: rates.length };
}

suite("intervals at which asking was stopped cover in 93 to 97 % of 2,000 panels", () => {
  for (const [name, width, truth] of [
    ["most cells clear", 0.04, { logit: 0, ofPrompts: 4, ofRuns: 0 }],
    ["few cells clear", 0.06, { logit: 0, ofPrompts: 1, ofRuns: 0 }],
    ["a rate of about 13 %", 0.04, { logit: -2.5, ofPrompts: 1.5, ofRuns: 0 }],
    ["runs that move every prompt", 0.08, { logit: 0, ofPrompts: 1.5, ofRuns: 0.4 }],
  ] as const)
    test(name, (t) => {
      const random = randomFrom(20_260_501);
      const total = { covers: 0, asked: 0, waves: 0 };
      for (let panel = 0; panel < panels; panel++) {
        const { covers, asked, waves } = stopWhenNarrow(width, truth, random);
        total.covers += Number(covers) / panels;
        total.asked += asked / panels;
        total.waves += waves / panels;
      }
      t.diagnostic(
        `covers ${(100 * total.covers).toFixed(1)} %; ${total.waves.toFixed(1)} waves, ${Math.round(total.asked)} answers of ${Math.round(total.waves * prompts)}`,
      );
      assert.ok(total.covers >= 0.93 && total.covers <= 0.97, `${total.covers}`);
    });
});
