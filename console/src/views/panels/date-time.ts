import { language } from "../../i18n/language.ts";

/** A time of a schedule, with its day of the week: in the time zone of the schedule, or of whoever looks. */
export function dateTime(at: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(language.value, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(at));
}
