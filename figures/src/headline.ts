import type { AnswerIndex } from "./answer-index.ts";
import { runsMin } from "./estimate.ts";

/** The answers of one instrument on a surface. */
export interface InstrumentUse {
  /** Its number in the index. */
  readonly instrument: number;
  readonly runs: number;
  readonly answers: number;
  /** When its first and its last answer were observed. */
  readonly first: string;
  readonly last: string;
}

/**
 * The instruments of each surface: first the one that figures are stated of, and then the others, the latest first. A headline is
 * never of two instruments: it is of the latest one that has as many runs as an interval needs, or else of the latest one.
 */
export function headlines(index: AnswerIndex, places: Iterable<number>): ReadonlyMap<number, readonly InstrumentUse[]> {
  const surfaces = new Map<number, Map<number, Growing>>();
  for (const place of places) {
    const surface = index.surfaces.of[place] ?? 0;
    const instrument = index.instruments.of[place] ?? 0;
    const run = index.runs.of[place] ?? 0;
    const { observedAt = "" } = index.answers[place] ?? {};
    let ofSurface = surfaces.get(surface);
    if (ofSurface === undefined) surfaces.set(surface, (ofSurface = new Map<number, Growing>()));
    let use = ofSurface.get(instrument);
    if (use === undefined) {
      use = { instrument, runs: new Map(), answers: 0, first: observedAt, last: observedAt };
      ofSurface.set(instrument, use);
    }
    use.answers++;
    if (observedAt < use.first) use.first = observedAt;
    if (observedAt > use.last) use.last = observedAt;
    const ofRun = use.runs.get(run);
    if (ofRun === undefined) use.runs.set(run, { answers: 1, first: observedAt });
    else {
      ofRun.answers++;
      if (observedAt < ofRun.first) ofRun.first = observedAt;
    }
  }
  return new Map(Array.from(surfaces, ([surface, uses]) => [surface, headlineFirst([...uses.values()])]));
}

interface Growing extends Omit<InstrumentUse, "runs"> {
  readonly runs: Map<number, { answers: number; first: string }>;
  answers: number;
  first: string;
  last: string;
}

/** Instruments may alternate from answer to answer: of those in the last run, the one with most of its answers is the latest. */
function headlineFirst(uses: readonly Growing[]): InstrumentUse[] {
  const startOf = runStarts(uses);
  const keyed = uses.map((use) => {
    const runs = [...use.runs].map(([run, { answers }]) => ({ start: startOf.get(run) ?? "", run, answers }));
    return { use, last: runs.reduce((one, other) => (compare(one, other) < 0 ? other : one)) };
  });
  const latestFirst = keyed
    .toSorted(
      (one, other) =>
        compare(other.last, one.last) ||
        other.last.answers - one.last.answers ||
        one.use.instrument - other.use.instrument,
    )
    .map(({ use: { runs, ...use } }): InstrumentUse => ({ ...use, runs: runs.size }));
  const headline = latestFirst.find(({ runs }) => runs >= runsMin) ?? latestFirst[0];
  return headline === undefined ? [] : [headline, ...latestFirst.filter((use) => use !== headline)];
}

/** When the first answer of each run was observed, whatever it was taken with. */
function runStarts(uses: readonly Growing[]): ReadonlyMap<number, string> {
  const starts = new Map<number, string>();
  for (const { runs } of uses)
    for (const [run, { first }] of runs) {
      const known = starts.get(run);
      if (known === undefined || first < known) starts.set(run, first);
    }
  return starts;
}

const compare = (one: { start: string; run: number }, other: { start: string; run: number }) =>
  one.start < other.start ? -1 : one.start > other.start ? 1 : one.run - other.run;

/** The places of some answers that count for the instrument of the headline of their surface. */
export function ofHeadline(index: AnswerIndex, places: readonly number[]): readonly number[] {
  const uses = headlines(index, places);
  return places.filter((place) => {
    const [headline] = uses.get(index.surfaces.of[place] ?? 0) ?? [];
    return headline?.instrument === index.instruments.of[place];
  });
}
