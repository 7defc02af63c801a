/**
 * The embedded server's settings, for a small service on a small machine, without risking data loss. They are rewritten at each
 * start to `settings.conf`, which the cluster's postgresql.conf includes; an operator's ALTER SYSTEM settings take precedence.
 */
import { usableMemory } from "../../runtime/usable-memory.ts";

const MiB = 1024 * 1024;

export type PostgresSettings = Readonly<Record<string, string | number | boolean>>;

export function postgresSettings(logFolder: string, overrides: PostgresSettings = {}): string {
  const memoryBytes = usableMemory();
  const settings: PostgresSettings = {
    max_connections: 100,
    shared_buffers: `${Math.round(Math.min(Math.max(memoryBytes / 16, 64 * MiB), 512 * MiB) / MiB)}MB`,
    effective_cache_size: `${Math.round(Math.max(memoryBytes / 2, 128 * MiB) / MiB)}MB`,
    random_page_cost: 1.1,
    // Thousands of short statements: compiling them costs more than it saves.
    jit: false,

    // Committed data survives a power failure. These are PostgreSQL's defaults, made explicit.
    fsync: true,
    synchronous_commit: "on",
    full_page_writes: true,
    // Page images are not compressed: compression (pglz, the only method in this build) cost a long queue a fifth of its
    // throughput.
    wal_compression: "off",
    max_wal_size: "2GB",
    checkpoint_timeout: "10min",

    // A queue's rows live for seconds: vacuum early and often.
    autovacuum_naptime: "10s",
    autovacuum_vacuum_scale_factor: 0.05,
    autovacuum_vacuum_insert_scale_factor: 0.1,
    autovacuum_analyze_scale_factor: 0.05,
    // Every statement on a hot table uses the same index regardless of its contents, so a fifth of the default sample is
    // enough. The default takes 3 % of a busy machine.
    default_statistics_target: 20,
    autovacuum_vacuum_cost_limit: 1000,

    // A transaction left open by a bug must not block vacuum forever.
    idle_in_transaction_session_timeout: "60s",
    timezone: "UTC",
    log_timezone: "UTC",

    // Rotated by size, and at each start; `pruneLogs` keeps the newest few.
    logging_collector: true,
    log_directory: logFolder,
    log_filename: "postgresql-%Y%m%dT%H%M%S.log",
    log_file_mode: "0600",
    log_rotation_size: "10MB",
    log_rotation_age: 0,
    log_line_prefix: "%m [%p] ",
    log_lock_waits: true,
    log_min_duration_statement: "2s",
    // Parameter values are people's questions and answers, and must not be logged.
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
    ...overrides,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quote(value)}`);
  return `# Written by Querent at each start. Use ALTER SYSTEM for settings of your own.\n${lines.join("\n")}\n`;
}

function quote(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
