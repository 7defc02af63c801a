import { baselineRuns, type RunMean } from "./change.ts";
import type { CellDay } from "./change-series.ts";
import { correlationFrom } from "./dependence.ts";
import type { RunNoise } from "./run-models.ts";

export interface PairedDays {
  /** The mean of each day: its answers compared with those of the same prompt and instrument on all days. `run` is the day. */
  readonly means: readonly RunMean[];
  /** What chance does to these means. */
  readonly noise: RunNoise;
  /** The prompts that are compared. */
  readonly prompts: ReadonlySet<string>;
}

/**
 * The means of days, from the prompts that were asked at the beginning and at the end. Each prompt is compared with itself, taken
 * with the same instrument: neither prompts that come or go nor model versions that alternate move the mean.
 */
export function pairDays(sums: readonly CellDay[]): PairedDays {
  const all = completeDays(sums);
  const last = promptsOf(sums, all.slice(-baselineRuns));
  // A panel that was largely replaced starts again with the first days that have half of today's prompts.
  for (let start = 0; start <= all.length - baselineRuns; start++) {
    const first = promptsOf(sums, all.slice(start, start + baselineRuns));
    const prompts = new Set([...last].filter((promptId) => first.has(promptId)));
    if (prompts.size * 2 >= last.size) return { ...meansOf(sums, all.slice(start), prompts), prompts };
  }
  return { ...meansOf(sums, all, last), prompts: last };
}

/** The share of an ordinary day's answers that a day needs: the last one, to which more may come, and the others. */
const answersMin = { last: 0.9, other: 0.25 };

/**
 * The days with enough answers, in order. The mean of a few answers varies more than that of the other days, and would look like a
 * change: each morning, of a panel that runs every hour.
 */
function completeDays(sums: readonly CellDay[]): string[] {
  const counts = new Map<string, number>();
  for (const { day, answers } of sums) counts.set(day, (counts.get(day) ?? 0) + answers);
  const days = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const before = days.slice(0, -1).map(([, answers]) => answers);
  const usual = before.toSorted((a, b) => a - b)[Math.floor(before.length / 2)] ?? 0;
  return days.flatMap(([day, answers], index) => {
    const share = index === days.length - 1 ? answersMin.last : answersMin.other;
    return answers > 0 && answers >= share * usual ? [day] : [];
  });
}

function promptsOf(sums: readonly CellDay[], days: readonly string[]): Set<string> {
  const some = new Set(days);
  const prompts = new Set<string>();
  for (const { promptId, day, of } of sums) if (of > 0 && some.has(day)) prompts.add(promptId);
  return prompts;
}

function meansOf(
  sums: readonly CellDay[],
  days: readonly string[],
  prompts: ReadonlySet<string>,
): Pick<PairedDays, "means" | "noise"> {
  const byDay = new Map(days.map((day) => [day, { part: 0, of: 0, answers: 0 }]));
  const means = new Map<string, Map<string, CellMean>>();
  let [value, of] = [0, 0];
  const used = [];
  for (const sum of sums) {
    const day = byDay.get(sum.day);
    if (day === undefined || !prompts.has(sum.promptId)) continue;
    const mean = meanFor(means, sum);
    mean.value += sum.value;
    mean.of += sum.of;
    value += sum.weight * sum.value;
    of += sum.weight * sum.of;
    used.push({ sum, day, mean });
  }
  for (const { sum, day, mean } of used) {
    if (sum.of === 0) continue;
    const part = sum.weight * (sum.value - (mean.value / mean.of) * sum.of);
    mean.parts.push({ part, day });
    day.part += part;
    day.of += sum.weight * sum.of;
    day.answers += sum.answers;
  }
  const compared = [...byDay].filter(([, one]) => one.of > 0);
  const cells = [...means.values()].flatMap((ofPrompt) => [...ofPrompt.values()]);
  return {
    means: compared.map(([day, one]) => ({ run: day, value: value / of + one.part / one.of, answers: one.answers })),
    noise: noiseOf(
      cells.map(({ parts }) => parts.map(({ part, day }) => part / day.of)),
      compared.map(([, { answers }]) => answers),
    ),
  };
}

/**
 * What the answers of prompts differ by from day to day, as if prompts were independent: at least as much as one answer, since one
 * mention after weeks without any is no change.
 */
function noiseOf(cells: readonly (readonly number[])[], answers: readonly number[]): RunNoise {
  let [variance, ofSquares, fourth, products, days, repeated] = [0, 0, 0, 0, 0, 0];
  for (const parts of cells) {
    const count = parts.length;
    if (count < 2) continue;
    let [square, before] = [0, 0];
    for (const part of parts) {
      square += part ** 2;
      products += part * before;
      before = part;
    }
    variance += (square * count) / (count - 1);
    ofSquares += square;
    fourth += square ** 2;
    days += count;
    repeated++;
  }
  const count = answers.length;
  const usual = answers.reduce((sum, one) => sum + one, 0) / Math.max(1, count);
  const least = usual === 0 ? 0 : 1 / usual ** 2;
  // How many prompts the differences come from, as if they came from each alike.
  const different = fourth === 0 ? 0 : ofSquares ** 2 / fourth;
  const shown = Math.max(0, different - 1) / (different + 3);
  const memory = shown === 0 ? 0 : shown * correlationFrom(Math.round(days / repeated), products / ofSquares);
  return { variance: Math.max(variance / Math.max(1, count), least), df: Math.max(dfMin, different), memory };
}

/** Where fewer differ, the variance is mostly the least one. */
const dfMin = 10;

interface CellMean {
  value: number;
  of: number;
  /** In the order of time, what each day differs from the mean by. */
  readonly parts: { readonly part: number; readonly day: { readonly of: number } }[];
}

/** Of one prompt with one instrument. */
function meanFor(means: Map<string, Map<string, CellMean>>, { promptId, instrument }: CellDay): CellMean {
  let ofPrompt = means.get(promptId);
  if (ofPrompt === undefined) means.set(promptId, (ofPrompt = new Map()));
  let mean = ofPrompt.get(instrument);
  if (mean === undefined) ofPrompt.set(instrument, (mean = { value: 0, of: 0, parts: [] }));
  return mean;
}
