import type { Cell } from "./estimate.ts";

/** A cell whose answers are columns, and whose runs are numbers: a report has millions of such answers. */
export interface CellColumns extends Pick<Cell, "topic" | "weight"> {
  readonly answers: AnswerColumns;
}

/** Members of `CellAnswer`, one for each answer. */
export interface AnswerColumns {
  readonly runs: number[];
  readonly values: number[];
  readonly ofs: number[];
}

/** What an estimate needs of the cells, whatever its scope. */
export interface Sample {
  readonly value: number | null;
  readonly cells: readonly SampledCell[];
  readonly answers: number;
  readonly runs: number;
  /** The runs with answers that have something of which the value could be a part. */
  readonly informative: number;
  readonly topics: ReadonlySet<string>;
  /** How many groups of such answers of one cell in one run there are. */
  readonly informativeGroups: number;
  readonly groups: Groups;
}

export interface SampledCell {
  readonly topic: string;
  /** Of what the value is a part of. */
  readonly share: number;
  readonly answers: number;
  /** Its groups: from the first place, before the second one. */
  readonly from: number;
  readonly to: number;
}

/** The answers of each cell by run, one cell after the other: one number in each column for each run of a cell. */
export interface Groups {
  /** The runs' numbers in the sample. */
  readonly runs: number[];
  readonly answers: number[];
  readonly values: number[];
  readonly ofs: number[];
  /** What they add to the value's error. */
  readonly parts: number[];
}

export function columnsOf(cells: readonly Cell[]): CellColumns[] {
  const numbers = new Map<string, number>();
  return cells.map(({ topic, weight, answers }) => {
    const columns: AnswerColumns = { runs: [], values: [], ofs: [] };
    for (const { run, value, of = 1 } of answers) {
      const number = numbers.get(run) ?? numbers.size;
      numbers.set(run, number);
      columns.runs.push(number);
      columns.values.push(value);
      columns.ofs.push(of);
    }
    return { topic, weight, answers: columns };
  });
}

export function readSample(all: readonly CellColumns[]): Sample {
  const used = all.filter(({ answers, weight }) => answers.runs.length > 0 && weight > 0);
  const groups: Groups = { runs: [], answers: [], values: [], ofs: [], parts: [] };
  const runs: Runs = { count: 0, numbers: [], places: [] };
  const counted = used.map((cell) => countCell(cell, groups, runs));
  let total = 0;
  let allValue = 0;
  for (const cell of counted) {
    total += cell.of;
    allValue += cell.value;
  }
  const value = total > 0 ? allValue / total : null;
  const informative = new Uint8Array(runs.count);
  let informativeGroups = 0;
  for (const { from, to, scale } of counted)
    for (let place = from; place < to; place++) {
      const of = groups.ofs[place] ?? 0;
      groups.parts.push((scale * ((groups.values[place] ?? 0) - (value ?? 0) * of)) / total);
      if (of <= 0) continue;
      informative[groups.runs[place] ?? 0] = 1;
      informativeGroups++;
    }
  return {
    value,
    cells: counted.map(({ topic, of, answers, from, to }) => ({ topic, share: of / total, answers, from, to })),
    answers: counted.reduce((count, { answers }) => count + answers, 0),
    runs: runs.count,
    informative: informative.reduce((count, one) => count + one, 0),
    topics: new Set(used.map(({ topic }) => topic)),
    informativeGroups,
    groups,
  };
}

/** By the numbers that runs have in the columns: those that they have in the sample, and the places of their last groups. */
interface Runs {
  count: number;
  readonly numbers: number[];
  readonly places: number[];
}

/** The answers of a cell by run, and what the cell adds above and below the line. */
function countCell({ topic, weight, answers: columns }: CellColumns, groups: Groups, known: Runs) {
  const from = groups.runs.length;
  let allValue = 0;
  let allOf = 0;
  for (let place = 0; place < columns.runs.length; place++) {
    const run = columns.runs[place] ?? 0;
    const value = columns.values[place] ?? 0;
    const of = columns.ofs[place] ?? 0;
    allValue += value;
    allOf += of;
    const number = (known.numbers[run] ??= known.count++);
    const group = known.places[run] ?? -1;
    if (group >= from) {
      groups.answers[group] = (groups.answers[group] ?? 0) + 1;
      groups.values[group] = (groups.values[group] ?? 0) + value;
      groups.ofs[group] = (groups.ofs[group] ?? 0) + of;
      continue;
    }
    known.places[run] = groups.runs.push(number) - 1;
    groups.answers.push(1);
    groups.values.push(value);
    groups.ofs.push(of);
  }
  const answers = columns.runs.length;
  const scale = weight / answers;
  return { topic, answers, scale, value: scale * allValue, of: scale * allOf, from, to: groups.runs.length };
}
