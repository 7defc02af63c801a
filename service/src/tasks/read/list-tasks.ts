import type { TaskState, TaskSummary } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { walk, type Look } from "../../api/walk.ts";
import { orderFor } from "./list-orders.ts";
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

export interface TaskListPage {
  readonly tasks: TaskSummary[];
  /** The task that was looked at last: the list goes on below it. Null: there is nothing below. */
  readonly nextId: string | null;
}

/**
 * A page of the account's tasks, newest first: those older than `beforeId`. The tasks are walked in the order of the narrowest index
 * that the filter allows, and what no index holds is looked for on the way. A walk that finds too little in its time ends where it
 * is: its page is short, or empty, and `nextId` says where to go on.
 */
export async function listTasks(
  db: Queryable,
  accountId: string,
  filter: TaskFilter,
  page: { beforeId: string | null; limit: number },
): Promise<TaskListPage> {
  const order = await orderFor(db, accountId, filter);
  const { rows, next } = await walk<FoundRow, string>(
    { before: page.beforeId, limit: page.limit, isWhole: order.isWhole },
    (row) => row.id,
    (look) => lookOn(db, order, look),
  );
  return { tasks: rows.map((row) => taskSummary(row, row.now)), nextId: next };
}

type Order = Awaited<ReturnType<typeof orderFor>>;
type FoundRow = TaskRow & ProgressRow & { now: Date; fits: boolean; place: number };

/** Looks at the next tasks of the order: those that fit, and the last one that was looked at unless the order ended before. */
async function lookOn(
  db: Queryable,
  order: Order,
  { before: beforeId, look, wanted }: Look<string>,
): Promise<{ rows: FoundRow[]; last: string | null }> {
  const own = order.valuesFor(beforeId, look);
  const values = [...own, beforeId, look, wanted];
  const [before, count, limit] = [1, 2, 3].map((place) => `$${own.length + place}`);
  // Reads, in their order, as many rows of the order's index as are looked at, and stops at the page's last. The row that is
  // looked at last comes along whether it fits or not: the next look begins below it. Locks nothing.
  const { rows } = await db.query<FoundRow>(
    `select ${taskColumns}, ${progressColumns}, now() as now, t.fits, t.place
     from (
       select t.*, ${order.fits} as fits
       from (
         select t.*, ${order.idColumn} as ordered_id, row_number() over (order by ${order.idColumn} desc)::int as place
         from ${order.from} ${order.below(before ?? "")}
         order by ${order.idColumn} desc
         limit ${count}::int
       ) t
       where ${order.fits} or t.place = ${count}::int
       order by t.ordered_id desc
       limit ${limit}::int
     ) t ${progressJoin}
     order by t.id desc`,
    values,
  );
  return {
    rows: rows.filter(({ fits }) => fits),
    last: rows.find(({ place }) => place === look)?.id ?? null,
  };
}
