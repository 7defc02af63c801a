import type { StoredResult, TaskRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { batchRange } from "../past-batches.ts";
import { idRange } from "../../kernel/ids.ts";
import {
  progressColumns,
  progressJoin,
  resultJoin,
  taskColumns,
  taskRecord,
  type ProgressRow,
  type TaskRow,
} from "./record.ts";

type FullRow = TaskRow & ProgressRow & { result: StoredResult | null; now: Date };

/** One task's record, or null if the account has no such task. */
export async function getTask(db: Queryable, accountId: string, taskId: string): Promise<TaskRecord | null> {
  const { rows } = await db.query<FullRow>({
    name: "get task",
    text: `select ${taskColumns}, ${progressColumns}, r.result, now() as now
           from tasks t ${progressJoin} ${resultJoin}
           where t.id = $1 and t.account_id = $2`,
    values: [taskId, accountId],
  });
  const row = rows[0];
  return row === undefined ? null : taskRecord(row, row.result, row.now);
}

/** Records of an account's tasks, by id. */
export async function getTasks(
  db: Queryable,
  accountId: string,
  taskIds: readonly string[],
): Promise<Map<string, TaskRecord>> {
  const { least, greatest } = idRange(taskIds);
  const { rows } = await db.query<FullRow>({
    name: "get tasks",
    text: `select ${taskColumns}, ${progressColumns}, r.result, now() as now
           from tasks t ${progressJoin} ${resultJoin}
           where t.id = any($1::uuid[]) and t.id between $3 and $4 and t.account_id = $2`,
    values: [taskIds, accountId, least, greatest],
  });
  return new Map(rows.map((row) => [row.id, taskRecord(row, row.result, row.now)]));
}

/**
 * The texts of an account's answers and the prices that they show, as long as results are there: a line of JSON for each, which
 * PostgreSQL writes: the task, its text, and the title, URL, price and unit of each product with a price. The caller bounds the number.
 */
export async function* answerTexts(
  db: Queryable,
  accountId: string,
  taskIds: readonly string[],
): AsyncGenerator<string, void, void> {
  const { least, greatest } = idRange(taskIds);
  // Index: the primary keys. Locks nothing.
  const { rows } = await db.query<{ text: string | null }>(
    `select string_agg(json_build_array(t.id, coalesce(r.result->>'content', ''), coalesce((
              select json_agg(json_build_array(p->'title', p->'url', p->'price', p->'priceUnit'))
                from json_array_elements(case json_typeof(r.result->'products') when 'array' then r.result->'products' end) p
               where p->>'price' <> ''), '[]'))::text, E'\\n') as text
       from tasks t ${resultJoin}
      where t.id = any($1::uuid[]) and t.id between $3 and $4 and t.account_id = $2 and r.task_id is not null`,
    [taskIds, accountId, least, greatest],
  );
  const text = rows[0]?.text ?? null;
  if (text !== null) yield text;
}

interface BatchPage {
  readonly afterIndex: number;
  /** Only tasks that ended at this time or later; null: all, including those that have not ended. */
  readonly endedFrom: string | null;
}

/** The next tasks of a batch in the order of its items, and the length of their results. */
export async function sizeBatchTasks(
  db: Queryable,
  accountId: string,
  batchId: string,
  page: BatchPage & { limit: number },
): Promise<{ index: number; bytes: number }[]> {
  const { least, greatest } = batchRange([batchId]);
  // Index: tasks_batch. Results are read only for their length, and not transferred.
  const { rows } = await db.query<{ index: number; bytes: number }>(
    `select t.item_index as index, coalesce(octet_length(r.result::text), 0) as bytes
     from tasks t ${resultJoin}
     where t.account_id = $5 and t.batch_id = $1 and t.id between $6 and $7 and t.item_index > $2 and ($4::timestamptz is null or t.completed_at >= $4)
     order by t.item_index
     limit $3`,
    [batchId, page.afterIndex, page.limit, page.endedFrom, accountId, least, greatest],
  );
  return rows;
}

/** Records of a batch in the order of its items: those after `afterIndex`, up to `lastIndex`. */
export async function getBatchTasks(
  db: Queryable,
  accountId: string,
  batchId: string,
  page: BatchPage & { lastIndex: number },
): Promise<TaskRecord[]> {
  const { least, greatest } = batchRange([batchId]);
  const { rows } = await db.query<FullRow>(
    `select ${taskColumns}, ${progressColumns}, r.result, now() as now
     from tasks t ${progressJoin} ${resultJoin}
     where t.account_id = $5 and t.batch_id = $1 and t.id between $6 and $7 and t.item_index > $2 and t.item_index <= $3 and ($4::timestamptz is null or t.completed_at >= $4)
     order by t.item_index`,
    [batchId, page.afterIndex, page.lastIndex, page.endedFrom, accountId, least, greatest],
  );
  return rows.map((row) => taskRecord(row, row.result, row.now));
}
