import { createHash } from "node:crypto";
import type { CompleteSchedule, ProblemItem } from "@querent/contract";
import { Cron } from "croner";

/** What is known when a schedule is read: which times have passed, and which of them is run. */
export interface Passed {
  /** The time to run; null: none. */
  readonly run: Date | null;
  /** Times that are left out, oldest first: at most the last 100. */
  readonly missed: readonly Date[];
  /** The first time after all of these; null: there is none. */
  readonly next: Date | null;
}

type Times = Pick<CompleteSchedule, "cron" | "timeZone">;

/** `catchUp: skip` leaves out what is later than this. */
const lateMsMax = 15 * 60_000;
const missedMax = 100;

/** The errors of a schedule, below `/schedule`. */
export function checkSchedule({ cron, timeZone }: Times): ProblemItem[] {
  const errors: ProblemItem[] = [];
  if (!isTimeZone(timeZone)) {
    errors.push({
      pointer: "/schedule/timeZone",
      code: "not_allowed",
      detail: "There is no such time zone. Use a name of the IANA database, such as `Europe/Berlin`.",
    });
  }
  const fault = cronFault(cron);
  if (fault !== null) errors.push({ pointer: "/schedule/cron", code: "malformed", detail: fault });
  return errors;
}

/** The first time of the schedule after `after`; null if there is none. */
export function nextSlot(times: Times, after: Date): Date | null {
  return patternOf(times).nextRun(after);
}

/** The next times of the schedule, at most `count`. */
export function nextSlots(times: Times, after: Date, count: number): Date[] {
  return patternOf(times).nextRuns(count, after);
}

/** Decides which of the times from `due` to `now` is run. */
export function passedSlots(schedule: CompleteSchedule, due: Date, now: Date): Passed {
  if (schedule.catchUp === "all") return { run: due, missed: [], next: nextSlot(schedule, due) };
  const recent = patternOf(schedule)
    .previousRuns(missedMax + 1, new Date(now.getTime() + 1))
    .filter((slot) => slot >= due)
    .toReversed();
  const last = recent.at(-1) ?? due;
  const next = nextSlot(schedule, last > now ? last : now);
  const isLate = now.getTime() - last.getTime() > lateMsMax + schedule.jitterSeconds * 1000;
  if (schedule.catchUp === "skip" && isLate) return { run: null, missed: recent.slice(-missedMax), next };
  return { run: last, missed: recent.slice(0, -1), next };
}

/** When the run for a slot is started: the slot plus a jitter that is always the same for it. */
export function dueAt(panelId: string, slot: Date, { jitterSeconds }: CompleteSchedule): Date {
  const random = createHash("sha256").update(`${panelId} ${slot.toISOString()}`).digest().readUInt32BE() / 2 ** 32;
  return new Date(slot.getTime() + Math.floor(random * jitterSeconds * 1000));
}

const patternOf = ({ cron, timeZone }: Times) => new Cron(cron, { timezone: timeZone, mode: "5-part", paused: true });

function isTimeZone(name: string): boolean {
  try {
    // Names only: an offset such as `+02:00` knows no summer time.
    return /^[A-Za-z]/.test(new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return false;
  }
}

/** What is wrong with the expression; null if it has five fields, and a time. */
function cronFault(cron: string): string | null {
  if (!/^[\dA-Za-z*/,\-?#+]+( [\dA-Za-z*/,\-?#+]+){4}$/.test(cron))
    return "Expected five fields: minute, hour, day of month, month, day of week. `0 6 * * MON` is every Monday at 6:00.";
  try {
    if (patternOf({ cron, timeZone: "UTC" }).nextRun() !== null) return null;
    return "There is no such time in the next years.";
  } catch (error) {
    return error instanceof Error ? `${error.message.replace(/^CronPattern: /, "")}.` : "It is not a cron expression.";
  }
}
