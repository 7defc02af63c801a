-- Why: only completed tasks have observations, so a panel's figures said nothing of the tasks that failed: with many of them, the
-- answers that remain may be others than those that were meant. A row for each failed task of a panel, as long as its observations.
-- Old code beside it: from 0012. It writes no such rows, and deletes none with a panel or its observations.

-- step: transaction
create table panel_failures (
  account_id     uuid not null,
  -- UUIDv7 of the time of `failed_at`, with the other bits of the task's id, as of observations.
  id             uuid not null,
  failed_at      timestamptz not null,
  task_id        uuid not null,
  batch_id       uuid not null,
  client_reference text,
  tags           text[] not null default '{}',
  -- The cell.
  panel_id       uuid not null,
  panel_revision integer not null,
  run_id         uuid not null,
  prompt_id      text not null,
  platform       text not null,
  locale         text not null,
  persona        text not null,
  repeat         integer not null,
  probability    double precision,
  -- As of the platform's answers.
  platform_kind  text not null,
  -- SHA-256 of the recipe; null if none was used, or if that is not known.
  recipe         text,
  -- Of the failure.
  code           text not null,
  stage          text not null,
  attempts       integer not null check (attempts >= 0),
  primary key (account_id, id)
) partition by range (id);
create index panel_failures_panel on panel_failures (account_id, panel_id, id);

-- The service ends the last partition, and adds the next.
create table panel_failures_first partition of panel_failures
  for values from (minvalue) to ('019b76da-a800-7000-8000-000000000000');
create table panel_failures_last partition of panel_failures
  for values from ('019b76da-a800-7000-8000-000000000000') to (maxvalue);

-- step: transaction
-- From when on failed tasks of the panel are recorded: of panels that exist, from now on.
alter table panels add column failures_since timestamptz not null default now();

-- step: transaction
-- For tools that read the database: see docs/how-to/export-observations.md. Columns are only added, never renamed or removed.
create view bi_failures as
  select account_id, id as failure_id, failed_at, task_id, batch_id, client_reference, tags, panel_id, panel_revision, run_id,
         prompt_id, platform, locale, persona, repeat, probability, platform_kind, recipe, code, stage, attempts
    from panel_failures;
