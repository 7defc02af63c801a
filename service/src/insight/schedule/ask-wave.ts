import { ProblemError } from "../../api/problem-error.ts";
import type { Transaction } from "../../db/index.ts";
import { acceptItems, announceTasks, countEnds, findPending, untilRefused } from "../../tasks/index.ts";
import { NotSearchedError } from "../entities/not-searched.ts";
import { prepareWave, type PreparedWave, type RunInWaves, type WaveDeps } from "./prepare-wave.ts";
import { insertTasks, type RunProblem } from "./start-run.ts";
import { decideWave, type StoredWaves } from "./waves.ts";

/**
 * Asks the next wave of a run whose tasks have all ended, or stores why there is none. The decision, the tasks of the wave and
 * their points are one transaction that locks the run's row, so that over any number of processes and crashes each wave is
 * asked once. `left`: another process has done so, or the panel was deleted.
 */
export async function askWave(deps: WaveDeps, run: RunInWaves): Promise<"asked" | "stopped" | "left"> {
  const { database } = deps;
  try {
    const prepared = await prepareWave(deps, run);
    if (prepared === null) return "left";
    const next = await untilRefused(database, () => database.transaction((tx) => writeWave(tx, run, prepared)));
    if (next === null) return "left";
    announceTasks(database, next);
    return next.length === 0 ? "stopped" : "asked";
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    // The next poll tries again.
    if (error instanceof NotSearchedError && error.why === "busy") return "left";
    const problem = { code: error.code, detail: error.message };
    return (await database.transaction((tx) => refuseWave(tx, run, problem))) ? "stopped" : "left";
  }
}

/** The platforms that the wave asks; none: the run has stopped. Null: another process has decided. */
async function writeWave(
  tx: Transaction,
  run: RunInWaves,
  { batchItemsMax, ...prepared }: PreparedWave,
): Promise<readonly string[] | null> {
  const { account_id: accountId, panel_id: panelId, id: runId, revision } = run;
  const row = await lockRun(tx, run);
  if (row === null || (await findPending(tx, accountId, row.batch_ids)) !== null) return null;
  const { ends } = await countEnds(tx, accountId, row.batch_ids);
  const { waves, items } = decideWave({
    ...prepared,
    waves: row.waves,
    pointsAsked: row.points,
    hasCanceled: ends.canceled > 0,
  });
  const accepted = acceptItems(
    tx,
    { accountId, panelId, tokenId: null, traceParent: null, now: row.now, batchItemsMax, runPointsBefore: row.points },
    items.map(({ item }) => item),
  );
  // Index: the primary key. Its row is locked.
  await tx.query(
    `update panel_runs set waves = $4, batch_ids = batch_ids || $5::uuid[], task_count = task_count + $6, points = points + $7
      where account_id = $1 and panel_id = $2 and id = $3`,
    [
      accountId,
      panelId,
      runId,
      JSON.stringify(waves),
      accepted.batches.map(({ id }) => id),
      items.length,
      items.reduce((sum, { item }) => sum + item.pricePoints, 0),
    ],
  );
  if (items.length > 0)
    await accepted.write(insertTasks(tx, { accountId, panelId, revision }, runId, accepted.batches, items));
  return accepted.platforms;
}

/** Stores that the next wave was refused. Nothing of it was asked or charged. False: another process has decided. */
async function refuseWave(tx: Transaction, run: RunInWaves, problem: RunProblem): Promise<boolean> {
  const row = await lockRun(tx, run);
  if (row === null) return false;
  const platforms = row.waves.platforms.map((one) => ({ ...one, stopped: one.stopped ?? ("refused" as const) }));
  const waves: StoredWaves = { ...row.waves, stopped: "refused", problem, platforms };
  await tx.query("update panel_runs set waves = $4 where account_id = $1 and panel_id = $2 and id = $3", [
    run.account_id,
    run.panel_id,
    run.id,
    JSON.stringify(waves),
  ]);
  return true;
}

/** The row of a run whose waves have not changed since they were read. Null: they have, or another process has the row. */
async function lockRun(tx: Transaction, { account_id, panel_id, id, waves }: RunInWaves) {
  // Locks: the run's row, unless another process has it. Index: the primary key.
  const { rows } = await tx.query<{ batch_ids: string[]; points: number; waves: StoredWaves; now: Date }>(
    `select batch_ids, points, waves, date_trunc('milliseconds', now()) as now from panel_runs
      where account_id = $1 and panel_id = $2 and id = $3 and ended_at is null
        and waves->>'stopped' is null and (waves->>'asked')::int = $4
        for update skip locked`,
    [account_id, panel_id, id, waves.asked],
  );
  return rows[0] ?? null;
}
