-- Why: while a transaction holds an old snapshot (a backup with pg_dump, a replication slot that lags), what is dead stays in the indexes,
-- and each claim read the entries of all tasks that had been queued or had run since: 33 times as many pages after 32,000 tasks.
-- Claims now begin where the living may stand.
-- Old code beside it: may run. It doesn't lower the positions for what it queues; a node of this version finds that within a minute.
-- Locks: account_lanes until each account's first tasks are found, platforms and dispatch for an instant.

-- step: transaction
-- For each rank (0 to 9): no queued task of the account has a lower id. Null: none of this rank is queued. The least id: not known.
-- Whoever queues a task lowers it in the same transaction (dispatch/queue/account-queues.ts).
alter table account_lanes add column positions uuid[] not null
  default array_fill('00000000-0000-0000-0000-000000000000'::uuid, array[10]);
update account_lanes l set positions = array(
  select (select d.task_id from dispatch d
          where d.platform = l.platform and d.account_id = l.account_id and d.rank = r.rank::smallint and d.state = 'queued'
          order by d.task_id limit 1)
  from generate_series(0, 9) r(rank) order by r.rank);
-- No running task was claimed earlier. Claims raise it, under the platform's lock.
alter table platforms add column running_since timestamptz not null default '-infinity';

-- step: concurrently
create index concurrently dispatch_claimed on dispatch (platform, claimed_at, account_id) where state in ('running', 'aborting');

-- step: transaction
-- Counts read it no more, and the other readers take the new one.
drop index dispatch_running;
