import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../db/index.ts";
import { laneSlots } from "./claim.ts";
import { finishDeliveries, type Finish } from "./finish.ts";
import type { NotifierLog } from "./notifier-log.ts";

const rowsAtOnceMax = 1_000;
const retryDelayMsMax = 2_000;
/** What nobody waits for goes to be recorded after so long at the latest: a commit for each few rows took a tenth of a busy database. */
const lingerMs = 10;
/**
 * While many chains are under way, a record waits so long for the next ones to end: records of many rows, and claims for many
 * slots, take a twelfth less processor time of the service and its database together. A lane that is alone would only be slowed.
 */
const companyMs = 15;

interface Waiting {
  finish: Finish;
  urgent: boolean;
  resolve(): void;
}

/**
 * Records what came of deliveries, all that come together in one statement. While the database is away it keeps them and
 * tries again: what a receiver has answered is not forgotten by a fault of ours, and the slots stay taken meanwhile, so that
 * nothing more is claimed.
 */
export class Finisher {
  readonly #database: Database;
  readonly #log: NotifierLog;
  readonly #chains: () => number;
  #waiting: Waiting[] = [];
  #flushing = false;
  #timer: NodeJS.Timeout | undefined;
  #abandoned = new AbortController();

  /** `chains`: how many are under way. */
  constructor(database: Database, log: NotifierLog, chains: () => number) {
    this.#database = database;
    this.#log = log;
    this.#chains = chains;
  }

  /** Resolves once it is recorded, refused by the fence, or given up. What is not urgent may wait for others to go along. */
  finish(finish: Finish, urgent: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ finish, urgent, resolve });
      this.#schedule();
    });
  }

  /** Gives up what is not recorded: its leases run out, and another process sends it again. */
  abandon(): void {
    this.#abandoned.abort();
  }

  #schedule(): void {
    if (this.#flushing || this.#waiting.length === 0) return;
    if (this.#waiting.some(({ urgent }) => urgent) || this.#waiting.length >= rowsAtOnceMax) void this.#flush();
    else this.#timer ??= setTimeout(() => void this.#flush(), lingerMs);
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#chains() > laneSlots) await delay(companyMs);
    else await Promise.resolve(); // what ends in the same turn goes along
    const batch = this.#waiting.splice(0, rowsAtOnceMax);
    for (let attempt = 1; !this.#abandoned.signal.aborted; attempt++) {
      try {
        const held = await finishDeliveries(
          this.#database,
          batch.map(({ finish }) => finish),
        );
        for (const { finish } of batch) {
          if (!held.has(finish.delivery.id))
            this.#log.warn({ event: "delivery.lease_lost", deliveryId: finish.delivery.id });
        }
        break;
      } catch (error) {
        this.#log.error({ event: "delivery.record_failed", deliveries: batch.length, attempt, error });
        await delay(Math.min(retryDelayMsMax, 100 * 2 ** (attempt - 1)), undefined, {
          signal: this.#abandoned.signal,
        }).catch(() => undefined);
      }
    }
    for (const { resolve } of batch) resolve();
    this.#flushing = false;
    this.#schedule();
  }
}
