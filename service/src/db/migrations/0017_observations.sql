-- Why: results expire, and figures about them must not change when they do. An observation is the small row of a completed task, or of
-- an answer imported from elsewhere, that outlives the result: where and when it was asked, with which instrument, and what the answer
-- named and cited. It has neither the question nor the answer.
-- Old code beside it: from 0012. It writes no observation of the tasks that it ends.

-- step: transaction
create table observations (
  account_id     uuid not null,
  -- UUIDv7 of the time of `observed_at`, with the other bits of the task's id, or of a digest of the imported answer: both are observed
  -- once. A range of times is a range of ids, which selects the partitions.
  id             uuid not null,
  observed_at    timestamptz not null,
  -- When the row was written, or changed by a new revision of the result: the order of the export to a warehouse.
  recorded_at    timestamptz not null default now(),
  -- Null: the answer was imported.
  task_id        uuid,
  -- Null: it is of a task.
  import_id      uuid,
  batch_id       uuid,
  client_reference text,
  tags           text[] not null default '{}',
  -- The revision of the result that it describes, and the SHA-256 of that result as stored.
  revision       integer not null,
  result_digest  bytea not null check (length(result_digest) = 32),
  -- The cell. Without a panel, the prompt is known by the digest of its text alone.
  panel_id       uuid,
  panel_revision integer,
  run_id         uuid,
  prompt_id      text,
  prompt_digest  bytea not null check (length(prompt_digest) = 32),
  platform       text not null,
  locale         text not null default '',
  persona        text not null default '',
  repeat         integer,
  -- The instrument: what the answer was taken with.
  platform_kind  text not null,
  model_version  text,
  -- SHA-256 of the recipe; null if none was used, or if that is not known.
  recipe         text,
  reader         integer not null,
  matcher        text,
  -- What the answer was like.
  content_length integer not null check (content_length >= 0),
  search_count   integer check (search_count >= 0),
  duration_ms    integer check (duration_ms >= 0),
  points         integer not null default 0 check (points >= 0),
  flags          text[] not null default '{}',
  domains        text[] not null default '{}',
  entities       uuid[] not null default '{}',
  sources        jsonb not null default '[]',
  mentions       jsonb not null default '[]',
  cards          jsonb not null default '[]',
  primary key (account_id, id),
  constraint of_a_task_or_imported check ((task_id is null) <> (import_id is null))
) partition by range (id);
create index observations_panel on observations (account_id, panel_id, id) where panel_id is not null;
create index observations_recorded on observations (recorded_at);

-- Imported answers may be older than the service. The service ends the last partition, and adds the next.
create table observations_first partition of observations
  for values from (minvalue) to ('019b76da-a800-7000-8000-000000000000');
create table observations_last partition of observations
  for values from ('019b76da-a800-7000-8000-000000000000') to (maxvalue);

-- How long the observations of an account are kept, if not as long as those of the others.
create table observation_retention (
  account_id  uuid primary key,
  -- Null: for ever.
  days        integer check (days > 0)
);

-- Answers that were imported from elsewhere. The lines of a file are sent in parts; each answer is observed once, however often it is sent.
create table imports (
  account_id  uuid not null,
  id          uuid not null,
  -- Chosen by the client: the parts of one file have one name.
  name        text not null,
  format      text not null check (format in ('querent', 'serpapi', 'dataforseo')),
  -- The first line that has not been received yet, where the client continues.
  next_line   integer not null check (next_line > 0),
  imported    integer not null check (imported >= 0),
  duplicates  integer not null check (duplicates >= 0),
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  primary key (account_id, id),
  constraint import_by_name unique (account_id, name)
);

-- The texts of imported answers, as long as results are kept: mentions can be recounted as long as the text is there.
create table imported_answers (
  account_id      uuid not null,
  observation_id  uuid not null,
  expires_at      timestamptz not null,
  question        text not null,
  content         text not null,
  primary key (account_id, observation_id)
);
create index imported_answers_age on imported_answers (expires_at);

-- The export of observations to the bucket, one row for each manifest, numbered without gaps. A row without `committed_at` is an export
-- under way, or one that was interrupted and is continued.
create table observation_exports (
  number        integer primary key check (number > 0),
  -- It has the rows that were recorded from the one time until before the other.
  recorded_from timestamptz not null,
  recorded_to   timestamptz not null,
  row_count     integer check (row_count >= 0),
  -- The key of the data in the bucket, different in each attempt.
  data_key      text not null,
  -- The manifest, stored before it is written to the bucket, so that it is always written with the same bytes.
  manifest      text,
  created_at    timestamptz not null default now(),
  committed_at  timestamptz,
  constraint committed_has_manifest check (committed_at is null or manifest is not null)
);
