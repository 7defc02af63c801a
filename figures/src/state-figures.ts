import type { Instrument } from "./answer.ts";
import { estimate, type Cell, type Figure, type Interval, type Scope, type TooFew } from "./estimate.ts";
import type { Measure } from "./measures.ts";

/** A figure with everything that is needed to judge it. */
export interface StatedFigure {
  /** Null without answers. */
  readonly value: number | null;
  readonly interval: Interval | null;
  readonly scope: Scope;
  readonly cells: number;
  readonly answers: number;
  /** Of `observedAt`; null for an end that was not given, if there are no answers. */
  readonly window: { readonly from: string | null; readonly to: string | null };
  readonly instrument: readonly Instrument[];
  readonly definition: string;
  /** Why the value or its interval is missing. */
  readonly reason: FigureReason | null;
  /** Where the answers are listed that were considered. */
  readonly observations: string;
}

export interface FigureReason {
  readonly code: "too_few_answers" | "too_few_runs" | "too_few_topics";
  readonly detail: string;
  /** How many there are, how many are needed at least, and so how many more. */
  readonly there: number;
  readonly needed: number;
  readonly missing: number;
}

/** What is never added up. */
export interface Surface {
  readonly platformCode: string;
  readonly kind: Instrument["kind"];
  readonly locale: string;
  readonly persona: string;
}

export interface Statement {
  readonly panelId: string;
  readonly measure: Measure;
  readonly cells: readonly Cell[];
  readonly surface: Surface & { readonly promptId: string | null; readonly runId: string | null };
  readonly instruments: readonly Instrument[];
  readonly window: StatedFigure["window"];
}

/** The figure of both scopes. */
export function stateFigures(statement: Statement): { thesePrompts: StatedFigure; promptsLikeThese: StatedFigure } {
  const { measure, cells, instruments, window } = statement;
  const observations = addressOf(statement);
  const state = (scope: Scope): StatedFigure => {
    const figure = estimate(cells, measure.kind, scope);
    return {
      value: figure.value,
      interval: figure.interval,
      scope,
      cells: figure.cells,
      answers: figure.answers,
      window,
      instrument: instruments,
      definition: measure.definition,
      reason: reasonOf(figure),
      observations,
    };
  };
  return { thesePrompts: state("these_prompts"), promptsLikeThese: state("prompts_like_these") };
}

function reasonOf({ tooFew }: Figure): FigureReason | null {
  if (tooFew === null) return null;
  const { what, there, needed } = tooFew;
  const missing = needed - there;
  return { code: `too_few_${what}`, detail: sentences[what](tooFew, missing), there, needed, missing };
}

const sentences: Readonly<Record<TooFew["what"], (tooFew: TooFew, missing: number) => string>> = {
  answers: () => "There is no answer from which it could be made.",
  runs: ({ there, needed }, missing) =>
    `Too few runs for an interval: there are answers of ${there}, and ${needed} are needed, ${missing} more.`,
  topics: ({ there, needed }, missing) =>
    `Too few topics for a statement about prompts like these: there are ${there}, and ${needed} are needed, ${missing} more.`,
};

function addressOf({ panelId, surface, window }: Statement): string {
  const query: [string, string | null][] = [
    ["panelId", panelId],
    ["platformCode", surface.platformCode],
    ["locale", surface.locale],
    ["persona", surface.persona],
    ["promptId", surface.promptId],
    ["runId", surface.runId],
    ["observedFrom", window.from],
    ["observedBefore", window.to],
  ];
  // An empty locale or persona is that of a panel without any: there is no filter for it.
  const given = query.filter(([, value]) => value !== null && value !== "");
  return `/v1/observations?${given.map(([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`).join("&")}`;
}
