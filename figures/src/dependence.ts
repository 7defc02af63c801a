/**
 * What a resemblance of runs to those before does to a sample of them. With a correlation c of neighbouring runs, those at a distance
 * of d runs are taken to correlate by c · f^(d - 1), where f is c, but at least `fadingMin`: what shows little from one run to the
 * next, because chance hides it, may last nevertheless.
 */
const fadingMin = 0.6;

/** The correlation of runs at this distance. */
export const resembling = (correlation: number, distance: number): number =>
  distance === 0 ? 1 : correlation * Math.max(fadingMin, correlation) ** (distance - 1);

/** A higher correlation leaves no more than a few independent runs, and cannot be told from a trend. */
const correlationMax = 0.9;

/** The sum of all correlations of a number of runs, and what deviations from the runs' own mean show of them, on average. */
function expectedOf(runs: number, correlation: number) {
  const fading = Math.max(fadingMin, correlation);
  let [sum, ofFirst, ofPair] = [runs, 1, correlation];
  for (let distance = 1; distance < runs; distance++) {
    sum += 2 * (runs - distance) * ofPair;
    ofFirst += ofPair;
    ofPair *= fading;
  }
  const squares = runs - sum / runs;
  const products = (runs - 1) * (correlation + sum / runs ** 2) - (2 * (sum - ofFirst)) / runs;
  return { sum, squares, products };
}

/** By how much the variance of a mean of these runs is greater than their deviations say, which are taken from their own mean. */
export function inflationOf(runs: number, correlation: number): number {
  const { sum, squares } = expectedOf(runs, correlation);
  return (sum * (runs - 1)) / (runs * squares);
}

/**
 * The correlation of neighbouring runs whose deviations from the runs' own mean have this ratio of products of neighbours to squares,
 * on average; 0 if it is not above that of independent runs, which is negative.
 */
export function correlationFrom(runs: number, ratio: number): number {
  const ratioOf = (correlation: number) => {
    const { squares, products } = expectedOf(runs, correlation);
    return products / squares;
  };
  if (runs < 3 || ratioOf(0) >= ratio) return 0;
  let [low, high] = [0, correlationMax];
  // Each step halves the interval: 40 leave less than 1e-12.
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (ratioOf(middle) < ratio) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * How many of the slowest cosines over the runs the variance that they have in common is read from (Müller 2007; Lazarus, Lewis and
 * Stock 2021). Runs that remember the ones before vary slowly, and the slowest waves show by how much a mean of them varies,
 * whatever the correlation is. Each is one degree of freedom.
 */
export const slowWavesOf = (runs: number): number => (runs < 20 ? 2 : runs < 40 ? 3 : runs < 80 ? 5 : 8);

/** The variance of the runs' sum, read from its slowest waves. */
export function slowVariance(sums: Float64Array, waves: number): number {
  const runs = sums.length;
  let squares = 0;
  for (let wave = 1; wave <= waves; wave++) {
    let part = 0;
    for (let run = 0; run < runs; run++) part += (sums[run] ?? 0) * Math.cos(frequencyOf(wave, runs) * (run + 0.5));
    squares += part ** 2;
  }
  return ((2 * squares) / waves) * shortfallOf(runs, waves);
}

const frequencyOf = (wave: number, runs: number) => (Math.PI * wave) / runs;

/** The memory of runs that the waves are corrected for, and by how much at most: of few runs, it would be a guess. */
const memory = 0.7;
const shortfallMax = 1.25;

/** By how much the variance of a mean of runs with this memory is greater than their slowest waves show, which are too quick to see all. */
function shortfallOf(runs: number, waves: number): number {
  let shown = 0;
  for (let wave = 1; wave <= waves; wave++)
    shown += (1 - memory ** 2) / (1 - 2 * memory * Math.cos(frequencyOf(wave, runs)) + memory ** 2);
  const all = (1 - memory ** 2 - (2 * memory * (1 - memory ** runs)) / runs) / (1 - memory) ** 2;
  return Math.min(shortfallMax, Math.max(1, (all * waves) / shown));
}
