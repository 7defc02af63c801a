import type { AlertSettings } from "@querent/contract";
import { checkSchedule, nextSlot } from "../../panels/definitions/slots.ts";

type QuietHours = NonNullable<AlertSettings["quietHours"]>;

/** When quiet hours end that hold at a time; null: none hold then. Times are those of a wall clock, also when it is changed. */
export function quietUntil(hours: QuietHours | null, at: Date): Date | null {
  if (hours === null) return null;
  const { from, to, timeZone } = hours;
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const now = clock.format(at);
  const isQuiet = from < to ? from <= now && now < to : from <= now || now < to;
  if (!isQuiet) return null;
  const [hour, minute] = to.split(":").map(Number);
  return nextSlot({ cron: `${minute} ${hour} * * *`, timeZone }, at);
}

/** What is wrong with quiet hours; null: nothing. */
export function quietHoursFault({ from, to, timeZone }: QuietHours): { pointer: string; detail: string } | null {
  const [fault] = checkSchedule({ cron: "0 0 * * *", timeZone });
  if (fault !== undefined) return { pointer: "/quietHours/timeZone", detail: fault.detail };
  if (from === to)
    return {
      pointer: "/quietHours/to",
      detail: "They begin and end at the same time. To tell nothing, pause the alert.",
    };
  return null;
}
