import type { Answer } from "./answer.ts";
import { indexSteps, type AnswerIndex } from "./answer-index.ts";
import { indexedFigures, type FigureRequest } from "./compute-figures.ts";
import type { FailedTask } from "./failed-task.ts";
import { gradeReport, type Grade, type SealState } from "./grade.ts";
import { measures, readsAds, readsFailures, readsProducts } from "./measures.ts";
import type { PanelDefinition, PanelEntity } from "./panel-definition.ts";
import { reportChanges, type FoundFacts, type ReportChange, type ReportInstrumentChange } from "./report-changes.ts";
import { countSources, mostCited, type SurfaceSources } from "./report-sources.ts";
import { presenceSeries, type Series } from "./report-series.ts";
import { splitHalf } from "./split-half.ts";
import { surfacesOf, type ReportSurface } from "./surfaces.ts";
import type { ComputedRow } from "./figure-rows.ts";
import type { Measure, MeasureId, ReportFrame } from "@querent/contract";

/** Changes if the same answers would make another report. */
export const reportFormat = "querent-report/2";

/** A revision of the panel whose answers are in the report, and its seal. */
export interface RevisionFacts {
  readonly revision: number;
  readonly digest: string;
  /** `runsBefore`: how many runs of the revision had started when it was sealed. Null: it was never sealed. */
  readonly seal: { readonly sealedAt: string; readonly kid: string; readonly runsBefore: number } | null;
}

/** What a report is made from, besides the answers. */
export interface ReportFacts {
  readonly panel: PanelDefinition;
  readonly window: { readonly from: string; readonly to: string };
  readonly revisions: readonly RevisionFacts[];
  readonly service: { readonly name: string; readonly version: string };
  /** What was found in the window; reports of earlier versions have none. */
  readonly found?: FoundFacts;
  /** From how many proposals the prompts of the current revision were chosen; left out where it is not known. */
  readonly frame?: ReportFrame;
}

export interface ReportRow extends ComputedRow {
  readonly measure: MeasureId;
  readonly definition: string;
}

export interface Report {
  readonly format: typeof reportFormat;
  readonly panel: Pick<PanelDefinition, "panelId" | "name" | "revision" | "digest">;
  readonly window: ReportFacts["window"];
  readonly service: ReportFacts["service"];
  readonly revisions: readonly (RevisionFacts & { readonly answers: number; readonly sealed: SealState })[];
  readonly entities: readonly PanelEntity[];
  readonly counts: { readonly answers: number; readonly runs: number; readonly days: number; readonly prompts: number };
  readonly grade: Grade;
  readonly surfaces: readonly ReportSurface[];
  /** The definitions of every measure that is used: figures with others are not comparable. */
  readonly definitions: readonly string[];
  /** Every measure: of every own entity and competitor, and of the domains and types of sites that most answers cite. */
  readonly summary: readonly ReportRow[];
  /** Presence by run. */
  readonly series: readonly Series[];
  /** Presence of own entities by prompt. */
  readonly prompts: readonly ReportRow[];
  readonly sources: readonly SurfaceSources[];
  readonly frame?: ReportFrame;
  /** The changes that were found in the window, and whether the report's answers give the same; both or neither. */
  readonly changes?: readonly ReportChange[];
  readonly instrumentChanges?: readonly ReportInstrumentChange[];
}

/** The report of a panel: the same facts, and the same answers and failed tasks in the same order, give the same report to the last digit. */
export function makeReport(
  facts: ReportFacts,
  answers: readonly Answer[],
  failures: readonly FailedTask[] = [],
): Report {
  const steps = reportSteps(facts, answers, failures);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As `makeReport`, with a pause after each figure, for a program that does other things too. */
export function* reportSteps(
  facts: ReportFacts,
  answers: readonly Answer[],
  failures: readonly FailedTask[] = [],
): Generator<void, Report, void> {
  const { panel, window, service } = facts;
  const compared = panel.entities.filter(({ relation }) => relation !== "other");
  const own = compared.filter(({ relation }) => relation === "own");
  const index = yield* indexSteps(panel, answers);
  const figures = indexedFigures(panel, index, failures);
  const stated = statedMeasures(panel);
  const rows = function* (request: FigureRequest): Generator<void, ReportRow[], void> {
    const { measure } = request;
    return (yield* figures(request)).map((row) => ({ measure, definition: row.thesePrompts.definition, ...row }));
  };
  const summary: ReportRow[] = [];
  for (const request of requestsOf(stated, compared, index)) {
    summary.push(...(yield* rows({ ...request, ...window, by: "none" })));
  }
  const prompts: ReportRow[] = [];
  for (const { entityId } of own) {
    prompts.push(...(yield* rows({ measure: "presence", entityId, ...window, by: "prompt" })));
  }
  const series = yield* presenceSeries(
    panel,
    index,
    compared.map(({ entityId }) => entityId),
  );
  yield;
  const surfaces = yield* surfacesOf(panel, index);
  const revisions = facts.revisions.map((one) => ({
    ...one,
    answers: answers.filter(({ panelRevision }) => panelRevision === one.revision).length,
    sealed: sealState(one.seal),
  }));
  const reproducibility = yield* splitHalf(panel, index);
  yield;
  const sources = yield* countSources(panel, index);
  yield;
  const changes = facts.found === undefined ? {} : yield* reportChanges(panel, window, answers, facts.found);
  return {
    format: reportFormat,
    panel: { panelId: panel.panelId, name: panel.name, revision: panel.revision, digest: panel.digest },
    window,
    service,
    revisions,
    entities: panel.entities,
    counts: countsOf(index),
    grade: gradeReport({
      panel,
      answers,
      failures,
      surfaces,
      reproducibility,
      seals: revisions.filter((one) => one.answers > 0).map(({ sealed }) => sealed),
    }),
    surfaces,
    definitions: stated.map(({ definition }) => definition),
    summary,
    series,
    prompts,
    sources,
    ...(facts.frame === undefined ? {} : { frame: facts.frame }),
    ...changes,
  };
}

/**
 * Those of advertisements and products are no part of a report, which is computed again from what it was made of: earlier ones have
 * none. A report from before failed tasks were recorded is computed again without what they would tell.
 */
const statedMeasures = ({ failuresSince }: PanelDefinition): readonly Measure[] =>
  measures.filter(
    ({ id }) => !readsAds(id) && !readsProducts(id) && (failuresSince !== undefined || !readsFailures(id)),
  );

/** Every measure, of everything that it can be about. */
function requestsOf(
  stated: readonly Measure[],
  compared: readonly PanelEntity[],
  index: AnswerIndex,
): Pick<FigureRequest, "measure" | "entityId" | "domain" | "sourceType">[] {
  const domains = mostCited(index, "domain");
  const types = mostCited(index, "type");
  return stated.flatMap(({ id: measure, per }) => {
    if (per === "entity") return compared.map(({ entityId }) => ({ measure, entityId }));
    if (per === "domain") return domains.map((domain) => ({ measure, domain }));
    return per === "source_type" ? types.map((sourceType) => ({ measure, sourceType })) : [{ measure }];
  });
}

function sealState(seal: RevisionFacts["seal"]): SealState {
  if (seal === null) return "never";
  return seal.runsBefore === 0 ? "before_first_run" : "after_first_run";
}

const countsOf = ({ answers, runs, days, prompts }: AnswerIndex): Report["counts"] => ({
  answers: answers.length,
  runs: runs.values.length,
  days: days.values.length,
  prompts: prompts.values.length,
});
