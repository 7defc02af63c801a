import { csvLines, figureCells, figureColumns } from "@querent/client";
import type { FigureRow, PanelFigures } from "@querent/contract";
import { figureSteps, measureOf, type PanelDefinition } from "@querent/figures";
import type { Job } from "../../computing/job.ts";
import { readAnswers, readFailedTasks } from "./read-input.ts";
import { requestsOf, type AskedMeasures } from "./requests.ts";

export interface FigureInput {
  readonly panel: PanelDefinition;
  readonly measures: AskedMeasures;
  readonly surface: { readonly platformCode?: string; readonly locale?: string; readonly persona?: string };
  readonly window: PanelFigures["window"];
  readonly by: "none" | "prompt" | "topic" | "run" | "day";
  readonly blend: boolean;
  readonly format: "json" | "csv";
}

/** The figures of a panel as JSON or CSV, row by row: there may be one for each measure, entity and prompt. */
export const job: Job<FigureInput> = {
  module: import.meta.url,
  async *run({ panel, measures, surface, window, by, blend, format }, read) {
    const failures = yield* readFailedTasks(read);
    const answers = yield* readAnswers(read);
    const compute = figureSteps(panel, answers, failures);
    const { panelId, revision } = panel;
    const names = new Map(panel.entities.map(({ entityId, name }) => [entityId, name]));
    const isCsv = format === "csv";
    yield isCsv
      ? csvLines([[...figureColumns]])
      : `${JSON.stringify({ panelId, revision, window }).slice(0, -1)},"rows":[`;
    let separator = "";
    for (const asked of requestsOf(panel, answers, measures)) {
      const { definition, unit } = measureOf(asked.measure);
      for (const row of yield* compute({ ...asked, ...surface, ...window, by, blend })) {
        const figures = { measure: asked.measure, definition, unit, ...row } satisfies FigureRow;
        yield isCsv ? csvLines(figureCells(figures, names)) : separator + JSON.stringify(figures);
        separator = ",";
      }
    }
    if (!isCsv) yield "]}";
  },
};
