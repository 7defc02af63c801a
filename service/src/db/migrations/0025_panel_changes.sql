-- Why: whether the figures of a panel have changed is judged after each of its runs, and each change is announced once, whichever
-- process judges, and however often one is killed meanwhile.
-- Old code beside it: from 0012, which knows neither table: it judges nothing.

-- step: transaction
-- One row for each panel that has run: when it is to be judged, and the last verdicts.
create table panel_evaluations (
  account_id   uuid not null,
  panel_id     uuid not null,
  -- When it is judged next: at once after a run has ended, later after an error. Null: it is up to date.
  due_at       timestamptz,
  evaluated_at timestamptz,
  -- The verdicts on all of its series, as they are shown; the changes themselves are in `panel_changes`.
  verdicts     json,
  -- The days (UTC) of each platform on which its pages did not match the recipes: their answers are left out.
  drift_days   jsonb not null default '{}',
  primary key (account_id, panel_id),
  constraint evaluated_with_verdicts check ((evaluated_at is null) = (verdicts is null))
);
create index panel_evaluations_due on panel_evaluations (due_at) where due_at is not null;

-- What was found and announced. Written in the transaction that announces it.
create table panel_changes (
  account_id uuid not null,
  panel_id   uuid not null,
  id         uuid not null,
  kind       text not null check (kind in ('change', 'instrument')),
  -- What has changed: the measure, the entity and the surface, or the platform.
  series     text not null,
  -- Of a change, the day of the answers with which it was found; of an instrument, its first day.
  day        date not null,
  found_at   timestamptz not null,
  -- With the evidence of both sides, as it was announced.
  -- As text, so that its members stay in the order of the contract.
  data       json not null,
  primary key (account_id, panel_id, id),
  -- What makes it be announced once.
  constraint found_once unique (account_id, panel_id, kind, series, day)
);
