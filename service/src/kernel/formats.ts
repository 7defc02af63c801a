/** The string formats of the contract, as predicates. */

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const utcDateTime = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?Z$/;

export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => uuid.test(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text),
  "date-time": (text) => utcDateTime.test(text) && isCalendarDay(text.slice(0, 10)),
  "utc-date-time": (text) =>
    utcDateTime.test(text) && isCalendarDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)),
  "https-url": isHttpsUrl,
  "storable-text": (text) => !text.includes("\0") && text.isWellFormed(),
};

function isCalendarDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) && !text.startsWith("0000");
}

/** An IP address, or a host name by RFC 1123, with underscores allowed. */
function isHost(hostname: string): boolean {
  if (hostname.startsWith("[")) return true;
  const name = hostname.replace(/\.$/, "");
  return name.length <= 253 && name.split(".").every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label));
}

function isHttpsUrl(text: string): boolean {
  // The parser ignores anything between `https:` and the host, and accepts `https:///x` as the host `x`.
  if (!/^https:\/\/[^/\\?#@]/i.test(text) || /[\s\0]/.test(text) || !text.isWellFormed()) return false;
  const url = URL.parse(text);
  return (
    url !== null && url.protocol === "https:" && url.username === "" && url.password === "" && isHost(url.hostname)
  );
}
