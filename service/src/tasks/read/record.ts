import type {
  Failure,
  LastFailure,
  Progress,
  StoredResult,
  TaskRecord,
  TaskState,
  TaskSummary,
  WaitReason,
  AskedAs,
  TaskOptions,
} from "@querent/contract";
import type { LoggedAttempt } from "../../dispatch/index.ts";
import { rowsAs } from "../../db/index.ts";

/** The keys of tasks, as `k`. Statements also give the range of the ids, which selects the partitions. */
export const taskKeys = rowsAs<{ readonly accountId: string; readonly taskId: string }>("k", {
  account_id: ["uuid", (task) => task.accountId],
  id: ["uuid", (task) => task.taskId],
});

/** A row of `tasks`. */
export interface TaskRow extends OptionsRow {
  id: string;
  account_id: string;
  batch_id: string;
  client_reference: string | null;
  tags: string[];
  question: string;
  platform: string;
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
  last_attempt_at: Date | null;
  /** The partition of the result; null if the task had none. */
  result_day: string | null;
}

/** The engine's row of a task that has not ended. */
export interface ProgressRow {
  dispatch_state: "waiting" | "queued" | "running" | null;
  dispatch_attempts: number | null;
  dispatch_run_at: Date | null;
  dispatch_started_at: Date | null;
  dispatch_log: LoggedAttempt[] | null;
  platform_held_until: Date | null;
  platform_breaker_open_until: Date | null;
  platform_running_max: number | null;
  /** See the column: whether a running worker can ask the platform. */
  platform_askable: string | null;
}

export const taskColumns = `t.id, t.account_id, t.batch_id, t.client_reference, t.tags, t.question, t.platform, t.deep_analysis,
  t.output, t.result_format, t.asked_as, t.webhook_url, t.priority, t.not_before, t.start_before, t.run_timeout_s, t.price_points, t.state, t.failure, t.charged_points,
  t.revision, t.created_at, t.started_at, t.completed_at, t.canceled_at, t.expires_at, t.last_attempt_at, t.result_day::text`;
export const progressColumns = `d.state as dispatch_state, d.fence as dispatch_attempts, d.run_at as dispatch_run_at,
  d.started_at as dispatch_started_at, d.attempt_log as dispatch_log, g.held_until as platform_held_until,
  g.breaker_open_until as platform_breaker_open_until, g.running_max as platform_running_max,
  g.askable as platform_askable`;
/** Joins the engine's row, and the platform's. When a task ends, the record may be ahead of the engine's row, never behind. */
export const progressJoin =
  "left join dispatch d on t.state = 'pending' and d.account_id = t.account_id and d.task_id = t.id left join platforms g on g.code = d.platform";
/** Joins the result, unless it has expired. The day in the task's row selects the partition. */
export const resultJoin =
  "left join task_results r on r.day = t.result_day and r.task_id = t.id and r.account_id = t.account_id and r.expires_at > now()";

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
    durationMs,
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
    ads: result?.ads ?? [],
    alternatives: result?.alternatives ?? [],
    relatedQuestions: result?.relatedQuestions ?? [],
    relatedSearches: result?.relatedSearches ?? [],
    screenshotUrl: result?.screenshotUrl ?? null,
    shareUrl: result?.shareUrl ?? null,
    truncatedBy: result?.truncatedBy ?? null,
    availability: result?.availability ?? null,
    provenance: result?.provenance ?? null,
    effective: result?.effective ?? null,
    evidence: result?.evidence ?? [],
    failure,
    chargedPoints,
    revision,
    expired,
    createdAt,
    startedAt,
    completedAt,
    canceledAt,
    expiresAt,
    durationMs,
  };
}

