export interface Backoff {
  /** The wait after the first failure. It doubles with each further one. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** The share of the wait that is random, from 0 (none) to 1 (anything from no wait to the whole); half when left out. */
  readonly jitter?: number;
}

/**
 * How long to wait after the `attempt`-th failure in a row, counted from 1: exponential backoff with jitter, so that those that failed
 * together don't try again together.
 */
export function backoffMs(
  attempt: number,
  { firstMs, maxMs, jitter = 0.5 }: Backoff,
  random: () => number = Math.random,
): number {
  const wholeMs = Math.min(maxMs, firstMs * 2 ** Math.max(0, attempt - 1));
  return Math.floor(wholeMs * (1 - jitter + jitter * random()));
}
