import { addTo, startCell, startColumns, type CellRange, type CellTotals, type RunColumns } from "./cell-columns.ts";

/** The answers of one prompt on one platform in one locale, for one persona. */
export interface Cell {
  /** What the prompt is about. Prompts of one topic tend to agree. */
  readonly topic: string;
  readonly weight: number;
  readonly answers: readonly CellAnswer[];
}

export interface CellAnswer {
  /** The run of the panel. Answers of one run tend to agree: the vendor's cache, a change of the model for a day. */
  readonly run: string;
  /** 1: what is measured is there; 0: it is not. For a share: how much of `of` it has. For a position: the position. */
  readonly value: number;
  /** What the value is a part of, such as the mentions of every brand; 0: this answer has none. Default: 1, each answer counts alike. */
  readonly of?: number;
}

/** The answers of cells, and what each cell is. */
export interface CellSums {
  readonly cells: readonly (CellTotals & Pick<Cell, "topic" | "weight">)[];
  readonly columns: RunColumns;
  /** More than the number of any run. */
  readonly runs: number;
}

/** What an estimate needs of the cells, whatever its scope. */
export interface Sample {
  readonly value: number | null;
  readonly cells: readonly SampledCell[];
  readonly answers: number;
  readonly runs: number;
  /** The runs with answers that have something of which the value could be a part. */
  readonly informative: number;
  /** How many groups of such answers of one cell in one run there are. */
  readonly informativeGroups: number;
  readonly groups: Groups;
}

export interface SampledCell extends CellRange {
  readonly topic: string;
  /** The share of the whole of which the value is a part. */
  readonly share: number;
  readonly answers: number;
}

/** One number in each column for each run of a cell that has answers, one cell after the other. */
export interface Groups {
  /** The runs' numbers in the sample, in the order of their numbers in the columns, from 0. */
  readonly runs: Int32Array;
  readonly answers: Int32Array;
  /** What they add to the value's error. */
  readonly parts: Float64Array;
}

/** Gives runs their numbers, in the order of the cell that has the most of them: the answers of a cell are in the order of time. */
export function sumsOf(cells: readonly Cell[]): CellSums {
  const numbers = new Map<string, number>();
  for (const runs of cells.map(({ answers }) => new Set(answers.map(({ run }) => run))).toSorted(bySize))
    for (const run of runs) if (!numbers.has(run)) numbers.set(run, numbers.size);
  const columns = startColumns(cells.reduce((count, { answers }) => count + answers.length, 0));
  let from = 0;
  const ranges = cells.map(({ topic, weight, answers }) => {
    const placeOf = new Map<string, number>();
    const cell = startCell(from);
    for (const { run, value, of = 1 } of answers) {
      const place = placeOf.get(run) ?? from + placeOf.size;
      placeOf.set(run, place);
      columns.runs[place] = numbers.get(run) ?? 0;
      addTo(columns, cell, place, value, of);
    }
    from += placeOf.size;
    return { ...cell, topic, weight, to: from };
  });
  return { cells: ranges, columns, runs: numbers.size };
}

const bySize = (one: ReadonlySet<string>, other: ReadonlySet<string>) => other.size - one.size;

export function readSample({ cells: all, columns, runs: runsMax }: CellSums): Sample {
  const used = all.filter(isUsed);
  const { value, total, answers } = valueOf(used);
  const length = used.reduce((sum, { from, to }) => sum + to - from, 0);
  const groups: Groups = {
    runs: new Int32Array(length),
    answers: new Int32Array(length),
    parts: new Float64Array(length),
  };
  const { numbers, runs } = numberRuns(used, columns, runsMax);
  const isInformative = new Uint8Array(runsMax);
  let [informative, informativeGroups, to] = [0, 0, 0];
  const cells = used.map((cell): SampledCell => {
    const scale = scaleOf(cell);
    const from = to;
    for (let place = cell.from; place < cell.to; place++) {
      const ofRun = columns.answers[place] ?? 0;
      if (ofRun === 0) continue;
      const run = columns.runs[place] ?? 0;
      const of = columns.ofs[place] ?? 0;
      groups.runs[to] = numbers[run] ?? 0;
      groups.answers[to] = ofRun;
      groups.parts[to] = (scale * ((columns.values[place] ?? 0) - (value ?? 0) * of)) / total;
      to++;
      if (of <= 0) continue;
      informativeGroups++;
      informative += 1 - (isInformative[run] ?? 0);
      isInformative[run] = 1;
    }
    sortByRun(groups, from, to);
    return { topic: cell.topic, share: (scale * cell.of) / total, answers: cell.answers, from, to };
  });
  return { value, cells, answers, runs, informative, informativeGroups, groups };
}

/** By insertion: most cells are in order already. */
function sortByRun({ runs, answers, parts }: Groups, from: number, to: number): void {
  for (let place = from + 1; place < to; place++) {
    const [run, count, part] = [runs[place] ?? 0, answers[place] ?? 0, parts[place] ?? 0];
    let at = place;
    for (; at > from && (runs[at - 1] ?? 0) > run; at--) {
      runs[at] = runs[at - 1] ?? 0;
      answers[at] = answers[at - 1] ?? 0;
      parts[at] = parts[at - 1] ?? 0;
    }
    runs[at] = run;
    answers[at] = count;
    parts[at] = part;
  }
}

/** Numbers the runs that have answers, without changing their order. */
function numberRuns(cells: CellSums["cells"], columns: RunColumns, runsMax: number) {
  const numbers = new Int32Array(runsMax);
  for (const { from, to } of cells)
    for (let place = from; place < to; place++)
      if ((columns.answers[place] ?? 0) > 0) numbers[columns.runs[place] ?? 0] = 1;
  let runs = 0;
  for (let run = 0; run < runsMax; run++) numbers[run] = numbers[run] === 1 ? runs++ : -1;
  return { numbers, runs };
}

/** The value of cells, and what it is a part of, in all of them. */
export function valueOf(cells: CellSums["cells"]): { value: number | null; total: number; answers: number } {
  let [total, allValue, answers] = [0, 0, 0];
  for (const cell of cells) {
    if (!isUsed(cell)) continue;
    const scale = scaleOf(cell);
    total += scale * cell.of;
    allValue += scale * cell.value;
    answers += cell.answers;
  }
  return { value: total > 0 ? allValue / total : null, total, answers };
}

const isUsed = ({ answers, weight }: CellSums["cells"][number]) => answers > 0 && weight > 0;

/** How much one of a cell's answers counts. */
const scaleOf = ({ weight, answers }: CellSums["cells"][number]) => weight / answers;
