/** Parsers of flag values. */
import { eventTypes, type EventType } from "@querent/client";
import { InvalidArgumentError, Option } from "commander";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `5m`, `2h`, `1d`, or seconds. */
export function durationMs(text: string): number {
  const found = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/.exec(text);
  if (found === null) throw new InvalidArgumentError("Expected a duration: a number with s, m, h or d, such as 90s.");
  return Number(found[1]) * (units[found[2] ?? "s"] ?? 1000);
}

/** A duration for display: `10 minutes`. */
export function durationText(ms: number): string {
  for (const [unit, name] of [
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1_000, "second"],
  ] as const)
    if (ms >= unit && ms % unit === 0) return `${ms / unit} ${name}${ms === unit ? "" : "s"}`;
  return `${ms} ms`;
}

/** A time in the API's format: from `2026-11-01T09:30:00Z`, a day, or how long ago (`2h`). */
export function timestamp(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`;
  if (/^\d{4}-\d\d-\d\dT.*Z$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  if (/^[\d.]+(s|m|h|d)$/.test(text)) return new Date(Date.now() - durationMs(text)).toISOString();
  throw new InvalidArgumentError(
    "Expected a time such as 2026-11-01T09:30:00Z, a day such as 2026-11-01, or how long ago, such as 2h.",
  );
}

/** The options for the window of figures. */
export const windowOptions = {
  from: new Option(
    "--from <time>",
    "a time, a day, or how long ago, such as 90d (default: 28 days before --to, or the last seven runs if they began earlier)",
  ).argParser(timestamp),
  to: new Option("--to <time>", "the end of the window (default: now)").argParser(timestamp),
};

/** The project in which something is listed or created. */
export const projectOption = new Option(
  "--project <name>",
  "the project, by name or id (default: all of them, or where something is created, `default` or the only one of the token)",
);

export function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Expected a whole number above 0.");
  return Number(text);
}

/** A list `a,b`. The flag can be repeated. */
export function list(text: string, sofar: readonly string[] = []): string[] {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  if (words.length === 0) throw new InvalidArgumentError("Expected one or more values, separated by commas.");
  return [...new Set([...sofar, ...words])];
}

/** `48.14,11.58` */
export function coordinates(text: string): { latitude: number; longitude: number } {
  const found = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text);
  if (found === null) throw new InvalidArgumentError("Expected degrees north and degrees east, such as 48.14,11.58.");
  return { latitude: Number(found[1]), longitude: Number(found[2]) };
}

/** Types of events, separated by commas. */
export function eventTypesIn(text: string): EventType[] {
  return text.split(",").map((name) => {
    const type = eventTypes.find((each) => each === name.trim());
    if (type === undefined) throw new InvalidArgumentError(`"${name}" is not one of ${eventTypes.join(", ")}.`);
    return type;
  });
}
