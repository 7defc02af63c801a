import { createHash } from "node:crypto";
import { api, type TaskRecord } from "@querent/contract";
import { readsInTurn, type Database, type ListReader, type ListSource } from "../db/index.ts";
import { asOfHeaders, route, type Caller, type Route, type RouteReply } from "../api/route.ts";
import { negotiate } from "../api/negotiate.ts";
import { decodeCursor, encodeCursor } from "../api/cursor.ts";
import type { AccountSemaphore } from "../api/account-semaphore.ts";
import { ProblemError, unauthorized } from "../api/problem-error.ts";
import { idPattern } from "../kernel/ids.ts";
import { readAttempts } from "./read/attempts.ts";
import { batchResultsAsCsv, batchResultsAsNdjson } from "./read/batch-results.ts";
import { getBatch, hasBatch, hasEnded, listBatches, pendingTasksOf } from "./read/batches.ts";
import { cancelTasks } from "./finish/cancel-tasks.ts";
import type { EndTasksDeps, Finish, EndWatch } from "./finish/end-tasks.ts";
import { getTask } from "./read/get-task.ts";
import { fingerprintsOf } from "./submit/idempotency.ts";
import { listTasks } from "./read/list-tasks.ts";
import { quoteBatch, readMaxPoints, withinPoints } from "./submit/quote-batch.ts";
import { readItems, type ItemRules } from "./submit/read-items.ts";
import { submitBatch } from "./submit/submit-batch.ts";

type Access = Pick<Caller, "accountId" | "projects">;

export interface TaskRoutesDeps {
  readonly database: Database;
  readonly lists: ListReader;
  /** The rules as they are now. Called for every submission, so it must be cheap. */
  readonly rules: () => Promise<ItemRules>;
  readonly ends: EndTasksDeps;
  readonly endWatch: EndWatch;
  /** Limits requests that wait for the end of a task. */
  readonly waits: AccountSemaphore;
  /** Limits batch results that are being sent. */
  readonly exports: AccountSemaphore;
  /** Limits what they, and lists, read at once. */
  readonly reads: AccountSemaphore;
  /** False once the token is revoked or expired: called while an accepted request is still in progress. */
  readonly isAccessValid: (accessId: string) => Promise<boolean>;
  /** The panels whose tasks a list shows: those of a project that is asked for, or of the projects of an access. Null: it shows all tasks. */
  readonly panelsToList: (access: Access, project: string | undefined) => Promise<readonly string[] | null>;
  /** The project of the panel that asked a task. Null: no panel did. */
  readonly projectOf: (accountId: string, taskId: string) => Promise<string | null>;
  /** Called with the platforms that have new tasks. */
  readonly onSubmitted: (platforms: readonly string[]) => void;
  /** Called with the canceled tasks. */
  readonly onCanceled: (canceled: Finish) => void;
}

/** The maximum of `Prefer: wait`, in seconds. */
const waitSecondsMax = 60;
const noSuchTask = () => new ProblemError("not_found", "There is no such task.");
const noSuchBatch = () => new ProblemError("not_found", "There is no such batch.");

export function taskRoutes(deps: TaskRoutesDeps): Route[] {
  return [...submissionRoutes(deps), ...singleTaskRoutes(deps), ...batchRoutes(deps)];
}

function submissionRoutes(deps: TaskRoutesDeps): Route[] {
  const { database, rules: rulesNow } = deps;
  return [
    route(api.submitBatch, async ({ caller, idempotencyKey, headers, body, rawBody, traceParent, full }) => {
      const pointsMax = readMaxPoints(headers);
      const use = {
        accountId: caller.accountId,
        tokenId: caller.tokenId,
        route: "tasks/batch",
        key: idempotencyKey ?? "",
        traceParent,
        ...fingerprintsOf(rawBody, body),
      };
      const rules = await rulesNow();
      const { accepted, replayed, platforms } = await submitBatch(database, use, () => {
        if (full !== null) throw full;
        return withinPoints(readItems(body, rules), pointsMax);
      });
      if (!replayed) deps.onSubmitted(platforms);
      return { status: 202, body: accepted, ...(replayed ? { headers: { "idempotent-replayed": "true" } } : {}) };
    }),

    route(api.quoteBatch, async ({ caller, body }) => ({
      status: 200,
      body: await quoteBatch(database, caller.accountId, body, await rulesNow()),
    })),
  ];
}

function singleTaskRoutes(deps: TaskRoutesDeps): Route[] {
  const { database } = deps;
  return [
    route(api.getTask, async ({ caller, params, headers, signal }) => {
      const find = () => getTask(database, caller.accountId, params.task_id);
      let record = await find();
      const waitSeconds = readWait(headers["prefer"]);
      let isRefused = false;
      if (record?.state === "pending" && waitSeconds !== null) {
        const release = deps.waits.tryAcquire(caller.accountId);
        // A preference never causes an error: if too many requests wait, the response is sent immediately, without
        // `Preference-Applied`, and its connection is closed: a client that asks for more waits than it may have holds no more of them.
        if (release === null) isRefused = true;
        else {
          await deps.endWatch.wait(caller.accountId, params.task_id, waitSeconds * 1000, signal).finally(release);
          if (!(await deps.isAccessValid(caller.accessId))) throw unauthorized();
          if (!(await isOfAccess(deps, caller, params.task_id))) throw noSuchTask();
          record = await find();
        }
      }
      if (record === null) throw noSuchTask();
      const { headers: own, ...reply } = taskReply(record, headers["if-none-match"], isRefused ? null : waitSeconds);
      return { ...reply, headers: { ...own, ...(isRefused ? { connection: "close" } : {}) } };
    }),

    route(api.getTaskAttempts, async ({ caller, params }) => {
      const body = await readAttempts(database, caller.accountId, params.task_id);
      if (body === null) throw noSuchTask();
      return { status: 200, headers: { "cache-control": "private, no-cache" }, body };
    }),

    route(api.listTasks, async ({ caller, query }) => {
      const { project, ...filter } = query;
      const panelIds = await deps.panelsToList(caller, project);
      const { db, asOf } = deps.lists.source();
      const { tasks, nextId } = await listTasks(db, caller.accountId, { ...filter, panelIds }, pageOf(query));
      return {
        status: 200,
        headers: asOfHeaders(asOf),
        body: { tasks, nextCursor: nextId === null ? null : encodeCursor(nextId) },
      };
    }),

    route(api.cancelTask, async ({ caller, params }) => {
      if ((await getTask(database, caller.accountId, params.task_id)) === null) throw noSuchTask();
      const canceled = await cancel(deps, [params.task_id]);
      const record = await getTask(database, caller.accountId, params.task_id);
      if (record === null) throw noSuchTask();
      if (canceled.length === 0) throw new ProblemError("state_conflict", `The task has ended: it is ${record.state}.`);
      return { status: 200, body: record };
    }),
  ];
}

