import { reportSteps, type Answer, type Report, type ReportFacts } from "@querent/figures";
import { sliceMs, yieldToEventLoop } from "../../runtime/slices.ts";

/** As `makeReport` of the figures, without keeping other requests waiting. */
export async function computeReport(facts: ReportFacts, answers: readonly Answer[]): Promise<Report> {
  const steps = reportSteps(facts, answers);
  for (let since = performance.now(); ;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < sliceMs) continue;
    await yieldToEventLoop();
    since = performance.now();
  }
}
