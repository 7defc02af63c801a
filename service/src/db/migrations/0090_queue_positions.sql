-- Why: while a transaction holds an old snapshot (a backup with pg_dump, a replication slot that lags), what is dead stays in the indexes,
-- and each claim read the entries of all tasks that had been queued or had run since: 33 times as many pages after 32,000 tasks.
-- Claims now begin where the living may stand.
-- Old code beside it: from 0012. It doesn't lower the positions for what it queues; a node of this version finds that within a minute.

-- step: transaction
-- For each rank (0 to 9): no queued task of the account has a lower id. Null: none of this rank is queued. The least id: not known.
-- Whoever queues a task lowers it in the same transaction (dispatch/queue/account-queues.ts).
alter table account_lanes add column positions uuid[] not null default '{00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000}';

-- step: transaction
-- No running task was claimed earlier. Claims raise it, under the platform's lock.
alter table platforms add column running_since timestamptz not null default '-infinity';

-- step: concurrently
-- In place of dispatch_running, which code of the version before reads: it is dropped one version later.
create index concurrently dispatch_claimed on dispatch (platform, claimed_at, account_id) where state in ('running', 'aborting');
