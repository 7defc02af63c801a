import { api, type TaskRecord, type WebhookTest, type WebhookTestReply } from "@querent/contract";
import { AccountSemaphore } from "../../api/account-semaphore.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route } from "../../api/route.ts";
import { readWebhook, rotateSecret, setWebhook, forgetFailures, resumePaused, type SettingsDeps } from "./settings.ts";
import { retryDeadlock, type Database, type Transaction } from "../../db/index.ts";
import { nothingToRecord } from "../../runtime/audited.ts";
import { newId } from "../../kernel/ids.ts";
import { notificationBody, readDefaultAddress } from "../outbox/outbox.ts";
import { inventedData, noId } from "./invented-events.ts";
import type { EgressGuard } from "../../egress/index.ts";
import { MasterKeyError, type MasterKey } from "../../vault/index.ts";
import type { Sender } from "../send/send.ts";
import { signRequest } from "../signing/signature.ts";
import { putAccountInLine } from "../outbox/delivery-turns.ts";
import { readSigning } from "../signing/signing-secrets.ts";

export interface WebhookRouteDeps extends SettingsDeps, WebhookTesterDeps {
  /** Called when paused deliveries may have become due. */
  readonly wake: () => void;
}

/** Concurrent tests of one account in this process: as many as its requests to one receiver. */
const testsMax = 4;

export function webhookRoutes(deps: WebhookRouteDeps): Route[] {
  const tests = new AccountSemaphore({
    what: "tests of a webhook",
    perAccount: testsMax,
    inAll: Number.POSITIVE_INFINITY,
    waitMs: 0,
    waitingMax: 0,
  });
  return [
    route(api.getWebhook, async ({ caller, query: { secret: isAsked = true } }) => {
      const record = await readWebhook(deps, deps.database, caller.accountId);
      if (isAsked) return secret(record);
      nothingToRecord();
      return secret({ ...record, signingSecret: "" });
    }),
    route(api.putWebhook, async ({ caller, body, signal }) => {
      const record = await setWebhook(deps, caller.accountId, body, signal);
      deps.wake();
      return secret(record);
    }),
    route(api.rotateSecret, async ({ caller, body }) =>
      secret(await rotateSecret(deps, caller.accountId, body?.previousSecretValidSeconds ?? 0)),
    ),
    route(api.testWebhook, async ({ caller, body, signal }) => {
      const release = tests.tryAcquire(caller.accountId);
      if (release === null) {
        throw new ProblemError("state_conflict", `${testsMax} tests are under way. Wait until one has ended.`, {
          headers: { "retry-after": "5" },
        });
      }
      try {
        const reply = await testWebhook(deps, caller.accountId, body, signal);
        if (reply.passed) deps.wake();
        return { status: 200, body: reply };
      } finally {
        release();
      }
    }),
  ];
}

/** The record contains a secret: caches must not store it. */
function secret(record: object) {
  return { status: 200, headers: { "cache-control": "no-store" }, body: record };
}

interface WebhookTesterDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly guard: EgressGuard;
  readonly sender: Sender;
  readonly bodyBytesMax: number;
}

/**
 * Sends a test notification to `given`, or to the account's address, through the same path as every notification: the guard, the
 * current secret, and the sender's limits. A successful test of the account's address ends its suspension.
 */
