import { expectedOf, probabilitiesOf, sequentialFigure, waveRate } from "./ask-as-needed.ts";
import { drawWave } from "./waves.ts";

/** What a run in waves is expected to need. */
export interface ExpectedWaves {
  readonly waves: number;
  readonly answers: number;
  /** The share of such runs that reach the width. */
  readonly reached: number;
}

const simulations = 40;

/** The mean of simulated runs of cells with these rates. The draws are always the same. */
export function expectWaves(rates: readonly number[], width: number, wavesMax: number): ExpectedWaves {
  const random = fixedDraws();
  const total = { waves: 0, answers: 0, reached: 0 };
  for (let run = 0; run < simulations; run++) {
    const one = simulate(rates, width, wavesMax, random);
    total.waves += one.waves;
    total.answers += one.answers;
    total.reached += Number(one.isReached);
  }
  // Divided once, so that the share of all is exactly 1.
  return {
    waves: total.waves / simulations,
    answers: total.answers / simulations,
    reached: total.reached / simulations,
  };
}

function simulate(rates: readonly number[], width: number, wavesMax: number, random: () => number) {
  const known = rates.map(() => ({ answers: 0, sum: 0 }));
  const waves: number[] = [];
  let answers = 0;
  for (;;) {
    const probabilities = probabilitiesOf(known);
    const isAsked = drawWave(probabilities, random());
    const wave = known.map((cell, index) => ({
      expected: expectedOf(cell),
      probability: probabilities[index] ?? 1,
      value: isAsked[index] === true ? Number(random() < (rates[index] ?? 0)) : null,
    }));
    for (const [index, { value }] of wave.entries()) {
      const cell = known[index];
      if (cell === undefined || value === null) continue;
      cell.answers++;
      cell.sum += value;
      answers++;
    }
    waves.push(waveRate(wave));
    const reached = sequentialFigure(waves).width;
    const isReached = reached !== null && reached <= width;
    if (isReached || waves.length >= wavesMax) return { waves: waves.length, answers, isReached };
  }
}

/** Numbers from 0 to below 1 (mulberry32). */
function fixedDraws(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
