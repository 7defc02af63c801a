import type { PanelDefinition } from "@querent/figures";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import type { Computer } from "../../computing/computer.ts";
import type { EntitySearch } from "../../observations/entities/entity-search.ts";
import { answerPages, memoryForWindow, narrowWindow } from "../../observations/answers/answer-pages.ts";
import { readDefinition } from "../../panels/definitions/read-definition.ts";
import { dayMs, endOf, startOf } from "./describe-changes.ts";
import { job, type PlatformWindow } from "./evaluation-job.ts";
import {
  forgetDue,
  storeEvaluation,
  takeDue,
  type DriftDays,
  type Evaluation,
  type TakenPanel,
} from "./evaluations.ts";
import { readFound, type Found } from "./found-changes.ts";
import type { PlatformDriftSign } from "./verdict-records.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import type { Service } from "../../runtime/service.ts";

interface EvaluationDeps {
  readonly database: Database;
  readonly entities: EntitySearch;
  readonly computer: Computer;
  /** The current signs, by the code of the platform. */
  readonly readDrift: () => Promise<ReadonlyMap<string, readonly PlatformDriftSign[]>>;
}

/** The panels of all accounts are judged one after the other: together they have the turns of one account. */
const judging = "changes";

/** The verdicts on a panel as of now; null if there is no such panel, or it has not run. Writes nothing. */
async function evaluatePanel(
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

/** The evidence starts anew after this many days with a run, from the answers of as many days before. */
const blockDays = 28;

/**
 * The first day whose answers are judged, and today; null if the panel has not run. The first day stays the same for 28 days
 * with a run, because evidence from a window that moves each day could not be examined each day. 28 to 56 days are judged,
 * whatever the time between two runs.
 */
async function readDays(
  db: Queryable,
  accountId: string,
  panelId: string,
): Promise<{ readonly from: string; readonly today: string; readonly now: Date } | null> {
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<{ days: string[] | null; today: string; now: Date }>(
    `select array_agg(distinct to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')) as days,
            to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today, date_trunc('milliseconds', now()) as now
       from panel_runs where account_id = $1 and panel_id = $2 and state = 'started'`,
    [accountId, panelId],
  );
  const [row] = rows;
  const days = row?.days?.toSorted() ?? [];
  if (row === undefined || days.length === 0) return null;
  const blocks = Math.floor((days.length - 1) / blockDays);
  return { from: days[Math.max(0, blocks - 1) * blockDays] ?? row.today, today: row.today, now: row.now };
}

export interface ChangeWatcherDeps extends EvaluationDeps {
  /** Announces what was found, in the transaction that stores it. */
  readonly announce: (tx: Transaction, accountId: string, found: Found) => Promise<void>;
  readonly onTaken: (panel: TakenPanel) => void;
  readonly onFound: (panel: { accountId: string; panelId: string }, found: Found) => void;
  readonly onFault: (error: unknown) => void;
}

/** Judges panels after their runs. Any number of processes may do so: each change is stored and announced once. */
export function changeWatcher(deps: ChangeWatcherDeps): Service {
  return new PollLoop({
    everyMs: 1000,
    jitter: 0.1,
    onFault: deps.onFault,
    async look() {
      const taken = await takeDue(deps.database);
      if (taken === null) return undefined;
      deps.onTaken(taken);
      await judgePanel(deps, taken);
      return 0;
    },
  });
}

/** If it fails, the panel is due again when the time has passed for which it was taken. */
export async function judgePanel(deps: ChangeWatcherDeps, taken: TakenPanel): Promise<void> {
  const evaluation = await evaluatePanel(deps, taken);
  if (evaluation === null) return forgetDue(deps.database, taken);
  const announced = await storeEvaluation(deps.database, taken, evaluation, (tx, found) =>
    deps.announce(tx, taken.accountId, found),
  );
  for (const found of announced) deps.onFound(taken, found);
}

/** Judges a panel for the first time, and announces nothing of what was found. */
export async function judgeUnannounced(
  deps: EvaluationDeps,
  { accountId, panelId }: { readonly accountId: string; readonly panelId: string },
): Promise<void> {
  // Locks: the new row, which is not due, so no other process takes it.
  await deps.database.query(
    "insert into panel_evaluations (account_id, panel_id, due_at) values ($1, $2, null) on conflict do nothing",
    [accountId, panelId],
  );
  const taken = { accountId, panelId, evaluatedAt: null, driftDays: {}, waitedSeconds: 0, takenUntil: "infinity" };
  const evaluation = await evaluatePanel(deps, taken);
  if (evaluation !== null) await storeEvaluation(deps.database, taken, evaluation, async () => undefined);
}
