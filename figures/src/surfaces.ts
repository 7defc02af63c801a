import type { Instrument } from "./answer.ts";
import { bySurface, timesOf, type AnswerIndex } from "./answer-index.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import type { Surface } from "./state-figures.ts";

/** A platform, its kind, a locale and a persona, with what its answers were taken with: surfaces are never added up. */
export interface ReportSurface extends Surface {
  readonly answers: number;
  readonly runs: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** By when they were used first. */
  readonly instruments: readonly {
    readonly instrument: Instrument;
    readonly answers: number;
    readonly firstAt: string;
    readonly lastAt: string;
  }[];
  /** Of each prompt of the panel, in its order: how many runs have answers. */
  readonly runsOfPrompts: readonly number[];
}

/** The surfaces of the answers; pauses after each. */
export function* surfacesOf(panel: PanelDefinition, index: AnswerIndex): Generator<void, ReportSurface[], void> {
  const { answers, instruments, runs } = index;
  const surfaces: ReportSurface[] = [];
  for (const { surface, places } of bySurface(index)) {
    const byInstrument = Map.groupBy(places, (place) => instruments.of[place] ?? 0);
    const runsOfPrompts = new Map(panel.prompts.map(({ promptId }) => [promptId, new Set<number>()]));
    const all = new Set<number>();
    for (const place of places) {
      const run = runs.of[place] ?? 0;
      all.add(run);
      runsOfPrompts.get(answers[place]?.promptId ?? "")?.add(run);
    }
    surfaces.push({
      ...surface,
      answers: places.length,
      ...timesOf(index, places),
      runs: all.size,
      instruments: [...byInstrument]
        .flatMap(([number, ofInstrument]) => {
          const instrument = instruments.values[number];
          return instrument === undefined
            ? []
            : [{ instrument, answers: ofInstrument.length, ...timesOf(index, ofInstrument) }];
        })
        .toSorted((a, b) => (a.firstAt < b.firstAt ? -1 : 1)),
      runsOfPrompts: [...runsOfPrompts.values()].map(({ size }) => size),
    });
    yield;
  }
  return surfaces;
}
