-- Why: besides the ends of tasks, an account can be told of things that belong to no single task: that a run of a panel has ended,
-- that a figure has changed, that a cap is nearly used up. They go the same way as the ends of tasks, through `deliveries` and the
-- event feed, and only to accounts that have subscribed to them.
-- Old code beside it: from 0012. It delivers the events of accounts like the ends of tasks, shows the event's id as the task's, and
-- cannot redeliver them. Its event feed leaves them out.

-- step: transaction
create table account_events (
  account_id uuid not null,
  -- Also the id of its first delivery. `deliveries.task_id` of all its deliveries.
  id         uuid not null,
  type       text not null check (type in ('panel.run.finished', 'panel.change.detected', 'panel.instrument.changed', 'cap.reached')),
  -- What it is about, as a key: the same event is announced once.
  subject    text not null check (length(subject) between 1 and 500),
  -- Its place in the account's event feed, from the same sequence as `deliveries.event_number`.
  number     bigint not null,
  -- As text, so that a body that is made again has the same bytes.
  data       json not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (account_id, id),
  constraint announced_once unique (account_id, type, subject)
);
create unique index account_events_number on account_events (account_id, number);
create index account_events_age on account_events (created_at);
-- step: transaction
-- The types of events that an account is told of.
alter table webhooks add column events text[] not null default '{task.finished}';
-- step: transaction
-- The type of the account's event that a delivery is of: then `task_id` is the event's id. Null: it is of the task.
alter table deliveries add column event_type text;
