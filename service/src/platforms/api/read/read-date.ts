const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * A platform's date as ISO 8601. Null if there is none, or if it is relative ("2 days ago"): the time it refers to is not known
 * precisely, and the result would be a date that the platform never gave. Whether it is possible is checked later.
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

/** Rejects the 31st of February, which `Date` converts to the 3rd of March. */
function existing(text: string): string | null {
  const date = new Date(text);
  const day = new Date(text.slice(0, 10));
  return Number.isNaN(date.getTime()) || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text.slice(0, 10))
    ? null
    : text;
}
