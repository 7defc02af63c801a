const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * A date as platforms write it, as ISO 8601; null for none, and for one that is relative to now ("2 days ago"): when that
 * was said is not known to the hour, and a date that was never given would be ours. Whether it is possible is judged later.
 */
export function readDate(value: unknown): string | null {
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
  const parts = named ? [named[3], named[1], named[2]] : reversed ? [reversed[3], reversed[2], reversed[1]] : null;
  if (parts === null) return null;
  const month = months.indexOf(parts[1]?.toLowerCase() ?? "") + 1;
  return month === 0 ? null : existing(`${parts[0]}-${String(month).padStart(2, "0")}-${parts[2]?.padStart(2, "0")}`);
}

function withColon(zone: string): string {
  return zone.replace(/^([+-]\d{2})(\d{2})$/u, "$1:$2");
}

/** Not the 31st of February, which `Date` takes for the 3rd of March. */
function existing(text: string): string | null {
  const date = new Date(text);
  const day = new Date(text.slice(0, 10));
  return Number.isNaN(date.getTime()) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text.slice(0, 10))
    ? null
    : text;
}
