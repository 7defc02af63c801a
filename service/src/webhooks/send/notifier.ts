import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../db/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import { late, within } from "../../kernel/within.ts";
import { PollLoop } from "../../runtime/poll-loop.ts";
import { DelayedLook, LearnedDelay } from "../../runtime/wake-delay.ts";
import type { MasterKey } from "../../vault/index.ts";
import { putForgottenInLine, putInLine } from "../outbox/delivery-turns.ts";
import type { TaskRecords } from "../outbox/outbox.ts";
import { SigningSecrets } from "../signing/signing-secrets.ts";
import { AttemptRecorder, type NotifierLog, type Attempted } from "./record-attempts.ts";
import {
  deliverBatch,
  leaseBatches,
  ContentLoader,
  type DeliverDeps,
  type LeasedBatch,
  type DeliveryTracing,
} from "./deliver-batch.ts";
import type { ChannelSender } from "./send-channel.ts";
import type { MailSender } from "./send-mail.ts";
import type { Sender } from "./send.ts";
import { indexOnly, lookAhead } from "./claim-deliveries.ts";

export interface NotifierDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: NotifierLog;
  readonly masterKey: MasterKey;
  /** Reads the records of deliveries whose result has expired before they are sent. */
  readonly records: TaskRecords;
  readonly bodyBytesMax: number;
  /** The caller closes it, after `stop`. */
  readonly sender: Sender;
  /** Null: this process sends no mail. */
  readonly mail?: MailSender | null;
  /** Null: this process sends nothing to channels. */
  readonly channels?: ChannelSender | null;
  readonly random?: () => number;
  /** Traces deliveries; null if this process traces nothing. */
  readonly trace?: DeliveryTracing | null;
  /** Called after each attempt, for metrics. */
  readonly onAttempt?: (attempt: Attempted) => void;
}

export interface NotifierOptions {
  /** The maximum of requests in flight in this process. */
  slotsMax?: number;
  /** The maximum of deliveries that one slot takes at a time for a healthy destination. */
  slotDeliveries?: number;
  leaseMs?: number;
  /** How long a slot continues with the deliveries that it took. */
  holdMs?: number;
  /** The batch delay: how long the record of an attempt waits at most for others to be written with it. */
  batchDelayMs?: number;
  /** The refetch delay: the minimum time between two claims. What becomes due meanwhile is claimed together. */
  refetchDelayMs?: number;
  pollMs?: number;
  upkeepMs?: number;
}

/** How often it looks for queued deliveries of accounts that are not in line. */
const forgottenEveryMs = 60_000;
/** The share of a process's slots that one account may occupy, regardless of how many of its receivers hang. */
const accountShare = 1 / 4;
/** The share of the slots that is reserved for the first slot of accounts that have none in flight. */
const keptShare = 1 / 8;
/** The share of the slots that late deliveries may occupy, so that a new one never waits behind failing ones. */
const lateShare = 3 / 4;

/** A stop takes no longer for deliveries, however long tasks may take. */
const drainMsMax = 20_000;

/**
 * Sends what is due, while it runs. The database is authoritative: a wake-up only makes it poll earlier, and a lost one costs
 * one poll interval. It polls when it is woken, when a slot becomes free while deliveries wait, when the next one becomes due,
 * and at a jittered interval; when idle it sends one query per interval.
 *
 * Any number of notifiers may use one database. If one dies, its leases expire, and the next process sends the same bytes under
 * the same id.
 */
export class Notifier {
  readonly #deliver: DeliverDeps;
  readonly #options: Required<NotifierOptions>;
  readonly #claims: PollLoop;
  readonly #line = new LinePosition();
  readonly #upkeep: PollLoop;
  readonly #forgotten: PollLoop;
  readonly #inFlight = new Map<Promise<void>, LeasedBatch>();
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #delay: LearnedDelay;
  readonly #delayed: DelayedLook;
  /** The next claim follows such a message. */
  #hasHeard = false;
  #backlog = false;

