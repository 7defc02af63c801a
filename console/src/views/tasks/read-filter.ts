/** The filter of the task list, as one writes it: `state:failed platform:sample created:>2026-11-01 espresso`. */
import type { TaskFilters } from "@querent/client";
import { taskStates } from "./task-states.ts";

export const filterKeys = ["state", "platform", "batch", "tag", "ref", "created"] as const;
export type FilterKey = (typeof filterKeys)[number];

export type FilterFault =
  | { readonly kind: "unknown_key"; readonly key: string }
  | { readonly kind: "bad_value"; readonly key: FilterKey; readonly value: string };

export interface ReadFilter {
  readonly query: TaskFilters;
  readonly faults: readonly FilterFault[];
}

/** Reads a filter. Words that name no filter are looked for in the questions, in the order in which they stand. */
export function readFilter(text: string): ReadFilter {
  const faults: FilterFault[] = [];
  const wanted: string[] = [];
  let query: TaskFilters = {};
  for (const { key, value } of filterWords(text)) {
    if (key === null) {
      wanted.push(value);
      continue;
    }
    const known = filterKeys.find((name) => name === key.toLowerCase());
    if (known === undefined) {
      faults.push({ kind: "unknown_key", key });
      continue;
    }
    // Somebody has just written the colon.
    if (value === "") continue;
    const part = readers[known](value);
    if (part === null) faults.push({ kind: "bad_value", key: known, value });
    else query = { ...query, ...part };
  }
  return { query: wanted.length === 0 ? query : { ...query, text: wanted.join(" ").slice(0, textLengthMax) }, faults };
}

const textLengthMax = 200;

interface FilterWord {
  readonly key: string | null;
  readonly value: string;
}

/** `key:value`, `key:"several words"`, `"several words"` and plain words. An address such as `https://…` is a plain word. */
function filterWords(text: string): FilterWord[] {
  return [...text.matchAll(/([A-Za-z]+):(?=\s|$)|(?:([A-Za-z]+):(?!\/\/))?(?:"([^"]*)"?|([^\s"]+))/g)].map(
    ([, emptyKey, key, quoted, bare]) => ({ key: key ?? emptyKey ?? null, value: quoted ?? bare ?? "" }),
  );
}

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
  const word = `${key}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', "")}"` : value}`;
  return others === "" ? word : `${word} ${others}`;
}
