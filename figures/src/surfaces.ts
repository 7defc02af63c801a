import type { Answer, Instrument } from "./answer.ts";
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

export interface SurfaceAnswers extends Surface {
  readonly answers: readonly Answer[];
}

/** The answers of each surface, in their order; surfaces by name. */
export function bySurface(answers: readonly Answer[]): SurfaceAnswers[] {
  const found = new Map<string, Surface & { answers: Answer[] }>();
  for (const answer of answers) {
    const { platformCode, locale, persona } = answer;
    const { kind } = answer.instrument;
    const key = JSON.stringify([platformCode, kind, locale, persona]);
    const known = found.get(key);
    if (known === undefined) found.set(key, { platformCode, kind, locale, persona, answers: [answer] });
    else known.answers.push(answer);
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, surface]) => surface);
}

/** The run of an answer; without one, its day. */
export const runOf = ({ runId, observedAt }: Answer): string => runId ?? observedAt.slice(0, 10);

/** Runs in the order of their first answers. */
export function byRun(answers: readonly Answer[]): { readonly run: string; readonly answers: readonly Answer[] }[] {
  const runs = new Map<string, { first: string; answers: Answer[] }>();
  for (const answer of answers) {
    const run = runOf(answer);
    const known = runs.get(run);
    if (known === undefined) {
      runs.set(run, { first: answer.observedAt, answers: [answer] });
      continue;
    }
    known.answers.push(answer);
    if (answer.observedAt < known.first) known.first = answer.observedAt;
  }
  return [...runs]
    .toSorted(([, one], [, other]) => (one.first < other.first ? -1 : one.first > other.first ? 1 : 0))
    .map(([run, { answers: ofRun }]) => ({ run, answers: ofRun }));
}

export function surfacesOf(panel: PanelDefinition, answers: readonly Answer[]): ReportSurface[] {
  return bySurface(answers).map(({ answers: ofSurface, ...surface }) => {
    const instruments = new Map<string, { instrument: Instrument; times: string[] }>();
    const runsOfPrompts = new Map(panel.prompts.map(({ promptId }) => [promptId, new Set<string>()]));
    for (const answer of ofSurface) {
      const { instrument, observedAt, promptId } = answer;
      const { kind, modelVersion, recipe, reader, matcher, sourceRules } = instrument;
      const key = JSON.stringify([kind, modelVersion, recipe, reader, matcher, sourceRules]);
      const known = instruments.get(key);
      if (known === undefined) instruments.set(key, { instrument, times: [observedAt] });
      else known.times.push(observedAt);
      runsOfPrompts.get(promptId)?.add(runOf(answer));
    }
    return {
      ...surface,
      ...spanOf(ofSurface.map(({ observedAt }) => observedAt)),
      runs: new Set(ofSurface.map(runOf)).size,
      instruments: [...instruments.values()]
        .map(({ instrument, times }) => ({ instrument, ...spanOf(times) }))
        .toSorted((a, b) => (a.firstAt < b.firstAt ? -1 : 1)),
      runsOfPrompts: [...runsOfPrompts.values()].map(({ size }) => size),
    };
  });
}

function spanOf(times: readonly string[]): { answers: number; firstAt: string; lastAt: string } {
  const [first = ""] = times;
  return {
    answers: times.length,
    firstAt: times.reduce((least, time) => (time < least ? time : least), first),
    lastAt: times.reduce((most, time) => (time > most ? time : most), first),
  };
}
