/** Groups texts by the terms that they have in common. */
import type { Term } from "./read-text.ts";

export interface Grouped {
  /** The content words that may name a topic: without the names of brands, and words that tell an intent. */
  readonly terms: readonly Term[];
}

export const topicsMax = 100;
/** A term of more than this share of all texts divides nothing. */
const commonShare = 0.5;
const commonFrom = 10;

/**
 * The topic of each text, by its place; null: it shares no term. Each text goes to the most frequent term that it shares with another, a
 * pair of words counting for one and a half times as much as a word, but for terms that more than half of all have. Where terms are
 * equally frequent, the first in the alphabet wins. A topic of a single text is none: the text goes to its next term. What contains all
 * words of one of the `given` topics goes there first.
 */
export function* groupTopics(
  texts: readonly Grouped[],
  given: readonly { readonly name: string; readonly stems: readonly string[] }[],
): Generator<void, (string | null)[], void> {
  const frequency = new Map<string, number>();
  const spellings = new Map<string, Map<string, number>>();
  const keysOf: string[][] = [];
  for (const [index, { terms }] of texts.entries()) {
    const keys = new Map<string, string>();
    for (const [at, term] of terms.entries()) {
      keys.set(term.stem, term.written);
      const next = terms[at + 1];
      // A pair stands together, with at most a space or a hyphen between.
      if (next !== undefined && next.start - term.end <= 1)
        keys.set(`${term.stem} ${next.stem}`, term.written + (next.start === term.end ? "" : " ") + next.written);
    }
    keysOf.push([...keys.keys()]);
    for (const [key, written] of keys) {
      frequency.set(key, (frequency.get(key) ?? 0) + 1);
      const of = spellings.get(key) ?? new Map<string, number>();
      const lower = written.toLowerCase();
      if (of.size < 20 || of.has(lower)) of.set(lower, (of.get(lower) ?? 0) + 1);
      spellings.set(key, of);
    }
    if (index % 200 === 199) yield;
  }
  const commonMax = texts.length < commonFrom ? texts.length : texts.length * commonShare;
  const rank = (key: string) => (frequency.get(key) ?? 0) * (key.includes(" ") ? 1.5 : 1);
  const better = (one: string, other: string) => rank(other) - rank(one) || (one < other ? -1 : 1);
  const choices: string[][] = [];
  for (const [index, keys] of keysOf.entries()) {
    const shared = keys.filter((key) => (frequency.get(key) ?? 0) > 1 && !/^[\p{N} ]+$/u.test(key));
    const dividing = shared.filter((key) => (frequency.get(key) ?? 0) <= commonMax);
    choices.push([...dividing.toSorted(better), ...shared.filter((key) => !dividing.includes(key)).toSorted(better)]);
    if (index % 200 === 199) yield;
  }
  const givenOf = texts.map(({ terms }) => {
    const stems = new Set(terms.map(({ stem }) => stem));
    return given.find((topic) => topic.stems.length > 0 && topic.stems.every((stem) => stems.has(stem)))?.name ?? null;
  });
  yield;
  const places = choices.map(() => 0);
  // Texts that are alone move on until no topic has a single one. Each pass moves at least one, or is the last.
  for (let pass = 0; pass < passesMax; pass++) {
    const counts = new Map<string, number>();
    for (const [index, keys] of choices.entries()) {
      const key = givenOf[index] === null ? keys[places[index] ?? 0] : undefined;
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const kept = new Set([...counts.keys()].toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || (one < other ? -1 : 1)).slice(0, topicsMax)); // prettier-ignore
    let moved = 0;
    for (const [index, keys] of choices.entries()) {
      const key = givenOf[index] === null ? keys[places[index] ?? 0] : undefined;
      if (key === undefined || ((counts.get(key) ?? 0) > 1 && kept.has(key))) continue;
      const next = keys.findIndex((other, at) => at > (places[index] ?? 0) && (counts.get(other) ?? 0) > 0);
      places[index] = next === -1 ? keys.length : next;
      moved++;
    }
    yield;
    if (moved === 0) break;
  }
  const nameOf = (key: string): string => {
    const of = [...(spellings.get(key) ?? [])].toSorted(([one, n], [other, m]) => m - n || (one < other ? -1 : 1));
    return of[0]?.[0] ?? key;
  };
  const names = choices.map((keys, index) => {
    const key = keys[places[index] ?? 0];
    return givenOf[index] ?? (key === undefined ? null : nameOf(key));
  });
  const counts = Map.groupBy(names, (name) => name);
  return names.map((name, index) => (givenOf[index] === null && counts.get(name)?.length === 1 ? null : name));
}

const passesMax = 20;
