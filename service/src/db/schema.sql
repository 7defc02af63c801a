-- Dumped from a migrated database by `npm run docs`, so that a review sees what a migration changes. It is never run.

create table access_tokens (
  id uuid not null,
  account_id uuid not null,
  sha256 bytea not null,
  preview text not null,
  name text,
  scopes text[] not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  project_ids uuid[],
  constraint access_tokens_pkey PRIMARY KEY (id, account_id),
  constraint access_tokens_sha256_key UNIQUE (sha256),
  constraint access_tokens_sha256_check CHECK ((length(sha256) = 32)),
  constraint access_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX access_tokens_account ON access_tokens USING btree (account_id);

create table account_events (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  subject text not null,
  number bigint not null,
  data json not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, now()),
  constraint account_events_pkey PRIMARY KEY (account_id, id),
  constraint announced_once UNIQUE (account_id, type, subject),
  constraint account_events_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 500)))
);
CREATE INDEX account_events_age ON account_events USING btree (created_at);
CREATE UNIQUE INDEX account_events_number ON account_events USING btree (account_id, number);

create table account_lanes (
  platform text not null,
  account_id uuid not null,
  weight double precision not null default 1,
  running_max integer not null default 2147483647,
  pass double precision not null default 0,
  has_work boolean not null default true,
  positions uuid[] not null default '{00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000,00000000-0000-0000-0000-000000000000}'::uuid[],
  constraint account_lanes_pkey PRIMARY KEY (platform, account_id),
  constraint account_lanes_running_max_check CHECK ((running_max >= 0)),
  constraint account_lanes_weight_check CHECK ((weight > (0)::double precision))
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0);
CREATE INDEX account_lanes_work ON account_lanes USING btree (platform, pass, account_id) WHERE has_work;

create table account_storage (
  account_id uuid not null,
  kind text not null,
  row_count bigint not null,
  bytes bigint not null,
  measured_at timestamp with time zone,
  constraint account_storage_pkey PRIMARY KEY (account_id, kind)
) with (fillfactor=50);

create table accounts (
  id uuid not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  points_available bigint not null default 0,
  points_held bigint not null default 0,
  points_captured bigint not null default 0,
  points_granted bigint not null default 0,
  unfinished_tasks integer not null default 0,
  unfinished_max integer not null default 5000000,
  storage_rows_max bigint,
  storage_bytes_max bigint,
  artifact_bytes_max bigint,
  second_factor_since timestamp with time zone,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_name_key UNIQUE (name),
  constraint accounts_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint accounts_points_available_check CHECK ((points_available >= 0)),
  constraint accounts_points_captured_check CHECK ((points_captured >= 0)),
  constraint accounts_points_granted_check CHECK ((points_granted >= 0)),
  constraint accounts_points_held_check CHECK ((points_held >= 0)),
  constraint accounts_unfinished_max_check CHECK ((unfinished_max > 0)),
  constraint accounts_unfinished_tasks_check CHECK ((unfinished_tasks >= 0)),
  constraint points_add_up CHECK ((points_available = ((points_granted - points_captured) - points_held)))
) with (fillfactor=50);

