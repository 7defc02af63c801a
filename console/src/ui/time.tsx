import { signal } from "@preact/signals";
import { language } from "../i18n/language.ts";
import { phrases } from "../i18n/phrases.ts";

/** The current time, for relative times. Updated every second while the page is visible. */
export const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1000);

/** When something happened, relative to now. Hovering shows the exact time. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {distance(Date.parse(at) - now.value)}
    </time>
  );
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** `3 min. ago`, `in 6 days`. */
export function distance(ms: number): string {
  const format = new Intl.RelativeTimeFormat(language.value, { numeric: "auto", style: "short" });
  const [unit, unitMs] = units.find(([, size]) => Math.abs(ms) >= size) ?? (["second", 1000] as const);
  return format.format(Math.round(ms / unitMs), unit);
}

export function fullTime(at: string): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(at));
}

/** `0.42 s`, `3.1 s`, `2 min 5 s`, `2 min`, `1 h 10 min`. What is round is written round. */
export function duration(ms: number): string {
  const { seconds, minutes, hours } = phrases.value.units;
  if (ms < 10_000) return `${Number((ms / 1000).toFixed(ms < 1000 ? 2 : 1))} ${seconds}`;
  const whole = Math.round(ms / 1000);
  if (whole < 60) return `${whole} ${seconds}`;
  const [large, small] =
    whole < 3600
      ? [`${Math.floor(whole / 60)} ${minutes}`, whole % 60]
      : [`${Math.floor(whole / 3600)} ${hours}`, Math.floor((whole % 3600) / 60)];
  return small === 0 ? large : `${large} ${small} ${whole < 3600 ? seconds : minutes}`;
}

/** `0`, `500`, `1k`, `2.5k`: for axes. */
export const compact = (value: number): string =>
  new Intl.NumberFormat(language.value, { notation: "compact", maximumFractionDigits: 1 })
    .format(value)
    .replace("K", "k");

export const number = (value: number): string => new Intl.NumberFormat(language.value).format(value);

const sizeUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A number of bytes, as `1.2 GB`. */
export const size = (bytes: number): string => {
  const step = Math.min(sizeUnits.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(language.value, {
    style: "unit",
    unit: sizeUnits[step] ?? "byte",
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** step);
};

/** `98.4 %` */
export const percent = (share: number): string =>
  new Intl.NumberFormat(language.value, { style: "percent", maximumFractionDigits: 1 }).format(share);

/** A UTC day such as `2026-11-01`, as the reader writes days. */
export const day = (text: string): string =>
  new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(`${text}T00:00:00Z`),
  );
