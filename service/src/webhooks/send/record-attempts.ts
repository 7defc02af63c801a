import type { DeliveryAttempt } from "@querent/contract";
import { keptPlans, rowsAs, type Database } from "../../db/index.ts";
import { idRange } from "../../kernel/ids.ts";
import { putInLine } from "../outbox/delivery-turns.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";
import { recordHealth } from "./record-health.ts";
import type { DeliveryFault } from "./send.ts";
import type { Signed } from "../signing/signature.ts";
import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "../../runtime/backoff.ts";
import { Batcher } from "../../runtime/batcher.ts";

export interface Attempted {
  readonly kind: "attempted";
  readonly delivery: ClaimedDelivery;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly fault: DeliveryFault | null;
  readonly snippet: string | null;
  /** What signed it, as sent; null for a mail. */
  readonly signed: Signed | null;
  readonly next: NextStep;
  /** It is about one recipient, and says nothing about the health of its destination. */
  readonly isOfRecipient?: boolean;
}

/** The outcome of a claimed delivery. */
export type DeliveryResult =
  | Attempted
  /** Handed back without an attempt. */
  | { readonly kind: "released"; readonly delivery: ClaimedDelivery; readonly delayMs: number };

/** An attempt as stored in `deliveries.attempt_log`; its number is its position. Signed at `startedAt`. */
export type LoggedDeliveryAttempt = Omit<DeliveryAttempt, "attempt" | "headers"> & Partial<Signed>;

/**
 * Records attempts and hands deliveries back, many in one transaction, which commits all of them or none. A batch whose fence
 * has changed is left alone, and its attempts are not recorded: another process owns it now. Safe to repeat after an error,
 * whether or not the first try was committed.
 *
 * Locks: the queue's rows (nobody else wants rows in flight, except upkeep, which skips them), turns of accounts with deliveries
 * to be sent again, their deliveries, then breakers, then webhooks. Two processes can lock the last two in different orders;
 * PostgreSQL then aborts one, which repeats.
 *
 * Returns the ids whose fence was current.
 */
export async function recordAttempts(database: Database, finishes: readonly DeliveryResult[]): Promise<Set<string>> {
  const { least, greatest } = idRange(finishes.map(({ delivery }) => delivery.id));
  return database.transaction(
    async (tx) => {
      const { rows } = await tx.query<RecordedRow>({
        name: "record_attempts",
        text: recordStatement,
        values: [least, greatest, ...outcomeRows.values(finishes)],
      });
      const recorded = new Map(rows.map((row) => [row.id, row]));
      const health = recordHealth(
        tx,
        finishes.flatMap((finish) => {
          const row = recorded.get(finish.delivery.id);
          if (finish.kind !== "attempted" || row === undefined || row.url === null) return [];
          if (finish.isOfRecipient === true) return [];
          const { delivery, status, fault, next } = finish;
          const { accountId, origin } = delivery;
          return [
            {
              accountId,
              origin,
              url: row.url,
              toDefault: row.to_default,
              delivered: next.state === "delivered",
              status,
              fault,
            },
          ];
        }),
      );
      tx.commit();
      await health;
      return new Set(recorded.keys());
    },
    { settings: keptPlans },
  );
}

interface RecordedRow {
  id: string;
  /** Null for a delivery that was handed back. */
  url: string | null;
  to_default: boolean;
}

function delayOf(finish: DeliveryResult): number {
  if (finish.kind === "released") return finish.delayMs;
  return finish.next.state === "pending" ? finish.next.delayMs : 0;
}

/** An attempt as stored, with the times of this process. */
function logEntry({ startedAt, durationMs, status, fault, snippet, signed, next }: Attempted): LoggedDeliveryAttempt {
  return {
    ...signed,
    startedAt: startedAt.toISOString(),
    durationMs,
    status,
    fault,
    responseSnippet: snippet,
    nextAttemptAt:
      next.state === "pending" ? new Date(startedAt.getTime() + durationMs + next.delayMs).toISOString() : null,
  };
}

const outcomeRows = rowsAs<DeliveryResult>("o", {
  account_id: ["uuid", ({ delivery }) => delivery.accountId],
  id: ["uuid", ({ delivery }) => delivery.id],
  batch: ["uuid", ({ delivery }) => delivery.batchId],
  fence: ["int", ({ delivery }) => delivery.fence],
  entry: ["jsonb", (finish) => (finish.kind === "attempted" ? JSON.stringify(logEntry(finish)) : null)],
  state: ["text", (finish) => (finish.kind === "attempted" ? finish.next.state : "pending")],
  delay_ms: ["float8", delayOf],
});

