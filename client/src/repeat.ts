import { jittered } from "./backoff.ts";
import {
  ConflictError,
  ConnectionError,
  QuerentError,
  RateLimitedError,
  RequestTimeoutError,
  UnavailableError,
} from "./errors.ts";

/** `always`: doing it twice is doing it once. `refused`: only when the service says that it has done nothing. */
export type Repeat = "always" | "refused";

const backoff = { firstMs: 500, mostMs: 20_000 };
/** Asked often: a restart takes seconds, and one request is no load for a service that comes back. */
const outageBackoff = { firstMs: 500, mostMs: 5_000 };

/** How long to wait before a call is sent again; null: it is not. */
export function repeatAfterMs(
  error: unknown,
  repeat: Repeat,
  attempt: number,
  { random, retryAfterMsMax }: { readonly random: () => number; readonly retryAfterMsMax: number },
): number | null {
  if (!(error instanceof QuerentError) || !mayRepeat(error, repeat)) return null;
  const spread = jittered(attempt, backoff, random);
  const asked = error instanceof RateLimitedError || error instanceof UnavailableError ? error.retryAfterMs : null;
  if (asked === null) return spread;
  return asked > retryAfterMsMax ? null : asked + Math.min(spread, 1_000);
}

/**
 * How long to wait while the service is away; null: it is not, or the call must not be repeated. `restMs` is left of the
 * time for which to wait.
 */
export function outageWaitMs(
  error: unknown,
  repeat: Repeat,
  attempt: number,
  { random, restMs }: { readonly random: () => number; readonly restMs: number },
): number | null {
  // A 500 is a fault in handling this very request, not the service being away.
  const isAway =
    error instanceof ConnectionError ||
    error instanceof RequestTimeoutError ||
    (error instanceof UnavailableError && error.status !== 500);
  if (!isAway || restMs <= 0 || !mayRepeat(error, repeat)) return null;
  const asked = error instanceof UnavailableError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(restMs, Math.max(asked, 250, jittered(attempt, outageBackoff, random)));
}

function mayRepeat(error: QuerentError, repeat: Repeat): boolean {
  if (error instanceof RateLimitedError) return true;
  if (error instanceof ConflictError) return error.code === "idempotency_key_in_use";
  if (error instanceof UnavailableError) {
    // Full for minutes, not for moments: whoever submits many waits for it, see submit-all.ts.
    if (error.code === "queue_full") return false;
    return repeat === "always" || error.code === "unavailable";
  }
  return repeat === "always" && (error instanceof ConnectionError || error instanceof RequestTimeoutError);
}
