/** The marks on a chart's axes, at round values and times. */

const hour = 3600;
const day = 24 * hour;

/** Round steps of time, in seconds; longer steps are whole days. */
const secondSteps = [
  0.1,
  0.2,
  0.5,
  1,
  2,
  5,
  10,
  20,
  30,
  60,
  120,
  300,
  600,
  1200,
  1800,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  day,
] as const;

/** The maximum number of lines above the base. */
const linesMax = 4;

/** Marks from 0 to the first at or above the highest value, in equal steps. Counts are marked at whole numbers. */
export function valueTicks(highest: number, unit: "count" | "seconds"): readonly number[] {
  const step = unit === "count" ? countStep(highest / linesMax) : secondStep(highest / linesMax);
  const count = Math.max(1, Math.ceil(highest / step - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** The next of 1, 2 and 5 times a power of ten. */
function countStep(least: number): number {
  if (least <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((step) => least <= step * power * (1 + 1e-9)) ?? 10) * power;
}

function secondStep(least: number): number {
  return secondSteps.find((step) => least <= step * (1 + 1e-9)) ?? countStep(least / day) * day;
}

export interface TimeTick {
  /** The index of the bucket that begins at that time. */
  readonly index: number;
  readonly at: Date;
  /** The day is named, not the hour. */
  readonly isDay: boolean;
}

/** Steps in hours, from the shortest to the longest. */
const hourSteps = [1, 2, 3, 6, 12, 24] as const;
const dayTicksMax = 7;
const hourTicksMax = 5;

/** Marks at round hours of the reader's day, or at the beginnings of days; those of the service's days are UTC's. */
export function timeTicks(starts: readonly string[], bucketSeconds: number): readonly TimeTick[] {
  const times = starts.map((start, index) => ({ index, at: new Date(start) }));
  if (bucketSeconds >= day)
    return thinned(
      times.map((time) => ({ ...time, isDay: true })),
      dayTicksMax,
    );
  const hours = (starts.length * bucketSeconds) / hour;
  if (hours > 48) {
    // The bucket in which the day begins: where buckets are longer than an hour, it may begin within one.
    const dates = times.filter(({ at }, index) => index > 0 && at.getDate() !== times[index - 1]?.at.getDate());
    return thinned(
      dates.map((time) => ({ ...time, isDay: true })),
      dayTicksMax,
    );
  }
  const step = hourSteps.find((apart) => hours / apart <= hourTicksMax) ?? 24;
  return times
    .filter(({ at }) => at.getMinutes() === 0 && at.getHours() % step === 0)
    .map((time) => ({ ...time, isDay: time.at.getHours() === 0 }));
}

function thinned(ticks: readonly TimeTick[], most: number): readonly TimeTick[] {
  const apart = Math.ceil(ticks.length / most);
  // Counted from the end, so that the newest bucket is marked.
  return ticks.filter((_, index) => (ticks.length - 1 - index) % apart === 0);
}
