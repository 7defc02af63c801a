import type { BridgedFigure, PanelBridge } from "@querent/contract";
import {
  bridge,
  measuredCells,
  measureOf,
  type BridgeTooFew,
  type BridgeUnit,
  type FigureRequest,
  type MeasuredCells,
  type PanelDefinition,
  type Scope,
} from "@querent/figures";
import type { Database } from "../../db/index.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { readAnswers } from "../figures/read-answers.ts";
import { readDefinition } from "../figures/read-definition.ts";
import { readFailedTasks } from "../figures/read-failures.ts";
import { windowOf } from "../figures/window.ts";
import { checkMeasure, invalid } from "./check-measure.ts";

export interface BridgeRequest extends Omit<FigureRequest, "by" | "platformCode"> {
  readonly fromPlatform: string;
  readonly toPlatform: string;
}

const pairsShown = 1_000;

/** Null: the account has no such panel. */
export async function bridgePanel(
  { database, entities }: { readonly database: Database; readonly entities: EntitySearch },
  accountId: string,
  panelId: string,
  { fromPlatform, toPlatform, from, to, ...asked }: BridgeRequest,
): Promise<PanelBridge | null> {
  const panel = await readDefinition(database, entities, accountId, panelId);
  if (panel === null) return null;
  check(panel, { ...asked, fromPlatform, toPlatform });
  const window = await windowOf(database, { from, to });
  const { locale, persona } = asked;
  const surface = { ...(locale === undefined ? {} : { locale }), ...(persona === undefined ? {} : { persona }) };
  const cellsOf = async (platformCode: string) => {
    const selection = { ...surface, ...window, platformCode };
    const answers = await readAnswers(database, accountId, { panelId, ...selection });
    const failures = await readFailedTasks(database, accountId, { panelId, ...selection }, asked);
    return measuredCells(panel, answers, { ...asked, ...selection }, failures);
  };
  const units = unitsOf(await cellsOf(fromPlatform), await cellsOf(toPlatform));
  const { definition, kind } = measureOf(asked.measure);
  const stated = (scope: Scope): BridgedFigure => {
    const { tooFew, pairs: _, unpaired: __, ...figure } = bridge(units, kind, scope);
    return { scope, ...figure, reason: reasonOf(tooFew) };
  };
  const pairs = units.flatMap(({ promptId, run, predicted, observed }) =>
    observed === null ? [] : [{ promptId, runId: run, from: predicted, to: observed }],
  );
  return {
    panelId,
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
  };
}

function check(panel: PanelDefinition, request: BridgeRequest): void {
  for (const name of ["fromPlatform", "toPlatform"] as const)
    if (!panel.platforms.includes(request[name])) throw invalid(`?${name}`, "The panel does not ask this platform.");
  if (request.fromPlatform === request.toPlatform) throw invalid("?toPlatform", "It is the same platform.");
  checkMeasure(panel, request, "?");
}

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

/** Of one kind of platform, because imported answers are not the platform's own. */
const largest = (all: readonly MeasuredCells[]) =>
  all.toSorted((one, other) => other.cells.length - one.cells.length)[0]?.cells ?? [];

function meansByRun(answers: MeasuredCells["cells"][number]["answers"]): Map<string, number> {
  const sums = new Map<string, { total: number; count: number }>();
  for (const { run, value, of = 1 } of answers) {
    if (of === 0) continue;
    if (of !== 1)
      throw invalid(
        "?measure",
        "It is a ratio of sums over all answers, and only what each answer has can be bridged.",
      );
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