create table addressed_events (
  account_id uuid not null,
  id uuid not null,
  type text not null,
  data json not null,
  created_at timestamp with time zone not null default date_trunc('milliseconds'::text, now()),
  constraint addressed_events_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX addressed_events_age ON addressed_events USING btree (account_id, created_at);

create table alert_conditions (
  account_id uuid not null,
  code text not null,
  about text not null,
  since timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  detail jsonb not null,
  constraint alert_conditions_pkey PRIMARY KEY (account_id, code, about)
);

create table alert_findings (
  account_id uuid not null,
  alert_id uuid not null,
  subject text not null,
  kind text not null,
  panel_id uuid,
  data jsonb not null,
  found_at timestamp with time zone not null,
  due_at timestamp with time zone,
  told_at timestamp with time zone,
  over_at timestamp with time zone,
  messages jsonb not null default '[]'::jsonb,
  constraint alert_findings_pkey PRIMARY KEY (account_id, alert_id, subject),
  constraint alert_findings_subject_check CHECK ((length(subject) <= 300))
);
CREATE INDEX alert_findings_age ON alert_findings USING btree (found_at);
CREATE INDEX alert_findings_due ON alert_findings USING btree (due_at) WHERE (due_at IS NOT NULL);

create table alert_rules (
  account_id uuid not null,
  id uuid not null,
  settings jsonb not null,
  recipients uuid[] not null,
  look_at timestamp with time zone,
  last_told_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint alert_rules_pkey PRIMARY KEY (account_id, id),
  constraint alert_rules_recipients_check CHECK (((cardinality(recipients) >= 1) AND (cardinality(recipients) <= 50)))
);
CREATE INDEX alert_rules_look ON alert_rules USING btree (look_at) WHERE (look_at IS NOT NULL);

create table artifact_contents (
  id bigint not null generated always as identity,
  sha256 bytea not null,
  bytes integer not null,
  check_at timestamp with time zone not null,
  condemned_at timestamp with time zone,
  constraint artifact_contents_pkey PRIMARY KEY (id),
  constraint artifact_contents_bytes_check CHECK ((bytes >= 0)),
  constraint artifact_contents_sha256_check CHECK ((length(sha256) = 32))
);
CREATE INDEX artifact_contents_due ON artifact_contents USING btree (check_at);
CREATE UNIQUE INDEX artifact_contents_live ON artifact_contents USING btree (sha256) WHERE (condemned_at IS NULL);

create table artifacts (
  day date not null,
  task_id uuid not null,
  expires_at timestamp with time zone not null,
  kind text not null,
  name text not null,
  media_type text not null,
  content_id bigint not null,
  sha256 bytea not null,
  bytes integer not null,
  account_id uuid not null,
  constraint artifacts_pkey PRIMARY KEY (task_id, name, day, account_id),
  constraint artifacts_bytes_check CHECK ((bytes >= 0)),
  constraint artifacts_kind_check CHECK ((kind = ANY (ARRAY['page'::text, 'screenshot'::text, 'capture'::text, 'seal'::text]))),
  constraint artifacts_sha256_check CHECK ((length(sha256) = 32))
) partition by RANGE (day);
CREATE INDEX artifacts_content ON ONLY artifacts USING btree (content_id);

create table assistant_clients (
  id text not null,
  metadata jsonb not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  constraint assistant_clients_pkey PRIMARY KEY (id)
);
CREATE INDEX assistant_clients_expiry ON assistant_clients USING btree (expires_at);

create table audit_chains (
  account_id uuid not null,
  first bigint not null,
  anchor bytea not null,
  sequence bigint not null,
  digest bytea not null,
  kid text not null,
  signature bytea not null,
  sealed_at timestamp with time zone not null default now(),
  constraint audit_chains_pkey PRIMARY KEY (account_id)
);

create table audit_entries (
  account_id uuid not null,
  id uuid not null,
  at timestamp with time zone not null default clock_timestamp(),
  kind text not null,
  operation text not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text,
  target_type text,
  target_id text,
  before text,
  after text,
  address text,
  request_id text,
  sequence bigint,
  digest bytea,
  constraint audit_entries_pkey PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX audit_entries_chain ON audit_entries USING btree (account_id, sequence) WHERE (sequence IS NOT NULL);
CREATE INDEX audit_entries_unsealed ON audit_entries USING btree (account_id, id) WHERE (sequence IS NULL);

create table authorization_records (
  kind text not null,
  sha256 bytea not null,
  connection_id uuid,
  payload jsonb not null,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint authorization_records_pkey PRIMARY KEY (kind, sha256),
  constraint authorization_records_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE
);
CREATE INDEX authorization_records_connection ON authorization_records USING btree (connection_id);
CREATE INDEX authorization_records_expiry ON authorization_records USING btree (expires_at);

create table batches (
  id uuid not null,
  account_id uuid not null,
  task_count integer not null,
  estimated_points bigint not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  platforms text[],
  completed integer,
  failed integer,
  canceled integer,
  charged_points bigint,
  released_points bigint,
  token_id uuid,
  traceparent text,
  project_id uuid,
  constraint batches_pkey PRIMARY KEY (account_id, id),
  constraint batches_estimated_points_check CHECK ((estimated_points >= 0)),
  constraint batches_task_count_check CHECK ((task_count > 0))
);

create table caps (
  account_id uuid not null,
  kind text not null,
  subject text not null,
  run_points bigint,
  day_points bigint,
  month_points bigint,
  day date not null,
  day_held bigint not null,
  month date not null,
  month_held bigint not null,
  created_at timestamp with time zone not null,
  constraint caps_pkey PRIMARY KEY (account_id, kind, subject),
  constraint account_without_subject CHECK (((kind = 'account'::text) = (subject = ''::text))),
  constraint caps_day_held_check CHECK ((day_held >= 0)),
  constraint caps_day_points_check CHECK ((day_points >= 0)),
  constraint caps_kind_check CHECK ((kind = ANY (ARRAY['account'::text, 'project'::text, 'panel'::text, 'tag'::text]))),
  constraint caps_month_held_check CHECK ((month_held >= 0)),
  constraint caps_month_points_check CHECK ((month_points >= 0)),
  constraint caps_run_points_check CHECK ((run_points >= 0))
) with (fillfactor=50);

create table channels (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  name text not null,
  sealed bytea not null,
  address text not null,
  region text,
  gone_at timestamp with time zone,
  problem text,
  last_success_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint channels_pkey PRIMARY KEY (account_id, id),
  constraint channels_address_check CHECK ((length(address) <= 300)),
  constraint channels_name_check CHECK ((length(name) <= 100))
);

create table connections (
  id uuid not null,
  account_id uuid not null,
  person_id uuid not null,
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  resource text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint connections_pkey PRIMARY KEY (id),
  constraint connections_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES members(account_id, person_id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE INDEX connections_client ON connections USING btree (client_id);
CREATE INDEX connections_member ON connections USING btree (account_id, person_id);
CREATE INDEX connections_person ON connections USING btree (person_id);

create table deliveries (
  id uuid not null,
  account_id uuid not null,
  task_id uuid not null,
  delivery_revision integer not null,
  delivery_batch_id uuid,
  event_number bigint,
  url text,
  origin text,
  to_default boolean not null default false,
  state text not null,
  undelivered boolean not null generated always as ((state = ANY (ARRAY['failed'::text, 'skipped'::text]))) stored,
  body bytea,
  attempt_log jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  expires_at timestamp with time zone,
  end_reason text,
  event_type text,
  constraint deliveries_pkey PRIMARY KEY (account_id, id),
  constraint deliveries_delivery_revision_check CHECK ((delivery_revision > 0)),
  constraint deliveries_end_reason_check CHECK ((end_reason = 'endpoint_suspended'::text)),
  constraint deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'skipped'::text, 'superseded'::text]))),
  constraint ended_has_time CHECK (((state = 'pending'::text) = (finished_at IS NULL))),
  constraint pending_is_whole CHECK (((state <> 'pending'::text) OR ((url IS NOT NULL) AND (origin IS NOT NULL) AND (body IS NOT NULL))))
) partition by RANGE (id);
CREATE INDEX deliveries_age ON ONLY deliveries USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX deliveries_undelivered ON ONLY deliveries USING btree (account_id, id) WHERE undelivered;

create table delivery_breakers (
  account_id uuid not null,
  origin text not null,
  failures_in_row integer not null,
  openings integer not null default 0,
  open_until timestamp with time zone,
  constraint delivery_breakers_pkey PRIMARY KEY (account_id, origin)
) with (fillfactor=50);

create table delivery_queue (
  id uuid not null,
  delivery_ids uuid[] not null,
  account_id uuid not null,
  origin text not null,
  to_default boolean not null,
  state text not null,
  attempts smallint not null default 0,
  late boolean not null generated always as ((attempts > 2)) stored,
  next_attempt_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  slot smallint,
  fence integer not null default 0,
  expires_at timestamp with time zone,
  constraint delivery_queue_pkey PRIMARY KEY (id, account_id),
  constraint delivery_queue_delivery_ids_check CHECK ((cardinality(delivery_ids) > 0)),
  constraint delivery_queue_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'waiting'::text, 'in_flight'::text, 'held'::text]))),
  constraint in_flight_is_leased CHECK (((state = 'in_flight'::text) = ((lease_until IS NOT NULL) AND (slot IS NOT NULL))))
) with (fillfactor=60, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0);
CREATE INDEX delivery_queue_held ON delivery_queue USING btree (account_id) WHERE (state = 'held'::text);
CREATE INDEX delivery_queue_in_flight ON delivery_queue USING btree (account_id, origin, slot) WHERE (state = 'in_flight'::text);
CREATE INDEX delivery_queue_queued ON delivery_queue USING btree (account_id, origin, late, next_attempt_at) WHERE (state = 'queued'::text);
CREATE INDEX delivery_queue_waiting ON delivery_queue USING btree (next_attempt_at) WHERE (state = 'waiting'::text);

