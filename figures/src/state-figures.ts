import type { FigureReason, Measure } from "@querent/contract";
import type { Instrument } from "./answer.ts";
import { estimateBoth, type EstimatedFigure, type Interval, type IntervalScope, type TooFew } from "./estimate.ts";
import type { CellSums } from "./sample.ts";
import { readsFailures } from "./measures.ts";

/** A figure with everything that is needed to judge it. */
export interface StatedFigure {
  /** The value; null without answers. */
  readonly value: number | null;
  readonly interval: Interval | null;
  /** If at least 2 % of the answers are missing: what the figure could be, whatever they would have said. */
  readonly bounds: Bounds | null;
  readonly scope: IntervalScope;
  readonly cells: number;
  readonly answers: number;
  /** The window of `observedAt`; an end that was not given is null if there are no answers. */
  readonly window: { readonly from: string | null; readonly to: string | null };
  readonly instrument: Instrument[];
  /** Whether it is of answers that were taken with different instruments, which are not comparable. */
  readonly blend: boolean;
  readonly definition: string;
  /** Why the value or its interval is missing. */
  readonly reason: FigureReason | null;
  /** Where the answers are listed that were considered; of a measure of tasks, those that failed. */
  readonly observations: string;
}

/** A figure as it was stated once: earlier versions knew neither bounds nor blends. */
export type FormerFigure = Omit<StatedFigure, "bounds" | "blend"> & Partial<Pick<StatedFigure, "bounds" | "blend">>;

/**
 * The worst case of missing answers (Manski): the lower end of the interval if none of them had what is measured, and the upper end if
 * all of them had. It contains the interval.
 */
export interface Bounds {
  readonly low: number;
  readonly high: number;
  /** That of the interval. Null: there is no interval, and the bounds are those of the value alone. */
  readonly level: number | null;
  readonly missing: number;
  /** The missing ones among them. */
  readonly asked: number;
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
  readonly sums: CellSums;
  /** How many answers are missing; null if they are few, or could change the figure by any amount. */
  readonly missing: {
    readonly missing: number;
    readonly asked: number;
    readonly none: CellSums;
    readonly all: CellSums;
  } | null;
  /** The answers from which the values of the cells were made. */
  readonly answers: number;
  readonly surface: Surface & { readonly promptId: string | null; readonly runId: string | null };
  readonly instruments: Instrument[];
  readonly blend: boolean;
  readonly window: StatedFigure["window"];
}

/** The figure of both scopes. */
export function stateFigures(statement: Statement): { thesePrompts: StatedFigure; promptsLikeThese: StatedFigure } {
  const { measure, sums, missing, answers, instruments, blend, window } = statement;
  const observations = addressOf(statement);
  const figures = estimateBoth(sums, measure.kind);
  const none = missing === null ? null : estimateBoth(missing.none, measure.kind);
  const all = missing === null ? null : estimateBoth(missing.all, measure.kind);
  const state = (scope: IntervalScope): StatedFigure => {
    const figure = figures[scope];
    return {
      value: figure.value,
      interval: measure.sample === null ? null : figure.interval,
      bounds:
        missing === null || none === null || all === null
          ? null
          : { ...boundsOf(figure, none[scope], all[scope]), missing: missing.missing, asked: missing.asked },
      scope,
      cells: figure.cells,
      answers,
      window,
      instrument: instruments,
      blend,
      definition: measure.definition,
      reason: reasonOf(figure, measure),
      observations,
    };
  };
  return { thesePrompts: state("these_prompts"), promptsLikeThese: state("prompts_like_these") };
}

/** Where a worst case has no interval of its own, its value is as uncertain as that of the answers that are there. */
function boundsOf(
  { value, interval }: EstimatedFigure,
  none: EstimatedFigure,
  all: EstimatedFigure,
): Pick<Bounds, "low" | "high" | "level"> {
  const [least, most] = [none.value ?? 0, all.value ?? 1];
  if (value === null || interval === null) return { low: least, high: most, level: null };
  const low = none.interval?.low ?? Math.max(0, least - (value - interval.low));
  const high = all.interval?.high ?? Math.min(1, most + (interval.high - value));
  return { low: Math.min(low, interval.low), high: Math.max(high, interval.high), level: interval.level };
}

function reasonOf({ value, tooFew }: EstimatedFigure, { sample }: Measure): FigureReason | null {
  if (value !== null && sample === null)
    return { code: "no_interval", detail: "This measure has no interval.", there: 0, needed: 0, missing: 0 };
  if (tooFew === null) return null;
  const { what, there, needed } = tooFew;
  const missing = needed - there;
  const counts = { there, needed, missing };
  if (what === "dependent_runs") return { code: what, detail: ofDependentRuns(counts), ...counts };
  const unit = what === "runs" ? (sample ?? what) : what;
  return { code: `too_few_${unit}`, detail: detailOf(unit, counts), ...counts };
}

const words = {
  runs: "runs",
  days: "days with two answers to a prompt",
  pairs_of_days: "pairs of neighbouring days",
  pairs_of_runs: "pairs of neighbouring runs",
} as const;

type Counts = Omit<FigureReason, "code" | "detail">;

const ofDependentRuns = ({ there, needed, missing }: Counts) =>
  `What moves all prompts at once may last for several runs, and ${there} runs do not show for how long: ${needed} are needed, ${missing} more.`;

function detailOf(
  unit: Exclude<TooFew["what"], "dependent_runs"> | keyof typeof words,
  { there, needed, missing }: Counts,
): string {
  if (unit === "answers") return "There are no answers from which it could be made.";
  const numbers = `there are ${there}, and ${needed} are needed, ${missing} more`;
  return unit === "topics"
    ? `Too few topics for a statement about prompts like these: ${numbers}.`
    : `Too few ${words[unit]} for an interval: ${numbers}.`;
}

/** Where the answers of a figure are listed. */
export function addressOf({
  panelId,
  measure,
  surface,
  window,
}: Pick<Statement, "panelId" | "measure" | "surface" | "window">): string {
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
  if (measure.id === "refusal_rate") given.push(["code", "platform_refused"]);
  const path = readsFailures(measure.id) ? "/v1/observations/failures" : "/v1/observations";
  return `${path}?${given.map(([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`).join("&")}`;
}
