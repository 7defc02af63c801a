/** The filter of the task list, as one writes it: `state:failed platform:sample created:>2026-11-01 espresso`. */
import type { TaskFilters, TaskState } from "@querent/client";
import { nearest } from "./nearest.ts";
import { taskStates } from "./task-states.ts";

export const filterKeys = ["state", "platform", "batch", "tag", "ref", "country", "language", "created"] as const;
export type FilterKey = (typeof filterKeys)[number];

/** Where a part of the filter stands in its text. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** A part that is not understood, and what may have been meant: `instead` takes its place. */
export type FilterFault = Place & { readonly instead: string | null } & (
    | { readonly kind: "unknown_key"; readonly key: string }
    | { readonly kind: "bad_value"; readonly key: FilterKey; readonly value: string }
    | { readonly kind: "no_value"; readonly key: FilterKey }
    | { readonly kind: "repeated"; readonly key: FilterKey }
    | { readonly kind: "text_too_long" }
  );

export interface ReadFilter {
  readonly query: TaskFilters;
  /** While there is any, the filter finds nothing and nothing may be done with what it finds. */
  readonly faults: readonly FilterFault[];
}

/** Reads a filter. Words that name no filter are looked for in the questions, in the order in which they stand. */
export function readFilter(text: string): ReadFilter {
  const faults: FilterFault[] = [];
  const wanted: string[] = [];
  let query: TaskFilters = {};
  for (const { key, value, ...place } of filterWords(text)) {
    if (key === null) {
      wanted.push(value);
      continue;
    }
    const known = filterKeys.find((name) => name === key.toLowerCase());
    if (known === undefined) {
      const meant = meantKey(key);
      const instead = meant === null ? null : `${meant}:${quoted(nearestValue(meant, value) ?? value)}`;
      faults.push({ ...place, kind: "unknown_key", key, instead });
      continue;
    }
    const part = value === "" ? null : readers[known](value);
    const nearby = nearestValue(known, value);
    if (value === "") faults.push({ ...place, kind: "no_value", key: known, instead: null });
    else if (part === null)
      faults.push({ ...place, kind: "bad_value", key: known, value, instead: nearby && `${known}:${nearby}` });
    else if (Object.keys(part).some((parameter) => parameter in query))
      faults.push({ ...place, kind: "repeated", key: known, instead: null });
    else query = { ...query, ...part };
  }
  const sought = wanted.join(" ");
  if (sought.length > textLengthMax) faults.push({ start: 0, end: text.length, kind: "text_too_long", instead: null });
  return { query: sought === "" ? query : { ...query, text: sought }, faults };
}

export const textLengthMax = 200;

interface FilterWord extends Place {
  readonly key: string | null;
  readonly value: string;
}

/** `key:value`, `key:"several words"`, `"several words"` and plain words. An address such as `https://…` is a plain word. */
function filterWords(text: string): FilterWord[] {
  const words = text.matchAll(
    /([A-Za-z][A-Za-z_-]*):(?=\s|$)|(?:([A-Za-z][A-Za-z_-]*):(?!\/\/))?(?:"([^"]*)"?|([^\s"]+))/g,
  );
  return [...words].map(({ 0: word, 1: emptyKey, 2: key, 3: inQuotes, 4: bare, index }) => ({
    key: key ?? emptyKey ?? null,
    value: inQuotes ?? bare ?? "",
    start: index,
    end: index + word.length,
  }));
}

/** What else people call the filters. */
const otherNames: Readonly<Record<string, FilterKey>> = {
  status: "state",
  is: "state",
  code: "platform",
  platformcode: "platform",
  model: "platform",
  provider: "platform",
  batchid: "batch",
  tags: "tag",
  label: "tag",
  reference: "ref",
  clientreference: "ref",
  location: "country",
  from: "country",
  lang: "language",
  locale: "language",
  date: "created",
  createdat: "created",
  since: "created",
  asked: "created",
};

const meantKey = (key: string): FilterKey | null =>
  otherNames[key.toLowerCase().replaceAll(/[_-]/g, "")] ?? nearest(key.toLowerCase(), filterKeys);

const otherStates: Readonly<Record<string, TaskState>> = {
  done: "completed",
  success: "completed",
  succeeded: "completed",
  error: "failed",
  cancelled: "canceled",
  queued: "pending",
  running: "pending",
  waiting: "pending",
};

const nearestValue = (key: FilterKey, value: string): string | null =>
  key === "state" ? (otherStates[value.toLowerCase()] ?? nearest(value.toLowerCase(), taskStates)) : null;

const quoted = (value: string): string => (/[\s"]/.test(value) ? `"${value.replaceAll('"', "")}"` : value);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const readers: Readonly<Record<FilterKey, (value: string) => TaskFilters | null>> = {
  state: (value) => {
    const state = taskStates.find((known) => known === value.toLowerCase());
    return state === undefined ? null : { state };
  },
  platform: (value) => (value.length <= 64 ? { platformCode: value } : null),
  batch: (value) => (uuid.test(value) ? { batchId: value.toLowerCase() } : null),
  tag: (value) => (value.length <= 64 ? { tag: value } : null),
  ref: (value) => (value.length <= 255 ? { clientReference: value } : null),
  country: (value) => (/^[a-z]{2}$/i.test(value) ? { country: value.toUpperCase() } : null),
  language: (value) => (/^[a-z0-9-]{2,35}$/i.test(value) ? { language: value } : null),
  created: readCreated,
};

/** `>DAY`: on that day or later; `<DAY`: before that day; `DAY`: on that day. Days are the reader's own; a time may follow after `T`. */
function readCreated(value: string): TaskFilters | null {
  const [, sign, day, clock] = /^([<>]=?)?(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2})?)?$/.exec(value) ?? [];
  const at = new Date(`${day}${clock ?? "T00:00"}`);
  if (day === undefined || Number.isNaN(at.getTime())) return null;
  if (sign?.startsWith(">") === true) return { createdFrom: at.toISOString() };
  if (sign?.startsWith("<") === true) return { createdBefore: at.toISOString() };
  const end = new Date(at);
  if (clock === undefined) end.setDate(end.getDate() + 1);
  else end.setMinutes(end.getMinutes() + 1);
  return { createdFrom: at.toISOString(), createdBefore: end.toISOString() };
}

/** The filter with another value for one of its keys, or without it. */
export function withFilter(text: string, key: FilterKey, value: string | null): string {
  const others = text
    .replace(new RegExp(`(^|\\s)${key}:("[^"]*"?|\\S*)`, "gi"), " ")
    .trim()
    .replace(/\s+/g, " ");
  if (value === null) return others;
  const word = `${key}:${quoted(value)}`;
  return others === "" ? word : `${word} ${others}`;
}

/** The filter with what was meant in the place of what was written. */
export const corrected = (text: string, { start, end }: Place, instead: string): string =>
  `${text.slice(0, start)}${instead}${text.slice(end)}`.trim();
