import type { BridgedFigure, PanelBridge } from "@querent/contract";
import {
  bridge,
  measuredCells,
  measureOf,
  promptIdOf,
  type BridgeTooFew,
  type BridgeUnit,
  type FigureRequest,
  type MeasuredCells,
  type PanelDefinition,
  type IntervalScope,
} from "@querent/figures";
import { jsonPieces, NotComputable, type Job } from "../../computing/job.ts";
import { readAnswers, readFailedTasks } from "../figures/read-input.ts";

export interface BridgeInput {
  readonly panel: PanelDefinition;
  readonly asked: Omit<FigureRequest, "by" | "platformCode" | "from" | "to">;
  readonly window: PanelBridge["window"];
  readonly fromPlatform: string;
  readonly toPlatform: string;
}

const pairsShown = 1_000;

/** A figure of one platform with the help of another. */
export const job: Job<BridgeInput> = {
  module: import.meta.url,
  async *run({ panel, asked, window, fromPlatform, toPlatform }, read) {
    const cells: MeasuredCells[][] = [];
    for (const platformCode of [fromPlatform, toPlatform]) {
      const failures = yield* readFailedTasks(read, platformCode);
      const answers = yield* readAnswers(read, platformCode);
      cells.push(measuredCells(panel, answers, { ...asked, ...window, platformCode }, failures));
      yield;
    }
    const [predicted = [], observed = []] = cells;
    const units = unitsOf(predicted, observed);
    yield;
    const { definition, kind } = measureOf(asked.measure);
    const stated = (scope: IntervalScope): BridgedFigure => {
      const { tooFew, pairs: _, unpaired: __, ...figure } = bridge(units, kind, scope);
      return { scope, ...figure, reason: reasonOf(tooFew) };
    };
    const pairs = units.flatMap(({ promptId, run, predicted: from, observed: to }) =>
      to === null ? [] : [{ promptId: promptIdOf(promptId), runId: run, from, to }],
    );
    yield* jsonPieces({
      panelId: panel.panelId,
      revision: panel.revision,
      measure: asked.measure,
      definition,
      fromPlatform,
      toPlatform,
      window,
      thesePrompts: stated("these_prompts"),
      promptsLikeThese: stated("prompts_like_these"),
      pairCount: pairs.length,
      unpairedCount: units.length - pairs.length,
      pairs: pairs.toSorted((a, b) => (a.runId < b.runId ? 1 : a.runId > b.runId ? -1 : 0)).slice(0, pairsShown),
    } satisfies PanelBridge);
  },
};

/** What both platforms say, prompt by prompt and run by run. */
function unitsOf(predicted: readonly MeasuredCells[], observed: readonly MeasuredCells[]): BridgeUnit[] {
  const seen = new Map<string, number>();
  for (const cell of largest(observed))
    for (const [run, value] of meansByRun(cell.answers)) seen.set(JSON.stringify([cell.promptId, run]), value);
  return largest(predicted).flatMap(({ promptId, topic, answers }) =>
    [...meansByRun(answers)].map(([run, value]) => ({
      promptId,
      topic,
      run,
      predicted: value,
      observed: seen.get(JSON.stringify([promptId, run])) ?? null,
    })),
  );
}

/** The cells of the kind of platform that has the most: imported answers are not the platform's own. */
const largest = (all: readonly MeasuredCells[]) =>
  all.toSorted((one, other) => other.cells.length - one.cells.length)[0]?.cells ?? [];

function meansByRun(answers: MeasuredCells["cells"][number]["answers"]): Map<string, number> {
  const sums = new Map<string, { total: number; count: number }>();
  for (const { run, value, of = 1 } of answers) {
    if (of === 0) continue;
    if (of !== 1)
      throw new NotComputable({
        pointer: "?measure",
        code: "not_allowed",
        detail: "It is a ratio of sums over all answers, and only what each answer has can be bridged.",
      });
    const { total, count } = sums.get(run) ?? { total: 0, count: 0 };
    sums.set(run, { total: total + value, count: count + 1 });
  }
  return new Map([...sums].map(([run, { total, count }]) => [run, total / count]));
}

const sentences: Readonly<Record<BridgeTooFew["what"], (tooFew: BridgeTooFew) => string>> = {
  pairs: ({ there, needed }) =>
    `There are ${there} prompts in runs that both platforms answered; ${needed} are needed.`,
  runs: ({ there, needed }) => `The pairs are of ${there} runs; ${needed} are needed.`,
  topics: ({ there, needed }) =>
    `The pairs are of ${there} topics; a statement about prompts like these needs ${needed}.`,
  redrawn_runs: () =>
    "The same prompts were asked in every run, so nothing is known of the others. Set `platformShare` in the panel: each run then draws others.",
};

function reasonOf(tooFew: BridgeTooFew | null): BridgedFigure["reason"] {
  if (tooFew === null) return null;
  const { what, there, needed } = tooFew;
  const code = what === "redrawn_runs" ? "same_prompts_in_each_run" : (`too_few_${what}` as const);
  return { code, detail: sentences[what](tooFew), there, needed };
}
