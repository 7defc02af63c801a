import type { ReportReady } from "@querent/contract";
import { reportSteps, type Report, type ReportFacts } from "@querent/figures";
import { jsonPieces, type Job } from "../../computing/job.ts";
import { readAnswers, readFailedTasks, readRecords } from "../figures/read-input.ts";
import { renderReport, type ReportPage } from "./page/render-report.ts";

export type ReportJobInput = { readonly facts: ReportFacts } & (
  | { readonly as: "json" }
  | {
      readonly as: "page";
      readonly page: Omit<ReportPage, "report">;
      /** A line with what a mail says of the report precedes the page. */
      readonly withSummary?: boolean;
    }
  /** As it stands in a zip, from the lines of its observations. */
  | { readonly as: "zip" }
);

/** What a client can change if a report is too large. */
export const narrowReport = { pointer: "?from", detail: "Choose a shorter window." };

/** The report of a panel. */
export const job: Job<ReportJobInput> = {
  module: import.meta.url,
  async *run(input, read) {
    const failures = yield* readFailedTasks(read);
    const answers = yield* input.as === "zip" ? readRecords(read) : readAnswers(read);
    const report = yield* reportSteps(input.facts, answers, failures);
    yield;
    if (input.as === "json") yield* jsonPieces(report);
    else if (input.as === "zip") yield `${JSON.stringify(report, null, 2)}\n`;
    else {
      if (input.withSummary === true) yield `${JSON.stringify(summaryOf(report))}\n`;
      yield renderReport({ ...input.page, report });
    }
  },
};

/** What a mail or a message to a channel says of a report. */
export type ReportSummary = Pick<
  ReportReady,
  "answers" | "grade" | "figures" | "moreFigures" | "changes" | "moreChanges"
>;

const figuresMax = 10;
const changesMax = 10;

function summaryOf({ counts, grade, entities, summary, changes = [] }: Report): ReportSummary {
  const own = new Map(
    entities.flatMap(({ entityId, name, relation }) => (relation === "own" ? [[entityId, name]] : [])),
  );
  const figures = summary.flatMap(({ measure, group, thesePrompts }) => {
    const name = own.get(group.entityId ?? "");
    if (measure !== "presence" || name === undefined) return [];
    const { value, interval, answers, window, instrument } = thesePrompts;
    const { platformCode, kind, locale, persona } = group;
    return [
      {
        ...{ name, platformCode, kind, locale, persona, answers, window },
        models: [...new Set(instrument.flatMap(({ modelVersion }) => modelVersion ?? []))],
        presence: value,
        interval: interval === null ? null : { low: interval.low, high: interval.high },
      },
    ];
  });
  return {
    answers: counts.answers,
    grade: grade.grade,
    figures: figures.slice(0, figuresMax),
    moreFigures: Math.max(0, figures.length - figuresMax),
    changes: changes.slice(0, changesMax).map((change) => {
      const { entityId, domain, measure, platformCode, direction, before, after, since } = change;
      const name = domain ?? entities.find((entity) => entity.entityId === entityId)?.name ?? "";
      return { name, measure, platformCode, direction, before: before.value, after: after.value, since };
    }),
    moreChanges: Math.max(0, changes.length - changesMax),
  };
}
