/** Panels whose truth is known: prompts with rates of their own, topics in which they agree, runs that move all of them. */
import type { Cell } from "../src/index.ts";

export interface Truth {
  readonly topics: number;
  readonly promptsOfTopic: number;
  readonly runs: number;
  readonly answersOfRun: number;
  /** On the logit scale: the mean rate, and the standard deviations of topics, prompts, runs, and answers of one prompt in one run. */
  readonly logit: number;
  readonly ofTopics: number;
  readonly ofPrompts: number;
  readonly ofRuns: number;
  readonly ofGroups: number;
}

export interface SimulatedPanel {
  readonly cells: readonly Cell[];
  /** The rate of these prompts. */
  readonly rate: number;
}

/** A generator of numbers from 0 to 1 (mulberry32), so that a simulation can be repeated. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const normalFrom = (random: () => number) => () =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/** The mean of the logistic function of a normal variable. */
export function meanRate(logit: number, deviation: number): number {
  if (deviation === 0) return logistic(logit);
  let total = 0;
  let weights = 0;
  for (let z = -5; z <= 5; z += 0.1) {
    const weight = Math.exp((-z * z) / 2);
    total += weight * logistic(logit + deviation * z);
    weights += weight;
  }
  return total / weights;
}

export function simulatePanel(truth: Truth, random: () => number): SimulatedPanel {
  const normal = normalFrom(random);
  const shifts = Array.from({ length: truth.runs }, () => truth.ofRuns * normal());
  const cells: Cell[] = [];
  let total = 0;
  for (let topic = 0; topic < truth.topics; topic++) {
    const ofTopic = truth.logit + truth.ofTopics * normal();
    for (let prompt = 0; prompt < truth.promptsOfTopic; prompt++) {
      const logit = ofTopic + truth.ofPrompts * normal();
      total += meanRate(logit, Math.hypot(truth.ofRuns, truth.ofGroups));
      const answers = shifts.flatMap((shift, run) => {
        const rate = logistic(logit + shift + truth.ofGroups * normal());
        return Array.from({ length: truth.answersOfRun }, () => ({ run: `r${run}`, value: random() < rate ? 1 : 0 }));
      });
      cells.push({ topic: `t${topic}`, weight: 1, answers });
    }
  }
  return { cells, rate: total / cells.length };
}
