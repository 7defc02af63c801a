export interface Backoff {
  /** The delay after the first failure. It doubles with each further one. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** The random share of the delay, from 0 (none) to 1 (anything up to the full delay); half by default. */
  readonly jitter?: number;
}

/**
 * The delay after the `attempt`-th consecutive failure, counted from 1: exponential backoff with jitter, so that callers that
 * failed together do not retry together.
 */
export function backoffMs(
  attempt: number,
  { firstMs, maxMs, jitter = 0.5 }: Backoff,
  random: () => number = Math.random,
): number {
  const wholeMs = Math.min(maxMs, firstMs * 2 ** Math.max(0, attempt - 1));
  return Math.floor(wholeMs * (1 - jitter + jitter * random()));
}
