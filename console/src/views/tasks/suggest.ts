import type { PlatformRecord } from "@querent/client";
import { filterKeys, type FilterKey } from "./read-filter.ts";
import { taskStates } from "./task-states.ts";

export interface Suggestion {
  /** The text that replaces the word at the caret. */
  readonly text: string;
  /** What the key filters by; null for values. */
  readonly about: FilterKey | null;
}

interface SuggestInput {
  /** The filter up to the caret. */
  readonly before: string;
  readonly platforms: readonly PlatformRecord[];
  /** Tags of the tasks on the page. */
  readonly tags: readonly string[];
}

/** What the word at the caret may become. */
export function suggest({ before, platforms, tags }: SuggestInput): readonly Suggestion[] {
  const word = wordBefore(before);
  const [, key, begun = ""] = /^([a-z]+):(.*)$/i.exec(word) ?? [];
  if (key === undefined) {
    return filterKeys
      .filter((name) => name.startsWith(word.toLowerCase()))
      .map((name) => ({ text: `${name}:`, about: name }));
  }
  const values: Readonly<Record<string, readonly string[]>> = {
    state: taskStates,
    platform: platforms.map(({ platformCode }) => platformCode),
    tag: tags,
    created: recentDays(),
  };
  return (values[key.toLowerCase()] ?? [])
    .filter((value) => value.toLowerCase().startsWith(begun.toLowerCase()) && value !== begun)
    .slice(0, 8)
    .map((value) => ({ text: `${key}:${/\s/.test(value) ? `"${value}"` : value} `, about: null }));
}

export const wordBefore = (before: string): string => /\S*$/.exec(before)?.[0] ?? "";

function recentDays(): string[] {
  return [0, 1, 7, 30].map((daysAgo) => {
    const day = new Date();
    day.setDate(day.getDate() - daysAgo);
    const two = (value: number) => String(value).padStart(2, "0");
    return `>${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  });
}
