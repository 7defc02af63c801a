import type { PanelDefinition } from "@querent/figures";
import type { Database } from "../../db/index.ts";
import type { Computer } from "../computing/computer.ts";
import type { EntitySearch } from "../entities/entity-search.ts";
import { answerPages, memoryForWindow, narrowWindow } from "../figures/answer-pages.ts";
import { readDefinition } from "../figures/read-definition.ts";
import { dayMs, endOf, startOf } from "./describe-changes.ts";
import { job, type PlatformWindow } from "./evaluation-job.ts";
import type { DriftDays, Evaluation, TakenPanel } from "./evaluations.ts";
import { readFound, type Found } from "./found-changes.ts";
import { readDays } from "./panel-days.ts";
import type { PlatformDriftSign } from "./verdict-records.ts";

export interface EvaluationDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  readonly computer: Computer;
  /** The current signs, by the code of the platform. */
  readonly readDrift: () => Promise<ReadonlyMap<string, readonly PlatformDriftSign[]>>;
}

/** The panels of all accounts are judged one after the other: together they have the turns of one account. */
const judging = "changes";

/** The verdicts on a panel as of now; null if there is no such panel, or it has not run. Writes nothing. */
export async function evaluatePanel(
  { database, entities, computer, readDrift }: EvaluationDeps,
  taken: TakenPanel,
): Promise<Evaluation | null> {
  const { accountId, panelId } = taken;
  const panel = await readDefinition(database, entities, accountId, panelId);
  const days = await readDays(database, accountId, panelId);
  if (panel === null || days === null) return null;
  const known = await readFound(database, accountId, panelId);
  const drifts = driftOf(await readDrift(), panel);
  const driftDays = withDrift(taken.driftDays, drifts, days);
  const window = { panelId, from: startOf(days.from), to: endOf(days.today) };
  const computed = await computer.compute({
    accountId: judging,
    job,
    input: { panel, known, drifts, driftDays, ...days },
    inputs: { answers: (db, of) => answerPages(db, accountId, { panelId, ...(of as PlatformWindow) }) },
    signal: new AbortController().signal,
    narrow: narrowWindow,
    memoryMiB: () => memoryForWindow(database, accountId, window),
  });
  const text = Buffer.concat(computed);
  const end = text.indexOf("\n");
  return {
    evaluatedAt: days.now,
    driftDays,
    found: JSON.parse(text.subarray(0, end).toString()) as Found[],
    verdicts: text.subarray(end + 1).toString(),
  };
}

/** A selector further down the recipe's list still reads the page, so that is no reason to distrust figures. */
function driftOf(signs: ReadonlyMap<string, readonly PlatformDriftSign[]>, { platforms }: PanelDefinition) {
  const drifts = new Map<string, readonly PlatformDriftSign[]>();
  for (const platform of platforms) {
    const serious = (signs.get(platform) ?? []).filter(({ sign }) => sign !== "fallback");
    if (serious.length > 0) drifts.set(platform, serious);
  }
  return drifts;
}

const firstSince = (signs: readonly PlatformDriftSign[]) => signs.map(({ since }) => since).toSorted()[0] ?? "";

/** Adds the days since the signs began. They stay excluded after the signs are gone. */
function withDrift(
  before: DriftDays,
  drifts: ReadonlyMap<string, readonly PlatformDriftSign[]>,
  { from, today }: { from: string; today: string },
): DriftDays {
  const days = new Map(Object.entries(before).map(([platform, some]) => [platform, new Set(some)]));
  for (const [platform, signs] of drifts) {
    const known = days.get(platform) ?? new Set<string>();
    const first = firstSince(signs).slice(0, 10);
    for (let time = Date.parse(startOf(first > from ? first : from)); time <= Date.parse(startOf(today)); time += dayMs)
      known.add(new Date(time).toISOString().slice(0, 10));
    days.set(platform, known);
  }
  return Object.fromEntries(
    [...days].map(([platform, some]) => [platform, [...some].filter((day) => day >= from).toSorted()]),
  );
}
