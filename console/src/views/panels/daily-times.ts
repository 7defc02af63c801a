/** A schedule that can be said in words: at one time of some days of the week. */
export interface DailyTimes {
  /** 0 is Sunday; all seven: every day. */
  readonly days: readonly number[];
  readonly hour: number;
  readonly minute: number;
}

/** From Monday on. */
export const allDays: readonly number[] = [1, 2, 3, 4, 5, 6, 0];
const dayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

/** Null: it takes more than days and a time to say it. */
export function readCron(cron: string): DailyTimes | null {
  const [, minute = "", hour = "", days = ""] = /^\s*(\d{1,2})\s+(\d{1,2})\s+\*\s+\*\s+(\S+)\s*$/.exec(cron) ?? [];
  const [h, m] = [Number(hour), Number(minute)];
  if (days === "" || h > 23 || m > 59) return null;
  if (days === "*") return { days: allDays, hour: h, minute: m };
  const read = days.split(",").flatMap((part) => {
    const [first, last = first] = part.split("-").map(dayOf);
    if (first === undefined || last === undefined || first === null || last === null) return [null];
    return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => (first + index) % 7);
  });
  if (read.length === 0 || read.includes(null)) return null;
  return { days: allDays.filter((day) => read.includes(day)), hour: h, minute: m };
}

function dayOf(word: string): number | null {
  const at = dayNames.indexOf(word.toUpperCase());
  if (at !== -1) return at;
  return /^[0-7]$/.test(word) ? Number(word) % 7 : null;
}

export function cronOf({ days, hour, minute }: DailyTimes): string {
  const which = days.length === 7 ? "*" : days.map((day) => dayNames[day]).join(",");
  return `${minute} ${hour} * * ${which}`;
}