create table delivery_turns (
  account_id uuid not null,
  has_due boolean not null default true,
  again_at timestamp with time zone,
  constraint delivery_turns_pkey PRIMARY KEY (account_id),
  constraint delivery_turns_check CHECK (((again_at IS NULL) OR (NOT has_due)))
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0);
CREATE INDEX delivery_turns_again ON delivery_turns USING btree (again_at) WHERE (again_at IS NOT NULL);
CREATE INDEX delivery_turns_due ON delivery_turns USING btree (account_id) WHERE has_due;

create table dispatch (
  task_id uuid not null,
  account_id uuid not null,
  platform text not null,
  state text not null,
  rank smallint not null,
  run_at timestamp with time zone not null,
  start_before timestamp with time zone,
  run_timeout_s integer not null,
  attempt smallint not null default 0,
  throttles smallint not null default 0,
  losses smallint not null default 0,
  started_at timestamp with time zone,
  run_spent_ms integer not null default 0,
  fence integer not null default 0,
  node_id uuid,
  claimed_at timestamp with time zone,
  needs_browser boolean not null default false,
  attempt_log jsonb,
  constraint dispatch_pkey PRIMARY KEY (task_id, account_id),
  constraint dispatch_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'queued'::text, 'running'::text, 'aborting'::text]))),
  constraint running_has_node CHECK (((state = ANY (ARRAY['running'::text, 'aborting'::text])) = (node_id IS NOT NULL)))
) with (fillfactor=60, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=2000, autovacuum_vacuum_cost_delay=0);
CREATE INDEX dispatch_claimed ON dispatch USING btree (platform, claimed_at, account_id) WHERE (state = ANY (ARRAY['running'::text, 'aborting'::text]));
CREATE INDEX dispatch_queue ON dispatch USING btree (platform, account_id, rank, task_id) WHERE (state = 'queued'::text);
CREATE INDEX dispatch_running ON dispatch USING btree (platform, account_id) WHERE (state = ANY (ARRAY['running'::text, 'aborting'::text]));
CREATE INDEX dispatch_start_before ON dispatch USING btree (start_before) WHERE ((start_before IS NOT NULL) AND (state = ANY (ARRAY['waiting'::text, 'queued'::text])));
CREATE INDEX dispatch_waiting ON dispatch USING btree (run_at) WHERE (state = 'waiting'::text);
CREATE INDEX dispatch_waiting_account ON dispatch USING btree (account_id) WHERE (state = 'waiting'::text);

create table entities (
  account_id uuid not null,
  id uuid not null,
  revision integer not null,
  name text not null,
  relation text not null,
  content jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  declined text[] not null default '{}'::text[],
  project_id uuid,
  constraint entities_pkey PRIMARY KEY (account_id, id),
  constraint entity_by_name UNIQUE (account_id, name),
  constraint entities_relation_check CHECK ((relation = ANY (ARRAY['own'::text, 'competitor'::text, 'other'::text]))),
  constraint entities_revision_check CHECK ((revision > 0))
);

create table entity_revisions (
  account_id uuid not null,
  entity_id uuid not null,
  revision integer not null,
  content jsonb not null,
  created_at timestamp with time zone not null,
  constraint entity_revisions_pkey PRIMARY KEY (account_id, entity_id, revision),
  constraint entity_revisions_revision_check CHECK ((revision > 0))
);

create table entity_versions (
  account_id uuid not null,
  version bigint not null,
  constraint entity_versions_pkey PRIMARY KEY (account_id),
  constraint entity_versions_version_check CHECK ((version > 0))
);

create table evidence_keys (
  kid text not null,
  x text not null,
  sealed bytea,
  created_at timestamp with time zone not null default now(),
  retired_at timestamp with time zone,
  constraint evidence_keys_pkey PRIMARY KEY (kid),
  constraint retired_is_destroyed CHECK (((retired_at IS NULL) = (sealed IS NOT NULL)))
);
CREATE UNIQUE INDEX evidence_keys_current ON evidence_keys USING btree (((retired_at IS NULL))) WHERE (retired_at IS NULL);

create table figure_links (
  account_id uuid not null,
  id uuid not null,
  panel_id uuid not null,
  figures jsonb not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  password_hash text,
  constraint figure_links_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX figure_links_id ON figure_links USING btree (id);
CREATE INDEX figure_links_panel ON figure_links USING btree (account_id, panel_id, id);

create table idempotency_keys (
  account_id uuid not null,
  route text not null,
  key text not null,
  fingerprint bytea not null,
  batch_id uuid not null,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, route, key),
  constraint idempotency_keys_fingerprint_check CHECK ((length(fingerprint) = 32))
);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);

create table imported_answers (
  account_id uuid not null,
  observation_id uuid not null,
  expires_at timestamp with time zone not null,
  question text not null,
  content text not null,
  constraint imported_answers_pkey PRIMARY KEY (account_id, observation_id)
);
CREATE INDEX imported_answers_age ON imported_answers USING btree (expires_at);

create table imports (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  format text not null,
  next_line integer not null,
  imported integer not null,
  duplicates integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  panel_id uuid,
  constraint imports_pkey PRIMARY KEY (account_id, id),
  constraint import_by_name UNIQUE (account_id, name),
  constraint imports_duplicates_check CHECK ((duplicates >= 0)),
  constraint imports_format_check CHECK ((format = ANY (ARRAY['querent'::text, 'serpapi'::text, 'dataforseo'::text]))),
  constraint imports_imported_check CHECK ((imported >= 0)),
  constraint imports_next_line_check CHECK ((next_line > 0))
);

