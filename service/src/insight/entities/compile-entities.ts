import { foldText, gap, scriptClass, type FoldedText } from "./fold-text.ts";

/** How a brand, product or person is found in a text. */
export interface EntityDefinition {
  readonly entityId: string;
  readonly variants: readonly EntityVariant[];
  /**
   * Phrases that show that a name means something else. A phrase that contains the name excludes the mention in it: `Monday morning`.
   * Any other phrase excludes the mentions of its sentence: `horsepower`.
   */
  readonly negativeContexts: readonly string[];
}

export interface EntityVariant {
  readonly text: string;
  /** Found only in this case: `HP`, not `hp`. */
  readonly isCaseSensitive: boolean;
}

/** A variant or a negative context, at the end of its path in the tree. */
export interface Pattern {
  readonly entityId: string;
  readonly text: string;
  readonly kind: "variant" | "phrase" | "sentence";
  readonly isCaseSensitive: boolean;
  readonly cased: readonly number[];
  /** For each atom, the `joint` before it. */
  readonly joints: readonly number[];
}

/** What may stand between two atoms of a name. */
export const joint = {
  /** Nothing but a hyphen at the end of a line. */
  tight: 0,
  /** A space, a hyphen or nothing. */
  loose: 1,
  /** An apostrophe or nothing. */
  apostrophe: 2,
  /** A space or nothing: beside a sign such as `&`. */
  sign: 3,
  /** Nothing; or, if the whole name is written in its case, a space or a hyphen: `You Tube` for `YouTube`. */
  inner: 4,
  /** A space or a hyphen, in negative contexts: `ta ta` is not Tata. */
  apart: 5,
} as const;

export interface PatternNode {
  readonly next: Map<number, PatternNode>;
  patterns: Pattern[] | null;
}

/** Entities as a tree of folded characters, for `findMentions`. Reusable for any number of texts. */
export interface CompiledEntities {
  readonly root: PatternNode;
}

export function compileEntities(entities: readonly EntityDefinition[]): CompiledEntities {
  const root: PatternNode = { next: new Map(), patterns: null };
  for (const { entityId, variants, negativeContexts } of entities) {
    for (const { text, isCaseSensitive } of variants) add(root, { entityId, text, kind: "variant", isCaseSensitive });
    const names = variants.map(({ text }) => ` ${wordsOf(text)} `);
    for (const text of negativeContexts) {
      const words = ` ${wordsOf(text)} `;
      const kind = names.some((name) => words.includes(name)) || isInside(text, variants) ? "phrase" : "sentence";
      add(root, { entityId, text, kind, isCaseSensitive: false });
    }
  }
  return { root };
}

/** The folded characters, with a space wherever there is a gap or a sign. */
function wordsOf(text: string): string {
  const { length, codes, gaps } = foldText(text);
  let words = "";
  for (let at = 0; at < length; at++)
    words += (at > 0 && (gaps[at] ?? 0) !== 0 ? " " : "") + String.fromCodePoint(codes[at] ?? 0);
  return words;
}

/** In scripts without spaces, a phrase contains a name wherever it contains its characters. */
function isInside(text: string, variants: readonly EntityVariant[]): boolean {
  return variants.some((variant) => {
    const { classes, length } = foldText(variant.text);
    const isSpaced = classes
      .subarray(0, length)
      .some((found) => found === scriptClass.spaced || found === scriptClass.none);
    return !isSpaced && wordsOf(text).includes(wordsOf(variant.text));
  });
}

function add(root: PatternNode, pattern: Pick<Pattern, "entityId" | "text" | "kind" | "isCaseSensitive">): void {
  const folded = foldText(pattern.text);
  if (folded.length === 0) return;
  let node = root;
  for (let at = 0; at < folded.length; at++) {
    const code = folded.codes[at] ?? 0;
    let next = node.next.get(code);
    if (next === undefined) node.next.set(code, (next = { next: new Map(), patterns: null }));
    node = next;
  }
  const cased = Array.from(folded.cased.subarray(0, folded.length));
  const joints = cased.map((_, at) => jointBefore(folded, at, pattern.kind));
  (node.patterns ??= []).push({ ...pattern, cased, joints });
}

function jointBefore({ codes, cased, gaps, classes }: FoldedText, at: number, kind: Pattern["kind"]): number {
  if (at === 0) return joint.tight;
  const found = gaps[at] ?? 0;
  if ((found & (gap.space | gap.hyphen | gap.newline)) !== 0) return kind === "variant" ? joint.loose : joint.apart;
  if ((found & gap.apostrophe) !== 0) return joint.apostrophe;
  const [before, after] = [classes[at - 1] ?? 0, classes[at] ?? 0];
  if (before === scriptClass.none || after === scriptClass.none) {
    const sign = String.fromCodePoint((before === scriptClass.none ? codes[at - 1] : codes[at]) ?? 0);
    // After a full stop only before a capital: `J. Crew`, not `you. com`.
    const isInitial = sign === "." && before === scriptClass.none && cased[at] !== codes[at];
    return sign === "&" || sign === "+" || isInitial ? joint.sign : joint.tight;
  }
  if (before !== after) return joint.loose;
  const isCapital = cased[at] !== codes[at] && cased[at - 1] === codes[at - 1];
  const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
  const startsNumber = isDigit(codes[at] ?? 0) && !isDigit(codes[at - 1] ?? 0) && at > 1;
  return before === scriptClass.spaced && (isCapital || startsNumber) ? joint.inner : joint.tight;
}
