import type { Answer } from "./answer.ts";
import { cellsOf, figuresFrom, readAll, split } from "./compute-figures.ts";
import { estimate, runsMin, type CellAnswer, type Interval } from "./estimate.ts";
import { groupAnswers, type Group } from "./group-answers.ts";
import { measureOf } from "./measures.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { subjectOf } from "./readings.ts";
import type { Surface } from "./state-figures.ts";
import { bySurface } from "./surfaces.ts";

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

/** The series of each entity on each surface; pauses after each. */
export function* presenceSeries(
  panel: PanelDefinition,
  answers: readonly Answer[],
  entityIds: readonly string[],
): Generator<void, Series[], void> {
  const surfaces = bySurface(answers).map(({ answers: ofSurface, ...surface }) => ({
    surface,
    figures: figuresFrom(panel, ofSurface),
    runs: groupAnswers(panel, ofSurface, { from: null, to: null, by: "run" }),
  }));
  const series: Series[] = [];
  for (const entityId of entityIds)
    for (const of of surfaces) {
      yield;
      series.push(seriesOf(panel, of, entityId));
    }
  return series;
}

interface SurfaceRuns {
  readonly surface: Surface;
  readonly figures: ReturnType<typeof figuresFrom>;
  readonly runs: readonly Group[];
}

function seriesOf(panel: PanelDefinition, { surface, figures, runs }: SurfaceRuns, entityId: string): Series {
  const rows = figures({ measure: presence.id, entityId, by: "run" });
  const subject = subjectOf(panel, { entityId });
  const values = runs.map((run) => readAll(presence, split(panel, run, presence, subject).asked, subject).byPrompt);
  let sinceSeam = 0;
  const points = rows.map((row, index): SeriesPoint => {
    const { thesePrompts: figure, group, seam } = row;
    if (seam) sinceSeam = index;
    const from = Math.max(sinceSeam, index + 1 - runsOfInterval);
    return {
      runId: group.runId,
      day: group.day ?? "",
      value: figure.value,
      answers: figure.answers,
      seam,
      trailing: trailing(panel, values.slice(from, index + 1)),
      observations: figure.observations,
    };
  });
  return { entityId, definition: presence.definition, ...surface, points };
}

/** From the values of each run by prompt: they were read once, and belong to the intervals of up to seven runs. */
function trailing(panel: PanelDefinition, runs: readonly ValuesByPrompt[]): SeriesPoint["trailing"] {
  if (runs.length < runsMin) return null;
  const byPrompt = new Map<string, CellAnswer[]>();
  for (const run of runs)
    for (const [promptId, values] of run) {
      const known = byPrompt.get(promptId);
      if (known === undefined) byPrompt.set(promptId, [...values]);
      else for (const value of values) known.push(value);
    }
  const { value, interval } = estimate(cellsOf(panel, byPrompt), presence.kind, "these_prompts");
  return value === null || interval === null ? null : { value, interval, runs: runs.length };
}

type ValuesByPrompt = ReadonlyMap<string, readonly CellAnswer[]>;
