import { reportSteps, type ReportFacts } from "@querent/figures";
import { jsonPieces, type Job } from "../../computing/job.ts";
import { readAnswers, readFailedTasks, readRecords } from "../figures/read-input.ts";
import { renderReport, type ReportPage } from "./page/render-report.ts";

export type ReportJobInput = { readonly facts: ReportFacts } & (
  | { readonly as: "json" }
  | { readonly as: "page"; readonly page: Omit<ReportPage, "report"> }
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
    else yield renderReport({ ...input.page, report });
  },
};
