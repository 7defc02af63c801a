/** The stored answers, scanned in the order of the days on which their tasks ended, with bounded memory. */
import type { StoredResult } from "@querent/contract";
import { textOfRaw, type RawColumns } from "../../answers/index.ts";
import { rowsAs, type Queryable } from "../../db/index.ts";
import type { RawAnswer } from "../../platforms/index.ts";
import { taskColumns, type TaskRow } from "../read/record.ts";

/** Selects answers. Null members do not filter. */
export interface AnswerScope {
  readonly platform: string | null;
  readonly batchId: string | null;
  readonly taskId: string | null;
  /** Tasks that ended at this time or later. */
  readonly since: Date | null;
  /** Tasks that ended before this time. */
  readonly until: Date;
}

/** A position in the scan: after the answer of this task. */
export interface AnswerPosition {
  readonly day: string;
  readonly taskId: string;
}

export interface AnswerKey extends AnswerPosition {
  readonly accountId: string;
  readonly platform: string;
  /** The size of the platform's response; null if it was not kept. */
  readonly rawBytes: number | null;
}

/** The next answers after a position, and the position of the scan after them; null at the end. */
export async function listAnswers(
  db: Queryable,
  scope: AnswerScope,
  /** The account of the batch or the task in the scope. */
  accountId: string | null,
  after: AnswerPosition | null,
  limit: number,
): Promise<{ readonly keys: AnswerKey[]; readonly next: AnswerPosition | null }> {
  const narrow = scope.batchId !== null || scope.taskId !== null;
  const { rows } = await db.query<{
    day: string;
    task_id: string;
    account_id: string;
    platform: string;
    completed_at: Date;
    raw_bytes: number | null;
  }>(narrow ? answersOfTasks : answersByDay, [
    after?.day ?? dayOf(scope.since ?? new Date(0)),
    after?.taskId ?? "00000000-0000-0000-0000-000000000000",
    dayOf(scope.until),
    limit,
    ...(narrow ? [scope.batchId, scope.taskId, accountId] : []),
  ]);
  const last = rows.at(-1);
  return {
    // Filters without an index are applied here, so that a page costs the same for every scope.
    keys: rows
      .filter(
        (row) =>
          (scope.platform === null || row.platform === scope.platform) &&
          (scope.since === null || row.completed_at >= scope.since) &&
          row.completed_at < scope.until,
      )
      .map((row) => ({
        day: row.day,
        taskId: row.task_id,
        accountId: row.account_id,
        platform: row.platform,
        rawBytes: row.raw_bytes,
      })),
    next: last === undefined || rows.length < limit ? null : { day: last.day, taskId: last.task_id },
  };
}

// Index: the partitions' primary keys, in order, from the position on. Locks nothing. `octet_length` does not decompress the
// body.
const answersByDay = `
  select r.day::text, r.task_id, t.account_id, t.platform, t.completed_at, coalesce(r.raw_bytes, octet_length(r.raw_body)) as raw_bytes
    from (select day, task_id, account_id, raw_body, raw_bytes from task_results
           where day >= $1::date and (day, task_id) > ($1::date, $2::uuid) and day <= $3::date and expires_at > now()
           order by day, task_id limit $4) r
    join tasks t on t.account_id = r.account_id and t.id = r.task_id
   order by r.day, r.task_id`;

// Index: tasks_batch, or the primary key; then the result by its key.
const answersOfTasks = `
  select t.result_day::text as day, t.id as task_id, t.account_id, t.platform, t.completed_at, coalesce(r.raw_bytes, octet_length(r.raw_body)) as raw_bytes
    from tasks t
    join task_results r on r.day = t.result_day and r.task_id = t.id and r.account_id = t.account_id and r.expires_at > now()
   where t.account_id = $7 and ($5::uuid is null or t.batch_id = $5) and ($6::uuid is null or t.id = $6)
     and (t.result_day, t.id) > ($1::date, $2::uuid) and t.result_day <= $3::date
   order by t.result_day, t.id limit $4`;

export interface StoredAnswer extends TaskRow {
  readonly day: string;
  readonly result: StoredResult;
  readonly raw: RawAnswer;
}

const keyRows = rowsAs<AnswerPosition>("k", {
  day: ["date", (key) => key.day],
  task_id: ["uuid", (key) => key.taskId],
});

/** Answers with everything stored of them, except those that have expired meanwhile or have no bytes. */
export async function loadAnswers(db: Queryable, keys: readonly AnswerPosition[]): Promise<StoredAnswer[]> {
  // Index: the primary keys.
  const { rows } = await db.query<Omit<StoredAnswer, "raw"> & RawColumns>(
    `select ${taskColumns}, r.day::text, r.result, r.raw_type, r.raw_body, r.raw_compressed
       from ${keyRows.after(0)}
       join task_results r on r.day = k.day and r.task_id = k.task_id and r.expires_at > now() and (r.raw_body is not null or r.raw_compressed is not null)
       join tasks t on t.account_id = r.account_id and t.id = k.task_id and t.state = 'completed'
      order by k.day, k.task_id`,
    keyRows.values(keys),
  );
  const answers: StoredAnswer[] = [];
  for (const { raw_type, raw_body, raw_compressed, ...row } of rows) {
    const body = await textOfRaw({ raw_body, raw_compressed });
    if (raw_type !== null && body !== null) answers.push({ ...row, raw: { mediaType: raw_type, body } });
  }
  return answers;
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);
