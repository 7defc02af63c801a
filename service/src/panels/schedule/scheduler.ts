import type { Database, Transaction } from "../../db/index.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import type { Service } from "../../runtime/service.ts";
import { announceTasks, untilRefused, type ItemRules } from "../../tasks/index.ts";
import type { CompleteSchedule } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { getPanel } from "../definitions/panels.ts";
import { pricePanel, type PricedPanel } from "../definitions/price-panel.ts";
import { refusal } from "../definitions/read-panel.ts";
import { dueAt, passedSlots, type Passed } from "../definitions/slots.ts";
import { recordNotRun, startRun, type RunOrigin, type RunProblem } from "./start-run.ts";

export interface SchedulerDeps {
  readonly database: Database;
  readonly rules: () => Promise<ItemRules>;
  /** Throws if the account gets no new tasks because of what it stores. None: every account does. */
  readonly requireRoom?: (accountId: string) => Promise<void>;
  readonly onRun: (run: DueRun) => void;
  readonly onFault: (error: unknown) => void;
}

const panelsAtOnce = 20;

/** Starts the runs of panels whose time has come. Any number of processes may do so. */
export function scheduler({ database, rules, requireRoom, onRun, onFault }: SchedulerDeps): Service {
  return new PollLoop({
    everyMs: 1000,
    jitter: 0.1,
    onFault,
    async look() {
      const due = await findDue(database, panelsAtOnce);
      if (due.length === 0) return undefined;
      const now = await rules();
      let ran = 0;
      for (const panel of due) {
        try {
          const run = await runDue(database, panel, now, requireRoom);
          if (run === null) continue;
          ran++;
          onRun(run);
        } catch (error) {
          onFault(error);
          await postpone(database, panel);
        }
      }
      // Those that ran may be due again, for the next of several times that passed.
      return ran > 0 || due.length === panelsAtOnce ? 0 : undefined;
    },
  });
}

interface DueRun {
  readonly accountId: string;
  readonly panelId: string;
  readonly slot: Date;
  /** Why it was not started; null if it was. */
  readonly problem: RunProblem | null;
  readonly platforms: readonly string[];
}

interface DuePanel {
  readonly account_id: string;
  readonly id: string;
}

/** The panels whose next run is due, the longest overdue first. */
async function findDue(database: Database, atMost: number): Promise<DuePanel[]> {
  // Index: panels_due. Locks nothing.
  const { rows } = await database.query<DuePanel & Record<string, unknown>>(
    "select account_id, id from panels where due_at <= now() order by due_at limit $1",
    [atMost],
  );
  return rows;
}

/**
 * Starts the run of a panel's next slot, and moves the panel on to the slot after it, in one transaction. Over any number of
 * processes and crashes, each slot is run once: either this transaction is committed, or the slot is still the next one. Null: another
 * process has started it, or is doing so.
 */
async function runDue(
  database: Database,
  { account_id: accountId, id: panelId }: DuePanel,
  rules: ItemRules,
  requireRoom: (accountId: string) => Promise<void> = async () => {},
): Promise<DueRun | null> {
  const panel = await getPanel(database, accountId, panelId);
  if (panel === null) return null;
  const priced = await pricePanel(panel, rules, `${panelId} ${panel.nextRunAt ?? ""}`);
  const from = { accountId, panelId, revision: panel.revision };
  const problem = priced.errors.length === 0 ? null : problemOf(refusal(priced.errors));
  try {
    await requireRoom(accountId);
    const run = await untilRefused(database, () =>
      database.transaction((tx) => runSlot(tx, from, problem ?? priced, rules.itemsMax)),
    );
    announceTasks(database, run?.platforms ?? []);
    return run;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return database.transaction((tx) => runSlot(tx, from, problemOf(error), rules.itemsMax));
  }
}

/** Moves a panel that cannot be run because of an error of the service to its next slot, so that it does not delay the others. */
async function postpone(database: Database, { account_id: accountId, id }: DuePanel): Promise<void> {
  // Locks: the panel's row.
  await database.query(
    "update panels set due_at = now() + interval '1 minute' where account_id = $1 and id = $2 and due_at <= now()",
    [accountId, id],
  );
}

async function runSlot(
  tx: Transaction,
  from: Pick<RunOrigin, "accountId" | "panelId" | "revision">,
  plan: PricedPanel | RunProblem,
  batchItemsMax: number,
): Promise<DueRun | null> {
  // Locks: the panel's row, unless another process has it. Index: the primary key.
  const { rows } = await tx.query<{ slot: Date; schedule: CompleteSchedule; project: string; now: Date }>(
    `select next_slot as slot, schedule, coalesce(project_id, account_id) as project, date_trunc('milliseconds', now()) as now from panels
      where account_id = $1 and id = $2 and revision = $3 and due_at <= now() for update skip locked`,
    [from.accountId, from.panelId, from.revision],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const passed = passedSlots(row.schedule, row.slot, row.now);
  const origin = {
    ...from,
    ...{ projectId: row.project, requestKey: null, tokenId: null, traceParent: null, now: row.now },
  };
  for (const slot of passed.missed) await recordNotRun(tx, { ...origin, slot }, "missed", missed);
  await advance(tx, from, row.schedule, passed);
  const slot = passed.run;
  if (slot === null) return null;
  if ("code" in plan) {
    await recordNotRun(tx, { ...origin, slot }, "refused", plan);
    return { ...from, slot, problem: plan, platforms: [] };
  }
  const run = await startRun(tx, { ...origin, slot }, plan, batchItemsMax);
  return run === null ? null : { ...from, slot, problem: null, platforms: run.platforms };
}

async function advance(
  tx: Transaction,
  { accountId, panelId }: Pick<RunOrigin, "accountId" | "panelId">,
  schedule: CompleteSchedule,
  { next }: Passed,
): Promise<void> {
  await tx.query("update panels set next_slot = $3, due_at = $4 where account_id = $1 and id = $2", [
    accountId,
    panelId,
    next,
    next === null ? null : dueAt(panelId, next, schedule),
  ]);
}

const missed: RunProblem = {
  code: "slot_missed",
  detail:
    "No worker ran at this time, and the schedule leaves it out. Nothing was asked or charged. Set `catchUp` to `all` to run every time.",
};

const problemOf = ({ code, message, errors }: ProblemError): RunProblem => ({
  code,
  detail: [message, ...(errors ?? []).slice(0, 3).map(({ pointer, detail }) => `${pointer}: ${detail}`)].join(" "),
});
