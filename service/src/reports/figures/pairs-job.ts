import { pairsMax, type PanelPairs } from "@querent/contract";
import { comparedPairs, measureOf, type PairMeasure, type PanelDefinition } from "@querent/figures";
import { jsonPieces, type Job } from "../../computing/job.ts";
import { readAnswers } from "./read-input.ts";

export interface PairsInput {
  readonly panel: PanelDefinition;
  readonly measure: PairMeasure;
  readonly all: boolean;
  readonly promptId: string | null;
  readonly kind?: PanelPairs["pairs"][number]["kind"];
  readonly window: PanelPairs["window"];
}

/** The pairs of answers from which a figure of stability is made. */
export const job: Job<PairsInput> = {
  module: import.meta.url,
  async *run({ panel, measure, all, promptId, kind, window }, read) {
    const answers = yield* readAnswers(read);
    const found = yield* comparedPairs(panel, answers, { measure, ...(kind === undefined ? {} : { kind }), ...window });
    const pairs = promptId === null ? found : found.filter((pair) => pair.promptId === promptId);
    const differing = pairs.filter(({ differs }) => differs);
    yield* jsonPieces({
      panelId: panel.panelId,
      revision: panel.revision,
      measure,
      definition: measureOf(measure).definition,
      window,
      pairCount: pairs.length,
      differingCount: differing.length,
      pairs: (all ? pairs : differing).slice(0, pairsMax).map(({ one, other, ...pair }) => ({
        ...pair,
        one: { ...one, items: [...one.items] },
        other: { ...other, items: [...other.items] },
      })),
    } satisfies PanelPairs);
  },
};
