import type { Answer } from "./answer.ts";
import { indexAnswers } from "./answer-index.ts";
import { answerByAnswer } from "./cell-places.ts";
import { startRows, type FigureRequest } from "./compute-figures.ts";
import type { Cell } from "./sample.ts";
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
  const ofAnswers = indexAnswers(panel, answers);
  const index = readsFailures(request.measure) ? withFailures(panel, ofAnswers, failures) : ofAnswers;
  const context = startRows(panel, index, { ...request, by: "none" });
  return groupAnswers(panel, index, context.selection).map((group) => {
    const asked = [...context.split(group).asked].map(
      ([promptId, cell]) => [promptId, answerByAnswer(cell, index)] as const,
    );
    const { cells, columns, units } = context.read(new Map(asked));
    return {
      surface: group.surface,
      cells: cells.map(({ promptId, from, to }) => {
        const { topic = null, weight = 1 } = context.prompts.get(promptId) ?? {};
        const answers = Array.from({ length: to - from }, (_, at) => from + at)
          .filter((place) => columns.answers[place] === 1)
          .map((place) => ({
            run: units[columns.runs[place] ?? 0] ?? "",
            value: columns.values[place] ?? 0,
            of: columns.ofs[place] ?? 0,
          }));
        return { promptId, topic: topic ?? "", weight, answers };
      }),
    };
  });
}
