/** A portion of a text that the parser gets at once, since the whole text would take too long. */
import type { Root } from "mdast";
import type { Range } from "./code-ranges.ts";
import { structuresOf, type Dialect, type TextPlaces } from "./markdown-places.ts";

/** A portion of the text that the parser has read. All offsets but `from` and `end` count from `from`. */
export interface Portion {
  readonly from: number;
  readonly end: number;
  readonly places: TextPlaces;
  readonly formulas: readonly Range[];
  readonly readings: readonly DialectReading[];
  /** Where a block begins that does not end with the portion, so that nothing can follow it; null if there is none. */
  readonly openFrom: number | null;
}

/** A portion as one kind of renderers reads it. */
export interface DialectReading {
  readonly dialect: Dialect;
  readonly tops: readonly Range[];
  readonly structures: readonly string[];
  readonly openFrom: number | null;
}

export interface ParsedPortion {
  readonly tree: Root;
  readonly openFrom: number | null;
}

export function readingOf(dialect: Dialect, { tree, openFrom }: ParsedPortion): DialectReading {
  const tops = tree.children.map((top) => ({ from: startOf(top), to: top.position?.end.offset ?? 0 }));
  return { dialect, tops, structures: structuresOf(tree, new Map()), openFrom };
}

/** Where a block begins, for all renderers, that nothing can follow for one of them; null if there is none. */
export function openFromIn(text: string, readings: readonly DialectReading[]): number | null {
  const openings = readings.flatMap(({ openFrom }) => openFrom ?? []);
  if (openings.length === 0) return null;
  let at = Math.min(...openings);
  for (;;) {
    const within = readings.flatMap(({ tops }) => tops.filter(({ from, to }) => from < at && at < to));
    const before = lineStart(text, Math.min(at, ...within.map(({ from }) => from)));
    if (before === at) return at;
    at = before;
  }
}

export const startOf = (node: Root["children"][number]): number => node.position?.start.offset ?? 0;
export const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** Offsets of a text behind which it stood. */
export function moveBack(node: Root | Root["children"][number], by: number): void {
  if (by === 0) return;
  if (node.position !== undefined) {
    node.position.start.offset = (node.position.start.offset ?? 0) - by;
    node.position.end.offset = (node.position.end.offset ?? 0) - by;
  }
  if ("children" in node) for (const child of node.children) moveBack(child, by);
}
