/**
 * Markers that assistants leave in their text for a page to turn into buttons: `[2]`, `[^2^]`, `[ref_2]`, `[web:2]`,
 * `【4:0†source】`, private-use characters around `citeturn0search1`.
 */
import { codeRanges, isWithin } from "./code-ranges.ts";

/** The URL for a marker's number, counted from 1; null if there is none. */
export type Numbered = (number: number) => string | null;

/** A marker at its place in the text. */
export interface Marker {
  readonly from: number;
  readonly to: number;
  /** The numbers that it refers to; null if it refers to nothing that a reader could follow. */
  readonly numbers: readonly number[] | null;
  /** `[2]` and `【2】` may be the author's own; other forms are only ever markers. */
  readonly mayBeProse: boolean;
}

const hidden =
  /\uE200[^\uE200\uE201]{0,2000}\uE201|[\uE000-\uF8FF]|<grok:render[^>]{0,500}>[^]{0,1000}?<\/grok:render>/gu;
const marker = new RegExp(
  [
    // One link per number: [1], [1, 3], [^1^], [ref_1], [citation:1], 【1】. Not [1](address), nor [1]: address, nor [[1]](address).
    String.raw`(?<open>\[\^|\[(?:ref_|cite: ?|citation: ?|source ?|web:|oaicite:)|[[【])(?<numbers>\d{1,3}(?:[,，、] ?\d{1,3}){0,9})(?<close>\^\]|[\]】])(?!\(|\]\(|: ?<?https?:)(?:\{index=\d{1,4}\})?`,
    String.raw`:?contentReference\[oaicite:\d{1,4}\](?:\{index=\d{1,4}\})?`,
    String.raw`【\d{1,4}(?::\d{1,4})?†[^【】\n]{0,200}】`,
    String.raw`(?:cite|navlist|video)?(?:turn\d{1,3}(?:search|news|view|fetch|image|product|forecast|finance|sports|maps?|reddit|academia|video|file|business)\d{1,3}){1,20}`,
  ].join("|"),
  "gu",
);

const mayHaveMarkers = /[[【]|turn\d/u;

export function markersIn(text: string): Marker[] {
  if (!mayHaveMarkers.test(text)) return [];
  return [...text.matchAll(marker)].map((found) => {
    const { open, numbers } = found.groups ?? {};
    return {
      from: found.index,
      to: found.index + found[0].length,
      numbers: numbers === undefined ? null : numbers.split(/[,，、] ?/u).map(Number),
      mayBeProse: open === "[" || open === "【",
    };
  });
}

/** The text without any marker, for comparing two texts of which one has links in their place. */
export function withoutMarkers(text: string): string {
  return mayHaveMarkers.test(text) ? text.replace(marker, "") : text;
}

/** The text without what only the platform's own page can show. */
export interface Cleaned {
  readonly text: string;
  /** Where an offset into the given text is in the cleaned one. */
  readonly place: (offset: number) => number;
}

/**
 * Removes what is enclosed in private-use characters, which is never part of the text, not even of its code, and xAI's tags
 * outside of code: to the parser they are text, HTML and text again.
 */
export function withoutHidden(given: string): Cleaned {
  /** The removed ranges, and how much was removed up to the end of each. */
  const removed: { readonly from: number; readonly to: number; readonly total: number }[] = [];
  let total = 0;
  const code = given.includes("<grok:") ? codeRanges(given) : [];
  const text = given.replace(hidden, (found: string, from: number) => {
    if (found.startsWith("<") && isWithin(code, from + 0.5)) return found;
    total += found.length;
    removed.push({ from, to: from + found.length, total });
    return "";
  });
  if (total === 0) return { text: given, place: (offset) => offset };
  const place = (offset: number): number => {
    let low = 0;
    let high = removed.length;
    // The first range that ends after the offset.
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((removed[middle]?.to ?? 0) > offset) high = middle;
      else low = middle + 1;
    }
    const before = removed[low - 1]?.total ?? 0;
    const range = removed[low];
    return range !== undefined && range.from < offset ? range.from - before : offset - before;
  };
  return { text, place };
}
