import { resembling } from "./dependence.ts";

/** What chance does to a run's mean, as the answers of the prompts show it, each compared with those of the same prompt. */
export interface RunNoise {
  /** The variance of a run's mean if prompts are independent of each other. */
  readonly variance: number;
  /** How many answers of independent runs would show the variance as well. */
  readonly df: number;
  /** The correlation of a prompt's answers with those of the run before, as of answers that are repeated. */
  readonly memory: number;
}

/** The chance variance is believed as if it came from so many runs at most. */
const noiseDfMax = 30;

/**
 * What may move all prompts at once: `size` times the chance variance, with this correlation from one run to the next. How much less
 * it needs to be refuted than that nothing does: without it, slow moves would have to be refuted of every size before any change can
 * be found.
 */
export interface Common {
  readonly size: number;
  readonly memory: number;
  readonly plausibility: number;
}
export const commons: readonly Common[] = [
  { size: 0, memory: 0, plausibility: 1 },
  ...[0.3, 1, 3, 10].flatMap((size) => [
    { size, memory: 0, plausibility: 0.25 },
    { size, memory: 0.4, plausibility: 0.1 },
    { size, memory: 0.7, plausibility: size < 0.5 ? 0.15 : size < 2 ? 0.12 : size < 5 ? 0.1 : 0.05 },
  ]),
];

/** How runs vary without a change, in units of the chance variance: each vector is taken in coordinates in which they are independent. */
export interface RunModel {
  readonly common: Common;
  /** The Cholesky factor of the covariances, row by row, and the logarithm of their determinant. */
  readonly factor: Float64Array;
  readonly logDeterminant: number;
  readonly ones: Float64Array;
  readonly ofOnes: number;
}

/** In a model's coordinates, less its mean, with the sum of its squares. */
export interface Whitened {
  readonly vector: Float64Array;
  readonly square: number;
}

/** The models of the last lengths and memories: the series of a panel have the same ones. */
const known = new Map<string, readonly RunModel[]>();
const knownMax = 24;
const memoryStep = 0.05;

export function modelsOf(count: number, memory: number): readonly RunModel[] {
  const rounded = Math.round(memory / memoryStep) * memoryStep;
  const key = `${count} ${rounded.toFixed(2)}`;
  let models = known.get(key);
  if (models !== undefined) return models;
  models = commons.map((common) => modelOf(count, rounded, common));
  if (known.size >= knownMax) known.delete(known.keys().next().value ?? "");
  known.set(key, models);
  return models;
}

function modelOf(count: number, memory: number, common: Common): RunModel {
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
  return { common, factor, logDeterminant, ones, ofOnes: dot(ones, ones) };
}

export function whiten({ factor, ones, ofOnes }: RunModel, shape: Float64Array): Whitened {
  const vector = solve(factor, shape);
  const mean = dot(vector, ones) / ofOnes;
  for (let place = 0; place < vector.length; place++) vector[place] = (vector[place] ?? 0) - mean * (ones[place] ?? 0);
  return { vector, square: dot(vector, vector) };
}

/** Logarithms of marginal likelihoods of values with this sum of squares, less what all models have in common. */
export function likelihoods({ logDeterminant, ofOnes, ones }: RunModel, square: number, { variance, df }: RunNoise) {
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

/** A model counts fully if it explains the runs nearly as well as the best one, and no more if it does so much worse: as logarithms. */
const asGood = { fully: 0.4, least: 1.4 };

/**
 * The greatest variance of the runs' sum by what moves all prompts at once, among what explains the runs about as well as anything.
 *
 * @param sums of the runs, less their mean
 */
export function plausibleVariance(sums: Float64Array, noise: RunNoise): number {
  const count = sums.length;
  const df = Math.min(noise.df, noiseDfMax);
  const read = modelsOf(count, noise.memory).map((model) => {
    const { size, memory, plausibility } = model.common;
    const { square } = whiten(model, sums);
    const likelihood = likelihoods(model, square, noise).unchanged + Math.log(plausibility);
    const unit = (df * noise.variance + square) / (df + count - 1);
    return { likelihood, variance: size * unit * correlationsOf(count, memory) };
  });
  const best = Math.max(...read.map(({ likelihood }) => likelihood));
  const { fully, least } = asGood;
  const counts = (likelihood: number) => Math.min(1, Math.max(0, (least - best + likelihood) / (least - fully)));
  return Math.max(...read.map(({ likelihood, variance }) => counts(likelihood) * variance));
}

/** The sum of the correlations of all pairs of runs, each with itself included. */
function correlationsOf(count: number, memory: number): number {
  let sum = count;
  for (let distance = 1; distance < count; distance++) sum += 2 * (count - distance) * memory ** distance;
  return sum;
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

export function dot(one: Float64Array, other: Float64Array): number {
  let total = 0;
  for (let place = 0; place < one.length; place++) total += (one[place] ?? 0) * (other[place] ?? 0);
  return total;
}

/** The logarithm of a sum of numbers, of which there are the logarithms. */
export function logSum(terms: readonly number[]): number {
  let greatest = -Infinity;
  for (const term of terms) greatest = Math.max(greatest, term);
  if (greatest === -Infinity) return greatest;
  let total = 0;
  for (const term of terms) total += Math.exp(term - greatest);
  return greatest + Math.log(total);
}
