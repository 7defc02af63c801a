/** The delay between attempts: exponential backoff with full jitter, so that many clients do not retry at the same time. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly mostMs: number;
}
export declare function jittered(attempt: number, { firstMs, mostMs }: BackoffLimits, random: () => number): number;
/** `Retry-After` in milliseconds, from seconds or a date. Null if it is missing or malformed. */
export declare function retryAfterMs(header: string | null, now?: number): number | null;
/** Resolves after `ms`. Rejects with the signal's reason when it aborts. */
export declare function sleep(ms: number, signal?: AbortSignal): Promise<void>;
