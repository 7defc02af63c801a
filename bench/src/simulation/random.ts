/** Random numbers that a seed determines (mulberry32), and the distributions that the simulator uses. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** At least 0, less than 1. */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform());
  }

  /** A whole number of at least 1. */
  geometric(mean: number): number {
    return mean <= 1 ? 1 : 1 + Math.floor(Math.log(1 - this.uniform()) / Math.log(1 - 1 / mean));
  }

  logNormal(mean: number, sigma: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
    return mean * Math.exp(sigma * normal - sigma ** 2 / 2);
  }
}

/** Chooses an index by weight, in logarithmic time. */
export function chooser(random: Random, weights: readonly number[]): () => number {
  let sum = 0;
  const sums = weights.map((weight) => (sum += weight));
  return () => {
    const at = random.uniform() * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? sum) > at) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
