-- Why: reports and alerts reached people by mail only. A channel is where else they arrive: Slack, Teams, PagerDuty or an endpoint of the
-- account's own. A message to one is a delivery of the outbox, whose URL is `channel:` and the id.
-- Old code beside it: from 0012. It does not know the table, and refuses the address of such a delivery as a failed attempt; a later
-- attempt, of code that knows channels, sends it.

-- step: transaction
create table channels (
  account_id      uuid        not null,
  id              uuid        not null,
  kind            text        not null,
  name            text        not null check (length(name) <= 100),
  -- The secret address or key, encrypted with the master key.
  sealed          bytea       not null,
  -- What people recognize it by.
  address         text        not null check (length(address) <= 300),
  -- Of PagerDuty.
  region          text,
  -- Since then nothing is sent, because the service behind it says that the address does not exist.
  gone_at         timestamptz,
  problem         text,
  last_success_at timestamptz,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (account_id, id)
);

-- What was sent to channels with a report, beside its recipients. `report_schedules.recipients` has the ids of channels among those of
-- mail addresses.
-- step: transaction
alter table sent_reports add column channels jsonb not null default '[]';
