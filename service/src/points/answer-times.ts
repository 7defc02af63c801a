import { bucketOf } from "../kernel/histogram.ts";

/** Upper bounds of the time from acceptance to the end, in seconds: from a cached answer to a night in the queue. */
export const answerSeconds = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 1800, 7200] as const;

/** The columns of `usage_hours` that count them, in order; the last one counts everything above the last bound. */
export const answerTimeColumns: readonly string[] = Array.from(
  { length: answerSeconds.length + 1 },
  (_, bucket) => `seconds_${bucket + 1}`,
);

/** The index (from 0) of the column that counts a task of this duration. */
export const answerTimeBucket = (seconds: number): number => bucketOf(answerSeconds, seconds);
