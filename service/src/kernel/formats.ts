/** The string formats of the contract, as predicates. */
import { domainToASCII } from "node:url";
import { isCountryCode } from "./countries.ts";

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
  "plain-text": (text) => text.isWellFormed() && !/[^\P{Cc}\n\r\t]/u.test(text),
  "country-code": isCountryCode,
  "language-tag": isLanguageTag,
  "domain-name": (text) => domainName(text) !== null,
};

/** The canonical form of a domain name: lower case, ASCII, without a final dot. Null if it is none, or an IP address. */
export function domainName(text: string): string | null {
  if (!/^[^\s/\\?#@:%[\]]+$/u.test(text) || !text.isWellFormed()) return null;
  const name = domainToASCII(text).replace(/\.$/, "");
  const labels = name.split(".");
  const isName = labels.length > 1 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return isName && name.length <= 253 && !/^\d+$/.test(labels.at(-1) ?? "") ? name : null;
}

/** A language that has a name: the syntax alone also accepts invented ones. */
function isLanguageTag(text: string): boolean {
  if (!/^[A-Za-z0-9-]{2,35}$/.test(text)) return false;
  try {
    const locale = new Intl.Locale(text);
    const { language, region } = locale;
    // Extensions, such as `-u-ca-buddhist`, say nothing about a language.
    if (locale.baseName !== locale.toString()) return false;
    return languages.of(language) !== undefined && (region === undefined || regions.of(region) !== undefined);
  } catch {
    return false;
  }
}

const languages = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });
const regions = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });

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
