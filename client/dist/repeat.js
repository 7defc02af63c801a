import { jittered } from "./backoff.js";
import {
  ConflictError,
  ConnectionError,
  QuerentError,
  RateLimitedError,
  RequestTimeoutError,
  UnavailableError,
} from "./errors.js";
const backoff = { firstMs: 500, mostMs: 20_000 };
/** A short delay: a restart takes seconds, and one request is no load for a starting service. */
const outageBackoff = { firstMs: 500, mostMs: 5_000 };
/** The delay before a retry. Null if the call is not retried. */
export function repeatAfterMs(error, repeat, attempt, { random, retryAfterMsMax }) {
  if (!(error instanceof QuerentError) || !mayRepeat(error, repeat)) return null;
  const spread = jittered(attempt, backoff, random);
  const asked = error instanceof RateLimitedError || error instanceof UnavailableError ? error.retryAfterMs : null;
  if (asked === null) return spread;
  return asked > retryAfterMsMax ? null : asked + Math.min(spread, 1_000);
}
/**
 * The delay while the service is unavailable. Null if it is available, or if the call must not be retried. `restMs` is the
 * remaining time to wait.
 */
export function outageWaitMs(error, repeat, attempt, { random, restMs }) {
  // A 500 concerns this request and does not mean that the service is unavailable.
  const isAway =
    error instanceof ConnectionError ||
    error instanceof RequestTimeoutError ||
    (error instanceof UnavailableError && error.status !== 500);
  if (!isAway || restMs <= 0 || !mayRepeat(error, repeat)) return null;
  const asked = error instanceof UnavailableError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(restMs, Math.max(asked, 250, jittered(attempt, outageBackoff, random)));
}
function mayRepeat(error, repeat) {
  if (error instanceof RateLimitedError) return true;
  if (error instanceof ConflictError) return error.code === "idempotency_key_in_use";
  if (error instanceof UnavailableError) {
    // A queue is full for minutes, so only long submissions wait for it. See submissions.ts.
    if (error.code === "queue_full") return false;
    return repeat === "always" || error.code === "unavailable";
  }
  return repeat === "always" && (error instanceof ConnectionError || error instanceof RequestTimeoutError);
}
