import { retryDeadlock, type Database, type Transaction } from "../../db/index.ts";
import { abortChannel, cancelRuns, removeOverdue } from "../../dispatch/index.ts";
import { racePoint } from "../../runtime/race-points.ts";
import { endTasks, type EndTasksDeps, type Finish } from "./end-tasks.ts";

/** NOTIFY accepts payloads below 8,000 bytes: this number of ids of 36 characters and a comma. */
const idsInNotice = 200;

/**
 * Cancels the tasks among these that have not ended: removes them from the engine and ends them, in one transaction. Returns
 * the canceled tasks. The nodes that run some of them are notified to abort.
 */
export async function cancelTasks(database: Database, taskIds: readonly string[], deps: EndTasksDeps): Promise<Finish> {
  return retryDeadlock(() => cancelOnce(database, taskIds, deps));
}

const nothing: Finish = { taskIds: [], accountIds: [], ends: [], due: false };

async function cancelOnce(database: Database, taskIds: readonly string[], deps: EndTasksDeps): Promise<Finish> {
  return database.transaction(async (tx) => {
    const canceled = await cancelRuns(tx, taskIds);
    await racePoint("cancel.dequeued", "");
    if (canceled.length === 0) return nothing;
    const running = canceled.filter((run) => run.last !== null);
    await notifyAbort(
      tx,
      running.map((run) => run.taskId),
    );
    return endTasks(
      tx,
      canceled.map((run) => ({ ...run, state: "canceled" })),
      deps,
    );
  });
}

async function notifyAbort(tx: Transaction, taskIds: readonly string[]): Promise<void> {
  for (let from = 0; from < taskIds.length; from += idsInNotice) {
    await tx.query("select pg_notify($1, $2)", [abortChannel, taskIds.slice(from, from + idsInNotice).join(",")]);
  }
}

/** Ends tasks whose latest start time has passed. Returns them. */
export async function endLateTasks(database: Database, deps: EndTasksDeps): Promise<Finish> {
  return database.transaction(async (tx) => {
    const taskIds = await removeOverdue(tx, 500);
    if (taskIds.length === 0) return nothing;
    return endTasks(
      tx,
      taskIds.map((taskId) => ({
        taskId,
        startedAt: null,
        attempts: 0,
        state: "failed",
        fault: {
          code: "start_deadline_passed",
          stage: "queue",
          message: "The task had not started by its `startBefore`.",
          platformStatus: null,
        },
        retryable: true,
      })),
      deps,
    );
  });
}
