/**
 * The wait that a `Retry-After` header asks for, in milliseconds: whole seconds, or an HTTP date in one of the three forms that
 * RFC 9110 obliges a recipient to accept. Null if it asks for none: a value of zero, a time that has passed, a list, and
 * anything else that the standard does not define are the absence of the header.
 */
export function readRetryAfter(value: string | undefined, now: Date): number | null {
  const text = value?.trim() ?? "";
  const ms = /^\d{1,10}$/u.test(text) ? Number(text) * 1000 : (httpDate(text, now) ?? 0) - now.getTime();
  return ms > 0 ? ms : null;
}

/** The date in milliseconds since 1970; null if it is in none of the forms, or not in the calendar. */
function httpDate(text: string, now: Date): number | null {
  for (const form of forms) {
    const { day, month, year, hour, minute, second } = form.exec(text)?.groups ?? {};
    if (year === undefined) continue;
    const whole = year.length === 2 ? centuryOf(Number(year), now) : Number(year);
    const midnight = Date.UTC(whole, months.indexOf(month ?? ""), Number(day));
    // `Date.UTC` carries a day that the month doesn't have into the next one.
    const isDay = new Date(midnight).getUTCDate() === Number(day);
    // The 60th second is a leap second.
    const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
    return isDay && isTime ? midnight + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 : null;
  }
  return null;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const monthName = `(?<month>${months.join("|")})`;
const time = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`;
const dayName = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const dayNameLong = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const forms = [
  // IMF-fixdate, then what senders wrote before it: RFC 850, and C's asctime().
  new RegExp(String.raw`^${dayName}, (?<day>\d\d) ${monthName} (?<year>\d{4}) ${time} GMT$`, "u"),
  new RegExp(String.raw`^${dayNameLong}, (?<day>\d\d)-${monthName}-(?<year>\d\d) ${time} GMT$`, "u"),
  new RegExp(String.raw`^${dayName} ${monthName} (?<day>\d\d| \d) ${time} (?<year>\d{4})$`, "u"),
];

/** A year of two digits that seems to be more than 50 years ahead is the last one with these digits (RFC 9110, 5.6.7). */
function centuryOf(year: number, now: Date): number {
  const thisYear = now.getUTCFullYear();
  const guess = thisYear - (thisYear % 100) + year;
  return guess > thisYear + 50 ? guess - 100 : guess;
}
