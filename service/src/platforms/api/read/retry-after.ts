/** How long a platform asks clients to wait, wherever it states so. */
import { readRetryAfter } from "../../../kernel/retry-after.ts";
import { objects, object, string, type JsonObject } from "../body/json.ts";

/** Lower-case names. */
export type Headers = Readonly<Record<string, string>>;

const defaultMs = 10_000;
const mostMs = 60 * 60 * 1000;

/**
 * Taken from the standard header, the vendor's body, its message, or its rate limit headers; ten seconds if none of them states
 * a wait. A wait of zero, a negative one, or one that ended in the past states none, wherever it stands.
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

/** `retry-after-ms`, or `Retry-After`; null if neither asks for a wait. */
export function standard(headers: Headers, now: Date): number | null {
  return positive(decimal(headers["retry-after-ms"])) ?? readRetryAfter(headers["retry-after"], now);
}

/** Google's `RetryInfo`: `{"retryDelay": "12.5s"}`. */
function inDetails(error: JsonObject): number | null {
  const delays = objects(error["details"]).map(({ retryDelay }) => duration(string(retryDelay)));
  return delays.find((ms) => ms !== null) ?? null;
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
    /(?:try again|retry)(?: in| after)? ((?:\d{1,6}(?:\.\d{1,9})? ?(?:seconds?|minutes?|hours?|ms|s|m|h)(?![a-z]) ?){1,4})/iu.exec(
      message,
    );
  const written = (found?.[1] ?? "").toLowerCase().replaceAll(" ", "");
  return duration(written.replace(/(second|minute|hour)s?/gu, (word) => word.slice(0, 1)));
}

/** Exhausted limits, and when they reset. */
function inLimits(headers: Headers, now: Date): number | null {
  const waits = Object.entries(headers).flatMap(([name, value]) => {
    const kind = /^(.*ratelimit-)(.*?)-?(remaining)-?(.*)$/u.exec(name);
    if (kind === null || Number(value) > 0) return [];
    const [, prefix = "", before = "", , after = ""] = kind;
    const resets = [`${prefix}reset${after === "" ? "" : `-${after}`}`, `${prefix}${before}-reset`];
    return resets.flatMap((each) => reset(headers[each], now) ?? []);
  });
  return waits.length === 0 ? (reset(headers["x-ratelimit-reset"], now) ?? null) : Math.max(...waits);
}

/** A duration, a date, or seconds: from now if small, since 1970 if large. */
function reset(text: string | undefined, now: Date): number | null {
  const number = decimal(text);
  if (number !== null) {
    if (number < 1e6) return positive(number * 1000);
    return positive((number < 1e11 ? number * 1000 : number) - now.getTime());
  }
  const given = text?.trim() ?? "";
  const date = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/u.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? duration(given) : positive(date - now.getTime());
}

/** A decimal number without sign or exponent; null if it is anything else. */
function decimal(text: string | undefined): number | null {
  const given = text?.trim() ?? "";
  return /^\d{1,15}(?:\.\d{1,9})?$/u.test(given) ? Number(given) : null;
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `1h2m3.5s`, `250ms`. */
function duration(text: string): number | null {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h)){1,4}$/u.test(text)) return null;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gu)];
  return positive(parts.reduce((ms, [, amount, unit]) => ms + Number(amount) * unitMs[unit as keyof typeof unitMs], 0));
}

function positive(ms: number | null): number | null {
  return ms !== null && ms > 0 ? ms : null;
}
