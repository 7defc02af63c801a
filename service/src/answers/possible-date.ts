const dayMs = 24 * 60 * 60 * 1_000;
/** Clocks and time zones differ: a source's publication date may be this much later than the answer. */
const aheadMsMax = 2 * dayMs;
/** Nothing that an answer cites was published before printing; such dates are default values of some program (0001-01-01). */
const earliestMs = Date.UTC(1450, 0, 1);

/**
 * The date as an ISO 8601 timestamp, or null if it is impossible: unreadable, the epoch (a missing value), or in the future.
 */
export function possibleDate(text: string | null, observedAt: Date): string | null {
  if (text === null) return null;
  const time = Date.parse(text);
  const isEpoch = Math.abs(time) < dayMs;
  if (
    Number.isNaN(time) ||
    !isOnCalendar(text) ||
    isEpoch ||
    time < earliestMs ||
    time > observedAt.getTime() + aheadMsMax
  )
    return null;
  return new Date(time).toISOString();
}

/** Whether a date such as 2024-02-30 exists: `Date.parse` makes the 1st of March of it. */
function isOnCalendar(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}/u.exec(text)?.[0];
  if (day === undefined) return true;
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}
