/**
 * Parses stored answers again, and stores those that differ as a new revision. It can run concurrently with services and with
 * itself, and can be stopped or killed at any time: what it has written is complete, and when it parses those answers again,
 * they are equal and left unchanged.
 *
 * Answers are parsed outside any transaction. Each transaction contains one account's new revisions of one chunk of answers:
 * results, revisions, webhook deliveries and events of the feed, or none of them.
 */
import type { FailureCode, StoredResult } from "@querent/contract";
import { accountOf } from "../read/batches.ts";
import { retryDeadlock, rowsAs, type Database, type Transaction } from "../../db/index.ts";
import type { Platform, Outcome } from "../../platforms/index.ts";
import { racePoint } from "../../runtime/race-points.ts";
import { announceRevisions, lockFurtherDeliveries, wakeUpChannel, type FinishedTask } from "../../webhooks/index.ts";
import type { ObserveAnswers, ObservedAnswer } from "../observe-answers.ts";
import {
  listAnswers,
  loadAnswers,
  type AnswerKey,
  type AnswerPosition,
  type AnswerScope,
  type StoredAnswer,
} from "./stored-answers.ts";
import { isDeepStrictEqual } from "node:util";
import { composeResult, withArtifacts } from "../../answers/index.ts";
import { optionsOf, taskColumns, taskRecord, type TaskRow } from "../read/record.ts";

export interface ReparseDeps {
  readonly database: Database;
  readonly platforms: ReadonlyMap<string, Platform>;
  /** The maximum size of a webhook's body in bytes. */
  readonly bodyBytesMax: number;
  /** Keeps what outlives the revised results. None: nothing is kept. */
  readonly observe?: ObserveAnswers;
}

export interface ReparseRequest {
  readonly scope: AnswerScope;
  /** Where to resume: after this position. */
  readonly after: AnswerPosition | null;
  /** Reports what would change, and writes nothing. */
  readonly dryRun: boolean;
  /** Stops between two chunks. */
  readonly signal: AbortSignal;
  /** Called after each chunk. */
  readonly onProgress?: (report: ReparseReport) => void;
}

export interface ReparseReport {
  /** Answers that were parsed. */
  read: number;
  /** Answers that differ: each has a new revision, or would have. */
  changed: number;
  equal: number;
  /** Answers that could not be parsed. Their results are unchanged. */
  failed: number;
  /** Answers whose bytes were not stored, or whose platform cannot parse them again. */
  unreadable: number;
  /** Answers that expired, or were repeatedly replaced, while they were being parsed. */
  passedOver: number;
  /** The first failures. */
  readonly failures: { taskId: string; platform: string; code: FailureCode; message: string }[];
  /** The position of the scan: everything up to here is done. Null: nothing yet. */
  position: AnswerPosition | null;
  /** False: it was stopped before the end. */
  finished: boolean;
}

const pageAnswers = 1_000;
/** The size of a chunk: bounds the memory, and the size of a transaction. */
const chunkAnswers = 100;
const chunkRawBytes = 8 * 1024 * 1024;
const failuresMax = 100;
/** How often an answer is parsed again if it is replaced concurrently. */
const triesMax = 3;

export async function reparse(deps: ReparseDeps, request: ReparseRequest): Promise<ReparseReport> {
  const report: ReparseReport = {
    read: 0,
    changed: 0,
    equal: 0,
    failed: 0,
    unreadable: 0,
    passedOver: 0,
    failures: [],
    position: request.after,
    finished: false,
  };
  const { scope } = request;
  const isNarrow = scope.taskId !== null || scope.batchId !== null;
  const accountId = isNarrow ? await accountOf(deps.database, scope) : null;
  for (let after = request.after; ;) {
    const { keys, next } = await listAnswers(deps.database, scope, accountId, after, pageAnswers);
    for (const chunk of chunks(keys)) {
      if (request.signal.aborted) return report;
      await rereadChunk(deps, request, chunk, report);
      report.position = chunk.at(-1) ?? report.position;
      request.onProgress?.(report);
    }
    if (next === null) break;
    if (request.signal.aborted) return report;
    after = report.position = next;
  }
  report.finished = true;
  return report;
}

function* chunks(keys: readonly AnswerKey[]): Generator<AnswerKey[]> {
  let chunk: AnswerKey[] = [];
  let rawBytes = 0;
  for (const key of keys) {
    if (chunk.length > 0 && (chunk.length === chunkAnswers || rawBytes + (key.rawBytes ?? 0) > chunkRawBytes)) {
      yield chunk;
      chunk = [];
      rawBytes = 0;
    }
    chunk.push(key);
    rawBytes += key.rawBytes ?? 0;
  }
  if (chunk.length > 0) yield chunk;
}

