import { reportSteps, type Answer, type Report, type ReportFacts } from "@querent/figures";
import { runInSlices } from "../../runtime/slices.ts";

/** As `makeReport` of the figures, without keeping other requests waiting. */
export const computeReport = (facts: ReportFacts, answers: readonly Answer[]): Promise<Report> =>
  runInSlices(reportSteps(facts, answers));
