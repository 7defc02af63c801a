import { bodyBytesAheadMax, type DeliveryContent } from "./parcels.ts";

const bytesMax = 32 * 1024 * 1024;
/** What nobody took in this time was claimed by another process, or its end was not committed. */
const ageMsMax = 10_000;

interface Kept {
  readonly content: DeliveryContent;
  readonly at: number;
  readonly expiresAt: string | null;
}

/**
 * What this process has written a moment ago, for its own notifier, which so need not read it back from the database. Only
 * a short way: what is not here, or no longer, is read.
 */
export class ContentsInHand {
  /** By delivery, in the order in which they came. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /** `expiresAt`: when it may not be sent any more as it is. */
  keep(deliveryId: string, content: DeliveryContent, expiresAt: string | null = null): void {
    const { length } = content.body;
    if (length > bodyBytesAheadMax) return;
    const at = performance.now();
    if (this.#bytes + length > bytesMax) this.#dropOlderThan(at - ageMsMax);
    if (this.#bytes + length > bytesMax) return;
    this.#kept.set(deliveryId, { content, at, expiresAt });
    this.#bytes += length;
  }

  take(deliveryId: string): DeliveryContent | null {
    const kept = this.#kept.get(deliveryId);
    if (kept === undefined) return null;
    this.#kept.delete(deliveryId);
    this.#bytes -= kept.content.body.length;
    return kept.expiresAt !== null && Date.parse(kept.expiresAt) <= Date.now() ? null : kept.content;
  }

  #dropOlderThan(at: number): void {
    for (const [deliveryId, kept] of this.#kept) {
      if (kept.at >= at) return;
      this.take(deliveryId);
    }
  }
}
