/** The delay between attempts: exponential backoff with full jitter, so that many clients do not retry at the same time. */
export function jittered(attempt, { firstMs, mostMs }, random) {
  return random() * Math.min(mostMs, firstMs * 2 ** Math.min(attempt, 30));
}
/** `Retry-After` in milliseconds, from seconds or a date. Null if it is missing or malformed. */
export function retryAfterMs(header, now = Date.now()) {
  if (header === null) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
/** Resolves after `ms`. Rejects with the signal's reason when it aborts. */
export function sleep(ms, signal) {
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
function reasonOf(signal) {
  const reason = signal.reason;
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}
