import { retryDeadlock, type Database } from "../../db/index.ts";
import { abortChannel, cancelRuns, removeOverdue } from "../../dispatch/index.ts";
import { racePoint } from "../../runtime/race-points.ts";
import { endTasks, type EndTasksDeps, type Finish } from "./end-tasks.ts";

/**
 * Cancels the tasks among these that have not ended: removes them from the engine and ends them, in one transaction. Returns
 * the canceled tasks. After the commit, the nodes that run some of them are notified to abort; a node that misses it finds them
 * when it renews its lease.
 */
export async function cancelTasks(database: Database, taskIds: readonly string[], deps: EndTasksDeps): Promise<Finish> {
  const { running, ...finish } = await retryDeadlock(() => cancelOnce(database, taskIds, deps));
  if (running.length > 0) database.announce(abortChannel, running);
  return finish;
}

const nothing: Finish = { taskIds: [], accountIds: [], ends: [], due: false };

/** `running`: those of the tasks that a node runs. */
async function cancelOnce(
  database: Database,
  taskIds: readonly string[],
  deps: EndTasksDeps,
): Promise<Finish & { running: readonly string[] }> {
  return database.transaction(async (tx) => {
    const canceled = await cancelRuns(tx, taskIds);
    await racePoint("cancel.dequeued", "");
    if (canceled.length === 0) return { ...nothing, running: [] };
    const finish = await endTasks(
      tx,
      canceled.map((run) => ({ ...run, state: "canceled" })),
      deps,
    );
    return { ...finish, running: canceled.flatMap((run) => (run.last === null ? [] : [run.taskId])) };
  });
}

/** Ends tasks whose latest start time has passed. Returns them. */
export async function endLateTasks(database: Database, deps: EndTasksDeps): Promise<Finish> {
  return database.transaction(async (tx) => {
    const overdue = await removeOverdue(tx, 500);
    if (overdue.length === 0) return nothing;
    return endTasks(
      tx,
      overdue.map((task) => ({
        ...task,
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
