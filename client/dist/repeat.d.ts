/** `always`: the request is idempotent. `refused`: retry only if the service states that the request had no effect. */
export type Repeat = "always" | "refused";
/** The delay before a retry. Null if the call is not retried. */
export declare function repeatAfterMs(
  error: unknown,
  repeat: Repeat,
  attempt: number,
  {
    random,
    retryAfterMsMax,
  }: {
    readonly random: () => number;
    readonly retryAfterMsMax: number;
  },
): number | null;
/**
 * The delay while the service is unavailable. Null if it is available, or if the call must not be retried. `restMs` is the
 * remaining time to wait.
 */
export declare function outageWaitMs(
  error: unknown,
  repeat: Repeat,
  attempt: number,
  {
    random,
    restMs,
  }: {
    readonly random: () => number;
    readonly restMs: number;
  },
): number | null;
