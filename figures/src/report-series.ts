import type { Answer } from "./answer.ts";
import { computeFigures } from "./compute-figures.ts";
import { runsMin, type Interval } from "./estimate.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import type { Surface } from "./state-figures.ts";
import { byRun, bySurface } from "./surfaces.ts";

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

export function presenceSeries(panel: PanelDefinition, answers: readonly Answer[], entityId: string): Series[] {
  return bySurface(answers).map(({ answers: ofSurface, ...surface }) => {
    const runs = byRun(ofSurface);
    const figures = computeFigures(panel, ofSurface, { measure: "presence", entityId, by: "run" });
    let sinceSeam = 0;
    const points = figures.map((row, index): SeriesPoint => {
      const { thesePrompts: figure, group, seam } = row;
      if (seam) sinceSeam = index;
      const from = Math.max(sinceSeam, index + 1 - runsOfInterval);
      return {
        runId: group.runId,
        day: group.day ?? "",
        value: figure.value,
        answers: figure.answers,
        seam,
        trailing: trailing(panel, runs.slice(from, index + 1), entityId),
        observations: figure.observations,
      };
    });
    return { entityId, definition: figures[0]?.thesePrompts.definition ?? "", ...surface, points };
  });
}

function trailing(panel: PanelDefinition, runs: ReturnType<typeof byRun>, entityId: string): SeriesPoint["trailing"] {
  if (runs.length < runsMin) return null;
  const answers = runs.flatMap((run) => run.answers);
  const figure = computeFigures(panel, answers, { measure: "presence", entityId, by: "none" })[0]?.thesePrompts;
  if (figure === undefined || figure.value === null || figure.interval === null) return null;
  return { value: figure.value, interval: figure.interval, runs: runs.length };
}
