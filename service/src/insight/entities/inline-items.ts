/** The items that a text enumerates within one line, as texts do whose line breaks were lost. */
import type { Mark } from "./list-marks.ts";
import { hanRank, rankOf, rankSign } from "./rank-numbers.ts";

export interface InlineItem {
  /** The offset of its mark from the start of the line. */
  readonly start: number;
  /** Where its text starts. */
  readonly end: number;
  readonly rank: number;
  /** Where the enumeration starts: what stands before may be a heading. */
  readonly listStart: number;
}

const letters = String.raw`\p{Script=Latin}\p{Script=Cyrillic}`;
const cjk = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;

interface InlineForm {
  readonly family: string;
  readonly form: string;
  /** Only at the start of a part of a sentence, the first of them is one: 1 and 2 may be numbers of something else. */
  readonly isAmbiguous: boolean;
}

const forms: readonly InlineForm[] = [
  {
    family: "dot",
    form: String.raw`(?<![${letters}\p{N}.,$€£¥#/-])([0-9]{1,2})\\?\.(?![0-9])(?=[ \t*[${cjk}])`,
    isAmbiguous: true,
  },
  { family: "comma", form: String.raw`(?<![\p{N}.,])([0-9]{1,2})、`, isAmbiguous: false },
  {
    family: "bracket",
    form: String.raw`(?<![${letters}\p{N}.,$€£¥#/(-])([0-9]{1,2})\\?\)(?![0-9])`,
    isAmbiguous: false,
  },
  { family: "brackets", form: String.raw`(?<![${letters}\p{N}\]])\(([0-9]{1,2})\)`, isAmbiguous: true },
  { family: "number", form: String.raw`(?<![\p{L}\p{N}&/])#([0-9]{1,2})(?![\p{L}\p{N}])[:.)]?`, isAmbiguous: false },
  { family: "keycap", form: String.raw`([0-9](?=\uFE0F?\u20E3))\uFE0F?\u20E3`, isAmbiguous: false },
  { family: "sign", form: `(${rankSign})`, isAmbiguous: false },
  { family: "han", form: String.raw`(?<!\p{Script=Han})(${hanRank})、`, isAmbiguous: false },
];
const anyForm = new RegExp(forms.map(({ form }) => form).join("|"), "gu");

/** What an enumeration follows: a sign, or a word that announces it. */
const announces = new RegExp(
  String.raw`(?:^|[:;,.!?、。—–)\]>*|][ \t]*|(?:^|[ \t])(?:are|is|includes?|be|sind|ist|sont|est|son|es|sono)[ \t]+|[${cjk}][ \t]*)$`,
  "iu",
);
/** A number after such a word is a part of a name, a quantity or a date: `version 2. `. */
const takesNumber =
  /(?:^|[^\p{L}])(?:versions?|models?|modell|gen|generation|levels?|series|types?|typ|parts?|teil|phase|steps?|tier|mark|mk|vol|no|top|pages?|chapter|stage|class|grade|size|of|to|than|and|or|for|in|at|about|under|over|around|least|with|costs?|is|are|by|from|season|the|der|die|das|dem|den|des|am|zum|vom|le|la|el|les|und|y|et)$/iu;
const beforeCharsMax = 20;
/** A heading whose line break was lost: `### Good ones 1. Acme`. */
const isHeading = /(?:^|[ \t])#{1,6}[ \t][^.!?:#]{1,80}$/u;
const headingCharsMax = 90;

/** At most so many marks of one line are looked at. */
const marksMax = 5000;

/** Items that count up, at least two of them; the line itself may be the first, with the rank `own`. */
export function inlineItems(line: string, from: number, own: Mark | null): readonly InlineItem[] {
  const items: InlineItem[] = [];
  const ownRank = own?.style === "digit" || own?.style === "han" ? own.rank : null;
  /** The enumeration of each form that may go on. */
  const open = new Map<string, { start: number; last: number; first: InlineItem | null }>();
  anyForm.lastIndex = from;
  for (let marks = 0; marks < marksMax; marks++) {
    const found = anyForm.exec(line);
    if (found === null) break;
    const which = found.findIndex((group, index) => index > 0 && group !== undefined) - 1;
    const { family, isAmbiguous } = forms[which] ?? { family: "", isAmbiguous: true };
    const rank = rankOf(found[which + 1] ?? "");
    if (rank === null) continue;
    const start = found.index;
    const before = line.slice(Math.max(0, start - beforeCharsMax), start);
    const list = open.get(family) ?? (ownRank === null ? null : { start: from, last: ownRank, first: null });
    if (list?.last === rank - 1 && !(isAmbiguous && takesNumber.test(before.trimEnd()))) {
      if (list.first !== null) items.push(list.first);
      items.push({ start, end: start + found[0].length, rank, listStart: list.start });
      open.set(family, { start: list.start, last: rank, first: null });
    } else if (
      rank === 1 &&
      (!isAmbiguous ||
        announces.test(before) ||
        isHeading.test(line.slice(Math.max(0, start - headingCharsMax), start)))
    ) {
      const first = { start, end: start + found[0].length, rank, listStart: start };
      open.set(family, { start, last: 1, first });
    }
  }
  return items.toSorted((one, other) => one.start - other.start);
}
