import type { TaskSummary } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { scanPage, type ScanStep } from "../../api/scan-page.ts";
import { orderFor, type TaskFilter } from "./list-orders.ts";
import { progressColumns, progressJoin, taskColumns, taskSummary, type ProgressRow, type TaskRow } from "./record.ts";

export interface TaskListPage {
  readonly tasks: TaskSummary[];
  /** The last task examined: the next page starts below it. Null: there is nothing below. */
  readonly nextId: string | null;
}

/**
 * A page of the account's tasks, newest first: those older than `beforeId`. The tasks are scanned in the order of the narrowest
 * index for the filter; filters without an index are applied while scanning. A scan that finds too little within its time limit
 * stops: its page is short or empty, and `nextId` is where to continue.
 */
export async function listTasks(
  db: Queryable,
  accountId: string,
  filter: TaskFilter,
  page: { beforeId: string | null; limit: number },
): Promise<TaskListPage> {
  const order = await orderFor(db, accountId, filter);
  const { rows, next } = await scanPage<FoundRow, string>(
    { before: page.beforeId, limit: page.limit, isWhole: order.isWhole },
    (row) => row.id,
    (step) => readStep(db, order, step),
  );
  return { tasks: rows.map((row) => taskSummary(row, row.now)), nextId: next };
}

type Order = Awaited<ReturnType<typeof orderFor>>;
type FoundRow = TaskRow & ProgressRow & { now: Date; fits: boolean; nth: number };

/** Reads the next tasks of the order: those that match, and the last one examined unless the order ended before. */
async function readStep(
  db: Queryable,
  order: Order,
  { before: beforeId, rowsMax, wanted }: ScanStep<string>,
): Promise<{ rows: FoundRow[]; last: string | null }> {
  const own = order.valuesFor(beforeId, rowsMax);
  const values = [...own, beforeId, rowsMax, wanted];
  const [before, count, limit] = [1, 2, 3].map((index) => `$${own.length + index}`);
  // Reads `rowsMax` rows of the order's index, in order, and stops at the page's last. The last row of the step is returned
  // whether it matches or not: the next step starts below it. Locks nothing.
  const { rows } = await db.query<FoundRow>(
    `select ${taskColumns}, ${progressColumns}, now() as now, t.fits, t.nth
     from (
       select t.*, ${order.fits} as fits
       from (
         select t.*, ${order.idColumn} as ordered_id, row_number() over (order by ${order.idColumn} desc)::int as nth
         from ${order.from} ${order.below(before ?? "")}
         order by ${order.idColumn} desc
         limit ${count}::int
       ) t
       where ${order.fits} or t.nth = ${count}::int
       order by t.ordered_id desc
       limit ${limit}::int
     ) t ${progressJoin}
     order by t.id desc`,
    values,
  );
  return {
    rows: rows.filter(({ fits }) => fits),
    last: rows.find(({ nth }) => nth === rowsMax)?.id ?? null,
  };
}
