import type { Answer } from "./answer.ts";
import { cellsOf, moment, readAll, requireSubject, split, type FigureRequest } from "./compute-figures.ts";
import type { Cell } from "./estimate.ts";
import { groupAnswers } from "./group-answers.ts";
import { measureOf } from "./measures.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { subjectOf } from "./readings.ts";
import type { Surface } from "./state-figures.ts";

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
): MeasuredCells[] {
  const { platformCode, locale, persona } = request;
  const measure = measureOf(request.measure);
  const subject = subjectOf(panel, request);
  requireSubject(measure, subject);
  if (measure.id === "platform_source_agreement") throw new RangeError(`${measure.id} has no cells of one platform.`);
  const groups = groupAnswers(panel, answers, {
    ...(platformCode === undefined ? {} : { platformCode }),
    ...(locale === undefined ? {} : { locale }),
    ...(persona === undefined ? {} : { persona }),
    from: moment(request.from),
    to: moment(request.to),
    by: "none",
  });
  return groups.map((group) => {
    const { byPrompt } = readAll(measure, split(panel, group, measure, subject).asked, subject);
    const cells = panel.prompts.flatMap((prompt) =>
      cellsOf({ ...panel, prompts: [prompt] }, byPrompt).map((cell) => ({ ...cell, promptId: prompt.promptId })),
    );
    return { surface: group.surface, cells };
  });
}