async function rereadChunk(
  deps: ReparseDeps,
  request: ReparseRequest,
  chunk: readonly AnswerKey[],
  report: ReparseReport,
): Promise<void> {
  let keys = chunk.filter((key) => key.rawBytes !== null && rereading(deps, key.platform) !== null);
  report.unreadable += chunk.length - keys.length;
  for (let tries = 1; keys.length > 0; tries++) {
    const answers = await loadAnswers(deps.database, keys);
    report.passedOver += keys.length - answers.length;
    const changed: Changed[] = [];
    for (const answer of answers) changed.push(...(await rereadOne(deps, request, answer, tries, report)));
    if (request.dryRun) {
      report.changed += changed.length;
      return;
    }
    const left = await store(deps, changed);
    report.changed += changed.length - left.length;
    if (left.length === 0) return;
    if (tries === triesMax) {
      report.passedOver += left.length;
      return;
    }
    const again = new Set(left.map(({ taskId }) => taskId));
    keys = keys.filter(({ taskId }) => again.has(taskId));
  }
}

interface Changed extends Revision {
  readonly accountId: string;
  /** What the observation is made of; null if no observations are kept. */
  readonly observed: ObservedAnswer | null;
}

async function rereadOne(
  deps: ReparseDeps,
  { dryRun }: ReparseRequest,
  answer: StoredAnswer,
  tries: number,
  report: ReparseReport,
): Promise<Changed[]> {
  const platform = rereading(deps, answer.platform);
  if (platform === null) return [];
  if (tries === 1) report.read++;
  const reread = await rereadAnswer(platform, answer);
  switch (reread.kind) {
    case "equal":
      report.equal++;
      return [];
    case "failed":
      report.failed++;
      if (report.failures.length < failuresMax) {
        const { code, message } = reread;
        report.failures.push({ taskId: answer.id, platform: answer.platform, code, message });
      }
      return [];
    case "changed": {
      const { id: taskId, day, revision: replaces, account_id: accountId } = answer;
      const { result } = reread;
      const toObserve = { accountId, result, json: JSON.stringify(result) };
      const observed = dryRun ? null : ((await deps.observe?.describe(toObserve)) ?? null);
      return [{ taskId, day, replaces, accountId, result, observed }];
    }
  }
}

/** Stores them, one account at a time. Returns those that had changed since they were read. */
async function store(deps: ReparseDeps, changed: readonly Changed[]): Promise<Changed[]> {
  const byAccount = Map.groupBy(changed, ({ accountId }) => accountId);
  const left: Changed[] = [];
  for (const [accountId, ofAccount] of byAccount) {
    const revised = await retryDeadlock(() =>
      deps.database.transaction(async (tx) => {
        // Before any row is locked: redeliveries hold this lock while they read rows that come later in the lock order.
        await racePoint("reparse.begun", accountId);
        await lockFurtherDeliveries(tx, accountId);
        const tasks = await storeRevisions(tx, accountId, ofAccount);
        await racePoint("reparse.stored", accountId);
        if (tasks.length > 0) {
          await announceRevisions(tx, accountId, tasks, deps);
          const described = new Map(ofAccount.map(({ taskId, observed }) => [taskId, observed]));
          await deps.observe?.revise(
            tx,
            tasks.flatMap(({ taskId, record }) => {
              const observed = described.get(taskId) ?? null;
              return observed === null ? [] : [{ accountId, record, observed }];
            }),
          );
          await racePoint("reparse.announced", accountId);
        }
        return new Set(tasks.map(({ taskId }) => taskId));
      }),
    );
    if (revised.size > 0) deps.database.announce(wakeUpChannel, [accountId]);
    left.push(...ofAccount.filter(({ taskId }) => !revised.has(taskId)));
  }
  return left;
}

function rereading({ platforms }: ReparseDeps, code: string): RereadingPlatform | null {
  const platform = platforms.get(code);
  return platform !== undefined && canReread(platform) ? platform : null;
}

/** Whether a platform's stored answers can be parsed again. */
export function canReread(platform: Platform): platform is RereadingPlatform {
  return platform.reread !== undefined;
}

/** The outcome of parsing a stored answer again. */
type Reread =
  | { readonly kind: "changed"; readonly result: StoredResult }
  | { readonly kind: "equal" }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly message: string };

/** A platform that can parse its stored answers. */
type RereadingPlatform = Platform & Required<Pick<Platform, "reread">>;

