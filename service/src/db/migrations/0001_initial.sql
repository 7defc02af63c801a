-- Why: the first schema. Old code beside it: there is none.
--
-- Lock order, obeyed by every transaction: platforms -> platform_limits -> account_lanes -> dispatch / tasks -> accounts -> usage_hours.
-- Hot tables carry no foreign keys: each would lock a row of `accounts`, `tasks` or `platforms` for every row written,
-- and nothing they point to is ever deleted.
-- A task's life: a row in `tasks` for good, a row in `dispatch` until its end, a row in `task_results` until it expires.

create table accounts (
  id                uuid primary key,
  name              text not null unique check (length(name) between 1 and 100),
  created_at        timestamptz not null default now(),
  -- Points. available = granted - captured - held, always; each transaction that moves points updates this row once.
  points_available  bigint not null default 0 check (points_available >= 0),
  points_held       bigint not null default 0 check (points_held >= 0),
  points_captured   bigint not null default 0 check (points_captured >= 0),
  points_granted    bigint not null default 0 check (points_granted >= 0),
  unfinished_tasks  integer not null default 0 check (unfinished_tasks >= 0),
  unfinished_max    integer not null default 5000000 check (unfinished_max > 0),
  constraint points_add_up check (points_available = points_granted - points_captured - points_held)
) with (fillfactor = 50);

create table access_tokens (
  id            uuid primary key,
  account_id    uuid not null references accounts,
  sha256        bytea not null unique check (length(sha256) = 32),
  -- The first characters of the token, so that people can tell theirs apart. Far too few to guess the rest from.
  preview       text not null,
  name          text,
  scopes        text[] not null,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz,
  revoked_at    timestamptz,
  last_used_at  timestamptz
);
create index access_tokens_account on access_tokens (account_id);

create table batches (
  id                uuid primary key,
  account_id        uuid not null,
  task_count        integer not null check (task_count > 0),
  estimated_points  bigint not null check (estimated_points >= 0),
  created_at        timestamptz not null,
  -- How it ended. Kept by whoever first asks after the last end, so that nobody counts its tasks again; null until then.
  finished_at       timestamptz,
  platforms         text[],
  completed         integer,
  failed            integer,
  canceled          integer,
  charged_points    bigint,
  released_points   bigint,
  -- The token that it was submitted with: its use is added up there.
  token_id          uuid
);
create index batches_account on batches (account_id, id desc);

