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
