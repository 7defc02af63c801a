/** How long a platform asks clients to wait, wherever it states so. */
import { objects, object, string, type JsonObject } from "../body/json.ts";

/** Lower-case names. */
export type Headers = Readonly<Record<string, string>>;

const defaultMs = 10_000;
const mostMs = 60 * 60 * 1000;

/**
 * Taken from the standard header, the vendor's body, its message, or its rate limit headers; ten seconds if it states nothing.
 */
export function retryAfterMs(headers: Headers, error: JsonObject, now: Date): number {
  const given =
    standard(headers, now) ??
    inDetails(error) ??
    inMetadata(error, now) ??
    inSentence(string(error["message"])) ??
    inLimits(headers, now);
  return given === null ? defaultMs : Math.min(Math.max(given, 100), mostMs);
}

/** `Retry-After`, in seconds or as a date; null if absent. */
export function standard(headers: Headers, now: Date): number | null {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (exact > 0) return exact;
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/u.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

/** Google's `RetryInfo`: `{"retryDelay": "12.5s"}`. */
function inDetails(error: JsonObject): number | null {
  const delay = objects(error["details"]).map(({ retryDelay }) => duration(string(retryDelay)));
  return delay.find((ms) => ms !== null) ?? null;
}

/** OpenRouter passes on the headers of its upstream. */
function inMetadata(error: JsonObject, now: Date): number | null {
  const headers = object(object(error["metadata"])["headers"]);
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return standard(lower, now) ?? reset(lower["x-ratelimit-reset"], now);
}

/** "Please try again in 1m2.5s." */
function inSentence(message: string): number | null {
  const found =
    /(?:try again|retry)(?: in| after)? ((?:\d{1,6}(?:\.\d{1,9})? ?(?:ms|s|m|h|seconds?|minutes?)\s?){1,4})/iu.exec(
      message,
    );
  return found === null ? null : duration((found[1] ?? "").replace(/ ?seconds?/iu, "s").replace(/ ?minutes?/iu, "m"));
}

/** Exhausted limits, and when they reset. */
function inLimits(headers: Headers, now: Date): number | null {
  const waits = Object.entries(headers).flatMap(([name, value]) => {
    const kind = /^(.*ratelimit-)(.*?)-?(remaining)-?(.*)$/u.exec(name);
    if (kind === null || Number(value) > 0) return [];
    const [, prefix = "", before = "", , after = ""] = kind;
    const resets = [`${prefix}reset${after === "" ? "" : `-${after}`}`, `${prefix}${before}-reset`];
    return resets.flatMap((reset_) => reset(headers[reset_], now) ?? []);
  });
  return waits.length === 0 ? (reset(headers["x-ratelimit-reset"], now) ?? null) : Math.max(...waits);
}

/** A duration, a date, or seconds: from now if small, since 1970 if large. */
function reset(text: string | undefined, now: Date): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (Number.isFinite(number) && text.trim() !== "") {
    if (number < 1e6) return number * 1000;
    return Math.max(0, (number < 1e11 ? number * 1000 : number) - now.getTime());
  }
  const date = /^\d{4}-/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? duration(text) : Math.max(0, date - now.getTime());
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `1h2m3.5s`, `250ms`. */
function duration(text: string): number | null {
  const parts = [...text.slice(0, 64).matchAll(/(\d{1,9}(?:\.\d{1,9})?) ?(ms|s|m|h)/gu)];
  if (parts.length === 0) return null;
  return parts.reduce((ms, [, amount, unit]) => ms + Number(amount) * unitMs[unit as keyof typeof unitMs], 0);
}
