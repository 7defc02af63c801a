/** The numbers in which ranks are written. */

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

export function romanRank(written: string): number | null {
  const index = romans.indexOf(written.toUpperCase());
  return index === -1 ? null : index + 1;
}

export const letterRank = (written: string): number => (written.toLowerCase().codePointAt(0) ?? 0) - 96;

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

export interface OrdinalItem {
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
