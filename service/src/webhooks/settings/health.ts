import type { Condition, Overview, WebhookRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { listChannels } from "../channels/channels.ts";
import { addressStatus } from "./settings.ts";

const countedMax = 1_000;
/** Retries of all accounts share one queue ordered by time; this number of the next ones is examined. */
const retriesReadMax = 10_000;

/** The health of an account's notifications. Failed deliveries are those created since `from`. */
export async function readWebhookHealth(db: Queryable, accountId: string, from: Date): Promise<Overview["webhook"]> {
  // A row of the queue carries the deliveries of several tasks that ended together.
  // Indexes: the primary key; those of delivery_queue for each state; deliveries_undelivered, from its newest. Each is read up
  // to a bound: an account without an address has as many undelivered rows as tasks.
  const { rows } = await db.query<{
    url: string | null;
    suspended_at: Date | null;
    suspended_reason: WebhookRecord["suspendedReason"];
    last_success_at: Date | null;
    failures: number;
    pending: number;
    failed: number;
  }>({
    name: "webhook health",
    text: `select w.url, w.suspended_at, w.suspended_reason, w.last_success_at, w.failures,
                  least($3, (select coalesce(sum(cardinality(delivery_ids)), 0) from (
                                select delivery_ids from delivery_queue where account_id = $1 and state = 'queued' limit $3) q)
                    + (select coalesce(sum(cardinality(delivery_ids)), 0) from (
                         select delivery_ids from delivery_queue where account_id = $1 and state = 'held' limit $3) h)
                    + (select coalesce(sum(cardinality(delivery_ids)), 0) from (
                         select delivery_ids from delivery_queue where account_id = $1 and state = 'in_flight' limit $3) f)
                    + (select coalesce(sum(cardinality(delivery_ids)), 0) from (
                         select account_id, delivery_ids from delivery_queue where state = 'waiting'
                          order by next_attempt_at limit $4) r where r.account_id = $1))::int as pending,
                  (select count(*)::int from (select state, created_at from deliveries where account_id = $1 and undelivered
                                         order by id desc limit $3) u
                   where u.state = 'failed' and u.created_at >= $2) as failed
           from webhooks w where w.account_id = $1`,
    values: [accountId, from, countedMax, retriesReadMax],
  });
  const row = rows[0];
  if (row === undefined) throw new Error(`account ${accountId} has no notification settings`);
  return {
    status: addressStatus(row),
    suspendedAt: row.suspended_at?.toISOString() ?? null,
    suspendedReason: row.suspended_reason,
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    failuresSinceSuccess: row.failures,
    pendingDeliveries: row.pending,
    failedDeliveries: row.failed,
  };
}

/** The number of consecutive failed attempts that is reported. */
const failuresMin = 3;

/** Reports that the account's address is suspended or failing, and channels that are gone. */
export function webhookConditions(db: Queryable): (accountId: string) => Promise<Condition[]> {
  return async (accountId) => [
    ...(await addressConditions(db, accountId)),
    ...(await channelConditions(db, accountId)),
  ];
}

async function channelConditions(db: Queryable, accountId: string): Promise<Condition[]> {
  return (await listChannels(db, accountId)).flatMap(({ name, goneSince: since, problem }): Condition[] => {
    if (since === null) return [];
    const detail = `The channel “${name}” is gone, and nothing is sent to it. ${problem ?? ""}`.trim();
    return [{ code: "channel_gone", severity: "error", since, detail, platformCode: null }];
  });
}

async function addressConditions(db: Queryable, accountId: string): Promise<Condition[]> {
  // Index: the primary key.
  const { rows } = await db.query<{
    suspended_at: Date | null;
    suspended_reason: WebhookRecord["suspendedReason"];
    failures: number;
    first_failure_at: Date | null;
    last_failure_status: number | null;
    last_failure_fault: string | null;
  }>(
    `select suspended_at, suspended_reason, failures, first_failure_at, last_failure_status, last_failure_fault
       from webhooks where account_id = $1 and url is not null`,
    [accountId],
  );
  const row = rows[0];
  if (row === undefined) return [];
  const last = row.last_failure_status === null ? row.last_failure_fault : `status ${row.last_failure_status}`;
  const lastTime = last === null ? "" : ` Last attempt: ${last}.`;
  if (row.suspended_at !== null) {
    const why =
      row.suspended_reason === "gone"
        ? "answered 410, which says that it is not there any more"
        : "has failed for days, and is suspended";
    return [
      {
        code: "endpoint_suspended",
        severity: "error",
        since: row.suspended_at.toISOString(),
        detail: `The account's address ${why}. Its deliveries wait until the address is set again, or passes a test.${lastTime}`,
        platformCode: null,
      },
    ];
  }
  if (row.failures < failuresMin) return [];
  return [
    {
      code: "endpoint_failing",
      severity: "warning",
      since: row.first_failure_at?.toISOString() ?? null,
      detail: `The last ${row.failures} attempts to send to the account's address failed. They are repeated for about three days.${lastTime}`,
      platformCode: null,
    },
  ];
}