// What is returned is not joined: the planner expects few rows, and compared every recorded attempt with every other.
// The queue's rows are selected by arrays, additionally or exclusively: with statistics of an empty queue, joins read 60,000
// newly inserted rows once for each recorded attempt.
const recordStatement = `
with o as materialized (
  select * from ${outcomeRows.after(2)}
), b as (
  select batch, fence, array_agg(id) as ids from o group by batch, fence
), q as materialized (
  select q.id, q.origin, q.to_default, q.attempts, q.next_attempt_at, q.expires_at, q.delivery_ids,
         array(select u.id from unnest(q.delivery_ids) with ordinality as u(id, nth) where u.id <> all (b.ids) order by u.nth) as rest
    from b join delivery_queue q on q.id = any(array(select batch from b)) and q.id = b.batch and q.fence = b.fence and q.lease_until is not null -- in flight; said so, it would join by that index
     for update of q
), mine as materialized (
  select o.*, q.origin, q.to_default, q.expires_at, q.attempts + (o.entry is not null)::int as attempts,
         case when o.delay_ms > 0 then 'waiting' else 'queued' end as queue_state,
         case when o.delay_ms > 0 then now() + o.delay_ms * interval '1 millisecond' else q.next_attempt_at end as next_attempt_at
    from o join q on q.id = o.batch
   where o.id = any (q.delivery_ids)
), again as ( -- those to be sent again wait alone from now on: in the row they have, when they had it alone
  update delivery_queue w
     set state = m.queue_state, attempts = m.attempts, next_attempt_at = m.next_attempt_at, lease_until = null, slot = null
    from mine m
   where w.id = any(array(select id from mine where batch = id and state = 'pending')) and w.id = m.id
), queued as (
  select account_id from mine where state = 'pending' and queue_state = 'queued'
), ${putInLine("queued")}, alone as (
  insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, state, attempts, next_attempt_at, expires_at)
  select id, array[id], account_id, origin, to_default, queue_state, attempts, next_attempt_at, expires_at
    from mine where batch <> id and state = 'pending'
), smaller as (
  update delivery_queue s set delivery_ids = q.rest
    from q where s.id = any(array(select id from q where rest <> '{}')) and s.id = q.id
), emptied as (
  delete from delivery_queue
   where id = any(array(select id from q where rest = '{}' except select id from mine where batch = id and state = 'pending'))
), recorded as (
  update deliveries d
     set state = m.state,
         attempt_log = d.attempt_log || m.entry,
         -- A redelivery has bytes of its own (another deliveryRevision), so these are needed no more.
         body = case when m.state = 'pending' then d.body end,
         finished_at = case when m.state <> 'pending' then now() end
    from mine m
   where d.account_id = m.account_id and d.id = m.id and d.id between $1 and $2 and m.entry is not null
  returning d.id, m.to_default, d.url
)
select id, to_default, url from recorded
union all
select id, to_default, null from mine where entry is null`;

const recordsAtOnce = 1_000;

/**
 * Records the outcomes of deliveries: all that arrive within the batch delay in one transaction. While the database is
 * unavailable it keeps them and retries, so that an error on our side does not lose a receiver's reply. Their slots stay
 * occupied meanwhile, so nothing more is claimed.
 */
export class AttemptRecorder {
  readonly #database: Database;
  readonly #log: NotifierLog;
  readonly #batcher: Batcher<DeliveryResult>;
  readonly #abandoned = new AbortController();

  constructor(database: Database, log: NotifierLog, batchDelayMs: number) {
    this.#database = database;
    this.#log = log;
    this.#batcher = new Batcher({
      delayMs: batchDelayMs,
      itemsMax: recordsAtOnce,
      write: (finishes) => this.#write(finishes),
    });
  }

  /** Resolves once it is recorded, rejected by the fence, or given up. */
  record(finish: DeliveryResult): Promise<void> {
    return this.#batcher.add(finish);
  }

  /** Gives up what is not recorded: the leases expire, and another process sends it again. */
  abandon(): void {
    this.#abandoned.abort();
  }

  async #write(finishes: readonly DeliveryResult[]): Promise<void[]> {
    const { signal } = this.#abandoned;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        const recorded = await recordAttempts(this.#database, finishes);
        for (const { delivery } of finishes)
          if (!recorded.has(delivery.id)) this.#log.warn({ event: "delivery.lease_lost", deliveryId: delivery.id });
        break;
      } catch (error) {
        this.#log.error({ event: "delivery.record_failed", deliveries: finishes.length, attempt, error });
        const waitMs = backoffMs(attempt, { firstMs: 100, maxMs: 2_000 });
        await delay(waitMs, undefined, { signal }).catch(() => undefined);
      }
    }
    return finishes.map(() => undefined);
  }
}

/** The logger methods that are needed; pino provides them. */
export interface NotifierLog {
  debug(event: object): void;
  info(event: object): void;
  warn(event: object): void;
  error(event: object): void;
}

/** Decides when a delivery is retried, and when it is not. Pure: time and randomness are parameters. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before each attempt: 14 attempts over about 72 hours. */
export const attemptDelaysMs: readonly number[] = [
  0,
  5 * second,
  20 * second,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  16 * hour,
  20 * hour,
  20 * hour,
];
export const attemptsMax = attemptDelaysMs.length;
const retryAfterMsMax = 6 * hour;

/** The reply to an attempt, as far as the schedule needs it. */
export interface AttemptReply {
  /** The status of the response; null if there was none. */
  status: number | null;
  retryAfterMs: number | null;
  /** Another attempt would end in the same way. */
  isFinal?: boolean;
}

type NextStep = { state: "delivered" } | { state: "failed" } | { state: "pending"; delayMs: number };

/** `attempts`: the number of attempts including this one. `random`: from 0 up to 1; jitter only adds, up to a tenth. */
export function nextStep(attempts: number, reply: AttemptReply, random: number): NextStep {
  if (reply.status !== null && reply.status >= 200 && reply.status < 300) return { state: "delivered" };
  if (reply.status === 410 || reply.isFinal === true) return { state: "failed" };
  const base = attemptDelaysMs[attempts];
  if (base === undefined) return { state: "failed" };
  const wait = base * (1 + random / 10);
  const asked = reply.status === 429 || reply.status === 503 ? (reply.retryAfterMs ?? 0) : 0;
  return { state: "pending", delayMs: Math.round(Math.max(wait, Math.min(asked, retryAfterMsMax))) };
}
