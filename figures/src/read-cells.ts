import type { AnswerIndex } from "./answer-index.ts";
import {
  addTo,
  clearCell,
  instrumentsOf,
  startCell,
  startColumns,
  type GrowingCell,
  type ReadCell,
  type ReadCells,
  type RunColumns,
} from "./cell-columns.ts";
import { runsIn, type CellPlaces } from "./cell-places.ts";
import { answerComparer, comparisons } from "./comparisons.ts";
import { readCore } from "./core-sources.ts";
import { missingToBound } from "./estimate.ts";
import { measureOf, readsFailures } from "./measures.ts";
import {
  citationMeasures,
  citationReading,
  readings,
  type LeftOut,
  type AnswerRead,
  type MeasureReading,
  type Subject,
} from "./readings.ts";
import { weightColumns } from "./weight-columns.ts";
import type { Measure, MeasureId } from "@querent/contract";

/** Reads a measure from answers, by prompt. */
export type CellReader = (asked: ReadonlyMap<string, CellPlaces>) => ReadAnswers;

export interface ReadAnswers extends ReadCells {
  /** What the answers that are missing could change. Null: too few are missing, or they could change it by any amount. */
  readonly missing: MissingAnswers | null;
}

/** What is the same for all rows of a request is prepared once. */
export function cellReader({ id }: Measure, subject: Subject, index: AnswerIndex): CellReader {
  if (id === "core_citation_share") return (asked) => ({ ...readCore(index, asked), missing: null });
  if (id in comparisons) {
    const compare = answerComparer(comparisons[id as keyof typeof comparisons], { index, subject });
    return (asked) => ({ ...compare(asked), missing: null });
  }
  const columns = readAnswers(id as keyof typeof readings, subject, index);
  const readMissing = hasBounds(id) ? missingReader(columns, index) : () => null;
  return (asked) => ({ ...cellsFrom(columns, index, asked), missing: readMissing(asked) });
}

/** The readings of a measure, one for each answer: what it is, and if it is a value, that, and what it is a part of. */
export interface Readings {
  /** Numbers of `codes`. */
  readonly codes: Uint8Array;
  readonly values: Float64Array;
  readonly ofs: Float64Array;
}

const isValue = 0;
/** From here on, the answer is counted as one that was asked, without a value. */
const firstMissing = 1;
const missing = ["not_named", "not_listed", "not_shown"] as const;
const firstLeftOut = firstMissing + missing.length;
const leftOutCodes = [
  "no_text",
  "not_searched",
  "sources_not_known",
  "source_hidden",
  "ads_not_known",
  "ads_excluded",
  "advertiser_hidden",
  "shop_hidden",
  "not_reported",
  "failures_not_recorded",
  "failed",
] as const satisfies readonly LeftOut[];
const codes: readonly (LeftOut | null)[] = [null, ...missing, ...leftOutCodes];

/** Whether the answer has a value, or is counted as one that was asked. */
export const isCounted = ({ codes: codeOf }: Readings, place: number): boolean => (codeOf[place] ?? 0) < firstLeftOut;

/**
 * In the order of the answers, which is that of the memory: the answers of a cell are far from each other, and most of the time of a
 * figure would be spent on fetching them.
 */
export function readAnswers(id: keyof typeof readings, subject: Subject, index: AnswerIndex): Readings {
  const { answers } = index;
  const columns: Readings = {
    codes: new Uint8Array(answers.length),
    values: new Float64Array(answers.length),
    ofs: new Float64Array(answers.length),
  };
  if (id in citationMeasures) readCitations(columns, id as keyof typeof citationMeasures, subject, index);
  else {
    const read: AnswerRead = readings[id];
    for (let place = 0; place < answers.length; place++) {
      const answer = answers[place];
      if (answer !== undefined) set(columns, place, read(answer, subject));
    }
  }
  if (!readsFailures(id)) columns.codes.fill(codes.indexOf("failed"), index.answered);
  return columns;
}

/** Looks at each source once, instead of once for each answer that cites it. */
function readCitations(
  columns: Readings,
  id: keyof typeof citationMeasures,
  subject: Subject,
  { missingSources, sources, cited, citedFrom }: AnswerIndex,
): void {
  const { isOf, isCounted } = citationMeasures[id];
  const isIt = isCounted(subject);
  const mask = Uint8Array.from(sources, (source) => Number(isIt(source)));
  for (let place = 0; place < missingSources.length; place++) {
    const from = citedFrom[place] ?? 0;
    const to = citedFrom[place + 1] ?? 0;
    let counted = 0;
    for (let at = from; at < to; at++) counted += mask[cited[at] ?? 0] ?? 0;
    set(columns, place, missingSources[place] ?? citationReading(isOf, counted, to - from));
  }
}

function set(columns: Readings, place: number, reading: MeasureReading): void {
  if (typeof reading === "string") columns.codes[place] = codes.indexOf(reading);
  else if ("missing" in reading) columns.codes[place] = codes.indexOf(reading.missing);
  else {
    columns.values[place] = reading.value;
    columns.ofs[place] = reading.of ?? 1;
  }
}

