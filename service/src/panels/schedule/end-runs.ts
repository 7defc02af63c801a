import type { RunEnd } from "@querent/contract";
import { LRUCache } from "lru-cache";
import type { Database, Transaction } from "../../db/index.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import type { Service } from "../../runtime/service.ts";
import { countEnds, findPending, stillPending } from "../../tasks/index.ts";
import { announceEvent } from "../../webhooks/index.ts";
import { askWave, type RunInWaves, type WaveDeps } from "./ask-wave.ts";
import { wavesRecord } from "./runs.ts";
import type { StoredWaves } from "../definitions/waves.ts";

export interface EndedRun {
  readonly accountId: string;
  readonly panelId: string;
  readonly runId: string;
}

export interface RunEndsDeps extends WaveDeps {
  /** Marks a panel to be judged, and its reports to be sent, in the transaction that ends one of its runs. */
  readonly markDue: (tx: Transaction, run: EndedRun) => Promise<void>;
  /** Called after the commit, once for each run, by the process that noticed its end. */
  readonly onEnded: (run: EndedRun) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

interface OpenRun {
  readonly account_id: string;
  readonly panel_id: string;
  readonly id: string;
  readonly batch_ids: string[];
  readonly revision: number;
  readonly created_at: Date;
  readonly waves: StoredWaves | null;
}

const runsAtOnce = 200;
/** The maximum of runs of which a pending task is remembered. */
const watchedMax = 10_000;
const beforeAll = "00000000-0000-0000-0000-000000000000";

/**
 * Detects that all tasks of a run have ended. Any number of processes may do so, because the row of a run is ended once. It
 * polls, so the ends of tasks are not slowed down. Of each open run it remembers one pending task, and checks only that one
 * until it has ended. A run in waves asks its next wave instead, until it has stopped.
 */
export function runEnds(deps: RunEndsDeps): Service {
  const watched = new LRUCache<string, string>({ max: watchedMax });
  const inWaves = new WavesByAccount((run) => end(deps, run));
  let last: OpenRun | undefined;
  const loop = new PollLoop({
    everyMs: 1000,
    jitter: 0.1,
    onFault: deps.onFault,
    async look() {
      const open = await findOpen(deps.database, last);
      last = open.length === runsAtOnce ? open.at(-1) : undefined;
      const pending = await stillPending(
        deps.database,
        open.flatMap((run) => {
          const taskId = watched.get(run.id);
          return taskId === undefined ? [] : [{ accountId: run.account_id, taskId }];
        }),
      );
      const toAsk: OpenRun[] = [];
      for (const run of open) {
        if (pending.has(watched.get(run.id) ?? "")) continue;
        const next = await findPending(deps.database, run.account_id, run.batch_ids);
        if (next !== null) watched.set(run.id, next);
        else {
          watched.delete(run.id);
          if (isInWaves(run)) toAsk.push(run);
          else await end(deps, run);
        }
      }
      inWaves.start(toAsk);
      return last === undefined ? undefined : 0;
    },
  });
  return {
    start: () => loop.start(),
    stop: async () => {
      await loop.stop();
      await inWaves.stop();
    },
  };
}

const accountsAtOnce = 4;
const turnMs = 5_000;

/**
 * Asks next waves beside the loop: to decide about one, the answers of its run are read and the prompts are searched for entities,
 * which takes seconds where an account has many of them. The other runs are ended meanwhile, and accounts take turns.
 */
class WavesByAccount {
  readonly #end: (run: OpenRun) => Promise<void>;
  readonly #underWay = new Map<string, Promise<void>>();
  /** Accounts, the last one to have had a turn at the end. */
  readonly #served = new LRUCache<string, number>({ max: watchedMax });
  #turns = 0;
  #isStopped = false;

  constructor(end: (run: OpenRun) => Promise<void>) {
    this.#end = end;
  }