-- The key of a submission and the batch it made are one commit. The answer is rebuilt from the batch when it is replayed.
create table idempotency_keys (
  account_id   uuid not null,
  route        text not null,
  key          text not null,
  fingerprint  bytea not null check (length(fingerprint) = 32),
  batch_id     uuid not null,
  created_at   timestamptz not null,
  primary key (account_id, route, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- The public record. Written at acceptance, at each start, and at the end. No index holds a column that changes
-- later, so that those updates stay within the page (HOT).
create table tasks (
  id                uuid primary key,
  account_id        uuid not null,
  batch_id          uuid not null,
  item_index        integer not null,
  client_reference  text,
  tags              text[] not null default '{}',
  question          text not null,
  platform          text not null,
  deep_analysis     boolean not null,
  output            text not null check (output in ('answer', 'screenshot', 'share_link')),
  result_format     text not null check (result_format in ('json', 'html', 'all')),
  webhook_url       text,
  priority          smallint not null check (priority between 0 and 9),
  price_points      integer not null check (price_points >= 0),
  state             text not null default 'pending' check (state in ('pending', 'completed', 'failed', 'canceled')),
  failure           json,
  charged_points    integer not null default 0 check (charged_points >= 0),
  revision          integer not null default 0,
  created_at        timestamptz not null,
  started_at        timestamptz,
  completed_at      timestamptz,
  canceled_at       timestamptz,
  expires_at        timestamptz,
  -- Partition of `task_results` that holds the result; null when there is none.
  result_day        date,
  -- What the platform says the answer took of the operator's account there; null for what it does not tell. No tenant sees it.
  input_tokens      integer check (input_tokens >= 0),
  output_tokens     integer check (output_tokens >= 0),
  searches          integer check (searches >= 0),
  constraint failure_of_failed check ((state = 'failed') = (failure is not null)),
  constraint charged_when_completed check (charged_points = case when state = 'completed' then price_points else 0 end),
  constraint ended_has_time check ((state = 'pending') = (completed_at is null)),
  constraint ended_has_revision check ((state = 'pending') = (revision = 0))
) with (fillfactor = 45);
create index tasks_account on tasks (account_id, id desc);
create unique index tasks_batch on tasks (batch_id, item_index);
create index tasks_platform on tasks (account_id, platform, id desc);
create index tasks_client_reference on tasks (account_id, client_reference, id desc) where client_reference is not null;

-- The tasks of a tag, in the order of the list. Written with the task, and never again.
create table task_tags (
  account_id  uuid not null,
  tag         text not null,
  task_id     uuid not null,
  primary key (account_id, tag, task_id)
);

-- The tasks that ended without an answer, in the order of the list. An index over `tasks.state` would say the same, and would make
-- the end of every task write to every index of `tasks`.
create table unanswered_tasks (
  account_id  uuid not null,
  state       text not null check (state in ('failed', 'canceled')),
  task_id     uuid not null,
  primary key (account_id, state, task_id)
);

-- What expires. One partition a day (UTC), so that expiry is dropping a table, not deleting rows.
-- `result` is json, not jsonb: it is written and read whole, byte for byte. A re-parse replaces it, and `tasks.revision` counts that.
-- `raw_body` is what the platform sent; null beside a `raw_type` when it was too large to be kept.
create table task_results (
  day         date not null,
  task_id     uuid not null,
  expires_at  timestamptz not null,
  result      json not null,
  raw_type    text,
  raw_body    text,
  primary key (day, task_id)
) partition by range (day);

-- What artifacts consist of: the same bytes once, in the artifact store under their digest and this id.
create table artifact_contents (
  id            bigint generated always as identity primary key,
  sha256        bytea not null check (length(sha256) = 32),
  bytes         integer not null check (bytes >= 0),
  -- When to look whether a result still refers to it: a day after it was stored, then when the last such result expires.
  check_at      timestamptz not null,
  -- Nobody may come to refer to it any more: its bytes are being removed. The same bytes stored anew are another row.
  condemned_at  timestamptz
);
create unique index artifact_contents_live on artifact_contents (sha256) where condemned_at is null;
create index artifact_contents_due on artifact_contents (check_at);

-- Files that belong to a result, and expire with it. Partitions by day, like the results.
create table artifacts (
  day         date not null,
  task_id     uuid not null,
  expires_at  timestamptz not null,
  kind        text not null check (kind in ('page', 'screenshot', 'capture', 'seal')),
  name        text not null,
  media_type  text not null,
  content_id  bigint not null,
  sha256      bytea not null check (length(sha256) = 32),
  bytes       integer not null check (bytes >= 0),
  -- The task first: public addresses know the task and not the day.
  primary key (task_id, name, day)
) partition by range (day);
create index artifacts_content on artifacts (content_id);

-- Keys that evidence is signed with. One signs; of those before it only the public half is left, to check with.
create table evidence_keys (
  kid         text primary key,
  x           text not null,
  -- The private key, encrypted with the master key; null once another has taken its place.
  sealed      bytea,
  created_at  timestamptz not null default now(),
  retired_at  timestamptz,
  constraint retired_is_destroyed check ((retired_at is null) = (sealed is not null))
);
create unique index evidence_keys_current on evidence_keys ((retired_at is null)) where retired_at is null;

-- The engine's own narrow and hot table: one row a task that has not ended.
create table dispatch (
  task_id       uuid primary key,
  account_id    uuid not null,
  platform      text not null,
  -- waiting: not before run_at. queued: may start now. running: a node has it. aborting: ended, and the node that
  -- ran it has yet to let go; it holds its place under the platform's limit until then.
  state         text not null check (state in ('waiting', 'queued', 'running', 'aborting')),
  -- 9 - priority, so that one ascending index gives the order.
  rank          smallint not null,
  run_at        timestamptz not null,
  start_before  timestamptz,
  run_timeout_s integer not null,
  -- How often the platform was asked and has to answer for it.
  attempt       smallint not null default 0,
  -- How often the platform asked for patience instead, and how often the node that ran it was lost.
  throttles     smallint not null default 0,
  losses        smallint not null default 0,
  -- First start, and the running time that earlier runs have used up of run_timeout_s.
  started_at    timestamptz,
  run_spent_ms  integer not null default 0,
  -- How often it was claimed. Whoever ends it must show the number it claimed with.
  fence         integer not null default 0,
  node_id       uuid,
  claimed_at    timestamptz,
  constraint running_has_node check ((state in ('running', 'aborting')) = (node_id is not null))
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index dispatch_queue on dispatch (platform, account_id, rank, task_id) where state = 'queued';
create index dispatch_waiting on dispatch (run_at) where state = 'waiting';
create index dispatch_waiting_account on dispatch (account_id) where state = 'waiting';
create index dispatch_running on dispatch (platform, account_id) where state in ('running', 'aborting');
create index dispatch_start_before on dispatch (start_before) where start_before is not null and state in ('waiting', 'queued');

-- The gate: locked by whoever claims for a platform.
create table platforms (
  code                 text primary key,
  running_max          integer not null check (running_max >= 0),
  -- Generic cell rate algorithm: one start every `rate_interval`, `rate_burst` at once; null: no rate limit.
  rate_interval        interval,
  rate_burst           integer not null default 1 check (rate_burst > 0),
  rate_tat             timestamptz not null default '-infinity',
  -- The platform asked for patience (429): nobody starts anything before.
  held_until           timestamptz,
  attempts_max         smallint not null check (attempts_max > 0),
  virtual_time         double precision not null default 0,
  -- Breaker: after `breaker_after` failures in a row (null: never) nobody asks the platform for a while, then one probe goes first.
  breaker_after        integer check (breaker_after > 0),
  failures_in_row      integer not null default 0,
  breaker_open_until   timestamptz,
  breaker_openings     integer not null default 0
) with (fillfactor = 50);

-- Platforms whose `running_max` and rate were set live: they hold instead of what is configured, until this row is removed.
-- Locked after the platform's own row.
create table platform_limits (
  platform  text primary key,
  token_id  uuid,
  set_at    timestamptz not null default now()
);

-- Fair share by stride: an account's place in a platform's queue.
create table account_lanes (
  platform     text not null,
  account_id   uuid not null,
  weight       double precision not null default 1 check (weight > 0),
  running_max  integer not null default 2147483647 check (running_max >= 0),
  pass         double precision not null default 0,
  primary key (platform, account_id)
) with (fillfactor = 50);

-- A process that runs tasks. It lives as long as it renews its lease, by the database's clock.
create table nodes (
  id           uuid primary key,
  name         text not null,
  version      text not null,
  started_at   timestamptz not null default now(),
  lease_until  timestamptz not null
) with (fillfactor = 50);

-- Points moved, for good. Lines are only added. At most one line a task ends with: the index refuses a second.
create table ledger (
  id          bigint generated always as identity,
  account_id  uuid not null,
  kind        text not null check (kind in ('grant', 'hold', 'capture', 'release')),
  points      bigint not null check (points >= 0),
  batch_id    uuid,
  task_id     uuid,
  note        text,
  created_at  timestamptz not null default now(),
  primary key (account_id, id),
  constraint task_ends_only check ((kind in ('capture', 'release')) = (task_id is not null))
);
create unique index ledger_task on ledger (task_id) where task_id is not null;
create unique index ledger_batch on ledger (batch_id) where kind = 'hold';

-- Ends by hour, platform and token, added up in the transaction that ends the tasks: what charts, overviews and bills are read
-- from, so that nobody reads `tasks` for them.
create table usage_hours (
  account_id      uuid not null,
  -- Its first moment, UTC.
  hour            timestamptz not null,
  platform        text not null,
  -- Null where the submission noted none.
  token_id        uuid,
  completed       integer not null default 0,
  failed          integer not null default 0,
  canceled        integer not null default 0,
  charged_points  bigint not null default 0,
  -- What platforms told of their consumption for completed tasks: of how many they told anything, and the sums; null: never told.
  metered         integer not null default 0,
  input_tokens    bigint,
  output_tokens   bigint,
  searches        bigint,
  -- Completed tasks by their time from acceptance to the end; the bounds stand in points/answer-times.ts. Columns, not an array:
  -- one addition each, and sums over hours are `sum`.
  seconds_1       integer not null default 0,
  seconds_2       integer not null default 0,
  seconds_3       integer not null default 0,
  seconds_4       integer not null default 0,
  seconds_5       integer not null default 0,
  seconds_6       integer not null default 0,
  seconds_7       integer not null default 0,
  seconds_8       integer not null default 0,
  seconds_9       integer not null default 0,
  seconds_10      integer not null default 0,
  seconds_11      integer not null default 0,
  seconds_12      integer not null default 0,
  seconds_13      integer not null default 0,
  seconds_14      integer not null default 0,
  seconds_15      integer not null default 0,
  unique nulls not distinct (account_id, hour, platform, token_id)
) with (fillfactor = 50);

-- How platforms do: each node writes its own minute, every few seconds. `seconds` counts ends by time to answer.
create table platform_minutes (
  platform   text not null,
  node_id    uuid not null,
  minute     timestamptz not null,
  completed  integer not null,
  failed     integer not null,
  seconds    integer[] not null,
  primary key (platform, minute, node_id)
);
create index platform_minutes_age on platform_minutes (minute);

-- What asks of web platforms told of their recipes: each node writes its own hour, every few seconds. `sign` 'asked' counts the asks
-- themselves, 'read' those in which a rule of `extract` read something; the others are signs of a page that is not as its recipe says.
create table platform_drift (
  platform  text not null,
  node_id   uuid not null,
  hour      timestamptz not null,
  -- The beginning of the digest of the recipe.
  recipe    text not null,
  sign      text not null check (sign in ('asked', 'read', 'fallback', 'unmatched', 'check')),
  what      text not null,
  asks      integer not null,
  first_at  timestamptz not null,
  last_at   timestamptz not null,
  primary key (hour, platform, node_id, recipe, sign, what)
);

-- Where notifications of an account go, and how the last ones to its default address went.
create table webhooks (
  account_id       uuid primary key references accounts,
  url              text,
  origin           text,
  -- The address was set, or resumed, at this time: the days without a success count from here at the earliest.
  url_set_at       timestamptz,
  secret_version   integer not null default 1,
  suspended_at     timestamptz,
  last_success_at  timestamptz,
  -- Since the last success.
  failures         integer not null default 0,
  first_failure_at timestamptz,
  last_failure_at  timestamptz,
  -- The feed's history begins after this event: those up to it have been deleted, or are no longer shown.
  events_pruned_to bigint not null default 0
) with (fillfactor = 50);

-- Signing secrets, encrypted with the master key. `valid_until`: a former secret that still signs beside the current one.
create table signing_secrets (
  account_id   uuid not null references accounts,
  version      integer not null,
  ciphertext   bytea not null,
  created_at   timestamptz not null default now(),
  valid_until  timestamptz,
  primary key (account_id, version)
);

-- Positions in the event feed. They rise in commit order within an account, because whoever ends tasks takes them while it
-- holds the account's row (see notifications/outbox.ts). No cache: a session that keeps numbers for later would hand out
-- smaller ones after larger ones.
create sequence event_numbers cache 1;

-- The outbox: one row for each end of a task and each new revision of its result, written in the transaction that makes it,
-- and once more at its own end. No index holds a column that a success changes, so that this second write stays within the page (HOT).
create table deliveries (
  id                 uuid not null,
  account_id         uuid not null,
  task_id            uuid not null,
  -- Counts the deliveries of one task: 1 at its end, +1 for each deliberate redelivery and each new revision.
  delivery_revision  integer not null check (delivery_revision > 0),
  -- The bundle it was queued with; null: it was queued alone.
  bundle_id          uuid,
  -- Position of the end, or of the new revision, in the event feed; null: a redelivery, which is no event.
  event_number       bigint,
  -- Null: there was no address when the task ended; the row is there to be seen, and to be redelivered.
  url                text,
  -- scheme://host:port of the address.
  origin             text,
  to_default         boolean not null default false,
  -- pending: it has a row in `delivery_queue`.
  state              text not null check (state in ('pending', 'delivered', 'failed', 'skipped', 'superseded')),
  undelivered        boolean not null generated always as (state in ('failed', 'skipped')) stored,
  -- The exact bytes that are sent and signed, the same on every attempt; dropped once nothing will send them.
  body               bytea,
  -- What came of each attempt, oldest first: {startedAt, durationMs, status, fault, responseSnippet, nextAttemptAt}.
  attempt_log        jsonb not null default '[]',
  created_at         timestamptz not null default now(),
  finished_at        timestamptz,
  primary key (account_id, id),
  unique (task_id, delivery_revision),
  constraint pending_is_whole check (state <> 'pending' or (url is not null and origin is not null and body is not null)),
  constraint ended_has_time check ((state = 'pending') = (finished_at is null))
) with (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
-- Unique, and all that a look for new events reads.
create unique index deliveries_events on deliveries (account_id, event_number) where event_number is not null;
-- What recovery takes up again.
create index deliveries_undelivered on deliveries (account_id, id) where undelivered;
-- Rows lie in the order of their times, near enough: a few bytes a megabyte, and nothing to keep up as rows change.
create index deliveries_age on deliveries using brin (created_at) with (pages_per_range = 32);

-- The notifier's own narrow and hot table: one row for each bundle of pending deliveries. What claims and leases rewrite is
-- here, so that the bodies are not written again with it.
create table delivery_queue (
  -- Of a bundle of several: `deliveries.bundle_id` of each. Of one alone: that delivery's own.
  id               uuid primary key,
  -- What is sent, one after the other. Ends that were written together wait together until an attempt is not a success; then
  -- each of them waits alone.
  delivery_ids     uuid[] not null check (cardinality(delivery_ids) > 0),
  account_id       uuid not null,
  -- With the account it names a lane: what receivers are told apart by.
  origin           text not null,
  to_default       boolean not null,
  -- queued: may be sent now. waiting: not before next_attempt_at. in_flight: leased. held: the account's default address
  -- is suspended.
  place            text not null check (place in ('queued', 'waiting', 'in_flight', 'held')),
  attempts         smallint not null default 0,
  -- A quarter of the notifier's slots is kept for rows that are not late.
  late             boolean not null generated always as (attempts > 2) stored,
  next_attempt_at  timestamptz not null,
  lease_until      timestamptz,
  -- Which of its lane's few slots the row goes through: rows of one slot are sent one after the other.
  slot             smallint,
  -- How often it was claimed. Whoever records an attempt must show the number it claimed with.
  fence            integer not null default 0,
  constraint in_flight_is_leased check ((place = 'in_flight') = (lease_until is not null and slot is not null))
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index delivery_queue_queued on delivery_queue (account_id, origin, late, next_attempt_at) where place = 'queued';
create index delivery_queue_waiting on delivery_queue (next_attempt_at) where place = 'waiting';
create index delivery_queue_in_flight on delivery_queue (account_id, origin, slot) where place = 'in_flight';
create index delivery_queue_held on delivery_queue (account_id) where place = 'held';

-- The breaker of a lane. A row is there only while the receiver fails; the first success removes it.
create table delivery_breakers (
  account_id       uuid not null,
  origin           text not null,
  failures_in_row  integer not null,
  openings         integer not null default 0,
  open_until       timestamptz,
  primary key (account_id, origin)
) with (fillfactor = 50);
