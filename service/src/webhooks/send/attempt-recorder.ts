import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../db/index.ts";
import { backoffMs } from "../../runtime/backoff.ts";
import { Batcher } from "../../runtime/batcher.ts";
import { recordAttempts, type DeliveryResult } from "./record-attempts.ts";

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
