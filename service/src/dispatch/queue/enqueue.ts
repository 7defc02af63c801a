import { rowsAs, type Transaction } from "../../db/index.ts";
import { openQueues, ranks } from "./account-queues.ts";

export interface Enqueued {
  readonly taskId: string;
  readonly platform: string;
  readonly priority: number;
  readonly notBefore: string | null;
  readonly startBefore: string | null;
  readonly runTimeoutSeconds: number;
  /** A node for this platform is not sufficient: it must also have a browser. */
  readonly needsBrowser: boolean;
}

/** Ascending: the tasks of the highest priority are first. */
const rankOf = ({ priority }: Enqueued): number => ranks - 1 - priority;

const newRows = rowsAs<Enqueued>("t", {
  task_id: ["uuid", (task) => task.taskId],
  platform: ["text", (task) => task.platform],
  rank: ["smallint", rankOf],
  not_before: ["timestamptz", (task) => task.notBefore],
  start_before: ["timestamptz", (task) => task.startBefore],
  run_timeout_s: ["int", (task) => task.runTimeoutSeconds],
  needs_browser: ["boolean", (task) => task.needsBrowser],
});

/** Queues accepted tasks of one account, as part of the transaction that accepts them. */
export async function enqueue(tx: Transaction, accountId: string, tasks: readonly Enqueued[]): Promise<void> {
  const queues = openQueues(
    tx,
    accountId,
    tasks.map((task) => ({ platform: task.platform, rank: rankOf(task), taskId: task.taskId })),
  );
  // Locks: only the new rows.
  const rows = tx.query({
    name: "enqueue",
    text: `insert into dispatch (task_id, account_id, platform, state, rank, run_at, start_before, run_timeout_s, needs_browser)
           select t.task_id, $1, t.platform, case when t.not_before > now() then 'waiting' else 'queued' end, t.rank,
                  coalesce(t.not_before, now()), t.start_before, t.run_timeout_s, t.needs_browser
           from ${newRows.after(1)}`,
    values: [accountId, ...newRows.values(tasks)],
  });
  await Promise.all([queues, rows]);
}
