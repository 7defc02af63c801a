import {
  commons,
  dot,
  likelihoods,
  logSum,
  modelsOf,
  whiten,
  type RunModel,
  type RunNoise,
  type Whitened,
} from "./run-models.ts";

/** The means of a panel's runs, in the order of time, all of one instrument. */
export interface RunMean {
  readonly run: string;
  readonly value: number;
  /** So many answers it is the mean of. */
  readonly answers: number;
}

export interface Evidence {
  /** 1: none. */
  readonly evidence: number;
  /** The same if what moves all prompts lasted for a single run. */
  readonly ifIndependent: number;
}

/** Runs before the first possible change: with one more, there is a verdict, as there is an interval. */
export const baselineRuns = 4;
/** The variance of a change, in units of the chance variance of a run's mean, before anything is known of it. */
const effectVariances = [1, 4];
/** About so many of the first beginnings have the same weight; later ones have less, since the weights of all of them sum to 1. */
const flatness = 30;
/** How probable it is, before anything is known, that a change goes on from the first run to the last one. */
const trendShare = 0.2;

/** The ratio that at most 5 % of simulated panels reach within 28 runs in which nothing changes, whatever moves them. */
const ratioOfOneInTwenty = 10;
/** Ratios above are rarer than the reciprocal of how much greater they are. */
const rarity = 1.5;

/**
 * The evidence for a change of the mean at some run, which may be looked at after each run: of panels in which nothing changes, it
 * reaches a threshold within 28 runs in at most one of as many.
 *
 * It is the ratio of how well the runs are explained by a change at any of them, or by one that goes on all the time, to how well they are explained without one by the
 * best of what may move all prompts at once, runs that remember the ones before included. Both are likelihoods of the normal
 * distribution, with the right Haar prior of the mean and a variance that the answers within prompts tell. How the ratio counts as
 * evidence is read from simulations, `bench/src/proof/false-alarms.ts`.
 */
export function evidenceOf(runs: readonly RunMean[], noise: RunNoise): Evidence {
  return weigh(projectionsOf(runs, noise), noise);
}

/** The same if the runs from one on differed by so much more. */
export function evidenceWith(runs: readonly RunMean[], noise: RunNoise, from: number): (difference: number) => number {
  const all = projectionsOf(runs, noise).map(({ model, square, products }) => {
    const step = whiten(model, shapeOf(runs.length, from, 1));
    const ofChanges = Float64Array.from(changesOf(model), ({ vector }) => dot(vector, step.vector));
    return { model, square, products, ofChanges, product: products[from - baselineRuns] ?? 0, ofStep: step.square };
  });
  return (difference) =>
    weigh(
      all.map(({ model, square, products, ofChanges, product, ofStep }) => ({
        model,
        square: square + 2 * difference * product + difference ** 2 * ofStep,
        products: products.map((one, place) => one + difference * (ofChanges[place] ?? 0)),
      })),
      noise,
    ).evidence;
}

/** The values of runs in a model's coordinates, as far as likelihoods need them. */
interface Projection {
  readonly model: RunModel;
  /** The sum of their squares, without their mean. */
  readonly square: number;
  /** With the changes of the model. */
  readonly products: Float64Array;
}

function projectionsOf(runs: readonly RunMean[], { memory }: RunNoise): Projection[] {
  const values = Float64Array.from(runs, ({ value }) => value);
  return modelsOf(runs.length, memory).map((model) => {
    const { vector, square } = whiten(model, values);
    return { model, square, products: Float64Array.from(changesOf(model), (change) => dot(vector, change.vector)) };
  });
}

function weigh(projections: readonly Projection[], noise: RunNoise): Evidence {
  const count = projections[0]?.model.ones.length ?? 0;
  const rest = Math.log(((1 - trendShare) * (flatness + 1)) / (count - baselineRuns + flatness + 1));
  const terms: number[] = [];
  let [without, independent] = [-Infinity, -Infinity];
  for (const { model, square, products } of projections) {
    const { size, memory, plausibility } = model.common;
    const read = likelihoods(model, square, noise);
    const penalized = read.unchanged + Math.log(plausibility);
    without = Math.max(without, penalized);
    if (memory === 0) independent = Math.max(independent, penalized);
    // Half of the weight is that of runs that nothing moves at once.
    const weight = Math.log(size === 0 ? 0.5 : 0.5 / (commons.length - 1));
    terms.push(read.unchanged + weight + rest);
    for (const [place, change] of changesOf(model).entries()) {
      const ofChange = Math.log(shareOf(place, count) / effectVariances.length);
      for (const effect of effectVariances)
        terms.push(read.changed(products[place] ?? 0, change.square, effect) + weight + ofChange);
    }
  }
  const withChange = logSum(terms);
  const calibrated = (best: number) => 20 * Math.exp(rarity * (withChange - best - Math.log(ratioOfOneInTwenty)));
  return { evidence: calibrated(without), ifIndependent: calibrated(independent) };
}

