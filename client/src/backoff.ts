/** Waiting between attempts: full jitter (any time up to a limit that doubles), so that many clients don't come back at once. */

export interface BackoffLimits {
  readonly firstMs: number;
  readonly mostMs: number;
}

export function jittered(attempt: number, { firstMs, mostMs }: BackoffLimits, random: () => number): number {
  return random() * Math.min(mostMs, firstMs * 2 ** Math.min(attempt, 30));
}

/** `Retry-After` in milliseconds: seconds or a date. Null when there is none that can be read. */
export function retryAfterMs(header: string | null, now = Date.now()): number | null {
  if (header === null) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(reasonOf(signal));
    const stop = () => {
      clearTimeout(timer);
      if (signal !== undefined) reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}
