/**
 * Which accounts have work on which platform: `account_lanes.has_work`, so that a claim reads those whose turn is next and no
 * others.
 *
 * Invariant: it is false only if nothing is queued. Whoever queues a task locks the account's queue `for key share` in the same
 * transaction, and makes it true if it is false. That lock does not conflict with claims, which change `pass`, or with each
 * other, but with `for update`, under which it is made false. So it becomes false only while no such transaction is under way,
 * and the look that finds nothing queued starts after the lock was granted. It may be true without need: a claim that finds
 * nothing there says so.
 *
 * And from where on its queue must be read: `account_lanes.positions`, one for each rank. What was claimed before stays in the index
 * until a vacuum, which an old snapshot delays for as long as it is held; a claim that began at the first entry would read all of it.
 *
 * Invariant: no queued task of a rank has an id below its position, and none is queued where it is null. Whoever queues a task lowers
 * the position under the same lock if the task is below it; it is raised under `for update`.
 */
import { rowsAs, type Database, type Transaction } from "../../db/index.ts";
import { racePoint } from "../../runtime/race-points.ts";

/**
 * SQL: common table expressions that mark the accounts of tasks that a preceding one, `queued`, has queued; it returns their
 * `platform`, `account_id`, `rank` and `task_id`.
 */
export const markWork = (queued: string) => `account_queue as materialized (
    select l.platform, l.account_id, l.has_work, l.positions from account_lanes l
    where l.platform = any(array(select distinct platform from ${queued}))
      and l.account_id = any(array(select distinct account_id from ${queued}))
      and (l.platform, l.account_id) in (select platform, account_id from ${queued})
    order by l.platform, l.account_id for key share
  ), first_queued as materialized (
    select platform, account_id, rank, (array_agg(task_id order by task_id))[1] as task_id
    from ${queued} group by platform, account_id, rank
  ), marked as (
    update account_lanes l set has_work = true, positions = ${lowered("l")}
    from account_queue q
    where l.platform = q.platform and l.account_id = q.account_id
      and (not q.has_work or exists (
        select from first_queued f where f.platform = q.platform and f.account_id = q.account_id
          and coalesce(f.task_id < q.positions[f.rank + 1], true)))
  )`;

/** SQL: an account's positions, of which those above the tasks of `first_queued` are lowered to these. */
const lowered = (lane: string) => `array(
      select least(${lane}.positions[r.rank + 1], f.task_id) from generate_series(0, ${ranks - 1}) r(rank)
      left join first_queued f on f.platform = ${lane}.platform and f.account_id = ${lane}.account_id and f.rank = r.rank
      order by r.rank)`;

/**
 * SQL: conditions on the tasks of a rank from a position on, and their order. Said like this, only dispatch_queue has the order: by their
 * ids alone, the planner may take the primary key, and read it past everything that is not of this account.
 */
export const fromPosition = (rank: string, taskId: string) =>
  `(rank, task_id) >= (${rank}, ${taskId}) and rank <= ${rank}`;
export const inOrder = "order by rank, task_id";

/** SQL: the first task that is queued for each rank of an account, with some of its columns. Index: dispatch_queue, one seek each. */
export const firstQueued = (lane: string, columns: string) => `
      select d.* from unnest(${lane}.positions) with ordinality as p(task_id, nth)
      cross join lateral (
        select ${columns} from dispatch
        where platform = ${lane}.platform and account_id = ${lane}.account_id and state = 'queued'
          and ${fromPosition("(p.nth - 1)::smallint", "p.task_id")}
        ${inOrder} limit 1) d
      where p.task_id is not null`;

/** Creates the account's queues the first time it uses a platform, and marks them: it queues these tasks in this transaction. */
export async function openQueues(tx: Transaction, accountId: string, tasks: readonly QueuedTask[]): Promise<void> {
  const created = tx.query({
    name: "insert account queues",
    text: "insert into account_lanes (platform, account_id, positions) select unnest($2::text[]), $1, '{}' on conflict do nothing",
    values: [accountId, [...new Set(tasks.map(({ platform }) => platform))].toSorted()],
  });
  // Locks: account queues, in the order of their keys: shared, or as they are marked.
  const marked = tx.query({
    name: "mark account queues",
    text: `with queued as (
             select $1::uuid as account_id, q.* from ${firstRows.after(1)}
           ), ${markWork("queued")} select`,
    values: [accountId, ...firstRows.values(firstOfRanks(tasks))],
  });
  await Promise.all([created, marked]);
}

/** Tasks are ordered by their rank, and within it by their ids, which sort by time. */
export interface QueuedTask {
  readonly platform: string;
  readonly rank: number;
  readonly taskId: string;
}

export const ranks = 10;

const firstRows = rowsAs<QueuedTask>("q", {
  platform: ["text", (task) => task.platform],
  rank: ["int", (task) => task.rank],
  task_id: ["uuid", (task) => task.taskId],
});

/** The first task of each rank on each platform. */
function firstOfRanks(tasks: readonly QueuedTask[]): QueuedTask[] {
  const first = new Map<string, QueuedTask>();
  for (const task of tasks) {
    const key = `${task.rank} ${task.platform}`;
    const before = first.get(key);
    if (before === undefined || task.taskId < before.taskId) first.set(key, task);
  }
  return [...first.values()];
}

/** If such a transaction is lost in a crash, a claim finds nothing there again. */
const lazily = { synchronous_commit: "off" };

