import type {
  Failure,
  Progress,
  StoredResult,
  TaskOptions,
  TaskRecord,
  TaskState,
  TaskSummary,
} from "@querent/contract";

/** A row of `tasks`. */
export interface TaskRow {
  id: string;
  account_id: string;
  batch_id: string;
  client_reference: string | null;
  tags: string[];
  question: string;
  platform: string;
  deep_analysis: boolean;
  output: TaskOptions["output"];
  result_format: TaskOptions["resultFormat"];
  webhook_url: string | null;
  priority: number;
  not_before: Date | null;
  start_before: Date | null;
  run_timeout_s: number | null;
  price_points: number;
  state: TaskState;
  failure: Failure | null;
  charged_points: number;
  revision: number;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
  canceled_at: Date | null;
  expires_at: Date | null;
  /** Null: the task had no result. */
  result_day: string | null;
}

/** The engine's row beside it, while the task has not ended. */
export interface ProgressRow {
  dispatch_state: "waiting" | "queued" | "running" | null;
  dispatch_attempt: number | null;
  dispatch_run_at: Date | null;
  dispatch_started_at: Date | null;
}

export const taskColumns = `t.id, t.account_id, t.batch_id, t.client_reference, t.tags, t.question, t.platform, t.deep_analysis,
  t.output, t.result_format, t.webhook_url, t.priority, t.not_before, t.start_before, t.run_timeout_s, t.price_points, t.state, t.failure, t.charged_points, t.revision, t.created_at,
  t.started_at, t.completed_at, t.canceled_at, t.expires_at, t.result_day::text`;
export const progressColumns = `d.state as dispatch_state, d.attempt as dispatch_attempt, d.run_at as dispatch_run_at,
  d.started_at as dispatch_started_at`;
/** Joins the engine's row. At the instant of an end the record is ahead of it, never behind. */
export const progressJoin = "left join dispatch d on t.state = 'pending' and d.task_id = t.id";
/** Joins the result, unless it has expired. The partition is found by the day in the task's row. */
export const resultJoin =
  "left join task_results r on r.day = t.result_day and r.task_id = t.id and r.expires_at > now()";

/** The public record of a task, from its rows. `result` null: it has none, or it has expired. */
export function taskRecord(row: TaskRow & Partial<ProgressRow>, result: StoredResult | null, now: Date): TaskRecord {
  const {
    failure,
    chargedPoints,
    revision,
    expired,
    createdAt,
    startedAt,
    completedAt,
    canceledAt,
    expiresAt,
    ...head
  } = taskSummary(row, now);
  return {
    ...head,
    content: result?.content ?? null,
    pageHtml: result?.pageHtml ?? null,
    modelVersion: result?.modelVersion ?? null,
    observedAt: result?.observedAt ?? null,
    sources: result?.sources ?? [],
    products: result?.products ?? [],
    videos: result?.videos ?? [],
    media: result?.media ?? [],
    reasoningProcess: result?.reasoningProcess ?? null,
    searchProcess: result?.searchProcess ?? null,
    screenshotUrl: result?.screenshotUrl ?? null,
    shareUrl: result?.shareUrl ?? null,
    availability: result?.availability ?? null,
    provenance: result?.provenance ?? null,
    failure,
    chargedPoints,
    revision,
    expired,
    createdAt,
    startedAt,
    completedAt,
    canceledAt,
    expiresAt,
  };
}

/** The record without its result, as lists show it. */
export function taskSummary(row: TaskRow & Partial<ProgressRow>, now: Date): TaskSummary {
  // What had no result can't expire: a task that failed or was canceled stays as it ended.
  const expiresAt = row.result_day === null ? null : row.expires_at;
  return {
    taskId: row.id,
    batchId: row.batch_id,
    clientReference: row.client_reference,
    tags: row.tags,
    question: row.question,
    platformCode: row.platform,
    options: { deepAnalysis: row.deep_analysis, output: row.output, resultFormat: row.result_format },
    webhookUrl: row.webhook_url,
    priority: row.priority,
    notBefore: iso(row.not_before),
    startBefore: iso(row.start_before),
    runTimeoutSeconds: row.run_timeout_s,
    state: row.state,
    progress: progressOf(row),
    failure: row.failure,
    chargedPoints: row.charged_points,
    revision: row.revision,
    expired: expiresAt !== null && expiresAt <= now,
    createdAt: row.created_at.toISOString(),
    startedAt: iso(row.started_at ?? row.dispatch_started_at ?? null),
    completedAt: iso(row.completed_at),
    canceledAt: iso(row.canceled_at),
    expiresAt: iso(expiresAt),
  };
}

function progressOf(row: TaskRow & Partial<ProgressRow>): Progress | null {
  if (row.state !== "pending") return null;
  const attempt = row.dispatch_attempt ?? 0;
  const startedAt = iso(row.dispatch_started_at ?? null);
  switch (row.dispatch_state) {
    case "running":
      return { phase: "running", attempt, startedAt, nextAttemptAt: null };
    case "waiting":
      // Before its first start a task waits for its `notBefore`; after it, for its next attempt.
      return {
        phase: startedAt === null ? "queued" : "waiting_retry",
        attempt,
        startedAt,
        nextAttemptAt: iso(row.dispatch_run_at ?? null),
      };
    default:
      return { phase: "queued", attempt, startedAt, nextAttemptAt: null };
  }
}

const iso = (time: Date | null) => time?.toISOString() ?? null;
