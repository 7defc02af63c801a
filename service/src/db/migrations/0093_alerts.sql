-- Why: what was found in a panel and what failed was seen by whoever looked. An alert tells it to channels and by mail: each finding once,
-- by its unique key, in the transaction that finds it.
-- Old code beside it: from 0012. It does not know the tables. What it finds in panels is told by none of the alerts.

-- step: transaction
create table alert_rules (
  account_id   uuid        not null,
  id           uuid        not null,
  settings     jsonb       not null,
  -- Recipients of mail, and channels.
  recipients   uuid[]      not null check (cardinality(recipients) between 1 and 50),
  -- When the conditions of its account are looked at again; null: it is of none.
  look_at      timestamptz,
  last_told_at timestamptz,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (account_id, id)
);
create index alert_rules_look on alert_rules (look_at) where look_at is not null;

create table alert_findings (
  account_id uuid        not null,
  alert_id   uuid        not null,
  -- What is told once: a change, or a condition with its beginning.
  subject    text        not null check (length(subject) <= 300),
  kind       text        not null,
  panel_id   uuid,
  data       jsonb       not null,
  found_at   timestamptz not null,
  -- When it is told, or that it is over; null: nothing is to be told of it.
  due_at     timestamptz,
  told_at    timestamptz,
  over_at    timestamptz,
  -- The events of its messages, with their destinations.
  messages   jsonb       not null default '[]',
  primary key (account_id, alert_id, subject)
);
create index alert_findings_due on alert_findings (due_at) where due_at is not null;
create index alert_findings_age on alert_findings (found_at);

-- Conditions that hold, of accounts with alerts of them.
create table alert_conditions (
  account_id uuid        not null,
  code       text        not null,
  -- The platform, the session or the channel concerned; empty: none.
  about      text        not null,
  since      timestamptz not null,
  seen_at    timestamptz not null,
  detail     jsonb       not null,
  primary key (account_id, code, about)
);
