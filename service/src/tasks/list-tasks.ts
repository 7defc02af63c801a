import type { TaskState, TaskSummary } from "@querent/contract";
import type { Queryable } from "../db/index.ts";
import { progressColumns, progressJoin, taskColumns, taskSummary, type ProgressRow, type TaskRow } from "./record.ts";

export interface TaskFilter {
  readonly state?: TaskState;
  readonly platformCode?: string;
  readonly batchId?: string;
  readonly tag?: string;
  readonly clientReference?: string;
  readonly text?: string;
  readonly createdFrom?: string;
  readonly createdBefore?: string;
}

/** A page of the account's tasks, newest first: those older than `beforeId`. */
export async function listTasks(
  db: Queryable,
  accountId: string,
  filter: TaskFilter,
  page: { beforeId: string | null; limit: number },
): Promise<{ tasks: TaskSummary[]; nextId: string | null }> {
  const values: unknown[] = [accountId];
  const conditions = ["t.account_id = $1"];
  const where = (condition: (parameter: string) => string, value: unknown) => {
    if (value === undefined || value === null) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  where((p) => `t.state = ${p}`, filter.state);
  where((p) => `t.platform = ${p}`, filter.platformCode);
  where((p) => `t.batch_id = ${p}`, filter.batchId);
  where((p) => `t.tags @> array[${p}]`, filter.tag);
  where((p) => `t.client_reference = ${p}`, filter.clientReference);
  where(
    (p) => `t.question ilike ${p}`,
    filter.text === undefined ? undefined : `%${filter.text.replace(/[\\%_]/g, "\\$&")}%`,
  );
  where((p) => `t.created_at >= ${p}`, filter.createdFrom);
  where((p) => `t.created_at < ${p}`, filter.createdBefore);
  where((p) => `t.id < ${p}`, page.beforeId);
  values.push(page.limit + 1);
  // Indexes: tasks_account; tasks_batch, tasks_tags, tasks_client_reference when they narrow more. Ids sort by time.
  const { rows } = await db.query<TaskRow & ProgressRow & { now: Date }>(
    `select ${taskColumns}, ${progressColumns}, now() as now
     from tasks t ${progressJoin}
     where ${conditions.join(" and ")}
     order by t.id desc
     limit $${values.length}`,
    values,
  );
  const shown = rows.slice(0, page.limit);
  return {
    tasks: shown.map((row) => taskSummary(row, row.now)),
    nextId: rows.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  };
}
