import { bodyBytesAlongMax } from "./claim.ts";

const bytesMax = 32 * 1024 * 1024;
/** What nobody took in this time was claimed by another process, or its end was not committed. */
const ageMsMax = 10_000;

/**
 * Bodies that this process has written a moment ago, for its own notifier, which so need not read them back from the database. Only
 * a short way: what is not here, or no longer, is read.
 */
export class BodiesInHand {
  /** By delivery, in the order in which they came. */
  readonly #kept = new Map<string, { readonly body: Buffer; readonly at: number }>();
  #bytes = 0;

  keep(deliveryId: string, body: Buffer): void {
    if (body.length > bodyBytesAlongMax) return;
    const at = performance.now();
    if (this.#bytes + body.length > bytesMax) this.#dropOlderThan(at - ageMsMax);
    if (this.#bytes + body.length > bytesMax) return;
    this.#kept.set(deliveryId, { body, at });
    this.#bytes += body.length;
  }

  take(deliveryId: string): Buffer | null {
    const kept = this.#kept.get(deliveryId);
    if (kept === undefined) return null;
    this.#kept.delete(deliveryId);
    this.#bytes -= kept.body.length;
    return kept.body;
  }

  #dropOlderThan(at: number): void {
    for (const [deliveryId, kept] of this.#kept) {
      if (kept.at >= at) return;
      this.take(deliveryId);
    }
  }
}