/** The record without its result, as in lists. */
export function taskSummary(row: TaskRow & Partial<ProgressRow>, now: Date): TaskSummary {
  // A task without a result, failed or canceled, does not expire.
  const expiresAt = row.result_day === null ? null : row.expires_at;
  return {
    taskId: row.id,
    batchId: row.batch_id,
    clientReference: row.client_reference,
    tags: row.tags,
    question: row.question,
    platformCode: row.platform,
    options: optionsOf(row),
    webhookUrl: row.webhook_url,
    priority: row.priority,
    notBefore: iso(row.not_before),
    startBefore: iso(row.start_before),
    runTimeoutSeconds: row.run_timeout_s,
    state: row.state,
    progress: progressOf(row, now),
    failure: row.failure,
    chargedPoints: row.charged_points,
    revision: row.revision,
    expired: expiresAt !== null && expiresAt <= now,
    createdAt: row.created_at.toISOString(),
    startedAt: iso(row.started_at ?? row.dispatch_started_at ?? null),
    completedAt: iso(row.completed_at),
    canceledAt: iso(row.canceled_at),
    expiresAt: iso(expiresAt),
    durationMs: durationOf(row),
  };
}

/** The duration of the attempt that ended the task. */
export function durationOf({ state, failure, started_at, last_attempt_at, completed_at }: TaskRow): number | null {
  const began = last_attempt_at ?? started_at;
  if (began === null || completed_at === null || state === "canceled" || failure?.attempts === 0) return null;
  return Math.max(0, completed_at.getTime() - began.getTime());
}

export function progressOf(row: Pick<TaskRow, "state"> & Partial<ProgressRow>, now: Date): Progress | null {
  if (row.state !== "pending") return null;
  const startedAt = iso(row.dispatch_started_at ?? null);
  const head = { attempt: row.dispatch_attempts ?? 0, startedAt };
  const lastFailure = lastFailureOf(row.dispatch_log ?? []);
  if (row.dispatch_state === "running")
    return { phase: "running", ...head, nextAttemptAt: null, reason: null, lastFailure };
  const { reason, until } = waitOf(row, now);
  return {
    phase: startedAt === null || reason === "queued" ? "queued" : "waiting_retry",
    ...head,
    nextAttemptAt: iso(until),
    reason,
    lastFailure,
  };
}

/** Why a task that is not running waits: if there are several reasons, the one that lasts longest. */
function waitOf(row: Partial<ProgressRow>, now: Date): { reason: WaitReason; until: Date | null } {
  // Before its first start a task waits for its `notBefore`, afterwards for its next attempt.
  const own = (row.dispatch_started_at ?? null) === null ? "not_before" : "retry";
  const times: [WaitReason, Date | null | undefined][] = [
    [own, row.dispatch_state === "waiting" ? row.dispatch_run_at : null],
    ["throttled", row.platform_held_until],
    ["breaker_open", row.platform_breaker_open_until],
  ];
  let longest: { reason: WaitReason; until: Date | null } = { reason: "queued", until: null };
  for (const [reason, time] of times) {
    const until = time ?? null;
    if (until !== null && until > (longest.until ?? now)) longest = { reason, until };
  }
  // Without a time, because it depends on the operator.
  if (row.platform_running_max === 0) return { reason: "paused", until: null };
  if (row.platform_askable === "lacking" || row.platform_askable === "no_worker")
    return { reason: "no_worker", until: null };
  return longest;
}

function lastFailureOf(log: readonly LoggedAttempt[]): LastFailure | null {
  const last = log.findLast(({ code }) => code !== null);
  if (last === undefined || last.code === null) return null;
  const { code, message, attempt, platformStatus } = last;
  return { code, message: message ?? "", at: new Date(last.endedAt).toISOString(), attempt, platformStatus };
}

const iso = (time: Date | null) => time?.toISOString() ?? null;

/** The columns of a task that hold its options. */
export interface OptionsRow {
  deep_analysis: boolean;
  output: TaskOptions["output"];
  result_format: TaskOptions["resultFormat"];
  /** The options that say from where, as whom and with what is asked; null if none was requested. */
  asked_as: AskedAs | null;
}

export function optionsOf({ deep_analysis, output, result_format, asked_as }: OptionsRow): TaskOptions {
  return { deepAnalysis: deep_analysis, output, resultFormat: result_format, ...asked_as };
}
