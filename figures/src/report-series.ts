import { bySurface, type AnswerIndex } from "./answer-index.ts";
import { cellsOf, readRow, startRows, type RowContext } from "./compute-figures.ts";
import { estimateColumns, runsMin, type Interval } from "./estimate.ts";
import type { AnswerColumns } from "./sample.ts";
import { groupAnswers, type Group } from "./group-answers.ts";
import { measureOf } from "./measures.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { seamFinder } from "./seams.ts";
import type { Surface } from "./state-figures.ts";

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
  /** Of this run and up to six before it, as far back as the last seam. Null for fewer than five, for which there is none. */
  readonly trailing: { readonly value: number; readonly interval: Interval; readonly runs: number } | null;
  readonly observations: string;
}

/** The series of each entity on each surface; pauses after each run. */
export function* presenceSeries(
  panel: PanelDefinition,
  index: AnswerIndex,
  entityIds: readonly string[],
): Generator<void, Series[], void> {
  const groups = groupAnswers(panel, index, { from: null, to: null, by: "run" });
  const surfaces = bySurface(index).map(({ surface }) => ({
    surface,
    runs: groups.filter((group) => group.surface === surface),
  }));
  yield;
  const series: Series[] = [];
  for (const entityId of entityIds) {
    const context = startRows(panel, index, { measure: presence.id, entityId, by: "run" });
    for (const { surface, runs } of surfaces) {
      const points = yield* pointsOf(context, runs);
      series.push({ entityId, definition: presence.definition, ...surface, points });
    }
  }
  return series;
}

function* pointsOf(context: RowContext, runs: readonly Group[]): Generator<void, SeriesPoint[], void> {
  const points: SeriesPoint[] = [];
  const isSeam = seamFinder();
  // Read once, they belong to the intervals of up to seven runs.
  let before: ValuesByPrompt[] = [];
  for (const run of runs) {
    const { row, read } = readRow(context, run);
    const { thesePrompts: figure, group } = row;
    const seam = isSeam(row);
    before = [...(seam ? [] : before.slice(1 - runsOfInterval)), read.byPrompt];
    points.push({
      runId: group.runId,
      day: group.day ?? "",
      value: figure.value,
      answers: figure.answers,
      seam,
      trailing: trailing(context.panel, before),
      observations: figure.observations,
    });
    yield;
  }
  return points;
}

function trailing(panel: PanelDefinition, runs: readonly ValuesByPrompt[]): SeriesPoint["trailing"] {
  if (runs.length < runsMin) return null;
  const byPrompt = new Map<string, AnswerColumns>();
  for (const run of runs)
    for (const [promptId, { runs: numbers, values, ofs }] of run) {
      let known = byPrompt.get(promptId);
      if (known === undefined) {
        known = { runs: [], values: [], ofs: [] };
        byPrompt.set(promptId, known);
      }
      for (let place = 0; place < numbers.length; place++) {
        known.runs.push(numbers[place] ?? 0);
        known.values.push(values[place] ?? 0);
        known.ofs.push(ofs[place] ?? 0);
      }
    }
  const { value, interval } = estimateColumns(cellsOf(panel, byPrompt), presence.kind, "these_prompts");
  return value === null || interval === null ? null : { value, interval, runs: runs.length };
}

type ValuesByPrompt = ReadonlyMap<string, AnswerColumns>;
