/**
 * Sends what is due, for as long as it runs. The database is the truth: a wake-up only makes it look sooner, and a lost one
 * costs a poll. It looks again when it is woken, when a slot becomes free while rows wait, when the next row becomes
 * due, and at a jittered interval; with nothing to do it sends one query an interval.
 *
 * Any number of notifiers may run on one database. One that dies loses its leases; the next sends the same bytes under
 * the same id.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../db/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import { claimDeliveries, upkeepDeliveries, type ClaimedDelivery } from "./claim.ts";
import { ContentsInHand } from "./contents-in-hand.ts";
import { deliverChain, type DeliverDeps } from "./deliver.ts";
import { Finisher } from "./finisher.ts";
import { ParcelReader, type DeliveryContent, type DueDelivery } from "./parcels.ts";
import type { Finish } from "./finish.ts";
import type { NotifierLog } from "./notifier-log.ts";
import type { MasterKey } from "../../vault/index.ts";
import type { Sender } from "./send.ts";
import type { TaskRecords } from "../outbox/task-records.ts";

export interface NotifierDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: NotifierLog;
  readonly masterKey: MasterKey;
  /** For what has expired when its turn comes. */
  readonly records: TaskRecords;
  readonly bodyBytesMax: number;
  /** Closed by whoever made it, after `stop`. */
  readonly sender: Sender;
  readonly random?: () => number;
  /** Told of each attempt, for metrics. */
  readonly onAttempt?: (attempt: Extract<Finish, { kind: "attempted" }>) => void;
}

export interface NotifierOptions {
  /** Requests in flight in this process. */
  slotsMax?: number;
  /** Rows that one slot takes at a time from a healthy lane. */
  chainRows?: number;
  leaseMs?: number;
  holdMs?: number;
  pollMs?: number;
  upkeepMs?: number;
}

/**
 * After a claim that found little the next one waits a moment, and finds more: each looks at every lane, however little it takes.
 * Less long while bundles wait for slots, which have just become free.
 */
const claimRestMs = { idle: 10, backlog: 2 };
const littleRows = 100;
/** Of a process's slots one account may take so many, however many receivers of its hang. */
const accountShare = 1 / 4;
/** And so many are kept for the first chain of accounts that have none in flight. */
const keptShare = 1 / 8;

export class Notifier {
  readonly #deps: NotifierDeps;
  readonly #options: Required<NotifierOptions>;
  readonly #finisher: Finisher;
  readonly #parcels: ParcelReader;
  readonly #deliver: DeliverDeps;
  readonly #chains = new Map<Promise<void>, { readonly accountId: string; readonly late: boolean }>();
  /** What this process has announced itself. */
  readonly inHand = new ContentsInHand();
  readonly #abort = new AbortController();
  #stopping = false;
  #running: Promise<void> | undefined;
  /** Set: look again without waiting. */
  #woken = false;
  #backlog = false;
  #wakeUp: () => void = () => undefined;

