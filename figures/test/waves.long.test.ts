/** What runs in waves do, with the functions that decide them: coverage when stopped, savings, and figures over several runs. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { drawWave, estimate, readWaves, type WaveTask } from "../src/index.ts";
import { weightColumns } from "../src/weight-columns.ts";
import { meanRate, randomFrom } from "./simulated-panels.ts";

const prompts = 50;
const wavesMax = 60;
const ids = Array.from({ length: prompts }, (_, index) => `p${index}`);

interface Truth {
  readonly logit: number;
  readonly ofPrompts: number;
}

const normalOf = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const ratesOf = ({ logit, ofPrompts }: Truth, random: () => number) =>
  ids.map(() => meanRate(logit + ofPrompts * normalOf(random), 0));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** One run: the waves until the width is reached. A twentieth of the questions fail. */
function runInWaves(rates: readonly number[], width: number, random: () => number, isWhole = false) {
  const tasks: WaveTask[] = [];
  let probabilities: readonly number[] = ids.map(() => 1);
  for (let wave = 1; ; wave++) {
    for (const [index, isAsked] of drawWave(probabilities, random()).entries()) {
      if (!isAsked) continue;
      const value = random() < 0.05 ? null : Number(random() < (rates[index] ?? 0));
      tasks.push({ cell: ids[index] ?? "", wave, probability: probabilities[index] ?? 1, value });
    }
    const read = readWaves(ids, tasks);
    if (wave >= wavesMax || (read.figure.width !== null && read.figure.width <= width))
      return { tasks, figure: read.figure };
    if (!isWhole) ({ probabilities } = read);
  }
}

suite("of 500 runs that stopped at their width, 93 to 97 % of the intervals cover", () => {
  for (const [name, width, truth] of [
    ["most cells clear", 0.05, { logit: 0, ofPrompts: 4 }],
    ["few cells clear", 0.09, { logit: 0, ofPrompts: 1 }],
    ["a rate of about 13 %", 0.06, { logit: -2.5, ofPrompts: 1.5 }],
  ] as const)
    test(name, (t) => {
      const random = randomFrom(20_261_123);
      const another = randomFrom(20_261_125);
      const runs = Array.from({ length: 500 }, () => {
        const rates = ratesOf(truth, random);
        const { tasks, figure } = runInWaves(rates, width, random);
        const covers = (figure.low ?? 0) <= mean(rates) && mean(rates) <= (figure.high ?? 1);
        const whole = runInWaves(rates, width, another, true).tasks.length;
        return { covers: Number(covers), waves: figure.waves, asked: tasks.length, whole };
      });
      const covers = mean(runs.map((run) => run.covers));
      const [waves, asked, whole] = (["waves", "asked", "whole"] as const).map((member) =>
        mean(runs.map((run) => run[member])),
      );
      assert.ok(waves !== undefined && asked !== undefined && whole !== undefined);
      t.diagnostic(
        `covers ${(100 * covers).toFixed(1)} %; ${waves.toFixed(1)} waves, ${Math.round(asked)} questions; asking every cell in each wave ${Math.round(whole)}: ${(100 - (100 * asked) / whole).toFixed(0)} % fewer`,
      );
      assert.ok(covers >= 0.93 && covers <= 0.97, `${covers}`);
      assert.ok(asked < whole);
    });
});

test("the figure of six runs in waves counts answers by their probability: it has no bias, and its interval covers", (t) => {
  const random = randomFrom(20_261_124);
  const panels = Array.from({ length: 250 }, () => {
    const rates = ratesOf({ logit: 2, ofPrompts: 2 }, random);
    const runs = Array.from({ length: 6 }, () => runInWaves(rates, 0.1, random).tasks);
    const cells = ids.map((cell) => {
      const answers = runs.flatMap((tasks, run) =>
        tasks.flatMap((task) =>
          task.cell !== cell || task.value === null
            ? []
            : [{ run: `${run}`, value: task.value, of: 1, probability: task.probability }],
        ),
      );
      const { values, ofs } = weightColumns(
        {
          values: answers.map(({ value }) => value),
          ofs: answers.map(() => 1),
        },
        answers.map(({ probability }) => probability),
      );
      const weighted = answers.map(({ run }, index) => ({ run, value: values[index] ?? 0, of: ofs[index] ?? 1 }));
      return { topic: cell, weight: 1, answers: weighted, plain: answers };
    });
    const truth = mean(rates);
    const { value, interval } = estimate(cells, "rate", "these_prompts");
    const plain = estimate(
      cells.map((cell) => ({ ...cell, answers: cell.plain })),
      "rate",
      "these_prompts",
    );
    return {
      covers: Number((interval?.low ?? 0) <= truth && truth <= (interval?.high ?? 1)),
      bias: (value ?? 0) - truth,
      plainBias: (plain.value ?? 0) - truth,
    };
  });
  const [covers, bias, plainBias] = (["covers", "bias", "plainBias"] as const).map((member) =>
    mean(panels.map((panel) => panel[member])),
  );
  t.diagnostic(
    `covers ${(100 * (covers ?? 0)).toFixed(1)} %; bias ${(100 * (bias ?? 0)).toFixed(2)} points, of a plain mean ${(100 * (plainBias ?? 0)).toFixed(2)}`,
  );
  assert.ok(covers !== undefined && covers >= 0.91 && covers <= 0.985, `${covers}`);
  assert.ok(Math.abs(bias ?? 1) < 0.002, `${bias}`);
});
