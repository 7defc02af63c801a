/**
 * Which upstreams of a platform are left alone after a rate limit, as this process knows. The engine pauses a platform that is
 * throttled as a whole; an upstream whose fallback answers does not throttle the platform, and would be asked by every task.
 */
import type { Upstream } from "./vendor.ts";

export class ThrottledUpstreams {
  readonly #throttled = new Map<Upstream, { until: number; inARow: number }>();

  /** How long it is still left alone. After that, one question may ask it, and others once it has answered, or some time later. */
  pausedMs(upstream: Upstream, now: Date): number {
    const throttled = this.#throttled.get(upstream);
    if (throttled === undefined) return 0;
    const pausedMs = Math.max(0, throttled.until - now.getTime());
    if (pausedMs === 0) throttled.until = now.getTime() + betweenProbesMs;
    return pausedMs;
  }

  pause(upstream: Upstream, forMs: number, now: Date): void {
    const inARow = (this.#throttled.get(upstream)?.inARow ?? 0) + 1;
    const grownMs = Math.min(pauseMsMax, pauseMsMin * 2 ** Math.min(20, inARow - 1));
    this.#throttled.set(upstream, { until: now.getTime() + Math.max(forMs, grownMs), inARow });
  }

  end(upstream: Upstream): void {
    this.#throttled.delete(upstream);
  }
}

const betweenProbesMs = 400;
const pauseMsMin = 1_000;
const pauseMsMax = 300_000;
