import { byRun, bySurface, timesOf, type AnswerIndex } from "./answer-index.ts";
import { addTo, startCell, startColumns, type RunColumns } from "./cell-columns.ts";
import type { CellPlaces } from "./cell-places.ts";
import { startRows } from "./compute-figures.ts";
import type { RowContext } from "./figure-rows.ts";
import { estimateSums, runsMin, type EstimatedFigure, type Interval } from "./estimate.ts";
import { groupAnswers } from "./group-answers.ts";
import { measureOf } from "./measures.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { isCounted, readAnswers, weightCell, type Readings } from "./read-cells.ts";
import { valueOf, type Cell, type CellSums } from "./sample.ts";
import { instrumentSeams } from "./seams.ts";
import { addressOf, type Surface } from "./state-figures.ts";

const presence = measureOf("presence");

/** An interval of a series is that of so many runs: of this one, and of those before it. */
const runsOfInterval = 7;

/** Presence of an entity on one surface, by run. */
export interface Series extends Surface {
  readonly entityId: string;
  readonly definition: string;
  readonly points: readonly SeriesPoint[];
}

export interface SeriesPoint {
  readonly runId: string | null;
  readonly day: string;
  readonly value: number | null;
  readonly answers: number;
  /** It was not taken with the same instruments as the point before. */
  readonly seam: boolean;
  /** The figure of this run and up to six before it, as far back as the last seam; null for fewer than five. */
  readonly trailing: { readonly value: number; readonly interval: Interval; readonly runs: number } | null;
  readonly observations: string;
}

/** The series of each entity on each surface; pauses after each. */
export function* presenceSeries(
  panel: PanelDefinition,
  index: AnswerIndex,
  entityIds: readonly string[],
): Generator<void, Series[], void> {
  const groups = groupAnswers(panel, index, { from: null, to: null, by: "none", blend: true });
  const surfaces = bySurface(index).map(({ surface, places }) => ({
    surface,
    group: groups.find((group) => group.surface === surface),
    runs: byRun(index, places).map(({ run, places: ofRun }) => describeRun(index, run, ofRun)),
  }));
  yield;
  const series: Series[] = [];
  for (const entityId of entityIds) {
    const context = startRows(panel, index, { measure: presence.id, entityId, by: "none" });
    const readings = readAnswers("presence", context.subject, index);
    for (const { surface, group, runs } of surfaces) {
      if (group === undefined) continue;
      yield;
      const grid = readGrid(context, readings, { cells: context.split(group).asked, runs });
      series.push({ entityId, definition: presence.definition, ...surface, points: pointsOf(context, surface, grid) });
    }
  }
  return series;
}

interface Run {
  /** Its number in the index. */
  readonly run: number;
  readonly runId: string | null;
  readonly day: string;
  /** When its first and its last answer were observed. */
  readonly window: { readonly from: string; readonly to: string };
}

function describeRun(index: AnswerIndex, run: number, places: readonly number[]): Run {
  const { answers, days } = index;
  const [place = 0] = places;
  const { firstAt: from, lastAt: to } = timesOf(index, places);
  const runId = answers[place]?.runId ?? null;
  return { run, runId, day: days.values[days.of[place] ?? 0] ?? "", window: { from, to } };
}

/** The answers of a surface by cell and run: each cell is as many places in the columns as there are runs, in their order. */
interface Grid {
  readonly runs: readonly Run[];
  readonly cells: readonly Pick<Cell, "topic" | "weight">[];
  readonly columns: RunColumns;
  /** The instruments of the answers of each run. */
  readonly instruments: readonly ReadonlySet<number>[];
}

function readGrid(
  { index, prompts }: RowContext,
  readings: Readings,
  { cells, runs }: { readonly cells: ReadonlyMap<string, CellPlaces>; readonly runs: readonly Run[] },
): Grid {
  const columns = startColumns(cells.size * runs.length);
  const instruments = runs.map(() => new Set<number>());
  const placeOf = new Map(runs.map(({ run }, place) => [run, place]));
  let from = 0;
  for (const { places, runs: ofCell, runOf } of cells.values()) {
    const start = from;
    const slots = ofCell.map((run) => start + (placeOf.get(run) ?? 0));
    for (const [at, run] of ofCell.entries()) columns.runs[slots[at] ?? 0] = placeOf.get(run) ?? 0;
    for (let at = 0; at < places.length; at++) {
      const place = places[at] ?? 0;
      if (!isCounted(readings, place)) continue;
      const slot = slots[runOf[at] ?? 0] ?? 0;
      addTo(columns, startCell(slot), slot, readings.values[place] ?? 0, readings.ofs[place] ?? 0);
      instruments[slot - from]?.add(index.instruments.of[place] ?? 0);
    }
    if (index.probabilities !== null)
      weightRuns(columns, readings, { places, runOf, slots, probabilities: index.probabilities });
    from += runs.length;
  }
  const asked = Array.from(cells.keys(), (promptId) => {
    const { topic = null, weight = 1 } = prompts.get(promptId) ?? {};
    return { topic: topic ?? "", weight };
  });
  return { runs, cells: asked, columns, instruments };
}

/** Weights the answers of each run by themselves: a figure of one run knows nothing of the others. */
function weightRuns(
  columns: RunColumns,
  readings: Readings,
  {
    places,
    runOf,
    slots,
    probabilities,
  }: Pick<CellPlaces, "places" | "runOf"> & { readonly slots: readonly number[]; readonly probabilities: Float64Array },
): void {
  for (const [run, ofRun] of Map.groupBy(places, (_place, at) => runOf[at] ?? 0)) {
    const from = slots[run] ?? 0;
    weightCell(columns, { ...startCell(from), to: from + 1 }, readings, {
      places: ofRun,
      runOf: ofRun.map(() => 0),
      probabilities,
    });
  }
}

function pointsOf({ panel }: RowContext, surface: Surface, grid: Grid): SeriesPoint[] {
  let first = 0;
  const isSeam = instrumentSeams();
  return grid.runs.map(({ runId, day, window }, run): SeriesPoint => {
    const seam = isSeam(grid.instruments[run] ?? new Set());
    first = seam ? run : Math.max(first, run + 1 - runsOfInterval);
    const { value, answers } = valueOf(totalsOf(grid, run, run));
    const about = { ...surface, promptId: null, runId };
    const observations = addressOf({ panelId: panel.panelId, measure: presence, surface: about, window });
    return { runId, day, value, answers, seam, trailing: trailing(grid, first, run), observations };
  });
}

function trailing(grid: Grid, first: number, last: number): SeriesPoint["trailing"] {
  const runs = last - first + 1;
  if (runs < runsMin) return null;
  const { value, interval } = estimateRuns(grid, first, last);
  return value === null || interval === null ? null : { value, interval, runs };
}

/** The figure of some runs, from the first to the last one. */
function estimateRuns(grid: Grid, first: number, last: number): EstimatedFigure {
  const { columns, runs } = grid;
  return estimateSums(
    { cells: totalsOf(grid, first, last), columns, runs: runs.length },
    presence.kind,
    "these_prompts",
  );
}

function totalsOf({ cells, runs, columns }: Grid, first: number, last: number): CellSums["cells"] {
  return cells.map(({ topic, weight }, number) => {
    const from = number * runs.length + first;
    const to = from + last - first + 1;
    let [answers, value, of] = [0, 0, 0];
    for (let place = from; place < to; place++) {
      answers += columns.answers[place] ?? 0;
      value += columns.values[place] ?? 0;
      of += columns.ofs[place] ?? 0;
    }
    return { topic, weight, from, to, answers, value, of };
  });
}
