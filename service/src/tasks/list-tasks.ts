import type { TaskState, TaskSummary } from "@querent/contract";
import type { Queryable } from "../db/index.ts";
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

/** A look is ended after so long, whatever it found. */
const lookMs = 50;
/** Tasks that are looked at in one statement: few at first, then as many as there is time for. */
const firstLook = 500;
const lookMax = 50_000;

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
  const tasks: TaskSummary[] = [];
  const startedAt = performance.now();
  let { beforeId } = page;
  // One more than the page holds tells whether there is more.
  let look = order.isWhole ? page.limit + 1 : Math.max(firstLook, page.limit + 1);
  for (;;) {
    const lookedAt = performance.now();
    const { rows, lastId } = await lookOn(db, order, { beforeId, look, wanted: page.limit + 1 - tasks.length });
    tasks.push(...rows.map((row) => taskSummary(row, row.now)));
    if (tasks.length > page.limit) {
      const shown = tasks.slice(0, page.limit);
      return { tasks: shown, nextId: shown.at(-1)?.taskId ?? null };
    }
    if (lastId === null) return { tasks, nextId: null };
    beforeId = lastId;
    const now = performance.now();
    const leftMs = lookMs - (now - startedAt);
    if (leftMs <= 0) return { tasks, nextId: lastId };
    look = Math.round(Math.min(lookMax, look * 4, Math.max(firstLook, (look / (now - lookedAt)) * leftMs)));
  }
}

type Order = Awaited<ReturnType<typeof orderFor>>;
type FoundRow = TaskRow & ProgressRow & { now: Date; fits: boolean; place: number };

/** Looks at the next tasks of the order: those that fit, and the last one that was looked at unless the order ended before. */
async function lookOn(
  db: Queryable,
  order: Order,
  { beforeId, look, wanted }: { beforeId: string | null; look: number; wanted: number },
): Promise<{ rows: FoundRow[]; lastId: string | null }> {
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
    lastId: rows.find(({ place }) => place === look)?.id ?? null,
  };
}
