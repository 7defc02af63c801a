/** The pairs of answers from which figures of stability are made. */
import type { PanelPairs } from "@querent/contract";
import type { Answer } from "./answer.ts";
import { indexSteps } from "./answer-index.ts";
import { answerComparer, comparisons } from "./comparisons.ts";
import { startRows, type FigureRequest } from "./compute-figures.ts";
import { groupAnswers } from "./group-answers.ts";
import type { PanelDefinition } from "./panel-definition.ts";
import { promptIdOf } from "./panel-history.ts";
import type { Surface } from "./state-figures.ts";

export type PairMeasure = PanelPairs["measure"];

export interface ComparedPair extends Surface {
  readonly promptId: string;
  /** Of the measure: from 0 to 1. */
  readonly value: number;
  readonly differs: boolean;
  readonly one: PairedAnswer;
  readonly other: PairedAnswer;
}

interface PairedAnswer extends Pick<Answer, "observationId" | "taskId" | "runId" | "observedAt"> {
  /** What is compared: domains, or entities in the order in which the answer names them; of first places, one. */
  readonly items: readonly string[];
}

type PairRequest = Omit<FigureRequest, "measure" | "by" | "blend"> & {
  readonly measure: PairMeasure;
  /** Only pairs of this kind of platform. */
  readonly kind?: Surface["kind"];
};

/** Exactly the pairs that the figures of the measure are the mean of, prompt by prompt. Pauses after each surface. */
export function* comparedPairs(
  panel: PanelDefinition,
  answers: readonly Answer[],
  request: PairRequest,
): Generator<void, ComparedPair[], void> {
  const index = yield* indexSteps(panel, answers);
  const context = startRows(panel, index, { ...request, by: "none" });
  const isChange = request.measure.startsWith("first_place");
  const pairs: ComparedPair[] = [];
  for (const group of groupAnswers(panel, index, context.selection)) {
    yield;
    if (request.kind !== undefined && group.surface.kind !== request.kind) continue;
    const { asked } = context.split(group);
    answerComparer(comparisons[request.measure], context, (one, other, value, { of }) => {
      const [first, second] = [index.answers[one], index.answers[other]];
      if (first === undefined || second === undefined) return;
      pairs.push({
        ...group.surface,
        promptId: promptIdOf(index.prompts.values[index.prompts.of[one] ?? 0] ?? ""),
        value,
        differs: isChange ? value > 0 : value < 1,
        one: { ...timesOf(first), items: of(one) },
        other: { ...timesOf(second), items: of(other) },
      });
    })(asked);
  }
  return pairs;
}

const timesOf = ({ observationId, taskId, runId, observedAt }: Answer) => ({
  observationId,
  taskId,
  runId,
  observedAt,
});
