import { optionFilters, type TaskState, type TaskSummary } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { scanPage, type ScanStep } from "../../api/scan-page.ts";
import { progressColumns, progressJoin, taskColumns, taskSummary, type ProgressRow, type TaskRow } from "./record.ts";
import { readBalance } from "../../points/index.ts";
import { batchRange } from "../past-batches.ts";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";

interface TaskListPage {
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

/*
 * The orders in which tasks can be scanned, newest first. Each uses an index with one account's tasks in the order of their
 * ids. Ids contain the time of acceptance, so a range of times is a range of every order.
 */

/** Members of the requested options. */
type OptionFilter = { readonly [Name in keyof typeof optionFilters]?: string };

export interface TaskFilter extends OptionFilter {
  readonly state?: TaskState;
  readonly platformCode?: string;
  readonly batchId?: string;
  readonly tag?: string;
  readonly clientReference?: string;
  readonly text?: string;
  readonly createdFrom?: string;
  readonly createdBefore?: string;
  /** Tasks that these panels have asked. Null: any, and those that no panel asked. */
  readonly panelIds?: readonly string[] | null;
}

interface ListOrder {
  /** The `from` clause for `tasks t`, without its lower bound. */
  readonly from: string;
  /** The column it is ordered by: the task's id, in the table whose index provides the order. */
  readonly idColumn: string;
  /** The lower bound: ids below the one in `parameter`, or from the newest if that is null. */
  readonly below: (parameter: string) => string;
  /** The condition that tasks of the order must also satisfy. */
  readonly fits: string;
  /** True if all tasks of the order satisfy it, or nearly all. */
  readonly isWhole: boolean;
  /** Its parameters for reading this number of tasks below an id. */
  readonly valuesFor: (beforeId: string | null, rowsMax: number) => readonly unknown[];
}

/** The maximum of pending tasks gathered from the engine's table; with more, a scan of all tasks soon finds some. */
const gatheredMax = 20_000;
const leastId = "00000000-0000-0000-0000-000000000000";
const greatestId = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Selects the narrowest order for a filter, and the part of the filter that remains to be applied while scanning. */
async function orderFor(db: Queryable, accountId: string, filter: TaskFilter): Promise<ListOrder> {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const account = parameter(accountId);
  const { from, idColumn, held, gathered } = await source(db, accountId, filter, account, parameter);

  const { createdFrom, createdBefore } = filter;
  const least = createdFrom === undefined ? leastId : firstIdAt(millisecondAt(createdFrom));
  const most = createdBefore === undefined ? greatestId : firstIdAt(millisecondAt(createdBefore));
  const bounds: string[] = [];
  if (createdFrom !== undefined) bounds.push(`${idColumn} >= ${parameter(least)}`);
  if (createdBefore !== undefined) bounds.push(`${idColumn} < ${parameter(most)}`);

  const conditions: string[] = [];
  const filterBy = (key: keyof TaskFilter, condition: (value: string) => string, value: unknown = filter[key]) => {
    if (filter[key] !== undefined && !held.includes(key)) conditions.push(condition(parameter(value)));
  };
  filterBy("state", (value) => `t.state = ${value}`);
  filterBy("platformCode", (value) => `t.platform = ${value}`);
  filterBy("batchId", (value) => `t.batch_id = ${value}`);
  filterBy("clientReference", (value) => `t.client_reference = ${value}`);
  filterBy("tag", (value) => `t.tags @> array[${value}]`);
  for (const name of Object.keys(optionFilters) as (keyof typeof optionFilters)[])
    filterBy(name, (value) => `lower(t.asked_as ->> '${name}') = lower(${value})`);
  filterBy("text", (value) => `t.question ilike ${value}`, `%${(filter.text ?? "").replace(/[\\%_]/g, "\\$&")}%`);

  // Index: the primary key of panel_tasks.
  if ((filter.panelIds ?? null) !== null)
    conditions.push(
      `exists (select from panel_tasks p where p.account_id = t.account_id and p.task_id = t.id and p.panel_id = any(${parameter(filter.panelIds)}::uuid[]))`,
    );

  return {
    from,
    idColumn,
    below: (before) => [`and ${idColumn} < coalesce(${before}::uuid, '${greatestId}')`, ...bounds].join(" and "),
    fits: conditions.length === 0 ? "true" : `(${conditions.join(" and ")})`,
    isWhole: conditions.length === 0 || (gathered !== undefined && conditions.length === 1),
    valuesFor: (beforeId, rowsMax) => {
      if (gathered === undefined) return values;
      const next = gathered.filter((id) => (beforeId === null || id < beforeId) && id >= least && id < most);
      return values.with(1, next.slice(0, rowsMax));
    },
  };
}

/**
 * Looks up the task of each row of a list of ids. `offset 0` makes the planner look them up one by one, as far as the page
 * needs. Otherwise it could choose to scan all tasks from the newest instead, because it cannot know how far away the first of
 * the list is.
 */
const taskOfIt =
  "cross join lateral (select * from tasks where account_id = l.account_id and id = l.task_id offset 0) t";

interface Source {
  readonly from: string;
  readonly idColumn: string;
  /** Filters that the order already applies. */
  readonly held: readonly (keyof TaskFilter)[];
  /** Its ids, newest first, if it is a list made here: the first of the values that follow the account. */
  readonly gathered?: readonly string[];
}

async function source(
  db: Queryable,
  accountId: string,
  filter: TaskFilter,
  account: string,
  parameter: (value: unknown) => string,
): Promise<Source> {
  if (filter.batchId !== undefined) {
    // Index: tasks_batch. A batch has a bounded number of tasks, which are read completely: `offset 0` keeps the planner from
    // scanning the account's tasks from the newest until it has found enough of the batch.
    const { least, greatest } = batchRange([filter.batchId]);
    const range = `id between ${parameter(least)} and ${parameter(greatest)}`;
    const batch = `(select * from tasks where account_id = ${account} and batch_id = ${parameter(filter.batchId)} and ${range} offset 0) t`;
    return { from: `${batch} where true`, idColumn: "t.id", held: ["batchId"] };
  }
  if (filter.clientReference !== undefined) {
    // Index: tasks_client_reference.
    const where = `t.account_id = ${account} and t.client_reference = ${parameter(filter.clientReference)}`;
    return { from: `tasks t where ${where}`, idColumn: "t.id", held: ["clientReference"] };
  }
  if (filter.state === "failed" || filter.state === "canceled") {
    // Indexes: the primary keys.
    const where = `l.account_id = ${account} and l.state = ${parameter(filter.state)}`;
    return {
      from: `unanswered_tasks l ${taskOfIt} where ${where}`,
      idColumn: "l.task_id",
      held: ["state"],
    };
  }
  if (filter.state === "pending") {
    const pending = await gatherPending(db, accountId);
    // Tasks that have ended since are excluded by a check of their state.
    if (pending !== null) {
      const ids = `unnest(${parameter(pending)}::uuid[]) as l(task_id)`;
      const from = `${ids} join tasks t on t.account_id = ${account} and t.id = l.task_id where true`;
      return { from, idColumn: "t.id", held: [], gathered: pending };
    }
  }
  if (filter.tag !== undefined) {
    const where = `l.account_id = ${account} and l.tag = ${parameter(filter.tag)}`;
    return {
      from: `task_tags l ${taskOfIt} where ${where}`,
      idColumn: "l.task_id",
      held: ["tag"],
    };
  }
  if (filter.platformCode !== undefined) {
    // Index: tasks_platform.
    const where = `t.account_id = ${account} and t.platform = ${parameter(filter.platformCode)}`;
    return { from: `tasks t where ${where}`, idColumn: "t.id", held: ["platformCode"] };
  }
  // Index: the primary key.
  return { from: `tasks t where t.account_id = ${account}`, idColumn: "t.id", held: [] };
}

/** The account's tasks that have not ended; null if there are too many to gather. */
async function gatherPending(db: Queryable, accountId: string): Promise<string[] | null> {
  const { unfinishedTasks } = await readBalance(db, accountId);
  if (unfinishedTasks > gatheredMax) return null;
  // Indexes: dispatch_queue and dispatch_claimed for each platform, dispatch_waiting_account. Locks nothing.
  const { rows } = await db.query<{ task_id: string }>(
    `select task_id from dispatch where account_id = $1 and state = 'waiting'
     union all
     select d.task_id from platforms p cross join lateral (
       select task_id from dispatch where platform = p.code and account_id = $1 and state = 'queued'
       union all
       select task_id from dispatch where platform = p.code and account_id = $1 and state in ('running', 'aborting')
     ) d
     limit ${2 * gatheredMax}`,
    [accountId],
  );
  return rows.map((row) => row.task_id).sort((one, other) => (one > other ? -1 : 1));
}
