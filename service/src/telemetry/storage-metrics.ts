import type { MetricDefinition } from "./metric-definition.ts";

/** What is stored. Part of the catalogue. */
export const storageMetrics = {
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
