/** What is computed from a panel's answers. Without a database: it runs in a process of its own, too. */
import {
  figureSteps,
  measureOf,
  reportSteps,
  type Answer,
  type FailedTask,
  type PanelDefinition,
  type ReportFacts,
} from "@querent/figures";
import type { FigureRow, PanelFigures } from "@querent/contract";
import { answerDecoder, recordDecoder } from "../figures/decode-answers.ts";
import { requestsOf, type AskedMeasures } from "../figures/requests.ts";
import { renderReport, type ReportPage } from "../report/page/render-report.ts";

export type Job = { readonly failures: readonly FailedTask[] } & (
  | { readonly kind: "figures"; readonly panel: PanelDefinition; readonly asked: AskedFigures }
  | { readonly kind: "report"; readonly facts: ReportFacts }
  /** As it stands in a zip, from the lines of its observations. */
  | { readonly kind: "zip"; readonly facts: ReportFacts }
  | { readonly kind: "page"; readonly facts: ReportFacts; readonly page: Omit<ReportPage, "report"> }
);

export interface AskedFigures {
  readonly measures: AskedMeasures;
  readonly surface: { readonly platformCode?: string; readonly locale?: string; readonly persona?: string };
  readonly window: PanelFigures["window"];
  readonly by: "none" | "prompt" | "topic" | "run" | "day";
}

/** The reply's text: JSON, or a page. Pauses often. */
export function* jobSteps(job: Job, answers: readonly Answer[]): Generator<void, string, void> {
  if (job.kind === "figures") return JSON.stringify(yield* panelFigures(job, answers));
  const report = yield* reportSteps(job.facts, answers, job.failures);
  yield;
  if (job.kind === "page") return renderReport({ ...job.page, report });
  return job.kind === "report" ? JSON.stringify(report) : `${JSON.stringify(report, null, 2)}\n`;
}

/** Decodes the pages of a job: lines of observations for a zip, and else what `answerPages` writes. */
export const decoderFor = ({ kind }: Job): ((page: string) => Answer[]) =>
  kind === "zip" ? recordDecoder() : answerDecoder();

function* panelFigures(
  { panel, failures, asked: { measures, surface, window, by } }: Extract<Job, { kind: "figures" }>,
  answers: readonly Answer[],
): Generator<void, PanelFigures, void> {
  const compute = figureSteps(panel, answers, failures);
  const rows: FigureRow[] = [];
  for (const asked of requestsOf(panel, answers, measures)) {
    const { definition } = measureOf(asked.measure);
    for (const row of yield* compute({ ...asked, ...surface, ...window, by }))
      rows.push({ measure: asked.measure, definition, ...row });
  }
  return { panelId: panel.panelId, revision: panel.revision, window, rows };
}