  constructor(deps: NotifierDeps, options: NotifierOptions = {}) {
    const leaseMs = options.leaseMs ?? 45_000;
    this.#deps = deps;
    this.#options = {
      slotsMax: options.slotsMax ?? 256,
      chainRows: options.chainRows ?? 32,
      leaseMs,
      holdMs: options.holdMs ?? 5_000,
      pollMs: options.pollMs ?? 1_000,
      upkeepMs: options.upkeepMs ?? Math.min(5_000, leaseMs / 4),
    };
    if (deps.sender.totalTimeoutMs >= leaseMs) throw new Error("A lease must last longer than an attempt may.");
    this.#finisher = new Finisher(deps.database, deps.log, () => this.#chains.size);
    this.#parcels = new ParcelReader(deps);
    this.#deliver = {
      clock: deps.clock,
      log: deps.log,
      random: deps.random ?? Math.random,
      parcels: this.#parcels,
      sender: deps.sender,
      finisher: this.#finisher,
      onAttempt: deps.onAttempt ?? (() => undefined),
    };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Something may be due: look now. */
  wake(): void {
    this.#woken = true;
    this.#wakeUp();
  }

  /** Requests in flight, for metrics. */
  get inFlight(): number {
    return this.#chains.size;
  }

  /** The same by account. */
  get inFlightByAccount(): ReadonlyMap<string, number> {
    const inFlight = new Map<string, number>();
    for (const { accountId } of this.#chains.values()) inFlight.set(accountId, (inFlight.get(accountId) ?? 0) + 1);
    return inFlight;
  }

  /**
   * Claims nothing more, hands back what has not been sent, and lets requests under way end; those that last longer than
   * `drainMs` are cut and handed back, with no attempt spent.
   */
  async stop(drainMs = 20_000): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    this.wake();
    await this.#running;
    const drained = Promise.all(this.#chains.keys());
    if (!(await within(drained, drainMs))) {
      this.#abort.abort();
      // The requests end at once now; recording that takes a working database, or is left to the leases.
      if (!(await within(drained, 5_000))) this.#finisher.abandon();
      await drained;
    }
  }

  async #run(): Promise<void> {
    let upkeepAt = 0;
    let faults = 0;
    while (!this.#stopping) {
      this.#woken = false;
      let restMs = 0;
      let waitMs = this.#options.pollMs * (0.8 + Math.random() * 0.4);
      try {
        if (performance.now() >= upkeepAt) {
          await upkeepDeliveries(this.#deps.database);
          upkeepAt = performance.now() + this.#options.upkeepMs;
        }
        const { nextDueMs, rows } = await this.#claim();
        restMs = rows < littleRows ? (this.#backlog ? claimRestMs.backlog : claimRestMs.idle) : 0;
        waitMs = Math.max(1, Math.min(waitMs, nextDueMs ?? waitMs, upkeepAt - performance.now()));
        faults = 0;
      } catch (error) {
        this.#deps.log.error({ event: "notifier.claim_failed", error });
        waitMs = Math.min(10_000, 250 * 2 ** faults++) * (0.8 + Math.random() * 0.4);
        // A wake-up says that there is work, not that the database is back.
        this.#woken = false;
      }
      if (restMs > 0 && !this.#stopping) await delay(restMs);
      await this.#wait(waitMs);
    }
  }

  async #claim(): Promise<{ readonly nextDueMs: number | null; readonly rows: number }> {
    const { slotsMax, chainRows, leaseMs, holdMs } = this.#options;
    const slots = slotsMax - this.#chains.size;
    if (slots <= 0) {
      this.#backlog = true;
      return { nextDueMs: null, rows: 0 };
    }
    const lateInFlight = [...this.#chains.values()].filter(({ late }) => late).length;
    // A quarter of the slots stays free of late rows, so that a new notice never waits behind hopeless ones.
    const lateSlots = Math.floor((slotsMax * 3) / 4) - lateInFlight;
    const claimedAt = performance.now();
    const claim = await claimDeliveries(this.#deps.database, {
      slots,
      lateSlots,
      sharedSlots: slotsMax - Math.floor(slotsMax * keptShare) - this.#chains.size,
      accountSlots: Math.max(1, Math.floor(slotsMax * accountShare)),
      inFlight: this.inFlightByAccount,
      chainRows,
      leaseMs,
    });
    this.#backlog = claim.backlog;
    const rows = await this.#withContents(claim.rows);
    const chains = Map.groupBy(rows, (row) => `${row.accountId} ${row.slot} ${row.origin}`);
    for (const deliveries of chains.values()) this.#start(deliveries, { claimedAt, leaseMs, holdMs });
    return { nextDueMs: claim.nextDueMs, rows: rows.length };
  }

  /** With what they say: in hand as it was written, for what has never been claimed nor given another address; otherwise as read. */
  async #withContents(claimed: readonly ClaimedDelivery[]): Promise<DueDelivery[]> {
    const due = claimed.map((row) => ({ ...row, content: row.fence === 1 ? this.inHand.take(row.id) : null }));
    const unknown = due.filter(({ content }) => content === null);
    const read = await this.#parcels.readAhead(unknown).catch((error: unknown) => {
      // They are claimed: each is read again when its turn comes, or handed back then.
      this.#deps.log.error({ event: "notifier.read_failed", error });
      return new Map<string, DeliveryContent>();
    });
    return due.map((row) => (row.content === null ? { ...row, content: read.get(row.id) ?? null } : row));
  }

  #start(deliveries: readonly DueDelivery[], lease: { claimedAt: number; leaseMs: number; holdMs: number }): void {
    const isStopping = () => this.#stopping;
    const stop = {
      get stopping() {
        return isStopping();
      },
      signal: this.#abort.signal,
    };
    const chain = deliverChain(this.#deliver, { deliveries, ...lease }, stop)
      .catch((error: unknown) => {
        this.#deps.log.error({ event: "notifier.chain_failed", error });
        return { handedBack: true };
      })
      .then(({ handedBack }) => {
        this.#chains.delete(chain);
        // Rows handed back may be due, and so may rows that found no free slot.
        if (this.#backlog || handedBack) this.wake();
      });
    const [first] = deliveries;
    if (first !== undefined) this.#chains.set(chain, first);
  }

  async #wait(ms: number): Promise<void> {
    if (this.#woken || this.#stopping) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#wakeUp = resolve;
    await promise;
    clearTimeout(timer);
    this.#wakeUp = () => undefined;
  }
}

async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  const ended = await Promise.race([work.then(() => true), promise]);
  clearTimeout(timer);
  return ended;
}
