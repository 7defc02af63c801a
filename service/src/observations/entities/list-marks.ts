/** The marks with which lines begin items of lists. Texts are read with `halfWidth`. */
import { hanRank, letterRank, rankOf, rankSign, romanRank } from "./rank-numbers.ts";

export type MarkStyle = "digit" | "han" | "letter" | "roman" | "bullet";

export interface Mark {
  readonly style: MarkStyle;
  /** The rank; null for a bullet. */
  readonly rank: number | null;
}

export interface LineMarks {
  /** Columns of white space before the first mark. */
  readonly indent: number;
  /** The level of a heading; 0: it is none. */
  readonly heading: number;
  /** The mark with which the line begins an item; null if it begins none. */
  readonly mark: Mark | null;
  /** Where the text after the marks starts, from the start of the line. */
  readonly length: number;
}

/** The part of a line in which its marks are looked for. */
export const markCharsMax = 100;

/** Lines that begin no item: the fence of code, a rule or underline, and a heading in bold. */
export const fence = /^[ \t>]{0,8}(?:`{3}|~{3})/u;
export const rule = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,}[ \t]*)\r?$/u;
export const boldOnly = /^[^\p{L}\p{N}*_]{0,8}(?:\\?\*\\?\*|__)(?=\S)[^*]{1,200}(?:\\?\*\\?\*|__)[ \t]*:?[ \t]*\r?$/u;

const quotes = /^(?:>[ \t]*){1,8}/u;
const headingSigns = /^(#{1,6})[ \t]+/u;
const emphasis = /^(?:\\?[*_]){1,4}(?=[^\s*_])/u;
const bullet = /^(?:\\?[-*+•‣◦●○■□▪▸►➤◆·–—]|[✅✔✓☑🔹🔸🔷🔶👉]\uFE0F?)[ \t]+/u;
const space = /^[ \t]+/u;
/** A picture before a rank: `🏆 1. Acme`. */
const picture = new RegExp(
  `^(?:(?!${rankSign}|[❌🚫⛔👎])\\p{Extended_Pictographic}[\\uFE0F\\u200D]*){1,3}[ \\t]+`,
  "u",
);

/** After a word such as `Rank`, or a number without a dot. */
const separator = String.raw`(?:[ \t]*[:.),、]|[ \t]+[-–—](?=[ \t]))(?![0-9])`;

interface RankForm {
  readonly style: MarkStyle;
  /** One item has one mark of a family: in `1. 7. Avenue`, the second is the item's text. */
  readonly family: string;
  readonly form: RegExp;
  /** After a bullet, it is a name: `- No. 7`. */
  readonly isFirst?: true;
}

/** What follows must not make it a decimal, a time, a share or a year. */
const rankForms: readonly RankForm[] = [
  {
    style: "digit",
    family: "digits",
    form: /^([0-9]{1,3})(?:\\?[.)](?![0-9])|、|[ \t]*:(?![0-9/])(?=[ \t]|[\p{L}*[])|[ \t]+[-–—][ \t]+(?![0-9]))/u,
  },
  { style: "digit", family: "digits", form: /^\\?\([ \t]?([0-9]{1,2})[ \t]?\\?\)/u },
  { style: "digit", family: "digits", form: /^\\?#[ \t]?([0-9]{1,2})(?![0-9%]|[.,][0-9])[.:)]?/u },
  {
    style: "digit",
    family: "digits",
    form: /^(?:No\.?|Nr\.?|N[°º]|№)[ \t]?([0-9]{1,2})(?![0-9%]|[.,][0-9])[.:)]?/iu,
    isFirst: true,
  },
  {
    style: "digit",
    family: "digits",
    form: new RegExp(
      `^(?:Top|Rank|Ranked|Place|Position|Number|Platz|Rang|Nummer|Puesto|Lugar|Posizione|Posto|Место)[ \\t]+#?([0-9]{1,2})${separator}`,
      "iu",
    ),
  },
  {
    style: "digit",
    family: "digits",
    form: new RegExp(
      `^([0-9]{1,2})(?:st|nd|rd|th|er|ère|re|e|ème|\\.?[ºª])(?:[ \\t]+(?:place|choice|pick|lugar))?${separator}`,
      "iu",
    ),
  },
  { style: "digit", family: "digits", form: /^第?[ \t]?([0-9]{1,2})[ \t]?[位名위][:、,.\s]+/u },
  { style: "digit", family: "keycap", form: /^((?:[0-9]\uFE0F?\u20E3){1,2})/u },
  { style: "digit", family: "sign", form: new RegExp(`^(${rankSign})`, "u") },
  { style: "han", family: "han", form: new RegExp(`^(${hanRank})[ \\t]?[、.:]`, "u") },
  { style: "han", family: "han", form: new RegExp(`^\\([ \\t]?(${hanRank})[ \\t]?\\)`, "u") },
  {
    style: "han",
    family: "han",
    form: new RegExp(`^第[ \\t]?(${hanRank}|[0-9]{1,2})(?:[名位]|[个款种家]?(?=[:、,]))[:、,\\s]*`, "u"),
  },
  { style: "roman", family: "roman", form: /^\(?([IVX]{1,5}|[ivx]{1,5})\\?[.)](?=[ \t*[])/u },
  { style: "letter", family: "letter", form: /^\(?([A-Za-z])\\?\)(?=[ \t*[])/u },
];

const maybeRank = new RegExp(
  `^(?:[0-9#(\\\\№第一二三四五六七八九十]|${rankSign}|(?:[A-Z]|[IVX]{1,5})\\\\?[.)]|(?:No|Nr|N[°º]|Top|Rank|Place|Position|Number|Platz|Rang|Nummer|Puesto|Lugar|Posizione|Posto|Место))`,
  "iu",
);

/** What decides whether an ambiguous mark is one: a single letter is a rank only next to its neighbour. */
export interface MarkContext {
  /** The rank of the last item that was numbered in this style. */
  readonly lastOf: (style: MarkStyle) => number | null;
  /** Whether a line of the text begins with the second number of this style. */
  readonly hasSecond: (style: "letter" | "roman") => boolean;
}

/** The marks at the start of a line, of which `head` is the beginning. */
export function readMarks(head: string, context: MarkContext): LineMarks {
  let at = 0;
  const take = (form: RegExp): RegExpExecArray | null => {
    const found = form.exec(head.slice(at));
    if (found !== null) at += found[0].length;
    return found;
  };
  take(space);
  take(quotes);
  const indent = head.slice(0, at).replaceAll("\t", "    ").replaceAll(">", "").length;
  const heading = take(headingSigns)?.[1]?.length ?? 0;
  let mark: Mark | null = null;
  let textAt = at;
  const families = new Set<string>();
  for (let step = 0; step < 6; step++) {
    take(emphasis);
    if (mark !== null || !bullet.test(head.slice(at))) take(picture);
    take(emphasis);
    if (mark === null && take(bullet) !== null) {
      mark = { style: "bullet", rank: null };
    } else {
      const ranked = readRank(head.slice(at), context, families, mark === null);
      if (ranked === null) break;
      at += ranked.length;
      take(space);
      families.add(ranked.family);
      if (mark === null || mark.rank === null) mark = { style: ranked.style, rank: ranked.rank };
    }
    textAt = at;
  }
  return { indent, heading, mark, length: textAt };
}

interface ReadRank {
  readonly style: MarkStyle;
  readonly family: string;
  readonly rank: number;
  readonly length: number;
}

function readRank(rest: string, context: MarkContext, before: ReadonlySet<string>, isFirst: boolean): ReadRank | null {
  if (!maybeRank.test(rest)) return null;
  for (const { style, family, form, isFirst: mustBeFirst = false } of rankForms) {
    const found = before.has(family) || (mustBeFirst && !isFirst) ? null : form.exec(rest);
    if (found === null) continue;
    const rank = markRank(style, (found[1] ?? "").replaceAll(/[\uFE0F\u20E3]/gu, ""), context);
    if (rank !== null) return { style, family, rank, length: found[0].length };
  }
  return null;
}

function markRank(style: MarkStyle, written: string, { lastOf, hasSecond }: MarkContext): number | null {
  if (style !== "letter" && style !== "roman") return rankOf(written);
  const rank = style === "letter" ? letterRank(written) : romanRank(written);
  if (rank === null || (style === "roman" && written.length > 1)) return rank;
  // `J. Crew` and `(c) Acme` are no items.
  return lastOf(style) === rank - 1 || (rank === 1 && hasSecond(style)) ? rank : null;
}

/** Full-width characters have the same meaning, and are replaced without changing an offset. */
export const halfWidth = (text: string): string =>
  text.replaceAll(/[\uFF01-\uFF5E\u3000]/gu, (wide) =>
    wide === "\u3000" ? " " : String.fromCodePoint((wide.codePointAt(0) ?? 0) - 0xfee0),
  );

/** By its rank, or as the next one. Markdown may number every item 1. */
export function positionAfter(list: (Mark & { readonly position: number }) | null, { style, rank }: Mark): number {
  if (rank === null) return (list?.position ?? 0) + 1;
  return list?.style === style && list.rank === 1 && rank === 1 ? list.position + 1 : rank;
}
