const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * A platform's date as ISO 8601; null if there is none. A relative one ("2 days ago", "3 months ago") is the day counted back
 * from `observedAt`. Whether the date is possible is checked later.
 */
export function readDate(value: unknown, observedAt: Date): string | null {
  if (typeof value === "number") {
    const date = new Date(value > 1e11 ? value : value * 1000);
    return Number.isNaN(date.getTime()) ? null : date.toISOString();
  }
  if (typeof value !== "string" || value.length > 64) return null;
  const text = value.trim();
  const day = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ](.*))?$/u.exec(text);
  if (day !== null) {
    const date = `${day[1]}-${day[2]?.padStart(2, "0")}-${day[3]?.padStart(2, "0")}`;
    const time = /^(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?$/u.exec(day[4] ?? "");
    return existing(time === null ? date : `${date}T${time[1]}${withColon(time[2] ?? "Z")}`);
  }
  const spelled = /^([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/u.exec(text);
  const reversed = /^(?:[A-Za-z]{3}, )?(\d{1,2}) ([A-Za-z]{3})[a-z]*\.? (\d{4})(?: .*)?$/u.exec(text);
  if (spelled === null && reversed === null) return relative(text, observedAt);
  const parts = spelled
    ? [spelled[3], spelled[1], spelled[2]]
    : reversed
      ? [reversed[3], reversed[2], reversed[1]]
      : null;
  if (parts === null) return null;
  const month = months.indexOf(parts[1]?.toLowerCase() ?? "") + 1;
  return month === 0 ? null : existing(`${parts[0]}-${String(month).padStart(2, "0")}-${parts[2]?.padStart(2, "0")}`);
}

/** How long ago, as people say it: "about 3 months ago", "2h ago", "3 天前". */
const agoForms: readonly RegExp[] = [
  /^(?:about |around |almost |nearly |over |more than |less than |~ ?)?(?<count>\d{1,4}|an?|one) ?(?<unit>[a-z]{1,7})\.? ago$/iu,
  /^(?:约|大约|近)? ?(?<count>\d{1,4}|一|半) ?(?:个|個)?(?<unit>秒|分|小时|小時|天|日|周|週|星期|礼拜|月|年)(?:钟|鐘)?(?:之?前|以前)$/u,
];

const named: Readonly<Record<string, number>> = {
  "just now": 0,
  now: 0,
  today: 0,
  yesterday: 1,
  刚刚: 0,
  剛剛: 0,
  今天: 0,
  昨天: 1,
  前天: 2,
};

/** Milliseconds, or months, of which no two are equally long. */
const units: readonly (readonly [names: RegExp, ms: number, months: number])[] = [
  [/^(?:s|secs?|seconds?|秒)$/iu, 1000, 0],
  [/^(?:m|mins?|minutes?|分)$/iu, 60_000, 0],
  [/^(?:h|hrs?|hours?|小时|小時)$/iu, 3_600_000, 0],
  [/^(?:d|days?|天|日)$/iu, 86_400_000, 0],
  [/^(?:w|wks?|weeks?|周|週|星期|礼拜)$/iu, 604_800_000, 0],
  [/^(?:mo|mos|mths?|months?|月)$/iu, 0, 1],
  [/^(?:y|yrs?|years?|年)$/iu, 0, 12],
];

/** The day that a relative date refers to, counted back from the day on which it was given. */
function relative(text: string, observedAt: Date): string | null {
  const days = named[text.toLowerCase()];
  if (days !== undefined) return dayBefore(observedAt, days * 86_400_000, 0);
  for (const form of agoForms) {
    const { count = "", unit = "" } = form.exec(text)?.groups ?? {};
    const [, ms = 0, months = 0] = units.find(([names]) => names.test(unit)) ?? [];
    const number = /^\d/u.test(count) ? Number(count) : count === "半" ? 0.5 : 1;
    if (ms + months > 0 && Number.isInteger(months * number))
      return dayBefore(observedAt, ms * number, months * number);
  }
  return null;
}

/** A month before the 31st of March is the last of February. */
function dayBefore(observedAt: Date, ms: number, months: number): string | null {
  const date = new Date(observedAt.getTime() - ms);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 ? null : date.toISOString().slice(0, 10);
}

function withColon(zone: string): string {
  return zone.replace(/^([+-]\d{2})(\d{2})$/u, "$1:$2");
}

/** Rejects the 31st of February, which `Date` converts to the 3rd of March. */
function existing(text: string): string | null {
  const date = new Date(text);
  const day = new Date(text.slice(0, 10));
  return Number.isNaN(date.getTime()) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text.slice(0, 10))
    ? null
    : text;
}