async function testWebhook(
  { database, guard, masterKey, sender, bodyBytesMax }: WebhookTesterDeps,
  accountId: string,
  asked: WebhookTest | undefined,
  signal: AbortSignal,
): Promise<WebhookTestReply> {
  const given = asked?.url ?? null;
  const signing = (await readSigning(database, masterKey, [accountId])).get(accountId)?.signing;
  if (signing === undefined) throw new ProblemError("not_found", "The account has no notification settings.");
  if (signing instanceof MasterKeyError) throw signing;
  const url = given ?? (await readDefaultAddress(database, accountId))?.url ?? null;
  if (url === null) {
    throw new ProblemError(
      "state_conflict",
      "The account has no address. Set one with `PUT /v1/webhook`, or send `url`.",
    );
  }
  // The account's address was checked when it was set; if it is refused now, the test shows how sending fails.
  if (given !== null) await guard.requireResolvedAddress(given, "/url", signal);
  const deliveryId = newId();
  const now = new Date();
  const body = testBody(asked, now, bodyBytesMax);
  const request = signRequest(signing, { deliveryId, url, body }, now);
  const outcome = await sender.send({ ...request, headers: { "X-Service-Test": "true" } }, signal);
  if (outcome.kind === "ours") {
    throw new ProblemError("unavailable", "The test could not be sent. Try again.", {
      cause: outcome.error,
      headers: { "retry-after": "2" },
    });
  }
  const status = outcome.kind === "replied" ? outcome.status : null;
  const passed = status !== null && status >= 200 && status < 300;
  return {
    passed,
    url,
    deliveryId,
    status,
    fault: outcome.fault,
    durationMs: outcome.durationMs,
    responseSnippet: outcome.kind === "replied" ? outcome.snippet : null,
    suspensionLifted: passed && (await resume(database, accountId, url)),
  };
}

/**
 * Records a successful test as a success of the account's address, if the address has not changed. Returns whether it was
 * suspended.
 */
async function resume(database: Database, accountId: string, url: string): Promise<boolean> {
  const record = async (tx: Transaction) => {
    await putAccountInLine(tx, accountId);
    const { rows } = await tx.query<{ suspended: boolean }>(
      "select suspended_at is not null as suspended from webhooks where account_id = $1 and url = $2 for no key update",
      [accountId, url],
    );
    const { origin } = new URL(url);
    if (rows[0] === undefined) {
      await tx.query("delete from delivery_breakers where account_id = $1 and origin = $2", [accountId, origin]);
      return false;
    }
    await tx.query(
      `update webhooks set ${forgetFailures}, last_success_at = now(),
              url_set_at = case when suspended_at is null then url_set_at else now() end
        where account_id = $1`,
      [accountId],
    );
    await resumePaused(tx, accountId, { url, origin });
    return rows[0].suspended;
  };
  return retryDeadlock(() => database.transaction(record));
}

/** What a test sends: the end of a task, or another event with invented data. */
function testBody(asked: WebhookTest | undefined, now: Date, bytesMax: number): Buffer {
  const event = asked?.event ?? "task.finished";
  const isOmitted = asked?.resultOmitted === true;
  if (event === "task.finished") return notificationBody(testRecord(now), 1, isOmitted ? 0 : bytesMax);
  if (isOmitted)
    throw new ProblemError("validation_failed", "Only `task.finished` has a result. Nothing was sent.", {
      errors: [{ pointer: "/resultOmitted", code: "not_allowed", detail: "Leave it out for other events." }],
    });
  const common = { event, deliveryRevision: 1, eventId: noId, createdAt: now.toISOString() };
  return Buffer.from(JSON.stringify({ ...common, data: inventedData(now)[event] }), "utf8");
}

/** An invented completed task. */
function testRecord(now: Date): TaskRecord {
  const at = now.toISOString();
  return {
    taskId: noId,
    batchId: noId,
    clientReference: null,
    tags: [],
    question: "Does this notification arrive?",
    platformCode: "test",
    options: { deepAnalysis: false, output: "answer", resultFormat: "json" },
    webhookUrl: null,
    priority: 5,
    notBefore: null,
    startBefore: null,
    runTimeoutSeconds: 60,
    state: "completed",
    progress: null,
    content: "This is a test notification. It belongs to no task.",
    pageHtml: null,
    modelVersion: null,
    observedAt: null,
    sources: [],
    products: [],
    videos: [],
    media: [],
    reasoningProcess: null,
    searchProcess: null,
    ads: [],
    alternatives: [],
    relatedQuestions: [],
    relatedSearches: [],
    screenshotUrl: null,
    shareUrl: null,
    truncatedBy: null,
    availability: null,
    provenance: null,
    evidence: [],
    effective: null,
    failure: null,
    chargedPoints: 0,
    revision: 1,
    expired: false,
    createdAt: at,
    startedAt: at,
    completedAt: at,
    canceledAt: null,
    expiresAt: null,
    durationMs: null,
  };
}