/** Of the models that are kept. */
const changesKnown = new WeakMap<RunModel, readonly Whitened[]>();

/** A change at each run from `baselineRuns` on, and one that goes on from the first run to the last one. */
function changesOf(model: RunModel): readonly Whitened[] {
  let changes = changesKnown.get(model);
  if (changes !== undefined) return changes;
  const count = model.ones.length;
  const steps = Array.from({ length: count - baselineRuns }, (_, place) =>
    whiten(model, shapeOf(count, baselineRuns + place, 1)),
  );
  changes = [...steps, whiten(model, shapeOf(count, 1, count - 1))];
  changesKnown.set(model, changes);
  return changes;
}

/** The share of a change of a model, the last of which is the trend, before anything is known. */
function shareOf(place: number, count: number): number {
  if (place === count - baselineRuns) return trendShare;
  const nth = place + 1;
  return ((1 - trendShare) * (flatness + 1)) / ((nth + flatness) * (nth + flatness + 1));
}

/** When a change may have begun, and how. */
export interface Dating {
  /** The index of the first run of the change, most probably, and between which ones it is in 95 % of changes. */
  readonly beginning: number;
  readonly earliest: number;
  readonly latest: number;
  /** How probable it is that it goes on for several runs, and not from one run to the next; before anything is known, a half. */
  readonly gradual: number;
}

/** The runs for which a gradual change may go on. */
const durations = [5, 10, 20, 40];
const coverage = 0.95;

/** When a change that was found began: at once with a run, or gradually from it on. Each is taken for as probable as the other. */
export function dateChange(runs: readonly RunMean[], noise: RunNoise): Dating {
  const count = runs.length;
  const values = Float64Array.from(runs, ({ value }) => value);
  const models = modelsOf(count, noise.memory);
  const all = models.map((model) => {
    const { vector, square } = whiten(model, values);
    return { model, vector, read: likelihoods(model, square, noise) };
  });
  const likelihoodOf = (shape: Float64Array) =>
    logSum(
      all.flatMap(({ model, vector, read }) => {
        const weight = Math.log(model.common.plausibility);
        const step = whiten(model, shape);
        const product = dot(vector, step.vector);
        return effectVariances.map((effect) => read.changed(product, step.square, effect) + weight);
      }),
    );
  const beginnings = Array.from({ length: count - 1 }, (_, place) => place + 1);
  const sudden = beginnings.map((from) => likelihoodOf(shapeOf(count, from, 1)));
  const gradual = beginnings.map((from) =>
    logSum(durations.map((duration) => likelihoodOf(shapeOf(count, from, duration)) - Math.log(durations.length))),
  );
  const total = logSum([...sudden, ...gradual]);
  const weights = beginnings.map((_, place) => Math.exp(logSum([sudden[place] ?? 0, gradual[place] ?? 0]) - total));
  const { from, to } = shortest(weights, coverage);
  return {
    beginning: 1 + weights.indexOf(Math.max(...weights)),
    earliest: 1 + from,
    latest: 1 + to,
    gradual: Math.exp(logSum(gradual) - total),
  };
}

/** 0 before the first run of the change, 1 from the last one on. */
function shapeOf(count: number, from: number, duration: number): Float64Array {
  return Float64Array.from({ length: count }, (_, run) => Math.min(1, Math.max(0, (run - from + 1) / duration)));
}

/** The shortest range of places that has this share of the weights, which sum to 1. */
function shortest(weights: readonly number[], share: number): { from: number; to: number } {
  let best = { from: 0, to: weights.length - 1 };
  for (let from = 0; from < weights.length; from++) {
    let sum = 0;
    for (let to = from; to < weights.length && to - from < best.to - best.from; to++) {
      sum += weights[to] ?? 0;
      if (sum >= share) best = { from, to };
    }
  }
  return best;
}
