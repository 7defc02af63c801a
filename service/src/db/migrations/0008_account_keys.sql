-- Why: every table of account data has the account in each of its keys, so that accounts can later be divided among partitions,
-- servers or shards. Where queries look a row up by its own id, the id comes first in the key; otherwise the account does.
-- Exceptions: `access_tokens.sha256`, by which a token is found before its account is known, and `accounts` itself.
-- Old code beside it: no. It inserts results, artifacts and attempts without their account: stop every process before this one starts.
-- Locks: every table below, until the commit. It builds their indexes anew, and writes the account into each stored result, artifact
-- and attempt: about half a minute for a million tasks with their results.
alter table access_tokens drop constraint access_tokens_pkey, add primary key (id, account_id);

drop index batches_account;
alter table batches drop constraint batches_pkey, add primary key (account_id, id);

-- The primary key is also what lists of all tasks of an account are read by.
drop index tasks_account;
alter table tasks drop constraint tasks_pkey, add primary key (account_id, id);
drop index tasks_batch;
create unique index tasks_batch on tasks (account_id, batch_id, item_index);

alter table dispatch drop constraint dispatch_pkey, add primary key (task_id, account_id);

drop index ledger_task;
create unique index ledger_task on ledger (account_id, task_id) where task_id is not null;
drop index ledger_batch;
create unique index ledger_batch on ledger (account_id, batch_id) where kind = 'hold';

alter table deliveries drop constraint deliveries_task_id_delivery_revision_key,
  add unique (account_id, task_id, delivery_revision);
alter table delivery_queue drop constraint delivery_queue_pkey, add primary key (id, account_id);

-- The key is dropped first, so that the updates write one index less.
create temporary table task_accounts on commit drop as select id, account_id from tasks;
analyze task_accounts;

alter table task_results drop constraint task_results_pkey, add column account_id uuid;
update task_results r set account_id = t.account_id from task_accounts t where t.id = r.task_id;
alter table task_results alter column account_id set not null, add primary key (day, task_id, account_id);

alter table artifacts drop constraint artifacts_pkey, add column account_id uuid;
update artifacts a set account_id = t.account_id from task_accounts t where t.id = a.task_id;
-- The task first: public addresses know the task and neither its account nor the day.
alter table artifacts alter column account_id set not null, add primary key (task_id, name, day, account_id);

alter table task_attempts drop constraint task_attempts_pkey, add column account_id uuid;
update task_attempts a set account_id = t.account_id from task_accounts t where t.id = a.task_id;
alter table task_attempts alter column account_id set not null, add primary key (account_id, task_id);