create table ledger (
  id bigint not null default nextval('ledger_ids'::regclass),
  account_id uuid not null,
  kind text not null,
  points bigint not null,
  batch_id uuid,
  task_id uuid,
  note text,
  created_at timestamp with time zone not null default now(),
  cause_id uuid not null,
  constraint ledger_pkey PRIMARY KEY (account_id, id, cause_id),
  constraint cause_is_what_moved CHECK ((cause_id = COALESCE(task_id, batch_id, cause_id))) NOT VALID,
  constraint ledger_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'hold'::text, 'capture'::text, 'release'::text]))),
  constraint ledger_points_check CHECK ((points >= 0)),
  constraint task_ends_only CHECK (((kind = ANY (ARRAY['capture'::text, 'release'::text])) = (task_id IS NOT NULL)))
) partition by RANGE (cause_id);

create table logins (
  id uuid not null,
  sha256 bytea not null,
  person_id uuid not null,
  account_id uuid not null,
  address text not null,
  user_agent text,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  way text,
  provider text,
  issuer text,
  subject text,
  provider_session text,
  id_token bytea,
  passkey_id uuid,
  constraint logins_pkey PRIMARY KEY (id),
  constraint logins_sha256_key UNIQUE (sha256),
  constraint logins_account_id_person_id_fkey FOREIGN KEY (account_id, person_id) REFERENCES members(account_id, person_id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE INDEX logins_member ON logins USING btree (account_id, person_id);
CREATE INDEX logins_person ON logins USING btree (person_id);
CREATE INDEX logins_provider ON logins USING btree (issuer, subject);

create table mail_recipients (
  account_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text not null,
  unsubscribed_at timestamp with time zone,
  added_again_by text,
  created_at timestamp with time zone not null,
  constraint mail_recipients_pkey PRIMARY KEY (account_id, id),
  constraint mail_recipients_account_id_email_key_key UNIQUE (account_id, email_key)
);
CREATE INDEX mail_recipients_id ON mail_recipients USING btree (id);

create table members (
  id uuid not null,
  account_id uuid not null,
  person_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null default now(),
  project_ids uuid[],
  provider text,
  constraint members_pkey PRIMARY KEY (id),
  constraint members_account_id_person_id_key UNIQUE (account_id, person_id),
  constraint members_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE CASCADE
);
CREATE INDEX members_person ON members USING btree (person_id);

create table migration_progress (
  version integer not null,
  name text not null,
  sha256 text not null,
  min_compatible integer not null,
  steps_done integer not null default 0,
  position text,
  begun_at timestamp with time zone not null default now(),
  constraint migration_progress_pkey PRIMARY KEY (version)
);

create table migrations (
  version integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  min_compatible integer,
  constraint migrations_pkey PRIMARY KEY (version)
);

create table node_browsers (
  node_id uuid not null,
  usable boolean not null,
  why text,
  seen_at timestamp with time zone not null default now(),
  constraint node_browsers_pkey PRIMARY KEY (node_id),
  constraint node_browsers_check CHECK ((usable = (why IS NULL)))
) with (fillfactor=50);

create table node_platforms (
  node_id uuid not null,
  roles text[] not null,
  slots_max integer not null,
  only_platforms text[],
  askable text[] not null,
  lacking jsonb not null,
  seen_at timestamp with time zone not null default now(),
  constraint node_platforms_pkey PRIMARY KEY (node_id)
) with (fillfactor=50);

create table nodes (
  id uuid not null,
  name text not null,
  version text not null,
  started_at timestamp with time zone not null default now(),
  lease_until timestamp with time zone not null,
  peer_url text,
  peer_key text,
  constraint nodes_pkey PRIMARY KEY (id),
  constraint nodes_peer_check CHECK (((peer_url IS NULL) = (peer_key IS NULL)))
) with (fillfactor=50);

create table observation_exports (
  number integer not null,
  recorded_from timestamp with time zone not null,
  recorded_to timestamp with time zone not null,
  row_count integer,
  data_key text not null,
  manifest text,
  created_at timestamp with time zone not null default now(),
  committed_at timestamp with time zone,
  constraint observation_exports_pkey PRIMARY KEY (number),
  constraint committed_has_manifest CHECK (((committed_at IS NULL) OR (manifest IS NOT NULL))),
  constraint observation_exports_number_check CHECK ((number > 0)),
  constraint observation_exports_row_count_check CHECK ((row_count >= 0))
);

create table observation_retention (
  account_id uuid not null,
  days integer,
  constraint observation_retention_pkey PRIMARY KEY (account_id),
  constraint observation_retention_days_check CHECK ((days > 0))
);

create table observations (
  account_id uuid not null,
  id uuid not null,
  observed_at timestamp with time zone not null,
  recorded_at timestamp with time zone not null default now(),
  task_id uuid,
  import_id uuid,
  batch_id uuid,
  client_reference text,
  tags text[] not null default '{}'::text[],
  revision integer not null,
  result_digest bytea not null,
  panel_id uuid,
  panel_revision integer,
  run_id uuid,
  prompt_id text,
  prompt_digest bytea not null,
  platform text not null,
  locale text not null default ''::text,
  persona text not null default ''::text,
  repeat integer,
  platform_kind text not null,
  model_version text,
  recipe text,
  reader integer not null,
  matcher text,
  content_length integer not null,
  search_count integer,
  duration_ms integer,
  points integer not null default 0,
  flags text[] not null default '{}'::text[],
  domains text[] not null default '{}'::text[],
  entities uuid[] not null default '{}'::uuid[],
  sources jsonb not null default '[]'::jsonb,
  mentions jsonb not null default '[]'::jsonb,
  cards jsonb not null default '[]'::jsonb,
  source_rules text,
  probability double precision,
  domain_types text[],
  domain_citations integer[],
  cited_sites text,
  ad_availability text,
  ads jsonb,
  searches jsonb,
  constraint observations_pkey PRIMARY KEY (account_id, id),
  constraint observations_content_length_check CHECK ((content_length >= 0)),
  constraint observations_duration_ms_check CHECK ((duration_ms >= 0)),
  constraint observations_points_check CHECK ((points >= 0)),
  constraint observations_prompt_digest_check CHECK ((length(prompt_digest) = 32)),
  constraint observations_result_digest_check CHECK ((length(result_digest) = 32)),
  constraint observations_search_count_check CHECK ((search_count >= 0)),
  constraint of_a_task_or_imported CHECK (((task_id IS NULL) <> (import_id IS NULL)))
) partition by RANGE (id);
CREATE INDEX observations_import ON ONLY observations USING btree (account_id, import_id, id) WHERE (import_id IS NOT NULL);
CREATE INDEX observations_panel ON ONLY observations USING btree (account_id, panel_id, id) WHERE (panel_id IS NOT NULL);
CREATE INDEX observations_recorded ON ONLY observations USING btree (recorded_at);

create table panel_changes (
  account_id uuid not null,
  panel_id uuid not null,
  id uuid not null,
  kind text not null,
  series text not null,
  day date not null,
  found_at timestamp with time zone not null,
  data json not null,
  basis json,
  constraint panel_changes_pkey PRIMARY KEY (account_id, panel_id, id),
  constraint found_once UNIQUE (account_id, panel_id, kind, series, day),
  constraint panel_changes_kind_check CHECK ((kind = ANY (ARRAY['change'::text, 'instrument'::text])))
);

create table panel_evaluations (
  account_id uuid not null,
  panel_id uuid not null,
  due_at timestamp with time zone,
  evaluated_at timestamp with time zone,
  verdicts json,
  drift_days jsonb not null default '{}'::jsonb,
  constraint panel_evaluations_pkey PRIMARY KEY (account_id, panel_id),
  constraint evaluated_with_verdicts CHECK (((evaluated_at IS NULL) = (verdicts IS NULL)))
);
CREATE INDEX panel_evaluations_due ON panel_evaluations USING btree (due_at) WHERE (due_at IS NOT NULL);

create table panel_failures (
  account_id uuid not null,
  id uuid not null,
  failed_at timestamp with time zone not null,
  task_id uuid not null,
  batch_id uuid not null,
  client_reference text,
  tags text[] not null default '{}'::text[],
  panel_id uuid not null,
  panel_revision integer not null,
  run_id uuid not null,
  prompt_id text not null,
  platform text not null,
  locale text not null,
  persona text not null,
  repeat integer not null,
  probability double precision,
  platform_kind text not null,
  recipe text,
  code text not null,
  stage text not null,
  attempts integer not null,
  constraint panel_failures_pkey PRIMARY KEY (account_id, id),
  constraint panel_failures_attempts_check CHECK ((attempts >= 0))
) partition by RANGE (id);
CREATE INDEX panel_failures_panel ON ONLY panel_failures USING btree (account_id, panel_id, id);

create table panel_revisions (
  account_id uuid not null,
  panel_id uuid not null,
  revision integer not null,
  digest bytea not null,
  content jsonb not null,
  created_at timestamp with time zone not null,
  frame jsonb,
  constraint panel_revisions_pkey PRIMARY KEY (account_id, panel_id, revision),
  constraint panel_revisions_digest_check CHECK ((length(digest) = 32)),
  constraint panel_revisions_revision_check CHECK ((revision > 0))
);

create table panel_runs (
  account_id uuid not null,
  panel_id uuid not null,
  id uuid not null,
  revision integer not null,
  slot timestamp with time zone,
  request_key text,
  state text not null,
  batch_ids uuid[] not null default '{}'::uuid[],
  cell_count integer not null,
  task_count integer not null,
  points bigint not null,
  problem jsonb,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ends json,
  waves jsonb,
  constraint panel_runs_pkey PRIMARY KEY (account_id, panel_id, id),
  constraint not_started_has_problem CHECK (((state = 'started'::text) = (problem IS NULL))),
  constraint only_started_has_tasks CHECK (((state = 'started'::text) = (task_count > 0))),
  constraint panel_runs_cell_count_check CHECK ((cell_count >= 0)),
  constraint panel_runs_points_check CHECK ((points >= 0)),
  constraint panel_runs_state_check CHECK ((state = ANY (ARRAY['started'::text, 'refused'::text, 'missed'::text]))),
  constraint panel_runs_task_count_check CHECK ((task_count >= 0)),
  constraint slot_or_request CHECK (((slot IS NULL) <> (request_key IS NULL)))
);
CREATE INDEX panel_runs_open ON panel_runs USING btree (account_id, panel_id, id) WHERE ((state = 'started'::text) AND (ended_at IS NULL));
CREATE UNIQUE INDEX panel_runs_request ON panel_runs USING btree (account_id, panel_id, request_key) WHERE (request_key IS NOT NULL);
CREATE UNIQUE INDEX panel_runs_slot ON panel_runs USING btree (account_id, panel_id, slot) WHERE (slot IS NOT NULL);

create table panel_seals (
  account_id uuid not null,
  panel_id uuid not null,
  revision integer not null,
  sealed_at timestamp with time zone not null,
  runs_before integer not null,
  seal text not null,
  signature text not null,
  constraint panel_seals_pkey PRIMARY KEY (account_id, panel_id, revision),
  constraint panel_seals_revision_check CHECK ((revision > 0)),
  constraint panel_seals_runs_before_check CHECK ((runs_before >= 0))
);

create table panel_tasks (
  account_id uuid not null,
  task_id uuid not null,
  panel_id uuid not null,
  revision integer not null,
  run_id uuid not null,
  prompt_id text not null,
  platform text not null,
  locale text not null,
  persona text not null,
  repeat integer not null,
  probability double precision,
  constraint panel_tasks_pkey PRIMARY KEY (account_id, task_id),
  constraint panel_tasks_repeat_check CHECK ((repeat > 0))
);
CREATE INDEX panel_tasks_run ON panel_tasks USING btree (account_id, panel_id, run_id);

create table panels (
  account_id uuid not null,
  id uuid not null,
  revision integer not null,
  name text not null,
  schedule jsonb,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  next_slot timestamp with time zone,
  due_at timestamp with time zone,
  failures_since timestamp with time zone not null default now(),
  brands jsonb,
  project_id uuid,
  constraint panels_pkey PRIMARY KEY (account_id, id),
  constraint due_with_slot CHECK (((next_slot IS NULL) = (due_at IS NULL))),
  constraint panels_revision_check CHECK ((revision > 0))
);
CREATE INDEX panels_due ON panels USING btree (due_at) WHERE (due_at IS NOT NULL);

create table passkey_attempts (
  sha256 bytea not null,
  purpose text not null,
  person_id uuid,
  link_sha256 bytea,
  expires_at timestamp with time zone not null,
  constraint passkey_attempts_pkey PRIMARY KEY (sha256)
);

create table passkeys (
  id uuid not null,
  person_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  rp_id text not null,
  transports text[] not null,
  synced boolean not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_person ON passkeys USING btree (person_id);

create table person_factors (
  person_id uuid not null,
  sealed bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint,
  created_at timestamp with time zone not null default now(),
  constraint person_factors_pkey PRIMARY KEY (person_id),
  constraint person_factors_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE CASCADE
);

create table person_identities (
  issuer text not null,
  subject text not null,
  person_id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint person_identities_pkey PRIMARY KEY (issuer, subject),
  constraint person_identities_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE CASCADE
);
CREATE INDEX person_identities_person ON person_identities USING btree (person_id);

create table person_links (
  id uuid not null,
  sha256 bytea not null,
  purpose text not null,
  account_id uuid,
  role text,
  email text,
  email_key text,
  operator boolean not null default false,
  person_id uuid,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  project_ids uuid[],
  constraint person_links_pkey PRIMARY KEY (id),
  constraint person_links_sha256_key UNIQUE (sha256),
  constraint person_links_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX person_links_invited ON person_links USING btree (account_id, email_key);

create table persons (
  id uuid not null,
  email text not null,
  email_key text not null,
  name text not null,
  password_hash text,
  operator boolean not null default false,
  created_at timestamp with time zone not null default now(),
  last_sign_in_at timestamp with time zone,
  constraint persons_pkey PRIMARY KEY (id),
  constraint persons_email_key_key UNIQUE (email_key)
);

create table platform_drift (
  platform text not null,
  node_id uuid not null,
  hour timestamp with time zone not null,
  recipe text not null,
  sign text not null,
  what text not null,
  asks integer not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint platform_drift_pkey PRIMARY KEY (hour, platform, node_id, recipe, sign, what),
  constraint platform_drift_sign_check CHECK ((sign = ANY (ARRAY['asked'::text, 'read'::text, 'fallback'::text, 'unmatched'::text, 'check'::text])))
);

create table platform_keys (
  variable text not null,
  sealed bytea not null,
  ending text,
  stored_at timestamp with time zone not null,
  constraint platform_keys_pkey PRIMARY KEY (variable),
  constraint platform_keys_ending_check CHECK ((length(ending) <= 4)),
  constraint platform_keys_variable_check CHECK ((variable ~ '^[A-Za-z_][A-Za-z0-9_]{0,127}$'::text))
);

create table platform_limits (
  platform text not null,
  token_id uuid,
  set_at timestamp with time zone not null default now(),
  constraint platform_limits_pkey PRIMARY KEY (platform)
);

create table platform_minutes (
  platform text not null,
  node_id uuid not null,
  minute timestamp with time zone not null,
  completed integer not null,
  failed integer not null,
  seconds integer[] not null,
  constraint platform_minutes_pkey PRIMARY KEY (platform, minute, node_id)
);
CREATE INDEX platform_minutes_age ON platform_minutes USING btree (minute);

create table platform_session_holds (
  platform text not null,
  name text not null,
  id uuid not null,
  held_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  released_at timestamp with time zone,
  constraint platform_session_holds_pkey PRIMARY KEY (platform, name, id),
  constraint platform_session_holds_platform_name_fkey FOREIGN KEY (platform, name) REFERENCES platform_sessions(platform, name) ON DELETE CASCADE
);

create table platform_sessions (
  platform text not null,
  name text not null,
  revision bigint not null default 1,
  sealed bytea not null,
  bytes integer not null,
  file_sha256 bytea,
  signed_in_at timestamp with time zone not null,
  saved_at timestamp with time zone,
  used_at timestamp with time zone,
  succeeded_at timestamp with time zone,
  signed_out_at timestamp with time zone,
  signed_out_why text,
  throttled_until timestamp with time zone,
  human_check_at timestamp with time zone,
  constraint platform_sessions_pkey PRIMARY KEY (platform, name),
  constraint platform_sessions_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9._-]{0,63}$'::text))
);

create table platform_settings (
  platform text not null,
  settings jsonb not null,
  updated_at timestamp with time zone not null,
  constraint platform_settings_pkey PRIMARY KEY (platform)
);

create table platforms (
  code text not null,
  running_max integer not null,
  rate_interval interval,
  rate_burst integer not null default 1,
  rate_tat timestamp with time zone not null default '-infinity'::timestamp with time zone,
  held_until timestamp with time zone,
  attempts_max smallint not null,
  virtual_time double precision not null default 0,
  breaker_after integer,
  failures_in_row integer not null default 0,
  breaker_open_until timestamp with time zone,
  breaker_openings integer not null default 0,
  last_failure jsonb,
  failing_since timestamp with time zone,
  throttled_since timestamp with time zone,
  askable text,
  askable_why text,
  running_since timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint platforms_pkey PRIMARY KEY (code),
  constraint platforms_askable_check CHECK ((askable = ANY (ARRAY['yes'::text, 'lacking'::text, 'no_worker'::text]))),
  constraint platforms_attempts_max_check CHECK ((attempts_max > 0)),
  constraint platforms_breaker_after_check CHECK ((breaker_after > 0)),
  constraint platforms_rate_burst_check CHECK ((rate_burst > 0)),
  constraint platforms_running_max_check CHECK ((running_max >= 0))
) with (fillfactor=50);

create table project_usage_hours (
  account_id uuid not null,
  hour timestamp with time zone not null,
  project_id uuid not null,
  platform text not null,
  completed integer not null default 0,
  failed integer not null default 0,
  canceled integer not null default 0,
  charged_points bigint not null default 0,
  constraint project_usage_hours_pkey PRIMARY KEY (account_id, hour, project_id, platform)
) with (fillfactor=50);

create table projects (
  account_id uuid not null,
  id uuid not null,
  name text not null,
  archived_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint projects_pkey PRIMARY KEY (account_id, id),
  constraint project_by_name UNIQUE (account_id, name)
);

create table provider_attempts (
  sha256 bytea not null,
  provider text not null,
  link_sha256 bytea,
  expires_at timestamp with time zone not null,
  constraint provider_attempts_pkey PRIMARY KEY (sha256)
);

create table recovery_codes (
  person_id uuid not null,
  sha256 bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (person_id, sha256),
  constraint recovery_codes_person_id_fkey FOREIGN KEY (person_id) REFERENCES persons(id) ON DELETE CASCADE
);

create table report_looks (
  account_id uuid not null,
  project_id uuid not null,
  name text,
  color text,
  logo bytea,
  logo_type text,
  logo_width integer,
  logo_height integer,
  updated_at timestamp with time zone not null,
  constraint report_looks_pkey PRIMARY KEY (account_id, project_id),
  constraint logo_as_a_whole CHECK ((((logo IS NULL) = (logo_type IS NULL)) AND ((logo IS NULL) = (logo_width IS NULL)) AND ((logo IS NULL) = (logo_height IS NULL))))
);

create table report_schedules (
  account_id uuid not null,
  id uuid not null,
  panel_id uuid not null,
  settings jsonb not null,
  recipients uuid[] not null,
  next_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint report_schedules_pkey PRIMARY KEY (account_id, id),
  constraint report_schedules_recipients_check CHECK (((cardinality(recipients) >= 1) AND (cardinality(recipients) <= 50)))
);
CREATE INDEX report_schedules_due ON report_schedules USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX report_schedules_panel ON report_schedules USING btree (account_id, panel_id, id);

create table report_shares (
  account_id uuid not null,
  id uuid not null,
  panel_id uuid not null,
  window_from timestamp with time zone not null,
  window_to timestamp with time zone not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  page text not null,
  password_hash text,
  guarded_page text,
  language text,
  constraint report_shares_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX report_shares_id ON report_shares USING btree (id);
CREATE INDEX report_shares_panel ON report_shares USING btree (account_id, panel_id, id);

create table sent_reports (
  account_id uuid not null,
  id uuid not null,
  panel_id uuid not null,
  schedule_id uuid not null,
  reason text not null,
  occasion text not null,
  state text not null,
  due_at timestamp with time zone,
  tries smallint not null default 0,
  problem text,
  window_from timestamp with time zone,
  window_to timestamp with time zone,
  share_id uuid,
  pdf bytea,
  recipients jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  channels jsonb not null default '[]'::jsonb,
  constraint sent_reports_pkey PRIMARY KEY (account_id, id),
  constraint sent_once UNIQUE (account_id, schedule_id, occasion),
  constraint due_until_ended CHECK (((state = 'preparing'::text) = (due_at IS NOT NULL))),
  constraint sent_reports_occasion_check CHECK ((length(occasion) <= 100))
);
CREATE INDEX sent_reports_age ON sent_reports USING btree (created_at);
CREATE INDEX sent_reports_due ON sent_reports USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX sent_reports_panel ON sent_reports USING btree (account_id, panel_id, id);

create table signing_secrets (
  account_id uuid not null,
  version integer not null,
  ciphertext bytea not null,
  created_at timestamp with time zone not null default now(),
  valid_until timestamp with time zone,
  constraint signing_secrets_pkey PRIMARY KEY (account_id, version),
  constraint signing_secrets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

create table spending_hours (
  account_id uuid not null,
  hour timestamp with time zone not null,
  platform text not null,
  answered boolean not null,
  stated boolean not null,
  attempts integer not null,
  input_tokens bigint,
  cached_tokens bigint,
  output_tokens bigint,
  searches bigint,
  usd numeric,
  constraint spending_hours_pkey PRIMARY KEY (account_id, hour, platform, answered, stated),
  constraint stated_has_amount CHECK ((stated = (usd IS NOT NULL)))
) with (fillfactor=50);

create table stored_keys (
  purpose text not null,
  sealed bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint stored_keys_pkey PRIMARY KEY (purpose)
);

create table task_attempts (
  task_id uuid not null,
  expires_at timestamp with time zone not null,
  entries jsonb not null,
  account_id uuid not null,
  constraint task_attempts_pkey PRIMARY KEY (account_id, task_id)
);
CREATE INDEX task_attempts_age ON task_attempts USING btree (expires_at);

create table task_results (
  day date not null,
  task_id uuid not null,
  expires_at timestamp with time zone not null,
  result json not null,
  raw_type text,
  raw_body text,
  account_id uuid not null,
  raw_compressed bytea,
  raw_bytes integer,
  constraint task_results_pkey PRIMARY KEY (day, task_id, account_id)
) partition by RANGE (day);

create table task_tags (
  account_id uuid not null,
  tag text not null,
  task_id uuid not null,
  constraint task_tags_pkey PRIMARY KEY (account_id, tag, task_id)
);

create table tasks (
  id uuid not null,
  account_id uuid not null,
  batch_id uuid not null,
  item_index integer not null,
  client_reference text,
  tags text[] not null default '{}'::text[],
  question text not null,
  platform text not null,
  deep_analysis boolean not null,
  output text not null,
  result_format text not null,
  webhook_url text,
  priority smallint not null,
  price_points integer not null,
  state text not null default 'pending'::text,
  failure json,
  charged_points integer not null default 0,
  revision integer not null default 0,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  canceled_at timestamp with time zone,
  expires_at timestamp with time zone,
  result_day date,
  input_tokens integer,
  output_tokens integer,
  searches integer,
  not_before timestamp with time zone,
  start_before timestamp with time zone,
  run_timeout_s integer,
  last_attempt_at timestamp with time zone,
  asked_as json,
  cached_tokens integer,
  stated_usd numeric,
  constraint tasks_pkey PRIMARY KEY (account_id, id),
  constraint charged_when_completed CHECK ((charged_points =
CASE
    WHEN (state = 'completed'::text) THEN price_points
    ELSE 0
END)),
  constraint ended_has_revision CHECK (((state = 'pending'::text) = (revision = 0))),
  constraint ended_has_time CHECK (((state = 'pending'::text) = (completed_at IS NULL))),
  constraint failure_of_failed CHECK (((state = 'failed'::text) = (failure IS NOT NULL))),
  constraint tasks_charged_points_check CHECK ((charged_points >= 0)),
  constraint tasks_consumption_check CHECK (((cached_tokens >= 0) AND (stated_usd >= (0)::numeric))),
  constraint tasks_input_tokens_check CHECK ((input_tokens >= 0)),
  constraint tasks_output_check CHECK ((output = ANY (ARRAY['answer'::text, 'screenshot'::text, 'share_link'::text]))),
  constraint tasks_output_tokens_check CHECK ((output_tokens >= 0)),
  constraint tasks_price_points_check CHECK ((price_points >= 0)),
  constraint tasks_priority_check CHECK (((priority >= 0) AND (priority <= 9))),
  constraint tasks_result_format_check CHECK ((result_format = ANY (ARRAY['json'::text, 'html'::text, 'all'::text]))),
  constraint tasks_run_timeout_s_check CHECK ((run_timeout_s > 0)),
  constraint tasks_searches_check CHECK ((searches >= 0)),
  constraint tasks_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text, 'canceled'::text])))
) partition by RANGE (id);
CREATE INDEX tasks_client_reference ON ONLY tasks USING btree (account_id, client_reference, id DESC) WHERE (client_reference IS NOT NULL);
CREATE INDEX tasks_platform ON ONLY tasks USING btree (account_id, platform, id DESC);

create table unanswered_tasks (
  account_id uuid not null,
  state text not null,
  task_id uuid not null,
  constraint unanswered_tasks_pkey PRIMARY KEY (account_id, state, task_id),
  constraint unanswered_tasks_state_check CHECK ((state = ANY (ARRAY['failed'::text, 'canceled'::text])))
);

create table usage_hours (
  account_id uuid not null,
  hour timestamp with time zone not null,
  platform text not null,
  token_id uuid,
  completed integer not null default 0,
  failed integer not null default 0,
  canceled integer not null default 0,
  charged_points bigint not null default 0,
  metered integer not null default 0,
  input_tokens bigint,
  output_tokens bigint,
  searches bigint,
  seconds_1 integer not null default 0,
  seconds_2 integer not null default 0,
  seconds_3 integer not null default 0,
  seconds_4 integer not null default 0,
  seconds_5 integer not null default 0,
  seconds_6 integer not null default 0,
  seconds_7 integer not null default 0,
  seconds_8 integer not null default 0,
  seconds_9 integer not null default 0,
  seconds_10 integer not null default 0,
  seconds_11 integer not null default 0,
  seconds_12 integer not null default 0,
  seconds_13 integer not null default 0,
  seconds_14 integer not null default 0,
  seconds_15 integer not null default 0,
  constraint usage_hours_account_id_hour_platform_token_id_key UNIQUE NULLS NOT DISTINCT (account_id, hour, platform, token_id)
) with (fillfactor=50);

create table webhooks (
  account_id uuid not null,
  url text,
  origin text,
  url_set_at timestamp with time zone,
  secret_version integer not null default 1,
  suspended_at timestamp with time zone,
  last_success_at timestamp with time zone,
  failures integer not null default 0,
  first_failure_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  events_pruned_to bigint not null default 0,
  suspended_reason text,
  last_failure_status integer,
  last_failure_fault text,
  events_pruned_id uuid,
  events text[] not null default '{task.finished}'::text[],
  constraint webhooks_pkey PRIMARY KEY (account_id),
  constraint webhooks_suspended_reason_check CHECK ((suspended_reason = ANY (ARRAY['gone'::text, 'failing'::text]))),
  constraint webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
) with (fillfactor=50);

view bi_ads (
  account_id uuid,
  observation_id uuid,
  observed_at timestamp with time zone,
  panel_id uuid,
  prompt_id text,
  platform text,
  locale text,
  persona text,
  position integer,
  advertiser text,
  title text,
  url text,
  host text,
  domain text,
  placement text
);

view bi_cards (
  account_id uuid,
  observation_id uuid,
  observed_at timestamp with time zone,
  panel_id uuid,
  prompt_id text,
  platform text,
  locale text,
  persona text,
  kind text,
  position integer,
  title text,
  url text,
  start_offset integer,
  end_offset integer,
  price text,
  price_unit text,
  shop text,
  domain text
);

view bi_failures (
  account_id uuid,
  failure_id uuid,
  failed_at timestamp with time zone,
  task_id uuid,
  batch_id uuid,
  client_reference text,
  tags text[],
  panel_id uuid,
  panel_revision integer,
  run_id uuid,
  prompt_id text,
  platform text,
  locale text,
  persona text,
  repeat integer,
  probability double precision,
  platform_kind text,
  recipe text,
  code text,
  stage text,
  attempts integer
);

view bi_mentions (
  account_id uuid,
  observation_id uuid,
  observed_at timestamp with time zone,
  panel_id uuid,
  prompt_id text,
  platform text,
  locale text,
  persona text,
  entity_id uuid,
  start_offset integer,
  end_offset integer,
  list_position integer,
  recommended boolean
);

view bi_observations (
  account_id uuid,
  observation_id uuid,
  observed_at timestamp with time zone,
  recorded_at timestamp with time zone,
  task_id uuid,
  import_id uuid,
  batch_id uuid,
  client_reference text,
  tags text[],
  revision integer,
  result_digest text,
  panel_id uuid,
  panel_revision integer,
  run_id uuid,
  prompt_id text,
  prompt_digest text,
  platform text,
  locale text,
  persona text,
  repeat integer,
  platform_kind text,
  model_version text,
  recipe text,
  reader integer,
  matcher text,
  source_rules text,
  content_length integer,
  search_count integer,
  duration_ms integer,
  points integer,
  flags text[],
  domains text[],
  entities uuid[],
  probability double precision,
  ad_availability text
);

view bi_searches (
  account_id uuid,
  observation_id uuid,
  observed_at timestamp with time zone,
  panel_id uuid,
  prompt_id text,
  platform text,
  locale text,
  persona text,
  kind text,
  query text
);

view bi_sources (
  account_id uuid,
  observation_id uuid,
  observed_at timestamp with time zone,
  panel_id uuid,
  prompt_id text,
  platform text,
  locale text,
  persona text,
  position bigint,
  url text,
  canonical_url text,
  domain text,
  type text,
  opaque boolean
);
