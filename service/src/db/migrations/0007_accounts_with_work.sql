-- Why: a claim of tasks read every account that had work, and a claim of deliveries every destination: 265 and 155 ms with 10,000
-- accounts instead of 4 and 3. Both now read an index of the accounts whose turn is next.
-- Old code beside it: may run. It does not mark what it queues; a node of this version finds that within a minute.
-- Locks: account_lanes, for an instant, and the rows of accounts without work.

-- False only if nothing is queued: whoever queues a task makes it true in the same transaction, and claims clear it (dispatch/account-queues.ts).
alter table account_lanes add column has_work boolean not null default true;
update account_lanes l set has_work = false
 where not exists (select from dispatch d where d.platform = l.platform and d.account_id = l.account_id and d.state = 'queued');
alter table account_lanes set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index account_lanes_work on account_lanes (platform, pass, account_id) where has_work;

-- Which accounts have deliveries to send. Claims look at these in turn, in the order of their ids. False: nothing of the account can be
-- sent, at least until `again_at`. See webhooks/outbox/delivery-turns.ts.
create table delivery_turns (
  account_id  uuid primary key,
  has_due     boolean not null default true,
  again_at    timestamptz check (again_at is null or not has_due)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
insert into delivery_turns (account_id, has_due)
select w.account_id, exists (select from delivery_queue q where q.account_id = w.account_id and q.state = 'queued') from webhooks w;
create index delivery_turns_due on delivery_turns (account_id) where has_due;
create index delivery_turns_again on delivery_turns (again_at) where again_at is not null;