/**
 * Parses a stored answer with the current code, and reports whether the result differs. Sends no request to a platform.
 * Whatever belongs to the run and not to the parsing is kept: when the answer was observed, where it came from, and the
 * artifacts made from it.
 */
async function rereadAnswer(platform: RereadingPlatform, stored: StoredAnswer): Promise<Reread> {
  const options = optionsOf(stored);
  const former = stored.result;
  const observedAt =
    former.observedAt === null ? (stored.completed_at ?? stored.created_at) : new Date(former.observedAt);
  let outcome: Outcome;
  let composed: StoredResult;
  try {
    const question = { taskId: stored.id, text: stored.question, options, attempt: 1 };
    outcome = await platform.reread(stored.raw, question, observedAt);
    if (outcome.kind !== "answered") return failed(outcome);
    composed = composeResult(outcome.answer, platform, options);
  } catch (error) {
    // A parser that throws does not support this answer. The others are still parsed.
    return { kind: "failed", code: "internal", message: error instanceof Error ? error.message : String(error) };
  }
  const { screenshotUrl, shareUrl, provenance, effective, evidence } = former;
  const { effective: _unknown, ...parsed } = composed;
  const kept = withArtifacts(parsed, {
    ...(screenshotUrl === null ? {} : { screenshotUrl }),
    ...(shareUrl === null ? {} : { shareUrl }),
  });
  const result: StoredResult = {
    ...kept,
    observedAt: former.observedAt,
    provenance,
    ...(effective === undefined ? {} : { effective }),
    ...(evidence === undefined ? {} : { evidence }),
  };
  return isDeepStrictEqual(result, former) ? { kind: "equal" } : { kind: "changed", result };
}

function failed(outcome: Exclude<Outcome, { kind: "answered" }>): Reread {
  switch (outcome.kind) {
    case "retryable":
    case "permanent":
      return { kind: "failed", code: outcome.code, message: outcome.message };
    case "throttled":
      return { kind: "failed", code: "platform_rate_limited", message: "The stored answer is a rate limit response." };
    case "lost":
    case "canceled":
      return { kind: "failed", code: "internal", message: "The reading was canceled." };
  }
}

interface Revision {
  readonly taskId: string;
  /** The partition of the result. */
  readonly day: string;
  /** The revision that it replaces. */
  readonly replaces: number;
  readonly result: StoredResult;
}

const revisionRows = rowsAs<Revision>("n", {
  task_id: ["uuid", (revision) => revision.taskId],
  replaces: ["int", (revision) => revision.replaces],
});

const resultRows = rowsAs<Revision>("n", {
  task_id: ["uuid", (revision) => revision.taskId],
  day: ["date", (revision) => revision.day],
  result: ["json", (revision) => JSON.stringify(revision.result)],
});

/**
 * Replaces stored results of one account's tasks, and increases the tasks' `revision`. Nothing else of a task changes, neither points nor times. A
 * task whose result has expired, or was replaced concurrently, is left alone. Returns the revised tasks.
 */
async function storeRevisions(
  tx: Transaction,
  accountId: string,
  revisions: readonly Revision[],
): Promise<FinishedTask[]> {
  // Locks: the tasks' rows, in the order of their ids, in a separate statement, so that the next one sees their current state.
  const { rows: locked } = await tx.query<{ id: string }>(
    `select t.id from tasks t join ${revisionRows.after(1)} on t.account_id = $1 and t.id = n.task_id
      where t.revision = n.replaces and t.state = 'completed' and t.expires_at > now()
      order by t.id for no key update of t`,
    [accountId, ...revisionRows.values(revisions)],
  );
  const mine = new Set(locked.map(({ id }) => id));
  const results = new Map(revisions.filter(({ taskId }) => mine.has(taskId)).map((made) => [made.taskId, made]));
  if (results.size === 0) return [];
  const made = [...results.values()];
  // If the partition was dropped concurrently, there is no row to update, and the task is not revised. Index: the primary keys.
  const { rows } = await tx.query<TaskRow>(
    `with stored as (
       update task_results r set result = n.result
         from ${resultRows.after(1)}
        where r.day = n.day and r.task_id = n.task_id and r.account_id = $1 and r.expires_at > now()
       returning r.task_id
     )
     update tasks t set revision = t.revision + 1 from stored s where t.account_id = $1 and t.id = s.task_id
     returning ${taskColumns}`,
    [accountId, ...resultRows.values(made)],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    taskId: row.id,
    webhookUrl: row.webhook_url,
    record: taskRecord(row, results.get(row.id)?.result ?? null, row.completed_at ?? row.created_at),
  }));
}
