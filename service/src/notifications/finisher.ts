import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../db/index.ts";
import { finishDeliveries, type Finish } from "./finish.ts";
import type { NotifierLog } from "./notifier-log.ts";

const rowsAtOnceMax = 1_000;
const retryDelayMsMax = 2_000;

interface Waiting {
  finish: Finish;
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
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  #abandoned = new AbortController();

  constructor(database: Database, log: NotifierLog) {
    this.#database = database;
    this.#log = log;
  }

  /** Resolves once it is recorded, refused by the fence, or given up. */
  finish(finish: Finish): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ finish, resolve });
      this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    });
  }

  /** Gives up what is not recorded: its leases run out, and another process sends it again. */
  abandon(): void {
    this.#abandoned.abort();
  }

  async #flush(): Promise<void> {
    await Promise.resolve(); // what ends in the same turn goes along
    while (this.#waiting.length > 0) {
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
    }
  }
}
