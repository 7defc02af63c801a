/** Numbers, dates and lists as a language writes them. */
import type { ReportLanguage } from "@querent/contract";

export interface Numbers {
  readonly count: (value: number) => string;
  readonly fixed: (value: number, digits: number) => string;
  readonly percent: (share: number, digits: number) => string;
  /** A figure with one digit after the point, or none from 100 on. */
  readonly rough: (value: number) => string;
  /** The day of an ISO time, in UTC. */
  readonly day: (time: string) => string;
  readonly minute: (time: string) => string;
  /** A day without its year, for plots. */
  readonly shortDay: (time: string) => string;
  readonly list: (items: readonly string[]) => string;
}

/** English is written by many who put day and month in another order: their reports, and Chinese ones, have ISO dates. */
const hasIsoDates = (language: ReportLanguage) => language === "en" || language === "zh-CN";

export function numbersIn(language: ReportLanguage): Numbers {
  // Chinese reports have always had the numbers of English ones.
  const locale = language === "zh-CN" ? "en" : language;
  const plain = new Intl.NumberFormat(locale);
  const small = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const large = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const digitsOf = (digits: number) =>
    new Intl.NumberFormat(locale, {
      ...{ minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false },
    });
  const byDigits = [digitsOf(0), digitsOf(1), digitsOf(2)] as const;
  const fixed = (value: number, digits: number) => (byDigits[digits] ?? digitsOf(digits)).format(value);
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
    return (time: string) => format.format(new Date(time));
  };
  const isIso = hasIsoDates(language);
  return {
    count: (value) => plain.format(value),
    fixed,
    percent: (share, digits) => `${fixed(share * 100, digits)}${language === "ja" ? "" : " "}%`,
    rough: (value) => (value >= 100 ? large : small).format(value),
    day: isIso ? (time) => time.slice(0, 10) : dates({ dateStyle: "medium" }),
    minute: isIso ? (time) => time.slice(0, 16).replace("T", " ") : dates({ dateStyle: "medium", timeStyle: "short" }),
    shortDay: isIso ? (time) => time.slice(5, 10) : dates({ day: "numeric", month: "numeric" }),
    list: (items) => items.join(language === "ja" || language === "zh-CN" ? "、" : ", "),
  };
}
