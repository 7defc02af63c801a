import { resembling } from "./dependence.ts";

/** The means of a panel's runs, in the order of time, all of one instrument. */
export interface RunMean {
  readonly run: string;
  readonly value: number;
  /** So many answers it is the mean of. */
  readonly answers: number;
}

/** What chance does to a run's mean, as the answers of the prompts show it, each compared with those of the same prompt. */
export interface RunNoise {
  /** The variance of a run's mean if prompts are independent of each other. */
  readonly variance: number;
  /** How many answers of independent runs would show the variance as well. */
  readonly df: number;
  /** The correlation of a prompt's answers with those of the run before, as of answers that are repeated. */
  readonly memory: number;
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
/** The chance variance is believed as if it came from so many runs at most. */
const noiseDfMax = 30;

/**
 * What may move all prompts at once: `size` times the chance variance, with this correlation from one run to the next. How much less
 * it needs to be refuted than that nothing does: without it, slow moves would have to be refuted of every size before any change can
 * be found.
 */
interface Common {
  readonly size: number;
  readonly memory: number;
  readonly plausibility: number;
}
const commons: readonly Common[] = [
  { size: 0, memory: 0, plausibility: 1 },
  ...[0.3, 1, 3, 10].flatMap((size) => [
    { size, memory: 0, plausibility: 0.25 },
    { size, memory: 0.4, plausibility: 0.1 },
    { size, memory: 0.7, plausibility: size < 0.5 ? 0.15 : size < 2 ? 0.12 : size < 5 ? 0.1 : 0.05 },
  ]),
];

/** The ratio that at most 5 % of simulated panels reach within 28 runs in which nothing changes, whatever moves them. */
const ratioOfOneInTwenty = 8;
/** Ratios above are rarer than the reciprocal of how much greater they are. */
const rarity = 1.5;

/**
 * The evidence for a change of the mean at some run, which may be looked at after each run: of panels in which nothing changes, it
 * reaches a threshold within 28 runs in at most one of as many.
 *
 * It is the ratio of how well the runs are explained by a change at any of them, or by one that goes on all the time, to how well they are explained without one by the
 * best of what may move all prompts at once, runs that remember the ones before included. Both are likelihoods of the normal
 * distribution, with the right Haar prior of the mean and a variance that the answers within prompts tell. How the ratio counts as
 * evidence is read from simulations, `bench/src/proof/figures-under-dependence.ts`.
 */
export function evidenceOf(runs: readonly RunMean[], noise: RunNoise): Evidence {
  return weigh(projectionsOf(runs, noise), noise);
}

/** The same if the runs from one on differed by so much more. */
export function evidenceWith(runs: readonly RunMean[], noise: RunNoise, from: number): (difference: number) => number {
  const all = projectionsOf(runs, noise).map(({ model, square, products }) => {
    const step = whiten(model, shapeOf(runs.length, from, 1));
    const ofChanges = Float64Array.from(model.changes, ({ vector }) => dot(vector, step.vector));
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
  readonly model: Model;
  /** The sum of their squares, without their mean. */
  readonly square: number;
  /** With the changes of the model. */
  readonly products: Float64Array;
}

function projectionsOf(runs: readonly RunMean[], { memory }: RunNoise): Projection[] {
  const values = Float64Array.from(runs, ({ value }) => value);
  return modelsOf(runs.length, memory).map((model) => {
    const { vector, square } = whiten(model, values);
    return { model, square, products: Float64Array.from(model.changes, (change) => dot(vector, change.vector)) };
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
    for (const [place, change] of model.changes.entries()) {
      const ofChange = Math.log(shareOf(place, count) / effectVariances.length);
      for (const effect of effectVariances)
        terms.push(read.changed(products[place] ?? 0, change.square, effect) + weight + ofChange);
    }
  }
  const withChange = logSum(terms);
  const calibrated = (best: number) => 20 * Math.exp(rarity * (withChange - best - Math.log(ratioOfOneInTwenty)));
  return { evidence: calibrated(without), ifIndependent: calibrated(independent) };
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

/** How runs vary without a change, in units of the chance variance: each vector is taken in coordinates in which they are independent. */
interface Model {
  readonly common: Common;
  /** The Cholesky factor of the covariances, row by row, and the logarithm of their determinant. */
  readonly factor: Float64Array;
  readonly logDeterminant: number;
  readonly ones: Float64Array;
  readonly ofOnes: number;
  /** A change at each run from `baselineRuns` on, and one that goes on from the first run to the last one. */
  readonly changes: readonly Whitened[];
}

/** In a model's coordinates, less its mean, with the sum of its squares. */
interface Whitened {
  readonly vector: Float64Array;
  readonly square: number;
}

/** The models of the last lengths and memories: the series of a panel have the same ones. */
const known = new Map<string, readonly Model[]>();
const knownMax = 12;
const memoryStep = 0.05;

function modelsOf(count: number, memory: number): readonly Model[] {
  const rounded = Math.round(memory / memoryStep) * memoryStep;
  const key = `${count} ${rounded.toFixed(2)}`;
  let models = known.get(key);
  if (models !== undefined) return models;
  models = commons.map((common) => modelOf(count, rounded, common));
  if (known.size >= knownMax) known.delete(known.keys().next().value ?? "");
  known.set(key, models);
  return models;
}

function modelOf(count: number, memory: number, common: Common): Model {
  const factor = new Float64Array(count * count);
  let logDeterminant = 0;
  for (let row = 0; row < count; row++)
    for (let column = 0; column <= row; column++) {
      const distance = row - column;
      let rest = resembling(memory, distance) + common.size * common.memory ** distance;
      for (let place = 0; place < column; place++)
        rest -= (factor[row * count + place] ?? 0) * (factor[column * count + place] ?? 0);
      if (row === column) {
        factor[row * count + row] = Math.sqrt(rest);
        logDeterminant += Math.log(rest);
      } else factor[row * count + column] = rest / (factor[column * count + column] ?? 1);
    }
  const ones = solve(factor, new Float64Array(count).fill(1));
  const model = { common, factor, logDeterminant, ones, ofOnes: dot(ones, ones), changes: [] };
  const steps = Array.from({ length: count - baselineRuns }, (_, place) =>
    whiten(model, shapeOf(count, baselineRuns + place, 1)),
  );
  return { ...model, changes: [...steps, whiten(model, shapeOf(count, 1, count - 1))] };
}

function whiten({ factor, ones, ofOnes }: Model, shape: Float64Array): Whitened {
  const vector = solve(factor, shape);
  const mean = dot(vector, ones) / ofOnes;
  for (let place = 0; place < vector.length; place++) vector[place] = (vector[place] ?? 0) - mean * (ones[place] ?? 0);
  return { vector, square: dot(vector, vector) };
}

/** Logarithms of marginal likelihoods of values with this sum of squares, less what all models have in common. */
function likelihoods({ logDeterminant, ofOnes, ones }: Model, square: number, { variance, df }: RunNoise) {
  const believed = Math.min(df, noiseDfMax);
  const exponent = (ones.length - 1 + believed) / 2;
  const ofModel = -(logDeterminant + Math.log(ofOnes)) / 2;
  return {
    unchanged: ofModel - exponent * Math.log(believed * variance + square),
    /** By a shape with this sum of squares, and this product with the values. */
    changed(product: number, ofShape: number, effect: number): number {
      const spread = 1 + effect * ofShape;
      const explained = (product ** 2 / ofShape) * (1 - 1 / spread);
      return (
        ofModel - Math.log(spread) / 2 - exponent * Math.log(believed * variance + Math.max(0, square - explained))
      );
    },
  };
}

/** Of a lower triangular matrix. */
function solve(factor: Float64Array, vector: Float64Array): Float64Array {
  const count = vector.length;
  const solution = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    let rest = vector[row] ?? 0;
    for (let column = 0; column < row; column++) rest -= (factor[row * count + column] ?? 0) * (solution[column] ?? 0);
    solution[row] = rest / (factor[row * count + row] ?? 1);
  }
  return solution;
}

function dot(one: Float64Array, other: Float64Array): number {
  let total = 0;
  for (let place = 0; place < one.length; place++) total += (one[place] ?? 0) * (other[place] ?? 0);
  return total;
}

/** The logarithm of a sum of numbers, of which there are the logarithms. */
function logSum(terms: readonly number[]): number {
  let greatest = -Infinity;
  for (const term of terms) greatest = Math.max(greatest, term);
  if (greatest === -Infinity) return greatest;
  let total = 0;
  for (const term of terms) total += Math.exp(term - greatest);
  return greatest + Math.log(total);
}
