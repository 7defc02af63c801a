import type { Answer, Instrument } from "./answer.ts";
import { baselineRuns } from "./change.ts";
import { aboutSubject, instrumentKey, namesOf, startSeries } from "./change-series.ts";
import { firstDifference } from "./compare-reports.ts";
import { figuresFrom } from "./compute-figures.ts";
import { ofAnswersAndRuns } from "./estimate.ts";
import { changeIn, consideredAfter, readDays, type ChangeShape, type FormerChange } from "./judge-changes.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { comparableAnswers, panelAt } from "./panel-history.ts";
import type { FormerFigure, Surface } from "./state-figures.ts";
import type { MeasureId } from "@querent/contract";

/** A change of a figure, as it was announced, and from what. */
export interface ChangeFacts extends Surface {
  readonly changeId: string;
  readonly measure: MeasureId;
  readonly definition: string;
  /** Null: it is one of a site. */
  readonly entityId: string | null;
  /** Of a change of a site; changes that earlier versions found have none. */
  readonly domain?: string | null;
  readonly direction: "up" | "down";
  readonly difference: number;
  /** The day. */
  readonly since: string;
  /** Not of changes that earlier versions found, whose evidence was another one. */
  readonly earliest?: string;
  readonly latest?: string;
  readonly shape?: ChangeShape | null;
  readonly continues?: boolean;
  readonly foundAt: string;
  /** Prompts that stand on both sides, and those that stand on one only. Changes that were found by earlier versions do not have them. */
  readonly prompts?: number;
  readonly promptsLeftOut?: number;
  readonly evidence: number;
  readonly threshold: number;
  readonly before: FormerFigure;
  readonly after: FormerFigure;
  /** Which answers were compared; null for a change that was found before this was recorded. */
  readonly basis: ChangeBasis | null;
}

/** Which answers were compared: of these days, prompts and instruments, until the change was found. */
export interface ChangeBasis {
  /** The first day whose answers were considered. */
  readonly from: string;
  readonly promptIds: readonly string[];
  readonly instruments: readonly string[];
  /** Days on which the platform's pages did not match the recipe. */
  readonly leftOutDays: readonly string[];
  /** The panel's, when the change was found. Not recorded by earlier versions. */
  readonly revision?: number;
  /** After which the evidence started. */
  readonly former?: FormerChange | null;
}

/** A change of what a platform's answers are taken with. */
export interface InstrumentChangeFacts extends Pick<Surface, "platformCode" | "kind"> {
  readonly changeId: string;
  readonly since: string;
  readonly foundAt: string;
  readonly before: readonly Instrument[];
  readonly after: readonly Instrument[];
  readonly figures: readonly {
    readonly measure: MeasureId;
    readonly entityId: string;
    readonly locale: string;
    readonly persona: string;
    readonly before: FormerFigure | null;
    readonly after: FormerFigure | null;
  }[];
  readonly leftOutDays: readonly string[] | null;
}

/** How many changes of each kind a report has: each is computed again. */
export const reportedChangesMax = 50;

/** What was found in the window, newest first. */
export interface FoundFacts {
  readonly changes: readonly ChangeFacts[];
  readonly instrumentChanges: readonly InstrumentChangeFacts[];
}

/**
 * Whether the report's answers give the same. `other`: the answers, the panel or its entities have changed since, or it was never
 * so. `not_in_window`: it was made from answers that the report does not have. `not_recorded`: from which ones is not known.
 */
export type Recomputed = "same" | "other" | "not_in_window" | "not_recorded";

export type ReportChange = Omit<ChangeFacts, "basis"> & {
  readonly verdict: "changed";
  readonly recomputed: { readonly before: Recomputed; readonly after: Recomputed; readonly evidence: Recomputed };
};

export type ReportInstrumentChange = Omit<InstrumentChangeFacts, "leftOutDays"> & {
  readonly verdict: "instrument_changed";
  readonly recomputed: { readonly figures: Recomputed };
};

export interface ReportChanges {
  readonly changes: readonly ReportChange[];
  readonly instrumentChanges: readonly ReportInstrumentChange[];
}

/** The changes, each with what the answers of the report say about it; pauses after each. */
export function* reportChanges(
  panel: PanelDefinition,
  window: { readonly from: string; readonly to: string },
  answers: readonly Answer[],
  { changes, instrumentChanges }: FoundFacts,
): Generator<void, ReportChanges, void> {
  if (Math.max(changes.length, instrumentChanges.length) > reportedChangesMax)
    throw new RangeError(`A report has at most ${reportedChangesMax} changes of each kind.`);
  const judged: ReportChange[] = [];
  for (const { basis, ...change } of changes) {
    judged.push({
      ...change,
      verdict: "changed",
      recomputed: recomputeChange({ panel, window, answers }, change, basis),
    });
    yield;
  }
  const ofInstruments: ReportInstrumentChange[] = [];
  for (const { leftOutDays, ...change } of instrumentChanges) {
    const figures = recomputeInstrument({ panel, window, answers }, change, leftOutDays);
    ofInstruments.push({ ...change, verdict: "instrument_changed", recomputed: { figures } });
    yield;
  }
  return { changes: judged, instrumentChanges: ofInstruments };
}

interface Known {
  readonly panel: PanelDefinition;
  readonly window: { readonly from: string; readonly to: string };
  readonly answers: readonly Answer[];
}

const startOf = (day: string) => `${day}T00:00:00.000Z`;