function batchRoutes(deps: TaskRoutesDeps): Route[] {
  const { database } = deps;
  return [
    route(api.listBatches, async ({ caller, query }) => {
      const source = deps.lists.source();
      const { batches, nextId } = await listBatches(source, caller.accountId, query, pageOf(query));
      return {
        status: 200,
        headers: asOfHeaders(source.asOf),
        body: { batches, nextCursor: nextId === null ? null : encodeCursor(nextId) },
      };
    }),

    route(api.getBatch, async ({ caller, params }) => {
      const batch = await getBatch(database, caller.accountId, params.batch_id);
      if (batch === null) throw noSuchBatch();
      return { status: 200, body: batch };
    }),

    route(api.cancelBatch, async ({ caller, params }) => {
      if (!(await hasBatch(database, caller.accountId, params.batch_id))) throw noSuchBatch();
      const canceled = await cancel(deps, await pendingTasksOf(database, caller.accountId, params.batch_id));
      return { status: 200, body: { batchId: params.batch_id, canceledCount: canceled.length } };
    }),

    route(api.getBatchResults, async ({ caller, params, query, headers, signal }) => {
      if (!(await hasBatch(database, caller.accountId, params.batch_id))) throw noSuchBatch();
      const wanted = {
        accountId: caller.accountId,
        batchId: params.batch_id,
        endedFrom: query.endedFrom ?? null,
        isAllowed: () => deps.isAccessValid(caller.accessId),
      };
      const { db, asOf } = await resultsSource(deps, caller.accountId, params.batch_id);
      const release = await deps.exports.acquire(caller.accountId, signal);
      const isCsv = negotiate(headers["accept"], ["application/x-ndjson", "text/csv"]) === "text/csv";
      const over = new AbortController();
      const reads = readsInTurn(db, () => deps.reads.acquireOnceFree(caller.accountId, over.signal));
      const body = isCsv ? batchResultsAsCsv(reads, wanted) : batchResultsAsNdjson(reads, wanted);
      body.once("close", () => {
        over.abort();
        release();
      });
      // The client may have disconnected while the request was queued.
      if (signal.aborted) body.destroy();
      const type = isCsv ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson";
      return { status: 200, headers: { ...asOfHeaders(asOf), "content-type": type }, body };
    }),
  ];
}

/**
 * A replica only if the batch has ended there, too: a client that was told of the end expects every result, and would not ask
 * again.
 */
async function resultsSource(deps: TaskRoutesDeps, accountId: string, batchId: string): Promise<ListSource> {
  const source = deps.lists.source();
  if (source.asOf === null || (await hasEnded(source.db, accountId, batchId))) return source;
  return { db: deps.database, asOf: null };
}

/** Whether a task is still of the projects of an access: its panel may have moved while a request waited. */
const isOfAccess = async ({ projectOf }: TaskRoutesDeps, { accountId, projects }: Access, taskId: string) =>
  projects === null || projects.includes((await projectOf(accountId, taskId)) ?? "");

async function cancel(deps: TaskRoutesDeps, taskIds: readonly string[]): Promise<readonly string[]> {
  const canceled = await cancelTasks(deps.database, taskIds, deps.ends);
  if (canceled.taskIds.length > 0) deps.onCanceled(canceled);
  return canceled.taskIds;
}

function pageOf({ cursor, limit = 50 }: { cursor?: string; limit?: number }): {
  beforeId: string | null;
  limit: number;
} {
  return { beforeId: cursor === undefined ? null : decodeCursor(cursor, idPattern), limit };
}

/**
 * `wait=N` of a `Prefer` header (RFC 7240), bounded; null if there is none or it is invalid, since preferences never cause
 * errors.
 */
function readWait(prefer: string | undefined): number | null {
  const wait = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?(?=$|[,;\s])/i.exec(prefer ?? "")?.[1];
  return wait === undefined ? null : Math.min(Number(wait), waitSecondsMax);
}

function taskReply(record: TaskRecord, ifNoneMatch: string | undefined, waitSeconds: number | null): RouteReply {
  const body = JSON.stringify(record);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  const headers = {
    etag,
    "cache-control": "private, no-cache",
    ...(waitSeconds === null ? {} : { "preference-applied": `wait=${waitSeconds}` }),
    ...(record.state === "pending" ? { "retry-after": "1" } : {}),
  };
  if (matches(ifNoneMatch, etag)) return { status: 304, headers };
  return { status: 200, headers: { ...headers, "content-type": "application/json; charset=utf-8" }, body };
}

/** Weak comparison, as required for If-None-Match (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
