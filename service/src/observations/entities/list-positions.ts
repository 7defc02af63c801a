import {
  boldOnly,
  fence,
  markCharsMax,
  readMarks,
  rule,
  halfWidth,
  positionAfter,
  type LineMarks,
  type MarkContext,
  type MarkStyle,
  type Mark,
} from "./list-marks.ts";
import { cellsOf, isDelimiterRow, delimiterCharsMax, rankedCell, rankedTable, type RankedTable } from "./list-table.ts";
import { ordinalItems, hanRank, rankOf, rankSign } from "./rank-numbers.ts";
import { isAttribute, warns, disqualifies } from "./list-headings.ts";

/**
 * For each mention of a Markdown text, the place of the item of a list that begins with it, from 1; null: it begins none. Items below
 * items are details. Lists under a heading or line that warns of what they list, and lists of sources, give no places.
 * `mentions` in the order of the text. The time is in proportion to the length of the text.
 */
export function listPositions(text: string, mentions: readonly TextSpan[]): (number | null)[] {
  if (mentions.length === 0) return [];
  const plain = halfWidth(text);
  const lines = new ListLines(plain);
  return mentions.map(({ start }) => {
    const item = lines.at(start).findLast((each) => each.start <= start);
    if (item === undefined || start >= item.end || !begins(plain, item.start, start)) return null;
    return isOfChoices(plain, item.scope) ? item.position : null;
  });
}

interface Item extends TextSpan {
  readonly position: number;
  readonly scope: ListScope | null;
}

interface List {
  readonly style: MarkStyle;
  readonly rank: number | null;
  readonly position: number;
  /** The indentation of the list, or the level of its headings. */
  readonly indent: number;
  readonly scope: ListScope | null;
}

