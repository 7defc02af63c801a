/** Which room of the service each table belongs to: only that room's SQL names it. */
export const tables: Readonly<Record<string, string>> = {
  access_tokens: "accounts",
  account_events: "webhooks",
  addressed_events: "webhooks",
  account_storage: "accounts",
  account_lanes: "dispatch",
  accounts: "accounts",
  alert_conditions: "reports",
  alert_findings: "reports",
  alert_rules: "reports",
  artifact_contents: "artifacts",
  artifacts: "artifacts",
  assistant_clients: "people",
  audit_chains: "audit",
  audit_entries: "audit",
  authorization_records: "people",
  batches: "tasks",
  caps: "points",
  channels: "webhooks",
  connections: "people",
  deliveries: "webhooks",
  delivery_breakers: "webhooks",
  delivery_queue: "webhooks",
  delivery_turns: "webhooks",
  dispatch: "dispatch",
  entities: "observations",
  entity_revisions: "observations",
  entity_versions: "observations",
  evidence_keys: "evidence",
  figure_links: "reports",
  idempotency_keys: "tasks",
  imported_answers: "panels",
  imports: "panels",
  ledger: "points",
  logins: "people",
  mail_recipients: "webhooks",
  members: "people",
  migration_progress: "db",
  migrations: "db",
  node_browsers: "dispatch",
  node_platforms: "dispatch",
  nodes: "dispatch",
  observation_exports: "observations",
  observation_retention: "observations",
  observations: "observations",
  panel_failures: "observations",
  panel_changes: "reports",
  panel_evaluations: "reports",
  panel_revisions: "panels",
  panel_runs: "panels",
  panel_seals: "reports",
  panel_tasks: "panels",
  panels: "panels",
  passkey_attempts: "people",
  passkeys: "people",
  person_factors: "people",
  person_identities: "people",
  person_links: "people",
  persons: "people",
  project_usage_hours: "points",
  projects: "projects",
  provider_attempts: "people",
  platform_drift: "statistics",
  platform_keys: "setups",
  platform_limits: "dispatch",
  platform_minutes: "statistics",
  platform_session_holds: "sessions",
  platform_sessions: "sessions",
  platform_settings: "setups",
  platforms: "dispatch",
  report_schedules: "reports",
  recovery_codes: "people",
  report_shares: "reports",
  sent_reports: "reports",
  signing_secrets: "webhooks",
  spending_hours: "points",
  stored_keys: "vault",
  task_attempts: "tasks",
  task_results: "tasks",
  task_tags: "tasks",
  tasks: "tasks",
  unanswered_tasks: "tasks",
  usage_hours: "points",
  webhooks: "webhooks",
};

interface TableException {
  /** A file of `service/src`, or a room: then every file of it. */
  readonly where: string;
  readonly tables: readonly string[];
  readonly reason: string;
}

/** Where the SQL of one room names tables of another. */
export const tableExceptions: readonly TableException[] = [
  {
    where: "accounts/storage-kinds.ts",
    tables: ["tasks"],
    reason:
      "What an account stores without points is counted in one table of kinds, and tasks without a charge are one.",
  },
  {
    where: "observations",
    tables: ["imported_answers", "panel_tasks"],
    reason:
      "An observation is of a cell, which the row of its task or of its import names, in the statement that writes or deletes it.",
  },
  {
    where: "panels",
    tables: ["entities", "entity_versions", "observations"],
    reason:
      "A panel's brands are entities, locked while they are chosen; and an imported answer is an observation, written with its row.",
  },
  {
    where: "reports",
    tables: ["observations", "panel_failures", "panel_revisions", "panel_runs", "panels"],
    reason:
      "Read models: figures, changes, diffs and reports read what panels asked and what was observed, and seals name both.",
  },
  {
    where: "demo",
    tables: ["entities", "panel_revisions", "panel_runs"],
    reason: "Moves what it has made into the past.",
  },
  {
    where: "points",
    tables: ["accounts"],
    reason:
      "An account's balance is in its row, so that holding points, and the bound of unfinished tasks, lock one row.",
  },
  {
    where: "points/routes.ts",
    tables: ["access_tokens", "members", "persons"],
    reason: "Names the tokens and members of the sums, in the statement that reads them.",
  },
  {
    where: "people",
    tables: ["accounts"],
    reason: "Names the account of a login, in the statement that every request with one waits for.",
  },
  {
    where: "webhooks/outbox/outbox.ts",
    tables: ["accounts"],
    reason:
      "Locks the account's row before it numbers events, as moving points does: see the lock order of the outbox.",
  },
  {
    where: "tasks/read/record.ts",
    tables: ["dispatch", "platforms"],
    reason: "A record's `progress` is where the task stands in the queue, as of the same snapshot.",
  },
  {
    where: "tasks/read/list-tasks.ts",
    tables: ["dispatch", "panel_tasks", "platforms"],
    reason:
      "A list can be of panels. The list of pending tasks is the engine's queue: no other index holds what has not ended.",
  },
  {
    where: "tasks/read/batches.ts",
    tables: ["dispatch"],
    reason: "Counts a batch's tasks by where they stand in the queue, as of the same snapshot.",
  },
  {
    where: "operator/check-consistency.ts",
    tables: [
      "account_events",
      "accounts",
      "batches",
      "deliveries",
      "delivery_queue",
      "dispatch",
      "ledger",
      "task_results",
      "tasks",
    ],
    reason: "Checks that the tables of all rooms agree with each other.",
  },
  {
    where: "statistics/platform-routes.ts",
    tables: ["dispatch", "platforms"],
    reason: "A read model: how many tasks of the account wait for each platform.",
  },
  {
    where: "statistics/platform-costs.ts",
    tables: ["spending_hours", "usage_hours"],
    reason: "A read model: what the answers of each platform took, and what was spent in vain.",
  },
  {
    where: "statistics/conditions.ts",
    tables: ["accounts", "usage_hours"],
    reason: "A read model: points left against points spent in a day.",
  },
];
