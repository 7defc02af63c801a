import type { Instrument } from "./answer.ts";
import { bySurface, timesOf, type AnswerIndex } from "./answer-index.ts";
import { headlines } from "./headline.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { promptIdOf } from "./panel-history.ts";
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
  /** What its figures are of, unless they say something else: the latest instrument with enough runs for an interval, or else the latest. */
  readonly headline: { readonly instrument: Instrument; readonly answers: number; readonly runs: number } | null;
  /** How many runs have answers of that instrument, for each prompt of the panel, in its order. */
  readonly runsOfPrompts: readonly number[];
}

/** The surfaces of the answers; pauses after each. */
export function* surfacesOf(panel: PanelDefinition, index: AnswerIndex): Generator<void, ReportSurface[], void> {
  const { prompts, instruments, runs } = index;
  const surfaces: ReportSurface[] = [];
  for (const { surface, places } of bySurface(index)) {
    const byInstrument = Map.groupBy(places, (place) => instruments.of[place] ?? 0);
    const runsOfPrompts = new Map(panel.prompts.map(({ promptId }) => [promptId, new Set<number>()]));
    const all = new Set<number>();
    const [use] = headlines(index, places).values().next().value ?? [];
    for (const place of places) {
      const run = runs.of[place] ?? 0;
      all.add(run);
      if (instruments.of[place] === use?.instrument) {
        const key = prompts.values[prompts.of[place] ?? 0] ?? "";
        runsOfPrompts.get(promptIdOf(key))?.add(run);
      }
    }
    const headline = use === undefined ? undefined : instruments.values[use.instrument];
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
      headline:
        use === undefined || headline === undefined
          ? null
          : { instrument: headline, answers: use.answers, runs: use.runs },
      runsOfPrompts: [...runsOfPrompts.values()].map(({ size }) => size),
    });
    yield;
  }
  return surfaces;
}
