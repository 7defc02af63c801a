import { setTimeout as sleep } from "node:timers/promises";

/**
 * How often this process asks an upstream. The engine paces a platform once one of its runs was throttled, but by then it may
 * have started many: until an upstream has answered, requests to it start a few at a time. The engine knows neither of the
 * upstreams of a platform, of which one may be throttled while another answers, nor of the requests of a run.
 */
export class UpstreamPace {
  #answers = false;
  #throttles = 0;
  #throttlesInRow = 0;
  /** By the clock of `performance.now`, as all times here. */
  #pausedUntil = 0;
  #startedAt = -betweenStartsMs;
  /** Aborted when the upstream has answered or was throttled, for those that wait. */
  #news = new AbortController();

  /** Waits until a question may ask the upstream: then 0, or the milliseconds for which it is to be left alone instead. */
  async questionTurn({ hasFallback, signal }: { hasFallback: boolean; signal: AbortSignal }): Promise<number> {
    // Others need not wait for it. After its pause, one question at a time finds out whether it answers again.
    if (hasFallback && this.#throttlesInRow > 0) return this.#pausedMs() || this.#takeTurn();
    const before = this.#throttles;
    while (!this.#answers && !signal.aborted) {
      if (this.#throttles > before) return Math.max(1, this.#pausedMs());
      const waitMs = this.#takeTurn();
      if (waitMs === 0) break;
      await this.#wait(waitMs, signal);
    }
    return 0;
  }

  /** Waits until the state of a run may be asked for. A run that nobody asks for is lost, so a long pause is not kept. */
  async pollTurn(signal: AbortSignal): Promise<void> {
    const latest = performance.now() + pollWaitMsMax;
    while (this.#throttlesInRow > 0 && !signal.aborted) {
      const waitMs = Math.min(this.#pausedMs(), latest - performance.now());
      const turnMs = waitMs > 0 ? waitMs : this.#takeTurn();
      if (turnMs === 0) return;
      await this.#wait(turnMs, signal);
    }
  }

  throttled(forMs: number): void {
    const now = performance.now();
    this.#answers = false;
    this.#throttles += 1;
    // Those of requests that were on their way together count once.
    if (this.#throttlesInRow === 0 || this.#pausedUntil <= now) this.#throttlesInRow += 1;
    const grownMs = Math.min(pauseMsMax, pauseMsMin * 2 ** Math.min(20, this.#throttlesInRow - 1));
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.max(forMs, grownMs));
    this.#wake();
  }

  answered(): void {
    // An answer to what was asked before the throttle does not end it.
    if (this.#throttlesInRow > 0 && this.#pausedMs() > 0) return;
    this.#throttlesInRow = 0;
    if (this.#answers) return;
    this.#answers = true;
    this.#wake();
  }

  #pausedMs(): number {
    return Math.max(0, Math.ceil(this.#pausedUntil - performance.now()));
  }

  /** 0 if it is the caller's turn now, or the milliseconds until the next one. */
  #takeTurn(): number {
    const now = performance.now();
    const waitMs = Math.ceil(this.#startedAt + betweenStartsMs - now);
    if (waitMs > 0) return waitMs;
    this.#startedAt = now;
    return 0;
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(ms, undefined, { signal: AbortSignal.any([signal, this.#news.signal]) }).catch(() => undefined);
  }

  #wake(): void {
    this.#news.abort();
    this.#news = new AbortController();
  }
}

/** At most three in any second. */
const betweenStartsMs = 400;
const pauseMsMin = 1_000;
const pauseMsMax = 300_000;
const pollWaitMsMax = 60_000;