/** Marks accounts as having no work on the platform, if nothing of theirs is queued. Returns how many. */
export async function clearQueues(
  database: Database,
  platform: string,
  accountIds: readonly string[],
): Promise<number> {
  return database.transaction(
    async (tx) => {
      // Locks: account queues for which nobody queues anything right now (SKIP LOCKED: the others have work).
      const { rows } = await tx.query<{ account_id: string }>(
        `select account_id from account_lanes
         where platform = $1 and account_id = any($2::uuid[]) and has_work order by account_id for update skip locked`,
        [platform, accountIds],
      );
      if (rows.length === 0) return 0;
      await racePoint("account_queues.locked", platform);
      // Index: dispatch_queue. Its snapshot is later than the locks.
      const { rowCount } = await tx.query(
        `update account_lanes l set has_work = false, positions = '{}'
         where l.platform = $1 and l.account_id = any($2::uuid[]) and not exists (${firstQueued("l", "task_id")})`,
        [platform, rows.map((row) => row.account_id)],
      );
      await racePoint("account_queues.cleared", platform);
      return rowCount ?? 0;
    },
    { settings: lazily },
  );
}

/** The last task that was claimed of an account and rank. */
interface PassedTask {
  readonly accountId: string;
  readonly rank: number;
  readonly taskId: string;
}

const passedRows = rowsAs<PassedTask>("c", {
  account_id: ["uuid", (task) => task.accountId],
  rank: ["int", (task) => task.rank],
  task_id: ["uuid", (task) => task.taskId],
});

/**
 * Raises the positions of accounts of which many tasks were claimed since: nothing before them is queued any more.
 */
export async function raisePositions(
  database: Database,
  platform: string,
  passed: readonly PassedTask[],
): Promise<void> {
  await database.transaction(
    async (tx) => {
      // Locks: account queues for which nobody queues anything right now (SKIP LOCKED: the next claims try again).
      const { rows } = await tx.query<{ account_id: string }>(
        `select account_id from account_lanes
         where platform = $1 and account_id = any($2::uuid[]) and has_work order by account_id for update skip locked`,
        [platform, [...new Set(passed.map(({ accountId }) => accountId))]],
      );
      if (rows.length === 0) return;
      // Index: dispatch_queue, one seek for each rank. Its snapshot is later than the locks.
      await tx.query(
        `update account_lanes l set positions = array(
           select case when p.task_id is not null then coalesce(
             (select task_id from dispatch
              where platform = $1 and account_id = l.account_id and state = 'queued'
                and ${fromPosition("(p.nth - 1)::smallint", "p.task_id")}
              ${inOrder} limit 1),
             -- So that who queues the next one need not lower it.
             (select greatest(p.task_id, c.task_id) from ${passedRows.after(2)}
              where c.account_id = l.account_id and c.rank = p.nth - 1)) end
           from unnest(l.positions) with ordinality as p(task_id, nth) order by p.nth)
         where l.platform = $1 and l.account_id = any($2::uuid[])`,
        [platform, rows.map((row) => row.account_id), ...passedRows.values(passed)],
      );
    },
    { settings: lazily },
  );
}

/**
 * Marks accounts that have work and are not marked, or whose positions are behind it, such as what a process of the version before
 * has queued. Only the node with the lowest id does this. Returns the platforms.
 */
export async function markForgotten(database: Database, nodeId: string): Promise<string[]> {
  // Index: dispatch_queue, one seek for each account and rank with work. Locks: the account queues that it marks.
  const { rows } = await database.query<{ platform: string }>(
    `with recursive first_queued as (
       (select platform, account_id, rank, task_id from dispatch
        where state = 'queued' and $1 = (select min(id::text) from nodes where lease_until > now())
        order by platform, account_id, rank, task_id limit 1)
       union all
       select n.* from first_queued q cross join lateral (
         select d.platform, d.account_id, d.rank, d.task_id from dispatch d
         where d.state = 'queued' and (d.platform, d.account_id, d.rank) > (q.platform, q.account_id, q.rank)
         order by d.platform, d.account_id, d.rank, d.task_id limit 1) n
     ), forgotten as materialized (
       select distinct q.platform, q.account_id from first_queued q join account_lanes l using (platform, account_id)
       where not l.has_work or coalesce(q.task_id < l.positions[q.rank + 1], true)
     )
     update account_lanes l set has_work = true, positions = ${lowered("l")} from forgotten f
     where l.platform = f.platform and l.account_id = f.account_id
     returning l.platform`,
    [nodeId],
  );
  return [...new Set(rows.map((row) => row.platform))];
}

/** The accounts whose positions are learned at once. */
const learnedMax = 200;

const laneRows = rowsAs<{ readonly platform: string; readonly account_id: string }>("k", {
  platform: ["text", (lane) => lane.platform],
  account_id: ["uuid", (lane) => lane.account_id],
});

/** Finds the positions of accounts of which they are not known, as of those that a process of the version before has added. */
export async function learnPositions(database: Database): Promise<void> {
  await database.transaction(
    async (tx) => {
      // Locks: account queues for which nobody queues anything right now (SKIP LOCKED: the next time).
      const { rows } = await tx.query<{ platform: string; account_id: string }>(
        `select platform, account_id from account_lanes where '00000000-0000-0000-0000-000000000000' = any(positions)
         order by platform, account_id limit ${learnedMax} for update skip locked`,
      );
      if (rows.length === 0) return;
      // Index: dispatch_queue, one seek for each rank. Its snapshot is later than the locks.
      await tx.query(
        `update account_lanes l set positions = array(
           select (select task_id from dispatch
                   where platform = l.platform and account_id = l.account_id and state = 'queued'
                     and rank between r.nth::smallint and r.nth::smallint
                   ${inOrder} limit 1)
           from generate_series(0, ${ranks - 1}) r(nth) order by r.nth)
         where (l.platform, l.account_id) in (select * from ${laneRows.after(0)})`,
        laneRows.values(rows),
      );
    },
    { settings: lazily },
  );
}