  /** Runs for which there is no turn now are found again by a later poll. */
  start(runs: readonly OpenRun[]): void {
    const ofAccounts = [...Map.groupBy(runs, (run) => run.account_id)];
    const lastTurn = (accountId: string): number => this.#served.peek(accountId) ?? 0;
    for (const [accountId, own] of ofAccounts.toSorted(([one], [other]) => lastTurn(one) - lastTurn(other))) {
      if (this.#underWay.has(accountId) || this.#underWay.size >= accountsAtOnce) continue;
      this.#served.set(accountId, ++this.#turns);
      this.#underWay.set(
        accountId,
        this.#turn(own).finally(() => this.#underWay.delete(accountId)),
      );
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#underWay.values());
  }

  async #turn(runs: readonly OpenRun[]): Promise<void> {
    const from = performance.now();
    for (const run of runs) {
      if (this.#isStopped || performance.now() - from > turnMs) return;
      await this.#end(run);
    }
  }
}

async function end(deps: RunEndsDeps, run: OpenRun): Promise<void> {
  const { database, onEnded, onFault } = deps;
  const { account_id: accountId, panel_id: panelId, id: runId } = run;
  try {
    if (isInWaves(run) && (await askWave(deps, run)) !== "stopped") return;
    const isEnded = await database.transaction((tx) => endRun(tx, run, deps.markDue));
    if (isEnded) await onEnded({ accountId, panelId, runId });
  } catch (error) {
    onFault(error);
  }
}

const isInWaves = (run: OpenRun): run is OpenRun & RunInWaves => run.waves !== null && run.waves.stopped === null;

/** Runs whose end has not been noticed, in the order of their keys, after the last that was checked. */
async function findOpen(database: Database, after: OpenRun | undefined): Promise<OpenRun[]> {
  // Index: panel_runs_open. Locks nothing.
  const { rows } = await database.query<OpenRun & Record<string, unknown>>(
    `select account_id, panel_id, id, batch_ids, revision, created_at, waves from panel_runs
      where state = 'started' and ended_at is null and (account_id, panel_id, id) > ($1, $2, $3)
      order by account_id, panel_id, id limit $4`,
    [after?.account_id ?? beforeAll, after?.panel_id ?? beforeAll, after?.id ?? beforeAll, runsAtOnce],
  );
  return rows;
}

/**
 * Ends a run whose tasks have all ended, announces it, and marks the panel for evaluation. False: another process does so, or
 * the run continues.
 */
async function endRun(
  tx: Transaction,
  { account_id: accountId, panel_id: panelId, id }: OpenRun,
  markDue: RunEndsDeps["markDue"],
): Promise<boolean> {
  // Locks: the run's row, unless another process has it; that of the panel's evaluation; finally the account's row. Index: the
  // primary key.
  const { rows } = await tx.query<RunRow & Record<string, unknown>>(
    `select revision, slot, batch_ids, task_count, points, waves, created_at from panel_runs
      where account_id = $1 and panel_id = $2 and id = $3 and ended_at is null
        and (waves is null or waves->>'stopped' is not null) for update skip locked`,
    [accountId, panelId, id],
  );
  const [run] = rows;
  // A task may have been added since it was checked.
  if (run === undefined || (await findPending(tx, accountId, run.batch_ids)) !== null) return false;
  const { ends, endedAt } = await storeEnd(tx, { accountId, panelId, runId: id }, run);
  await markDue(tx, { accountId, panelId, runId: id });
  await announceEvent(tx, {
    accountId,
    type: "panel.run.finished",
    subject: id,
    data: finished({ panelId, runId: id }, run, { ends, endedAt }),
  });
  return true;
}

/** Stores the end of a run whose tasks have all ended. */
export async function storeEnd(
  tx: Transaction,
  { accountId, panelId, runId }: EndedRun,
  { batch_ids: batchIds, created_at: createdAt }: Pick<RunRow, "batch_ids" | "created_at">,
): Promise<{ readonly ends: RunEnd; readonly endedAt: Date }> {
  const { ends, lastEnd } = await countEnds(tx, accountId, batchIds);
  const endedAt = lastEnd ?? createdAt;
  // Locks: the run's row. Index: the primary key.
  await tx.query("update panel_runs set ended_at = $4, ends = $5 where account_id = $1 and panel_id = $2 and id = $3", [
    accountId,
    panelId,
    runId,
    endedAt,
    JSON.stringify(ends),
  ]);
  return { ends, endedAt };
}

interface RunRow {
  readonly revision: number;
  readonly slot: Date | null;
  readonly batch_ids: string[];
  readonly task_count: number;
  readonly points: number;
  readonly waves: StoredWaves | null;
  readonly created_at: Date;
}

const finished = (
  ids: { readonly panelId: string; readonly runId: string },
  run: RunRow,
  { ends, endedAt }: { readonly ends: RunEnd; readonly endedAt: Date },
) => ({
  ...ids,
  revision: run.revision,
  slot: run.slot?.toISOString() ?? null,
  startedAt: run.created_at.toISOString(),
  endedAt: endedAt.toISOString(),
  taskCount: run.task_count,
  tasks: ends,
  waves: wavesRecord(run),
});