export interface MissingAnswers {
  readonly missing: number;
  /** All answers that were asked for, with the missing ones. */
  readonly asked: number;
  /** The cells if none of the missing answers had what is measured, and if all of them had. */
  readonly none: ReadCells;
  readonly all: ReadCells;
}

const missingAnswers: readonly LeftOut[] = [
  "failed",
  "no_text",
  "sources_not_known",
  "source_hidden",
  "ads_not_known",
  "advertiser_hidden",
  "shop_hidden",
];
const isMissingCode = Uint8Array.from(codes, (code) => Number(code !== null && missingAnswers.includes(code)));

/** Whether a measure has bounds: shares of answers do; what an answer adds to a mean has none. */
export const hasBounds = (id: MeasureId): boolean =>
  id in readings && measureOf(id).kind === "rate" && !readsFailures(id) && id !== "empty_rate";

/**
 * Where answers are missing, they may be missing because of what they would have said. The worst case (Manski 1989): none of them has
 * what is measured, or all of them have, and as much of it as the one answer that has the most.
 */
function missingReader(
  readings: Readings,
  index: AnswerIndex,
): (asked: ReadonlyMap<string, CellPlaces>) => MissingAnswers | null {
  return (asked) => {
    const places: number[] = [];
    let [counted, most] = [0, 1];
    for (const cell of asked.values())
      for (const place of cell.places) {
        const code = readings.codes[place] ?? 0;
        if (isMissingCode[code] === 1) places.push(place);
        else if (code < firstLeftOut) counted++;
        if (code === isValue) most = Math.max(most, readings.ofs[place] ?? 0);
      }
    const all = counted + places.length;
    if (counted === 0 || places.length < missingToBound * all) return null;
    const as = (value: number) => cellsFrom(filled(readings, places, { value, of: most }), index, asked);
    return { missing: places.length, asked: all, none: as(0), all: as(most) };
  };
}

function filled(readings: Readings, places: readonly number[], { value, of }: { value: number; of: number }): Readings {
  const [codeOf, values, ofs] = [readings.codes.slice(), readings.values.slice(), readings.ofs.slice()];
  for (const place of places) {
    codeOf[place] = isValue;
    values[place] = value;
    ofs[place] = of;
  }
  return { codes: codeOf, values, ofs };
}

function cellsFrom(
  readings: Readings,
  { runs, instruments, probabilities }: AnswerIndex,
  asked: ReadonlyMap<string, CellPlaces>,
): ReadCells {
  const columns = startColumns(runsIn(asked));
  const cells: ReadCell[] = [];
  const used = new Set<number>();
  let lastUsed = -1;
  const counts = new Int32Array(codes.length);
  let from = 0;
  for (const [promptId, { places, runs: ofCell, runOf }] of asked) {
    for (let at = 0; at < ofCell.length; at++) columns.runs[from + at] = ofCell[at] ?? 0;
    const cell = { ...startCell(from), to: from + ofCell.length };
    let isEmpty = true;
    for (let at = 0; at < places.length; at++) {
      const place = places[at] ?? 0;
      const code = readings.codes[place] ?? 0;
      counts[code] = (counts[code] ?? 0) + 1;
      if (code >= firstLeftOut) continue;
      addTo(columns, cell, from + (runOf[at] ?? 0), readings.values[place] ?? 0, readings.ofs[place] ?? 0);
      if (code !== isValue) continue;
      isEmpty = false;
      const instrument = instruments.of[place] ?? 0;
      if (instrument !== lastUsed) used.add(instrument);
      lastUsed = instrument;
    }
    from = cell.to;
    if (isEmpty) continue;
    if (probabilities !== null) weightCell(columns, cell, readings, { places, runOf, probabilities });
    cells.push({ promptId, ...cell });
  }
  const leftOut = new Map<LeftOut, number>();
  for (const [number, code] of codes.entries()) {
    const count = counts[number] ?? 0;
    if (code !== null && count > 0) leftOut.set(code, count);
  }
  return {
    cells,
    columns,
    units: runs.values,
    answers: counts[isValue] ?? 0,
    instruments: instrumentsOf(used, instruments.values),
    leftOut,
  };
}

/** Counts each answer of a cell by the reciprocal of the probability with which it was asked. */
export function weightCell(
  columns: RunColumns,
  cell: GrowingCell,
  readings: Readings,
  { places, runOf, probabilities }: Pick<CellPlaces, "places" | "runOf"> & { readonly probabilities: Float64Array },
): void {
  const { values, ofs } = readings;
  const counted = [...places.keys()].filter((at) => isCounted(readings, places[at] ?? 0));
  const from = (column: Float64Array) => counted.map((at) => column[places[at] ?? 0] ?? 0);
  const answers = { values: from(values), ofs: from(ofs) };
  const weighted = weightColumns(answers, from(probabilities));
  if (weighted === answers) return;
  clearCell(columns, cell);
  for (const [number, at] of counted.entries())
    addTo(columns, cell, cell.from + (runOf[at] ?? 0), weighted.values[number] ?? 0, weighted.ofs[number] ?? 0);
}
