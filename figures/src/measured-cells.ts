import type { Answer } from "./answer.ts";
import { indexAnswers } from "./answer-index.ts";
import { cellsOf, readRow, startRows, type FigureRequest } from "./compute-figures.ts";
import type { Cell } from "./estimate.ts";
import type { FailedTask } from "./failed-task.ts";
import { groupAnswers } from "./group-answers.ts";
import { readsFailures } from "./measures.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import type { Surface } from "./state-figures.ts";
import { withFailures } from "./with-failures.ts";

/** What the figures of a measure are estimated from, of one surface. */
export interface MeasuredCells {
  readonly surface: Surface;
  readonly cells: readonly (Cell & { readonly promptId: string })[];
}

/** The cells of a measure by platform, kind of platform, locale and persona. Not for measures that compare platforms. */
export function measuredCells(
  panel: PanelDefinition,
  answers: Iterable<Answer>,
  request: Omit<FigureRequest, "by">,
  failures: readonly FailedTask[] = [],
): MeasuredCells[] {
  if (request.measure === "platform_source_agreement")
    throw new RangeError(`${request.measure} has no cells of one platform.`);
  const ofAnswers = indexAnswers(answers);
  const index = readsFailures(request.measure) ? withFailures(ofAnswers, failures) : ofAnswers;
  const context = startRows(panel, index, { ...request, by: "none" });
  return groupAnswers(panel, index, context.selection).map((group) => {
    const { byPrompt, units } = readRow(context, group).read;
    const cells = panel.prompts.flatMap((prompt) =>
      cellsOf({ ...panel, prompts: [prompt] }, byPrompt).map(({ answers: columns, ...cell }) => ({
        ...cell,
        promptId: prompt.promptId,
        answers: columns.runs.map((run, place) => ({
          run: units[run] ?? "",
          value: columns.values[place] ?? 0,
          of: columns.ofs[place] ?? 0,
        })),
      })),
    );
    return { surface: group.surface, cells };
  });
}
