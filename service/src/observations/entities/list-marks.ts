/** The marks with which lines begin items of lists, and the numbers in which ranks are written. Texts are read with `halfWidth`. */

const hanDigits = "一二三四五六七八九";
export const hanRank = `[${hanDigits}十]{1,3}`;

const medals = ["🥇", "🥈", "🥉"] as const;
/** Rows of numbers in Unicode, by the code point of their 1, and their length. */
const numbered = [
  [0x2460, 20],
  [0x2474, 20],
  [0x2488, 20],
  [0x24f5, 10],
  [0x2776, 10],
  [0x2780, 10],
  [0x278a, 10],
  [0x3220, 10],
  [0x3280, 10],
] as const;
/** One character that is a number: ①, ❶, 🥇, 🔟. */
export const rankSign = `[🔟${medals.join("")}${numbered
  .map(([first, count]) => `${String.fromCodePoint(first)}-${String.fromCodePoint(first + count - 1)}`)
  .join("")}]`;

const romans = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV"];

/** Reads a rank; null if the text is no number from 1. */
export function rankOf(written: string): number | null {
  const number = /^[0-9]+$/u.test(written) ? Number(written) : (signNumber(written) ?? hanNumber(written));
  return number !== null && number >= 1 ? number : null;
}

function romanRank(written: string): number | null {
  const index = romans.indexOf(written.toUpperCase());
  return index === -1 ? null : index + 1;
}

const letterRank = (written: string): number => (written.toLowerCase().codePointAt(0) ?? 0) - 96;

function signNumber(written: string): number | null {
  if (written === "🔟") return 10;
  const medal = medals.findIndex((each) => each === written);
  if (medal !== -1) return medal + 1;
  const code = written.codePointAt(0) ?? 0;
  const row = numbered.find(([first, count]) => code >= first && code < first + count);
  return row === undefined ? null : code - row[0] + 1;
}

const hanNumberForm = new RegExp(`^([${hanDigits}])?(十)?([${hanDigits}])?$`, "u");

/** From 一 to 九十九. */
function hanNumber(written: string): number | null {
  const [whole, first = "", ten = "", last = ""] = hanNumberForm.exec(written) ?? [];
  if (whole === undefined || (ten === "" && last !== "")) return null;
  const valueOf = (digit: string) => (digit === "" ? 0 : hanDigits.indexOf(digit) + 1);
  if (ten === "") return valueOf(first);
  return 10 * Math.max(1, valueOf(first)) + valueOf(last);
}

const cellForms = [
  /^(?:#|No\.?|Nr\.?|№|第)?([0-9]{1,3})(?:[.)位名위]|st|nd|rd|th|er|e|º)?$/iu,
  new RegExp(`^第?(${hanRank})[名位]?$`, "u"),
  new RegExp(`^(${rankSign}|[0-9](?=\\uFE0F?\\u20E3))(?:\\uFE0F?\\u20E3)?(?:[0-9]{1,2}\\.?)?$`, "u"),
];

/** The rank that is all that stands in the cell of a table. */
export function rankInCell(cell: string): number | null {
  if (cell.length > 20) return null;
  const text = cell.replaceAll(/[*_\\\s]/gu, "");
  for (const form of cellForms) {
    const written = form.exec(text)?.[1];
    if (written !== undefined) return rankOf(written);
  }
  return null;
}

/** Sentences that are counted by their first word: `First, Acme … Second, Beta …`. */

const words: readonly (readonly string[])[] = [
  ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"],
  ["firstly", "secondly", "thirdly", "fourthly", "fifthly"],
  [
    "erstens",
    "zweitens",
    "drittens",
    "viertens",
    "fünftens",
    "sechstens",
    "siebtens",
    "achtens",
    "neuntens",
    "zehntens",
  ],
  ["premièrement", "deuxièmement", "troisièmement", "quatrièmement", "cinquièmement", "sixièmement"],
  ["en premier lieu", "en deuxième lieu", "en troisième lieu", "en quatrième lieu"],
  ["primero", "segundo", "tercero", "cuarto", "quinto", "sexto", "séptimo", "octavo"],
  ["en primer lugar", "en segundo lugar", "en tercer lugar", "en cuarto lugar", "en quinto lugar"],
  ["第一", "第二", "第三", "第四", "第五", "第六", "第七", "第八", "第九", "第十"],
  ["首先", "其次", "再次"],
];

const places = new Map(
  words.flatMap((row, index) => row.map((word, place) => [word, { row: index, place: place + 1 }])),
);
const anyWord = words
  .flat()
  .toSorted((one, other) => other.length - one.length)
  .join("|");

/** At the start of a sentence or line, before a sign or a verb; or a heading, which ends what was counted. */
const ordinal = new RegExp(
  String.raw`(?<=^|\n|[.!?:;。][ \t"”)*_]{0,4})(?:(#{1,6})[ \t]|[ \t]{0,4}(?:[-*+•][ \t]{1,4})?[*_]{0,3}(?:and[ \t]|und[ \t]|et[ \t]|y[ \t])?(${anyWord})[*_]{0,3}(?:[ \t]*[:,、][*_]{0,3}|[ \t]+(?:(?:up|place)[ \t]+)?(?:is|comes|goes to|ist|kommt|est|vient|es|está)(?![\p{L}])|[名位个款][ \t]*[是为:,、]|[是为]))`,
  "giu",
);

interface OrdinalItem {
  /** Where the text starts, after the word. */
  readonly start: number;
  readonly rank: number;
}

const ordinalsMax = 10_000;

/** Those that count up from the first, at least two, within one section; by their order. */
export function ordinalItems(text: string): readonly OrdinalItem[] {
  const items: OrdinalItem[] = [];
  let open: { row: number; last: number; first: OrdinalItem | null } | null = null;
  for (const found of text.matchAll(ordinal)) {
    if (items.length >= ordinalsMax) break;
    const known = places.get((found[2] ?? "").toLowerCase());
    if (found[1] !== undefined || known === undefined) {
      open = null;
      continue;
    }
    const { row, place } = known;
    const item = { start: found.index + found[0].length, rank: place };
    if (place === 1) open = { row, last: 1, first: item };
    else if (open !== null && open.row === row && open.last === place - 1) {
      if (open.first !== null) items.push(open.first);
      items.push(item);
      open = { row, last: place, first: null };
    }
  }
  return items;
}

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
