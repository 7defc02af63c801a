import { baselineRuns, evidenceWith } from "./change.ts";
import type { RunNoise } from "./run-models.ts";

/** How many runs there were before the change of which it is said whether it would be found. */
export const runsBefore = 14;
/** The smallest change is found in this share of panels. */
export const power = 0.8;

const simulations = 60;

/**
 * The smallest change of a mean that is found within so many runs in 80 % of simulated panels, after 14 runs without one. Null: no
 * change of up to 1. The draws are always the same.
 *
 * @param noise what chance does to a run's mean
 * @param common the variance of what runs move all prompts by, each for itself
 */
export function smallestFound(
  noise: RunNoise,
  common: number,
  { runs, threshold }: { readonly runs: number; readonly threshold: number },
): number | null {
  const deviation = Math.sqrt(noise.variance + common);
  const normal = fixedNormals();
  const from = Math.max(baselineRuns, runsBefore);
  const sizes = Array.from({ length: simulations }, () => {
    const values = Array.from({ length: from + runs }, () => deviation * normal());
    const means = values.map((value, run) => ({ run: String(run), value, answers: 1 }));
    const evidence = evidenceWith(means, noise, from);
    if (evidence(1) < threshold) return Infinity;
    let [low, high] = [0, 1];
    while (high - low > 0.002) {
      const middle = (low + high) / 2;
      if (evidence(middle) >= threshold) high = middle;
      else low = middle;
    }
    return high;
  }).toSorted((one, other) => one - other);
  const smallest = sizes[Math.ceil(power * simulations) - 1] ?? Infinity;
  return smallest <= 1 ? smallest : null;
}

/** Standard normal numbers (mulberry32, Box and Muller). */
function fixedNormals(): () => number {
  let state = 1;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