function recomputeChange(
  { panel: today, window, answers }: Known,
  change: Omit<ChangeFacts, "basis">,
  basis: ChangeBasis | null,
): ReportChange["recomputed"] {
  if (basis === null) return { before: "not_recorded", after: "not_recorded", evidence: "not_recorded" };
  const { measure, entityId, domain = null, platformCode, kind, locale, persona, foundAt } = change;
  const panel = basis.revision === undefined ? today : panelAt(today, { revision: basis.revision, at: foundAt });
  const promptOf = comparableAnswers(panel);
  const names = namesOf(panel, measure, entityId);
  const leftOut = new Set(basis.leftOutDays);
  const instruments = new Set(basis.instruments);
  const seen = answers.filter(
    (answer) =>
      answer.platformCode === platformCode &&
      answer.instrument.kind === kind &&
      answer.locale === locale &&
      answer.persona === persona &&
      answer.observedAt <= foundAt &&
      instruments.has(instrumentKey(answer.instrument)) &&
      !leftOut.has(answer.observedAt.slice(0, 10)),
  );
  const prompts = new Set(basis.promptIds);
  const figures = figuresFrom(
    panel,
    seen.filter((answer) => prompts.has(promptOf(answer, names)?.promptId ?? "")),
  );
  const side = (stated: FormerFigure): Recomputed => {
    const { from, to } = stated.window;
    if (from === null || to === null || !isWithin(window, from, to, foundAt)) return "not_in_window";
    if (!hasEntity(panel, entityId)) return "other";
    const [row] = figures({ measure, ...aboutSubject({ entityId, domain }), from, to, by: "none", blend: true });
    return compareFigures(row?.thesePrompts, stated);
  };
  const evidence = () => {
    const { earliest, latest, shape, continues } = change;
    if (shape === undefined) return "not_recorded";
    if (!isWithin(window, startOf(basis.from), foundAt, foundAt)) return "not_in_window";
    const { add, finish } = startSeries(panel, { measure, entityId, domain });
    for (const answer of seen) if (answer.observedAt >= startOf(basis.from)) add(answer);
    const since = finish().series[0]?.sums ?? [];
    const former = basis.former ?? null;
    const days = readDays(since, former === null ? basis.from : consideredAfter(former));
    if (days.means.length <= baselineRuns) return "other";
    const made = changeIn(days, { since, former });
    return compare(
      {
        since: made.since,
        earliest: made.earliest,
        latest: made.latest,
        shape: made.shape,
        continues: made.continues,
        direction: made.direction,
        difference: made.difference,
        evidence: days.evidence,
      },
      {
        since: change.since,
        earliest,
        latest,
        shape,
        continues,
        direction: change.direction,
        difference: change.difference,
        evidence: change.evidence,
      },
    );
  };
  return { before: side(change.before), after: side(change.after), evidence: evidence() };
}

function recomputeInstrument(
  { panel, window, answers }: Known,
  { platformCode, kind, foundAt, before, after, figures, since }: Omit<InstrumentChangeFacts, "leftOutDays">,
  leftOutDays: readonly string[] | null,
): Recomputed {
  if (leftOutDays === null) return "not_recorded";
  const stated = figures.flatMap((one) => [one.before, one.after]).filter((figure) => figure !== null);
  const first = stated.reduce(
    (least, { window: { from } }) => (from !== null && from < least ? from : least),
    startOf(since),
  );
  if (!isWithin(window, first, foundAt, foundAt)) return "not_in_window";
  const leftOut = new Set(leftOutDays);
  const rowsOf = (instruments: readonly Instrument[]) => {
    const some = new Set(instruments.map(instrumentKey));
    return figuresFrom(
      panel,
      answers.filter(
        (answer) =>
          answer.platformCode === platformCode &&
          answer.observedAt <= foundAt &&
          some.has(instrumentKey(answer.instrument)) &&
          !leftOut.has(answer.observedAt.slice(0, 10)),
      ),
    );
  };
  const sides = [rowsOf(before), rowsOf(after)] as const;
  for (const { measure, entityId, locale, persona, ...one } of figures)
    for (const [index, figure] of [one.before, one.after].entries()) {
      if (figure === null) continue;
      if (!hasEntity(panel, entityId)) return "other";
      // Its window ends with its last answer, or with the last one before the change.
      const { from, to } = figure.window;
      const until = index === 0 ? { to: to ?? startOf(since) } : {};
      const rows = sides[index]?.({ measure, entityId, from: from ?? first, ...until, by: "none", blend: true }) ?? [];
      const row = rows.find(({ group }) => group.kind === kind && group.locale === locale && group.persona === persona);
      if (compareFigures(row?.thesePrompts, figure) === "other") return "other";
    }
  return "same";
}

const hasEntity = ({ entities }: PanelDefinition, id: string | null) =>
  id === null || entities.some(({ entityId }) => entityId === id);

/** Answers that came after it was found were not considered. */
function isWithin(window: Known["window"], from: string, to: string, foundAt: string): boolean {
  return from >= window.from && (to <= window.to || foundAt < window.to);
}

/** Without its interval if that was stated by another method than today's: answers can give the same value, but not those bounds. */
function compareFigures(made: FormerFigure | undefined, stated: FormerFigure): Recomputed {
  const isByAnother = stated.interval !== null && !stated.interval.method.endsWith(ofAnswersAndRuns);
  const of = ({ value, interval, cells, answers }: FormerFigure) => ({
    value,
    interval: isByAnother ? null : interval,
    cells,
    answers,
  });
  return compare(made === undefined ? null : of(made), of(stated));
}

/** As it is written: JSON has no -0. */
const compare = (made: object | null, stated: object): Recomputed =>
  firstDifference(JSON.parse(JSON.stringify(made)), JSON.parse(JSON.stringify(stated))) === null ? "same" : "other";