  constructor(deps: NotifierDeps, options: NotifierOptions = {}) {
    const leaseMs = options.leaseMs ?? 45_000;
    this.#options = {
      slotsMax: options.slotsMax ?? 256,
      slotDeliveries: options.slotDeliveries ?? 32,
      leaseMs,
      holdMs: options.holdMs ?? 5_000,
      batchDelayMs: options.batchDelayMs ?? 20,
      refetchDelayMs: options.refetchDelayMs ?? 10,
      pollMs: options.pollMs ?? 1_000,
      upkeepMs: options.upkeepMs ?? Math.min(5_000, leaseMs / 4),
    };
    if (Math.max(deps.sender.totalTimeoutMs, deps.mail?.totalTimeoutMs ?? 0) >= leaseMs)
      throw new Error("A lease must last longer than an attempt may.");
    const random = deps.random ?? Math.random;
    this.#delay = new LearnedDelay(random);
    this.#delayed = new DelayedLook(
      () => this.#delay.nextMs(),
      () => {
        this.#hasHeard = true;
        this.wake();
      },
    );
    this.#deliver = {
      ...deps,
      random,
      trace: deps.trace ?? null,
      mail: deps.mail ?? null,
      channels: deps.channels ?? null,
      contents: new ContentLoader(deps),
      secrets: new SigningSecrets(deps.database, deps.masterKey),
      recorder: new AttemptRecorder(deps.database, deps.log, this.#options.batchDelayMs),
      onAttempt: deps.onAttempt ?? (() => undefined),
    };
    const { pollMs, upkeepMs } = this.#options;
    const loop = (everyMs: number, event: string, look: () => Promise<number | void>) =>
      new PollLoop({ everyMs, jitter: 0.2, look, onFault: (error) => deps.log.error({ event, error }) });
    this.#claims = loop(pollMs, "notifier.claim_failed", () => this.#claim());
    this.#forgotten = loop(forgottenEveryMs, "notifier.upkeep_failed", async () => {
      if (await putForgottenInLine(deps.database)) this.wake();
    });
    this.#upkeep = loop(upkeepMs, "notifier.upkeep_failed", async () => {
      if ((await upkeepDeliveries(deps.database)).requeued > 0) this.wake();
    });
  }

  start(): void {
    for (const loop of [this.#upkeep, this.#claims]) {
      loop.wake();
      loop.start();
    }
    this.#forgotten.start();
  }

  /** Something may be due: poll now. */
  wake(): void {
    this.#claims.wake();
  }

  /** A message to all notifiers says that something may be due. */
  hear(): void {
    this.#delayed.hear();
  }

  /** Requests in flight, for metrics. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Requests in flight by account. */
  get inFlightByAccount(): ReadonlyMap<string, number> {
    const inFlight = new Map<string, number>();
    for (const { accountId } of this.#inFlight.values()) inFlight.set(accountId, (inFlight.get(accountId) ?? 0) + 1);
    return inFlight;
  }

  /**
   * Claims nothing more, hands back what has not been sent, and lets requests in flight complete. Those that take longer than
   * `drainMs`, or 20 seconds, are aborted and handed back, without using up an attempt.
   */
  async stop(drainMs: number): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#delayed.stop();
    await Promise.all([this.#claims.stop(), this.#upkeep.stop(), this.#forgotten.stop()]);
    const drained = Promise.all(this.#inFlight.keys());
    if ((await within(drained, Math.min(drainMs, drainMsMax))) !== late) return;
    this.#aborting.abort();
    // The requests end immediately now. Recording them needs a working database; otherwise their leases expire.
    if ((await within(drained, 5_000)) === late) this.#deliver.recorder.abandon();
    await drained;
  }

  /** Returns the maximum time until the next poll in milliseconds. */
  async #claim(): Promise<number | void> {
    const { slotsMax, slotDeliveries, leaseMs, holdMs, refetchDelayMs } = this.#options;
    const slots = slotsMax - this.#inFlight.size;
    this.#backlog = slots <= 0;
    if (slots <= 0) return;
    const hasHeard = this.#hasHeard;
    this.#hasHeard = false;
    if (hasHeard && this.#delay.isCrowded) {
      // Most such messages are about deliveries that another process takes. To look takes no lock.
      const { backlog, nextDueMs } = await lookAhead(this.#deliver.database);
      if (!backlog && (nextDueMs === null || nextDueMs > 0)) {
        this.#delay.looked(false);
        return nextDueMs === null ? undefined : Math.max(1, nextDueMs);
      }
    }
    const late = [...this.#inFlight.values()].filter((batch) => batch.late).length;
    const request = {
      slots,
      lateSlots: Math.floor(slotsMax * lateShare) - late,
      sharedSlots: slotsMax - Math.floor(slotsMax * keptShare) - this.#inFlight.size,
      accountSlots: Math.max(1, Math.floor(slotsMax * accountShare)),
      inFlight: this.inFlightByAccount,
      slotDeliveries,
      leaseMs,
      afterAccount: this.#line.after,
    };
    const { batches, backlog, nextDueMs, lastAccount } = await leaseBatches(this.#deliver.database, request, holdMs);
    this.#backlog = backlog;
    if (hasHeard) this.#delay.looked(batches.length > 0);
    for (const batch of batches) this.#start(batch);
    await delay(refetchDelayMs);
    if (this.#line.advance(lastAccount) && batches.length < slots) return 1;
    return nextDueMs === null ? undefined : Math.max(1, nextDueMs);
  }

  #start(batch: LeasedBatch): void {
    const stop = { stopping: this.#stopping.signal, requests: this.#aborting.signal };
    const delivering = deliverBatch(this.#deliver, batch, stop)
      .catch((error: unknown) => {
        this.#deliver.log.error({ event: "notifier.batch_failed", error });
        return { handedBack: true };
      })
      .then(({ handedBack }) => {
        this.#inFlight.delete(delivering);
        // Deliveries that were handed back may be due, and so may those that found no free slot.
        if (this.#backlog || handedBack) this.wake();
      });
    this.#inFlight.set(delivering, batch);
  }
}

/**
 * The position of this process in the notifiers' line (see outbox/delivery-turns.ts). A claim examines some accounts. While slots
 * are free, further claims examine the next ones, until a round over all accounts is complete.
 */
export class LinePosition {
  #after: string | null = null;
  /** The account at which the current round began; null if none is in progress. */
  #round: { readonly from: string; hasWrapped: boolean } | null = null;

  /** The account behind which the next claim begins; null for the first one. */
  get after(): string | null {
    return this.#after;
  }

  /** Notes that a claim has ended at `last`. True if this round has not reached all accounts, so that free slots should claim again. */
  advance(last: string | null): boolean {
    const before = this.#after ?? "";
    this.#after = last;
    // Every account was examined.
    if (last === null) this.#round = null;
    else {
      this.#round ??= { from: before, hasWrapped: false };
      this.#round.hasWrapped ||= last <= before;
      if (this.#round.hasWrapped && last >= this.#round.from) this.#round = null;
    }
    return this.#round !== null;
  }
}

/**
 * Runs periodically in any process. Queues rows again whose lease has expired (their owner died; once another process has
 * claimed them, it can no longer record anything), and updates rows to a default address after a suspension or its end.
 */
export async function upkeepDeliveries(database: Database): Promise<{ requeued: number }> {
  const [expired, , freed] = await database.transactionOf(
    upkeepStatements.map((text) => ({ text })),
    { settings: indexOnly },
  );
  return { requeued: (expired?.rowCount ?? 0) + (freed?.rowCount ?? 0) };
}

const upkeepStatements = [
  `with queued as (
  update delivery_queue d set state = 'queued', lease_until = null, slot = null
   where d.id = any(array(select id from delivery_queue where state = 'in_flight' and lease_until < now()
                           limit 10000 for update skip locked))
  returning d.account_id
), ${putInLine("queued")}
select from queued`,
  // From the accounts to their rows, never the other way round: there may be a hundred thousand of one account.
  `update delivery_queue d set state = 'held'
 where d.id = any(array(
         select q.id
           from webhooks w
          cross join lateral (select id from delivery_queue
                               where account_id = w.account_id and state = 'queued' and to_default
                               limit 10000 for update skip locked) q
          where w.suspended_at is not null))`,
  `with freed as (
  update delivery_queue d set state = 'queued', next_attempt_at = now(), origin = x.origin
    from webhooks x
   where d.id = any(array(
           select q.id
             from webhooks w
            cross join lateral (select id from delivery_queue
                                 where account_id = w.account_id and state = 'held'
                                 limit 10000 for update skip locked) q
            where w.suspended_at is null and w.url is not null))
     and x.account_id = d.account_id and x.url is not null
  returning d.account_id, d.delivery_ids, x.url, x.origin
), ${putInLine("freed")}
update deliveries d set url = f.url, origin = f.origin
  from freed f cross join lateral unnest(f.delivery_ids) as u(id) where d.account_id = f.account_id and d.id = u.id`,
];