/** The lines of a text, read once, up to where they are asked for. */
class ListLines {
  readonly #text: string;
  readonly #ordinals: readonly { readonly start: number; readonly rank: number }[];
  #ordinalAt = 0;
  #line: TextSpan = { start: 0, end: -1 };
  #items: readonly Item[] = [];
  #scope: ListScope | null = null;
  #headings: List | null = null;
  #ranked: List | null = null;
  #bullets: List | null = null;
  /** The paragraph's line above, if no item stands between. */
  #above: TextSpan | null = null;
  /** Whether the line before was blank, or belonged to an item. */
  #before: "blank" | "item" | "text" = "blank";
  #isCode = false;
  #table: RankedTable | "unranked" | null = null;
  readonly #lastRanks = new Map<MarkStyle, number>();
  readonly #context: MarkContext = {
    lastOf: (style) => this.#lastRanks.get(style) ?? null,
    hasSecond: (style) => this.#hasSecond(style),
  };
  readonly #seconds = new Map<"letter" | "roman", boolean>();

  constructor(text: string) {
    this.#text = text;
    this.#ordinals = ordinalItems(text);
  }

  /** The items of the line of an offset that is not before those of the earlier calls. */
  at(offset: number): readonly Item[] {
    while (this.#line.end < offset && this.#line.end < this.#text.length) {
      this.#line = this.#lineFrom(this.#line.end + 1);
      const items = this.#read(this.#line);
      this.#items = this.#withOrdinals(items);
    }
    return this.#items;
  }

  #lineFrom(start: number): TextSpan {
    const newline = this.#text.indexOf("\n", start);
    return { start, end: newline === -1 ? this.#text.length : newline };
  }

  #read(line: TextSpan): readonly Item[] {
    const { start, end } = line;
    const head = this.#text.slice(start, Math.min(end, start + markCharsMax));
    if (head.trim() === "") {
      this.#before = "blank";
      this.#table = null;
      return [];
    }
    if (fence.test(head)) this.#isCode = !this.#isCode;
    if (this.#isCode || fence.test(head)) return [];
    const row = this.#row(line);
    if (row !== null) return row;
    const marks = readMarks(head, this.#context);
    const above = this.#above;
    const own = this.#ownItem(line, head, marks);
    return this.#withInline(line, marks, own, above);
  }

  /** Reads a row of a table; null if the line is none. */
  #row(line: TextSpan): readonly Item[] | null {
    const text = this.#text;
    if (text.slice(line.start, Math.min(line.end, line.start + delimiterCharsMax)).indexOf("|") === -1) {
      this.#table = null;
      return null;
    }
    const written = text.slice(line.start, line.end);
    if (this.#table === null) {
      const next = this.#lineFrom(line.end + 1);
      if (
        line.end >= text.length ||
        !isDelimiterRow(text.slice(next.start, Math.min(next.end, next.start + delimiterCharsMax + 1)))
      )
        return null;
      const first = this.#lineFrom(next.end + 1);
      const rows = [first, this.#lineFrom(first.end + 1)].map((row) =>
        text.slice(row.start, Math.min(row.end, row.start + delimiterCharsMax)),
      );
      this.#table = rankedTable(written, rows) ?? "unranked";
      this.#endLists();
      return [];
    }
    const scope = this.#listScope(this.#above);
    if (this.#table === "unranked") {
      const [cell] = cellsOf(written);
      if (cell === undefined) return [];
      const marks = readMarks(written.slice(cell.start, Math.min(cell.end, cell.start + markCharsMax)), this.#context);
      if (marks.mark === null || marks.mark.rank === null) return [];
      const at = line.start + cell.start;
      return [{ start: at + marks.length, end: line.start + cell.end, position: marks.mark.rank, scope }];
    }
    const ranked = rankedCell(written, this.#table);
    if (ranked === null) return [];
    const { cell, rank } = ranked;
    return [{ start: line.start + cell.start, end: line.start + cell.end, position: rank, scope }];
  }

  #ownItem(line: TextSpan, head: string, marks: LineMarks): Item | null {
    const { heading, mark, indent, length } = marks;
    if (mark !== null && mark.rank !== null) this.#lastRanks.set(mark.style, mark.rank);
    const place = { start: line.start + length, end: line.end };
    if (heading > 0) {
      this.#openScope({ ...place, level: heading });
      this.#endLists();
      const before = this.#headings;
      if (before !== null && heading <= before.indent) this.#headings = null;
      if (mark === null || mark.rank === null) return null;
      const list = this.#headings ?? (before?.indent === heading ? before : null);
      const position = positionAfter(list, mark);
      this.#headings = { ...mark, position, indent: heading, scope: this.#scope };
      return { ...place, position, scope: this.#scope?.parent ?? null };
    }
    if (mark === null || rule.test(head)) {
      this.#readText(line, head, indent);
      return null;
    }
    const isIntroduced = this.#isIntroduced();
    const list = this.#listOf({ ...marks, mark }, isIntroduced);
    this.#above = null;
    this.#before = "item";
    return list === null ? null : { ...place, position: list.position, scope: list.scope };
  }

  /** The list that the item continues or starts; null: it is a detail of another item. */
  #listOf({ mark, indent }: LineMarks & { mark: NonNullable<LineMarks["mark"]> }, isIntroduced: boolean): List | null {
    const last = this.#bullets ?? this.#ranked;
    if (!isIntroduced && last !== null && indent > last.indent + 1) return null;
    const isDetail = mark.style === "bullet" || mark.style === "letter";
    if (isDetail && this.#headings !== null) return null;
    if (mark.rank === null) {
      if (!isIntroduced && this.#ranked !== null) return null;
      const before = this.#bullets;
      const isNew = isIntroduced || before === null || indent < before.indent - 1;
      const scope = isNew ? this.#listScope(this.#above) : before.scope;
      this.#bullets = { ...mark, position: isNew ? 1 : before.position + 1, indent, scope };
      return this.#bullets;
    }
    const before = isIntroduced ? null : this.#ranked;
    if (isDetail && before !== null && before.style !== "letter") return null;
    const position = positionAfter(before, mark);
    const isNew = before === null || before.style !== mark.style || (mark.rank === 1 && position === 1);
    const scope = isNew ? this.#listScope(this.#above) : before.scope;
    this.#bullets = null;
    this.#ranked = { ...mark, position, indent, scope };
    return this.#ranked;
  }

  /** A line without a mark: a heading in bold or underlined, a part of an item, or a paragraph. */
  #readText(line: TextSpan, head: string, indent: number): void {
    if (rule.test(head)) {
      const isUnderline = /^[ \t]*[-=]+\s*$/u.test(head) && this.#before === "text" && this.#above !== null;
      if (isUnderline && this.#above !== null) {
        this.#openScope({ ...this.#above, level: head.includes("=") ? 1 : 2 });
        this.#endLists();
        this.#headings = null;
      }
      this.#before = "blank";
      return;
    }
    const hasList = this.#ranked !== null || this.#bullets !== null;
    if (indent > 0 && hasList) return void (this.#before = "item");
    const text = this.#text.slice(Math.max(line.start, line.end - markCharsMax), line.end).trimEnd();
    if (line.end - line.start <= 2 * markCharsMax && boldOnly.test(this.#text.slice(line.start, line.end))) {
      this.#openScope({ ...line, level: boldLine });
      this.#endLists();
      return;
    }
    // It belongs to the item above if no blank line separates it, as in Markdown.
    if (this.#before === "item" && !/:[*_]*$/u.test(text)) return;
    this.#bullets = null;
    this.#above = line;
    this.#before = "text";
  }

  /** The line above announces a list of its own. */
  #isIntroduced(): boolean {
    if (this.#above === null) return false;
    const { start, end } = this.#above;
    return /:[*_]*\s*$/u.test(this.#text.slice(Math.max(start, end - 20), end));
  }

  #openScope({ start, end, level }: TextSpan & { level: number }): void {
    let parent = this.#scope;
    while (parent !== null && parent.level >= level) parent = parent.parent;
    this.#scope = { start, end, level, parent, isOfChoices: null };
  }

  #listScope(above: TextSpan | null): ListScope | null {
    if (above === null) return this.#scope;
    return { ...above, level: lineAbove, parent: this.#scope, isOfChoices: null };
  }

  #endLists(): void {
    this.#ranked = null;
    this.#bullets = null;
    this.#above = null;
    this.#before = "blank";
    this.#lastRanks.clear();
  }

  #withInline(
    { start, end }: TextSpan,
    { length, mark }: LineMarks,
    own: Item | null,
    above: TextSpan | null,
  ): readonly Item[] {
    const items: Item[] = own === null ? [] : [own];
    const line = this.#text.slice(start, end);
    const scopes = new Map<number, ListScope | null>();
    for (const { start: markAt, end: textAt, rank, listStart } of inlineItems(line, length, mark)) {
      let scope = scopes.get(listStart);
      if (scope === undefined) {
        const isAtStart = line.slice(length, listStart).trim() === "";
        const before = { start: start + Math.max(length, listStart - scopeCharsMax), end: start + listStart };
        scope = isAtStart ? (own?.scope ?? this.#listScope(above)) : this.#listScope(before);
        scopes.set(listStart, scope);
      }
      const last = items.at(-1);
      if (last !== undefined) items[items.length - 1] = { ...last, end: Math.min(last.end, start + markAt) };
      items.push({ start: start + textAt, end, position: rank, scope });
    }
    return items;
  }

  #withOrdinals(items: readonly Item[]): readonly Item[] {
    const { start, end } = this.#line;
    const found: Item[] = [];
    for (; this.#ordinalAt < this.#ordinals.length; this.#ordinalAt++) {
      const ordinal = this.#ordinals[this.#ordinalAt];
      if (ordinal === undefined || ordinal.start > end) break;
      if (ordinal.start >= start) found.push({ start: ordinal.start, end, position: ordinal.rank, scope: this.#scope });
    }
    if (found.length === 0) return items;
    return [...items, ...found].toSorted((one, other) => one.start - other.start);
  }

  #hasSecond(style: "letter" | "roman"): boolean {
    let has = this.#seconds.get(style);
    if (has === undefined) {
      const form =
        style === "roman" ? /^[ \t>#*_\\(-]{0,12}(?:II|ii)\\?[.)][ \t*[]/mu : /^[ \t>#*_\\(-]{0,12}[bB]\\?\)[ \t*[]/mu;
      has = form.test(this.#text);
      this.#seconds.set(style, has);
    }
    return has;
  }
}

// The items that a text enumerates within one line, as texts do whose line breaks were lost.

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
function inlineItems(line: string, from: number, own: Mark | null): readonly InlineItem[] {
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

const prefixCharsMax = 120;
/** Nothing but marks, or an article. */
const nothing = /^[^\p{L}\p{N}]*(?:(?:the|der|die|das|le|la|les)\s+|l['’])?[^\p{L}\p{N}]*$/iu;
/** Something before it in the same bold text or link, such as the maker of a product. */
const inBold = /^[^\p{L}\p{N}]*(?:\*\*|__|\[)[^*_\]]*$/u;
/** What it is good for: `Best for beginners: `. */
const label = /^[^.!?]*:\s*[^\p{L}\p{N}]*$/u;

/** Whether an item begins with a name: perhaps after a mark, an article, its maker, or a label that chooses it. */
function begins(text: string, itemStart: number, start: number): boolean {
  if (start - itemStart > prefixCharsMax) return false;
  const prefix = text.slice(itemStart, start);
  if (!nothing.test(prefix) && !inBold.test(prefix) && !label.test(prefix)) return false;
  return !warns(prefix) && !isAttribute(prefix);
}

// What headings and lines say of the lists below them.

interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A heading or line, which says what the lists below it are. */
interface ListScope extends TextSpan {
  /** 1 to 6: a heading. Others: see below. */
  readonly level: number;
  readonly parent: ListScope | null;
  /** Found when it is asked for. */
  isOfChoices: boolean | null;
}

const boldLine = 7;
const lineAbove = 8;

/** False if a heading or line above says that its lists are no lists of choices. */
function isOfChoices(text: string, scope: ListScope | null): boolean {
  if (scope === null) return true;
  scope.isOfChoices ??= !saysOtherwise(text, scope) && isOfChoices(text, scope.parent);
  return scope.isOfChoices;
}

/** The part of a heading or line that is looked at. */
const scopeCharsMax = 300;
const lineCharsMax = 100;

function saysOtherwise(text: string, { start, end, level }: ListScope): boolean {
  const said = text.slice(level < boldLine ? start : Math.max(start, end - scopeCharsMax), Math.min(end, start + 1e4));
  return (level <= boldLine || isAnnouncement(said)) && disqualifies(said);
}

/** A line above a list announces it with a colon or like a heading; other sentences are about something else. */
function isAnnouncement(line: string): boolean {
  const said = line.trimEnd().replace(/[*_]+$/u, "");
  if (said.endsWith(":")) return true;
  const sentence =
    said
      .slice(0, -1)
      .split(/[.!?。]\s+|[。！？]/u)
      .at(-1) ?? "";
  if (sentence.length > lineCharsMax) return false;
  return (
    !/[.。]$/u.test(said) ||
    /^\s*(?:here|these|the following|below|hier|folgende|voici|estos|estas|以下|下面|这些)/iu.test(sentence)
  );
}
