/** Every metric of the service, once. Registered by `Metrics`; docs/reference/metrics.md is generated from it. */

interface MetricDefinition {
  readonly type: "counter" | "gauge" | "histogram";
  /** One sentence. */
  readonly help: string;
  /** The labels, and what their values are. Their number is bounded: no value comes from a user. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
  /** Read from the database: every process reports the same. */
  readonly shared?: true;
}

/** What is stored. Part of the catalogue. */
const storageMetrics = {
  querent_database_size_bytes: { type: "gauge", shared: true, help: "Size of the database." },
  querent_account_storage_bytes: {
    type: "gauge",
    shared: true,
    help: "Size of what all accounts store, without indexes, as of the last measuring. A task that failed or was canceled counts twice.",
    labels: { kind: "as in `storage` of `GET /v1/usage`" },
  },
  querent_account_storage_rows: {
    type: "gauge",
    shared: true,
    help: "Rows that all accounts store.",
    labels: { kind: "as in `querent_account_storage_bytes`" },
  },
  querent_account_storage_bytes_max: {
    type: "gauge",
    shared: true,
    help: "Size of what is stored without points by the account that stores the most of it.",
  },
  querent_artifact_bytes: { type: "gauge", shared: true, help: "Size of the artifacts that are stored." },
  querent_artifact_contents: { type: "gauge", shared: true, help: "Artifacts that are stored, each content once." },
  querent_partition_remaining_seconds: {
    type: "gauge",
    shared: true,
    help: "Time until the end of the last partition of a table that is partitioned by time.",
    labels: { table: "the partitioned table" },
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** What accounts share: places, searches for entities, and the memory of computations. */
const placeMetrics = {
  querent_places_taken: {
    type: "gauge",
    help: "Places in use, of those that accounts share.",
    labels: {
      kind: "`event_streams`, `waits`, `exports`, `lists`, `free`, `figures` (small computations), `searches`, `sites` (that are read for proposals of prompts) or `large_bodies`",
    },
  },
  querent_places_waiting: {
    type: "gauge",
    help: "Requests that wait for a place.",
    labels: {
      kind: "as in `querent_places_taken`; `figures_memory` for a process that computes, `results` for sending a large result",
    },
  },
  querent_places_refused_total: {
    type: "counter",
    help: "Requests for which there was no place.",
    labels: {
      kind: "as in `querent_places_waiting`",
      reason: "`account`: it has as much under way as it may have (429); `process`: all accounts together have (503)",
    },
  },
  querent_figures_processes: {
    type: "gauge",
    help: "Processes that compute figures, reports, diffs, plans or changes.",
  },
  querent_figures_memory_bytes: { type: "gauge", help: "Memory that these processes may use." },
  querent_figures_memory_max_bytes: { type: "gauge", help: "Memory that all of them together may use." },
  querent_results_sending_bytes: { type: "gauge", help: "Large results in memory that clients are reading." },
  querent_entity_searches_total: {
    type: "counter",
    help: "Texts that were searched for the entities of their account, or were not.",
    labels: {
      outcome:
        "`searched`; `limit`: the entities or their matches take too much work; `busy`: too many texts were waiting",
      where: "`here`: on the main thread; `process`: in a process of its own",
    },
  },
  querent_entity_searches_waiting: { type: "gauge", help: "Texts that wait for a process that searches them." },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** Panels: a part of the catalogue. */
const panelMetrics = {
  querent_panel_changes_total: {
    type: "counter",
    help: "Changes of panels that this process found and announced.",
    labels: { kind: "`change` (of a measure) or `instrument` (of what answers or reads the answers)" },
  },
  querent_panel_judging_wait_seconds: {
    type: "histogram",
    help: "Time that a panel was due before this process began to judge its changes. A panel is due when a run ends, and again five minutes after a process began and did not finish.",
    buckets: [0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600],
  },
  // The installation: collector `panels`
  querent_panel_judging_oldest_seconds: {
    type: "gauge",
    shared: true,
    help: "How long the panel that has been due the longest waits for a process to judge its changes; 0 if none is due.",
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

const platform = "code of the platform";

const catalogue = {
  // The process
  querent_build_info: { type: "gauge", help: "Always 1.", labels: { version: "the version that runs" } },
  querent_role: { type: "gauge", help: "Always 1.", labels: { role: "`api`, `worker` or `notifier`: what runs here" } },
  querent_disk_size_bytes: { type: "gauge", help: "Size of the file system that holds the data folder." },
  querent_disk_free_bytes: { type: "gauge", help: "Free space for the service in the file system of the data folder." },

  // Requests
  querent_http_request_seconds: {
    type: "histogram",
    help: "Time to answer a request.",
    labels: { operation: "operation of the API; `none` for unknown paths", status: "HTTP status" },
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  },
  querent_http_connections: { type: "gauge", help: "Open connections to the API." },
  querent_http_connections_max: { type: "gauge", help: "Connections to the API that the process accepts." },
  ...placeMetrics,
  querent_event_readers: { type: "gauge", help: "Clients that follow the event feed live." },

  // Tasks in this process
  querent_tasks_running: { type: "gauge", help: "Tasks that run in this process.", labels: { platform } },
  querent_worker_slots: {
    type: "gauge",
    help: "Tasks that may run in this process at once; 0 without the role worker.",
  },
  querent_account_tasks_running_max: {
    type: "gauge",
    help: "Tasks of the account that has the most of them running in this process.",
  },
  querent_results_waiting_bytes: {
    type: "gauge",
    help: "Size of the results that wait to be written to the database.",
  },
  querent_tasks_ended_total: {
    type: "counter",
    help: "Tasks that this process ended.",
    labels: {
      platform,
      state: "`completed`, `failed` or `canceled`",
      code: "[code of the failure](errors.md#failures-of-tasks); empty unless it failed",
    },
  },
  querent_ask_seconds: {
    type: "histogram",
    help: "Time that a platform took for one attempt, without waiting for a browser.",
    labels: { platform, outcome: "`completed`, `failed`, `throttled`, `lost` or `aborted`" },
    buckets: [0.01, 0.05, 0.25, 1, 2, 5, 10, 30, 60, 120, 300, 900],
  },
  querent_platform_tokens_total: {
    type: "counter",
    help: "Tokens that platforms report for their answers, usable or not.",
    labels: { platform, direction: "`input` or `output`" },
  },
  querent_platform_cached_tokens_total: { type: "counter", help: "Input tokens from a cache.", labels: { platform } },
  querent_platform_cost_total: {
    type: "counter",
    help: "Money that platforms charge for their answers, usable or not.",
    labels: {
      platform,
      basis: "`stated` by the platform, or `computed` at the configured prices",
      currency: "its three letters",
    },
  },
  querent_platform_searches_total: {
    type: "counter",
    help: "Searches that platforms report for their answers.",
    labels: { platform },
  },
  querent_platform_drift_total: {
    type: "counter",
    help: "Attempts on web platforms in which the page did not match its recipe.",
    labels: { platform, sign: "kind of the mismatch", what: "place in the recipe" },
  },
  querent_artifact_seconds: {
    type: "histogram",
    help: "Time of one attempt to make a file of an answer.",
    labels: { kind: "`page` or `screenshot`", outcome: "`made` or `failed`" },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
  },
  querent_browser_usable: { type: "gauge", help: "1 while this process can use a browser." },
  querent_browser_contexts: { type: "gauge", help: "Pages in use in the browsers of this process." },
  querent_browser_contexts_max: { type: "gauge", help: "Pages that this process may use at once." },
  querent_node_lease_held: {
    type: "gauge",
    help: "1 while this worker has its lease. Without it, it runs nothing, and others take over its tasks.",
  },
  querent_node_lease_remaining_seconds: {
    type: "gauge",
    help: "Time until the lease of this worker expires, by the database's clock. It is renewed every 5 seconds.",
  },
  ...panelMetrics,
  // Deliveries in this process
  querent_delivery_attempts_total: {
    type: "counter",
    help: "Attempts to deliver a webhook.",
    labels: { outcome: "`delivered`, `pending` (it is tried again) or `failed` (it was the last)" },
  },
  querent_delivery_attempt_seconds: {
    type: "histogram",
    help: "Time of one attempt to deliver a webhook.",
    labels: { outcome: "as in `querent_delivery_attempts_total`" },
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  },
  querent_delivery_slots_taken: { type: "gauge", help: "Delivery slots of this process in use." },
  querent_delivery_slots_account_max: {
    type: "gauge",
    help: "Delivery slots of this process in use by the account that uses most.",
  },

  // The database, as seen by this process
  querent_database_pool_connections: {
    type: "gauge",
    help: "Connections of this process's pool.",
    labels: { state: "`in_use` or `idle`" },
  },
  querent_database_pool_connections_max: { type: "gauge", help: "Connections that the pool may have." },
  querent_database_pool_waiting: { type: "gauge", help: "Statements and transactions that wait for a connection." },
  querent_database_pool_wait_seconds: {
    type: "histogram",
    help: "Time that statements and transactions waited for a connection.",
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 10],
  },
  querent_database_up: { type: "gauge", help: "1 if this process could read the database for this scrape." },
  querent_collector_success: {
    type: "gauge",
    help: "1 if the last read of a collector succeeded. Its metrics are left out two minutes after the last that did.",
    labels: { collector: "`state`, `queues`, `sessions`, `deliveries`, `panels` or `storage`" },
  },
  querent_collector_seconds: {
    type: "gauge",
    help: "Duration of the collector's last read. It pauses for a hundred times as long.",
    labels: { collector: "as in `querent_collector_success`" },
  },

  // The installation: collector `state`
  querent_database_writable: { type: "gauge", shared: true, help: "1 if the database accepts writes." },
  querent_database_connections: { type: "gauge", shared: true, help: "Connections of clients to the database server." },
  querent_database_connections_max: { type: "gauge", shared: true, help: "Connections that the server accepts." },
  querent_database_standbys: {
    type: "gauge",
    shared: true,
    help: "Standbys that receive from the database server.",
    labels: { sync_state: "as in PostgreSQL's `pg_stat_replication`; `hidden` if the user may not see it" },
  },
  querent_database_replay_lag_seconds: {
    type: "gauge",
    shared: true,
    help: "Longest time until a standby has applied a commit; left out without standbys.",
  },
  querent_nodes: {
    type: "gauge",
    shared: true,
    help: "Workers that are registered.",
    labels: { state: "`live` or `expired` (its lease has run out, and its tasks are about to start elsewhere)" },
  },
  querent_node_lease_remaining_min_seconds: {
    type: "gauge",
    shared: true,
    help: "Time until the first lease of a live worker expires.",
  },
  querent_platform_running: {
    type: "gauge",
    shared: true,
    help: "Tasks that run on the platform, over all processes.",
    labels: { platform },
  },
  querent_platform_running_max: {
    type: "gauge",
    shared: true,
    help: "Tasks that may run on the platform at once; 0: it is paused.",
    labels: { platform },
  },
  querent_platform_failures_in_row: {
    type: "gauge",
    shared: true,
    help: "Failures of the platform since its last success.",
    labels: { platform },
  },
  querent_platform_blocked: {
    type: "gauge",
    shared: true,
    help: "1 while this prevents further starts on the platform.",
    labels: {
      platform,
      reason:
        "`no_worker` (none lives, or none has the key, recipe, module or browser that the platform needs), `paused`, `breaker`, `throttled`, `limit` or `rate`",
    },
  },

  // The installation: collector `queues`
  querent_queue_tasks: {
    type: "gauge",
    shared: true,
    help: "Tasks that wait. The sum over the reasons is the depth of the platform's queue.",
    labels: {
      platform,
      reason:
        "first that applies of those of `querent_platform_blocked`; `turn`: none does, a worker is about to take it; `later`: its `notBefore`, or the delay before its next attempt, is not over",
    },
  },
  querent_platform_sessions: {
    type: "gauge",
    shared: true,
    help: "Stored sessions of a web platform.",
    labels: {
      platform,
      state:
        "`ready`, `throttled` (the page limits it), `signed_out` (not used before the next sign-in) or `needs_person` (the page asks for a human)",
    },
  },
  querent_queue_oldest_seconds: {
    type: "gauge",
    shared: true,
    help: "How long the longest-waiting of the tasks that are next in line in the accounts' queues could have started.",
    labels: { platform },
  },
  querent_queue_accounts: {
    type: "gauge",
    shared: true,
    help: "Accounts with tasks that could start.",
    labels: { platform },
  },

  // The installation: collector `deliveries`
  querent_delivery_backlog: {
    type: "gauge",
    shared: true,
    help: "Deliveries that have not ended.",
    labels: {
      destinations:
        "`healthy`, `failing` (the last attempts failed), `paused` (after consecutive failures) or `suspended` (a default address that is gone, or failed for days)",
    },
  },
  querent_delivery_oldest_seconds: {
    type: "gauge",
    shared: true,
    help: "How long the oldest delivery that is not on its way has been due.",
    labels: { destinations: "as in `querent_delivery_backlog`" },
  },
  querent_delivery_destinations: {
    type: "gauge",
    shared: true,
    help: "Destinations (an account's deliveries to one origin) with deliveries that have not ended.",
    labels: { destinations: "as in `querent_delivery_backlog`" },
  },
  querent_webhooks_suspended: {
    type: "gauge",
    shared: true,
    help: "Default addresses of accounts that are suspended.",
  },

  // The installation: collector `storage`
  ...storageMetrics,
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof catalogue;
type Named<Type extends MetricDefinition["type"]> = {
  [Name in MetricName]: (typeof catalogue)[Name]["type"] extends Type ? Name : never;
}[MetricName];
export type CounterName = Named<"counter">;
export type HistogramName = Named<"histogram">;
/** Gauges, and counters that are kept elsewhere. */
export type ReadName = Named<"gauge" | "counter">;

/** The labels of a metric. */
export type Labels<Name extends MetricName> = (typeof catalogue)[Name] extends { readonly labels: infer Known }
  ? { readonly [Label in keyof Known]: string | number }
  : Readonly<Record<never, never>>;

/** A value of a metric that is read when it is scraped. */
export interface MetricSample<Name extends MetricName> {
  readonly labels: Labels<Name>;
  readonly value: number;
}

export const metricDefinitions: Readonly<Record<MetricName, MetricDefinition>> = catalogue;
