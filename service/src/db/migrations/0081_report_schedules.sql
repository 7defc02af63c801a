-- Why: reports waited for somebody to fetch them. A schedule says who gets the reports of a panel, when and as what; each mail is a
-- delivery of the outbox, whose body names the event of its own that is stored here.
-- Old code beside it: from 0012. It refuses the address of such a delivery, so a later attempt, of code that knows mail, sends it.

-- step: transaction
create table report_schedules (
  account_id uuid        not null,
  id         uuid        not null,
  panel_id   uuid        not null,
  settings   jsonb       not null,
  recipients uuid[]      not null check (cardinality(recipients) between 1 and 50),
  -- Null: it is sent after each run, or not at all.
  next_at    timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id)
);
create index report_schedules_panel on report_schedules (account_id, panel_id, id);
create index report_schedules_due on report_schedules (next_at) where next_at is not null;

create table sent_reports (
  account_id  uuid        not null,
  id          uuid        not null,
  panel_id    uuid        not null,
  schedule_id uuid        not null,
  -- What it is sent for: `run`, `time` or `request`, and which one. Each is sent once.
  reason      text        not null,
  occasion    text        not null check (length(occasion) <= 100),
  state       text        not null,
  -- When it is prepared, or by another process if the one that does so has died; null once it has ended.
  due_at      timestamptz,
  tries       smallint    not null default 0,
  problem     text,
  window_from timestamptz,
  window_to   timestamptz,
  share_id    uuid,
  pdf         bytea,
  -- The recipients with their events, in order; the event is null for one who had unsubscribed.
  recipients  jsonb       not null default '[]',
  created_at  timestamptz not null,
  finished_at timestamptz,
  primary key (account_id, id),
  constraint sent_once unique (account_id, schedule_id, occasion),
  constraint due_until_ended check ((state = 'preparing') = (due_at is not null))
);
create index sent_reports_panel on sent_reports (account_id, panel_id, id);
create index sent_reports_due on sent_reports (due_at) where due_at is not null;
create index sent_reports_age on sent_reports (created_at);

-- Addresses to which mail of an account goes. A row stays when no schedule names it any more, so that an address that has unsubscribed
-- stays so.
create table mail_recipients (
  account_id      uuid        not null,
  id              uuid        not null,
  email           text        not null,
  email_key       text        not null,
  unsubscribed_at timestamptz,
  -- The next mail says that somebody has added the recipient again, and who.
  added_again_by  text,
  created_at      timestamptz not null,
  primary key (account_id, id),
  unique (account_id, email_key)
);
create index mail_recipients_id on mail_recipients (id);

-- Events that go to one recipient each, beside the account's endpoint and its feed. `deliveries.task_id` of their deliveries is the id.
create table addressed_events (
  account_id uuid        not null,
  id         uuid        not null,
  type       text        not null,
  data       json        not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  primary key (account_id, id)
);
create index addressed_events_age on addressed_events (account_id, created_at);
