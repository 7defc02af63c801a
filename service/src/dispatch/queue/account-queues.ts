/**
 * Which accounts have work on which platform: `account_lanes.has_work`, so that a claim reads those whose turn is next and no
 * others.
 *
 * Invariant: it is false only if nothing is queued. Whoever queues a task locks the account's queue `for key share` in the same
 * transaction, and makes it true if it is false. That lock does not conflict with claims, which change `pass`, or with each
 * other, but with `for update`, under which it is made false. So it becomes false only while no such transaction is under way,
 * and the look that finds nothing queued starts after the lock was granted. It may be true without need: a claim that finds
 * nothing there says so.
 */
import type { Database, Transaction } from "../../db/index.ts";
import { racePoint } from "../../runtime/race-points.ts";

/**
 * SQL: common table expressions that mark the accounts of tasks that a preceding one, `queued`, has queued; it returns their
 * `platform` and `account_id`.
 */
export const markWork = (queued: string) => `account_queue as materialized (
    select l.platform, l.account_id, l.has_work from account_lanes l
    where l.platform = any(array(select distinct platform from ${queued}))
      and l.account_id = any(array(select distinct account_id from ${queued}))
      and (l.platform, l.account_id) in (select platform, account_id from ${queued})
    order by l.platform, l.account_id for key share
  ), marked as (
    update account_lanes l set has_work = true from account_queue q
    where l.platform = q.platform and l.account_id = q.account_id and not q.has_work
  )`;

/** Creates the account's queues the first time it uses a platform, and marks them: it queues tasks in this transaction. */
export async function openQueues(tx: Transaction, accountId: string, platforms: readonly string[]): Promise<void> {
  const values = [accountId, platforms.toSorted()];
  // Locks: account queues, in the order of their keys: shared, or as they are marked.
  const created = tx.query({
    name: "insert account queues",
    text: "insert into account_lanes (platform, account_id) select unnest($2::text[]), $1 on conflict do nothing",
    values,
  });
  const marked = tx.query({
    name: "mark account queues",
    text: `with queued as (select $1::uuid as account_id, unnest($2::text[]) as platform), ${markWork("queued")} select`,
    values,
  });
  await Promise.all([created, marked]);
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
        `update account_lanes l set has_work = false
       where l.platform = $1 and l.account_id = any($2::uuid[])
         and (select true from dispatch d where d.platform = $1 and d.account_id = l.account_id and d.state = 'queued'
              order by d.rank, d.task_id limit 1) is null`,
        [platform, rows.map((row) => row.account_id)],
      );
      await racePoint("account_queues.cleared", platform);
      return rowCount ?? 0;
    },
    { settings: lazily },
  );
}

/**
 * Marks accounts that have work and are not marked, such as what a process of the version before has queued. Only the node with
 * the lowest id does this. Returns the platforms.
 */
export async function markForgotten(database: Database, nodeId: string): Promise<string[]> {
  // Index: dispatch_queue, one seek for each account with work. Locks: the account queues that it marks.
  const { rows } = await database.query<{ platform: string }>(
    `with recursive queued(platform, account_id) as (
       (select platform, account_id from dispatch
        where state = 'queued' and $1 = (select min(id::text) from nodes where lease_until > now())
        order by platform, account_id limit 1)
       union all
       select n.platform, n.account_id from queued q cross join lateral (
         select d.platform, d.account_id from dispatch d
         where d.state = 'queued' and (d.platform, d.account_id) > (q.platform, q.account_id)
         order by d.platform, d.account_id limit 1) n
     ), forgotten as materialized (
       select q.platform, q.account_id from queued q join account_lanes l using (platform, account_id) where not l.has_work
     )
     update account_lanes l set has_work = true from forgotten f
     where l.platform = f.platform and l.account_id = f.account_id
     returning l.platform`,
    [nodeId],
  );
  return [...new Set(rows.map((row) => row.platform))];
}
