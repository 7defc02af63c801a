const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * A platform's date as ISO 8601; null if there is none. A relative one ("2 days ago") is the day counted back from
 * `observedAt`; of one in months or years the day is not known, and the result would be a date that the platform never gave.
 * Whether the date is possible is checked later.
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
  const named = /^([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/u.exec(text);
  const reversed = /^(?:[A-Za-z]{3}, )?(\d{1,2}) ([A-Za-z]{3})[a-z]*\.? (\d{4})(?: .*)?$/u.exec(text);
  if (named === null && reversed === null) return relative(text, observedAt);
  const parts = named ? [named[3], named[1], named[2]] : reversed ? [reversed[3], reversed[2], reversed[1]] : null;
  if (parts === null) return null;
  const month = months.indexOf(parts[1]?.toLowerCase() ?? "") + 1;
  return month === 0 ? null : existing(`${parts[0]}-${String(month).padStart(2, "0")}-${parts[2]?.padStart(2, "0")}`);
}

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

/** The day that "3 hours ago", "1 week ago" or "yesterday" refers to. */
function relative(text: string, observedAt: Date): string | null {
  const ago = /^(\d{1,3}|an?) (minute|hour|day|week)s? ago$/iu.exec(text);
  const count = ago?.[1] === undefined ? null : /^a/iu.test(ago[1]) ? 1 : Number(ago[1]);
  const unit = unitMs[(ago?.[2]?.toLowerCase() ?? "day") as keyof typeof unitMs];
  const days = { today: 0, yesterday: 1 }[text.toLowerCase()] ?? count;
  return days === null ? null : new Date(observedAt.getTime() - days * unit).toISOString().slice(0, 10);
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
