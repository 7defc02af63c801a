-- Why: what fails is kept where its owner can see it: every attempt of a task that did not succeed at once, a platform's last failure,
-- why an address is suspended and why a delivery was given up. And what a waiting delivery says expires with the result.
-- Old code beside it: may run. Every column that it does not know may be null; what it writes is only less to see.

-- What came of the attempts so far, oldest first; null while none has failed, so that a task that succeeds at once never writes it.
alter table dispatch add column attempt_log jsonb;

-- The attempts of a task that has ended, unless it completed at the first. Deleted once the result has expired.
create table task_attempts (
  task_id    uuid primary key,
  expires_at timestamptz not null,
  entries    jsonb not null
);
create index task_attempts_age on task_attempts (expires_at);

-- When the attempt began that ended the task; null: `started_at`, or none did.
alter table tasks add column last_attempt_at timestamptz;

-- `failing_since`: the first failure after the last success. `last_failure`: code, message, platformStatus and at.
alter table platforms
  add column last_failure jsonb,
  add column failing_since timestamptz,
  add column throttled_since timestamptz;

-- Why the default address is suspended, and what the last failed attempt to it came to.
alter table webhooks
  add column suspended_reason text check (suspended_reason in ('gone', 'failing')),
  add column last_failure_status integer,
  add column last_failure_fault text;
update webhooks
   set suspended_reason = case when failures >= 5 and first_failure_at <= suspended_at - interval '12 h' then 'failing' else 'gone' end
 where suspended_at is not null;

-- `expires_at`: when the body has to be made anew, since the result in it expires; null once that is done. `end_reason`: why it was
-- given up, where its attempts do not say it.
alter table deliveries
  add column expires_at timestamptz,
  add column end_reason text check (end_reason in ('endpoint_suspended'));

-- Of the bundle: the earliest of its deliveries.
alter table delivery_queue add column expires_at timestamptz;
update deliveries d set expires_at = t.expires_at from tasks t where t.id = d.task_id and d.state = 'pending';
update delivery_queue q
   set expires_at = (select min(d.expires_at) from deliveries d where d.account_id = q.account_id and d.id = any (q.delivery_ids));
