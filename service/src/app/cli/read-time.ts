import { InvalidArgumentError } from "commander";

/** A day, a time, or how long ago: 12h, 7d. */
export function readTime(text: string): Date {
  const [, count, unit] = /^(\d{1,5})(h|d)$/.exec(text) ?? [];
  if (unit !== undefined) return new Date(Date.now() - Number(count) * (unit === "h" ? 3_600_000 : 86_400_000));
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?Z)?$/.test(text);
  const time = new Date(text);
  if (!isTime || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError("A time is written like 2026-11-01, 2026-11-01T09:30:00Z, 12h or 7d.");
  return time;
}
