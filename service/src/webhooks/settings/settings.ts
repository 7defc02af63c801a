import { setTimeout as sleep } from "node:timers/promises";
import type { WebhookChange, WebhookRecord } from "@querent/contract";
import { retryDeadlock, type Database, type Queryable, type Transaction } from "../../db/index.ts";
import { noteAudit } from "../../runtime/audited.ts";
import { ProblemError } from "../../api/problem-error.ts";
import type { EgressGuard } from "../../egress/index.ts";
import type { MasterKey } from "../../vault/index.ts";
import { putAccountInLine } from "../outbox/delivery-turns.ts";
import { replaceSecret, signingLifeMs } from "../signing/signing-secrets.ts";

export interface SettingsDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly guard: EgressGuard;
}

interface WebhookRow {
  url: string | null;
  events: WebhookRecord["events"];
  secret_version: number;
  suspended_at: Date | null;
  suspended_reason: WebhookRecord["suspendedReason"];
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_failure_status: number | null;
  last_failure_fault: WebhookRecord["lastFailureFault"];
  ciphertext: Buffer;
}

export async function readWebhook(
  deps: Pick<SettingsDeps, "masterKey">,
  db: Queryable,
  accountId: string,
): Promise<WebhookRecord> {
  const { rows } = await db.query<WebhookRow>(
    `select w.url, w.events, w.secret_version, w.suspended_at, w.suspended_reason, w.last_success_at, w.last_failure_at,
            w.last_failure_status, w.last_failure_fault, s.ciphertext
       from webhooks w join signing_secrets s on s.account_id = w.account_id and s.version = w.secret_version
      where w.account_id = $1`,
    [accountId],
  );
  const row = rows[0];
  if (row === undefined) throw new ProblemError("not_found", "The account has no notification settings.");
  return {
    url: row.url,
    signingSecret: deps.masterKey.decrypt(row.ciphertext, accountId, row.secret_version),
    secretVersion: row.secret_version,
    events: row.events,
    status: addressStatus(row),
    suspendedAt: row.suspended_at?.toISOString() ?? null,
    suspendedReason: row.suspended_reason,
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    lastFailureAt: row.last_failure_at?.toISOString() ?? null,
    lastFailureStatus: row.last_failure_status,
    lastFailureFault: row.last_failure_fault,
  };
}

export function addressStatus({
  url,
  suspended_at,
}: Pick<WebhookRow, "url" | "suspended_at">): WebhookRecord["status"] {
  if (url === null) return "unset";
  return suspended_at === null ? "active" : "suspended";
}

/**
 * Sets the default address, or removes it with null, and the types of events that are sent, if given. Setting an address, the
 * same or another, ends a suspension: paused deliveries are sent to the new address. The caller wakes the notifier afterwards.
 */
export async function setWebhook(
  deps: SettingsDeps,
  accountId: string,
  { url, events = null }: Pick<WebhookChange, "url" | "events">,
  signal?: AbortSignal,
): Promise<WebhookRecord> {
  if (events !== null && !events.includes("task.finished")) {
    const detail = "The ends of tasks are always sent. Add `task.finished`.";
    throw new ProblemError("validation_failed", "The settings are not valid. Nothing was changed.", {
      errors: [{ pointer: "/events", code: "required", detail }],
    });
  }
  const address = url === null ? null : await deps.guard.requireResolvedAddress(url, "/url", signal);
  const set = async (tx: Transaction) => {
    await putAccountInLine(tx, accountId);
    const { rows } = await tx.query<{ origin: string | null; events: string[] | null }>(
      "select origin, events from webhooks where account_id = $1",
      [accountId],
    );
    // The path and the query of an address may contain a secret of the receiver.
    noteAudit({
      ...(rows[0] === undefined ? {} : { before: rows[0] }),
      after: { origin: address?.origin ?? null, events: events ?? rows[0]?.events ?? null },
    });
    await tx.query(
      `update webhooks set url = $2, origin = $3, url_set_at = case when $2::text is null then null else now() end,
              ${forgetFailures}, events = coalesce($4, events)
        where account_id = $1`,
      [accountId, url, address?.origin ?? null, events],
    );
    if (address !== null) await resumePaused(tx, accountId, { url, origin: address.origin });
    return readWebhook(deps, tx, accountId);
  };
  return retryDeadlock(() => deps.database.transaction(set));
}

/** SQL: ends the suspension of an address, and forgets its failures. */
export const forgetFailures = `suspended_at = null, suspended_reason = null, failures = 0, first_failure_at = null,
  last_failure_at = null, last_failure_status = null, last_failure_fault = null`;

/**
 * After a suspension: queues what was paused, for the current default address. The caller has put the account in the notifiers'
 * line.
 */
export async function resumePaused(
  tx: Queryable,
  accountId: string,
  address: { url: string | null; origin: string },
): Promise<void> {
  // Rows that are paused concurrently and missed here are found by the notifier's upkeep.
  await tx.query(
    `with freed as (
       update delivery_queue set state = 'queued', next_attempt_at = now(), origin = $3
        where account_id = $1 and state = 'held' returning delivery_ids
     )
     update deliveries d set url = $2, origin = $3
       from freed cross join lateral unnest(freed.delivery_ids) as u(id) where d.account_id = $1 and d.id = u.id`,
    [accountId, address.url, address.origin],
  );
  await tx.query("delete from delivery_breakers where account_id = $1 and origin = $2", [accountId, address.origin]);
}

/**
 * Creates a new secret. Its version is one higher, even with concurrent rotations: the webhook's row is locked first. Once this
 * has returned, every signing that starts later uses the new secret (see signing-secrets.ts). The previous secret stays valid
 * beside it for `previousValidSeconds`; older ones become invalid immediately.
 */
export async function rotateSecret(
  deps: SettingsDeps,
  accountId: string,
  previousValidSeconds: number,
): Promise<WebhookRecord> {
  const rotated = await deps.database.transaction(async (tx) => {
    await replaceSecret(tx, deps.masterKey, accountId, previousValidSeconds);
    const record = await readWebhook(deps, tx, accountId);
    noteAudit({ after: { secretVersion: record.secretVersion, previousValidSeconds } });
    return record;
  });
  await sleep(signingLifeMs);
  return rotated;
}
