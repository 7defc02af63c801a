-- Why: panels are sets of prompts that are asked again and again, by a schedule or on request. Each run of a panel is an ordinary
-- submission, and each of its tasks belongs to a cell: panel revision x prompt x platform x locale x persona. Caps limit the points
-- that runs and batches may hold.
-- Old code beside it: from 0012, which knows neither panels nor caps: it starts no runs, and counts no batch towards a cap.

-- step: transaction
create table panels (
  account_id    uuid not null,
  id            uuid not null,
  -- The current revision; its content is in `panel_revisions`.
  revision      integer not null check (revision > 0),
  -- Name and schedule are not part of the content: a change of them makes no new revision.
  name          text not null,
  -- {cron, timeZone, jitterSeconds, catchUp, paused}; null: it runs on request only.
  schedule      jsonb,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  -- The next time of the schedule; null: it has none, or is paused. The jitter is not included.
  next_slot     timestamptz,
  -- When a run for `next_slot` is started: the slot plus its jitter.
  due_at        timestamptz,
  primary key (account_id, id),
  constraint due_with_slot check ((next_slot is null) = (due_at is null))
);
create index panels_due on panels (due_at) where due_at is not null;

-- An edit adds a revision. Revisions are not changed, and are deleted with their panel.
create table panel_revisions (
  account_id  uuid not null,
  panel_id    uuid not null,
  revision    integer not null check (revision > 0),
  -- SHA-256 of the content in canonical form, in which the order of members makes no difference.
  digest      bytea not null check (length(digest) = 32),
  content     jsonb not null,
  created_at  timestamptz not null,
  primary key (account_id, panel_id, revision)
);

-- One row for each run, written in the transaction that creates its tasks and holds their points. A run that was refused, because of
-- a cap or for lack of points, has no tasks and a problem, and so has a slot that was missed because no worker ran.
create table panel_runs (
  account_id  uuid not null,
  panel_id    uuid not null,
  id          uuid not null,
  revision    integer not null,
  -- The time of the schedule for which it ran. Its uniqueness is what makes a slot run once. Null: it was requested.
  slot        timestamptz,
  -- The idempotency key of the request. Null: the schedule started it.
  request_key text,
  state       text not null check (state in ('started', 'refused', 'missed')),
  batch_ids   uuid[] not null default '{}',
  cell_count  integer not null check (cell_count >= 0),
  task_count  integer not null check (task_count >= 0),
  points      bigint not null check (points >= 0),
  -- Why it was refused: {code, detail}.
  problem     jsonb,
  created_at  timestamptz not null,
  primary key (account_id, panel_id, id),
  constraint slot_or_request check ((slot is null) <> (request_key is null)),
  constraint only_started_has_tasks check ((state = 'started') = (task_count > 0)),
  constraint not_started_has_problem check ((state = 'started') = (problem is null))
);
create unique index panel_runs_slot on panel_runs (account_id, panel_id, slot) where slot is not null;
create unique index panel_runs_request on panel_runs (account_id, panel_id, request_key) where request_key is not null;

-- The cell of each task of a run, written with the task. `locale` and `persona` are '' if the panel has none.
create table panel_tasks (
  account_id  uuid not null,
  task_id     uuid not null,
  panel_id    uuid not null,
  revision    integer not null,
  run_id      uuid not null,
  prompt_id   text not null,
  platform    text not null,
  -- Country, language and place of the locale, such as `DE/de/Berlin`.
  locale      text not null,
  -- The name of the persona.
  persona     text not null,
  repeat      integer not null check (repeat > 0),
  primary key (account_id, task_id)
);
create index panel_tasks_run on panel_tasks (account_id, panel_id, run_id);

-- The most points that may be held in a run or batch, a day and a month (UTC); null: any number. `subject` is the panel's id or the
-- tag; '' for the account. The sums of the current day and month are changed in the transactions that hold points.
create table caps (
  account_id    uuid not null,
  kind          text not null check (kind in ('account', 'panel', 'tag')),
  subject       text not null,
  run_points    bigint check (run_points >= 0),
  day_points    bigint check (day_points >= 0),
  month_points  bigint check (month_points >= 0),
  day           date not null,
  day_held      bigint not null check (day_held >= 0),
  month         date not null,
  month_held    bigint not null check (month_held >= 0),
  -- When it was set first: what was held before is not in the sums.
  created_at    timestamptz not null,
  primary key (account_id, kind, subject),
  constraint account_without_subject check ((kind = 'account') = (subject = ''))
) with (fillfactor = 50);
