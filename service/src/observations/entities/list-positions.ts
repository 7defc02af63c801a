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
  ordinalItems,
  hanRank,
  rankOf,
  rankSign,
  rankInCell,
} from "./list-marks.ts";

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

interface InlineItem {
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

/** Tables with a column of ranks. */
interface TableCell {
  readonly start: number;
  readonly end: number;
}

/** Cells behind these are not looked at. */
const cellsMax = 20;

/** A table whose rows have ranks, and the column in which they stand. */
interface RankedTable {
  readonly column: number;
}

const delimiterRow = /^[ \t]*\|?[ \t]*:?-{1,100}:?[ \t]*(?:\|[ \t]*:?-{1,100}:?[ \t]*){1,50}\|?[ \t]*$/u;
const delimiterCharsMax = 2000;
const isDelimiterRow = (line: string): boolean => line.length <= delimiterCharsMax && delimiterRow.test(line);

const rankHeading =
  /^(?:#|№|no\.?|nr\.?|n°|rank(?:ing)?|rang|platz|platzierung|place|placement|position|pos\.?|classement|puesto|lugar|posición|posição|posizione|posto|plaats|排名|名次|排行|顺位|順位|序号|序號|순위|место|ранг)$/iu;

/** The first row decides where no heading does: `firstRows` are the two rows after the delimiter. */
function rankedTable(heading: string, firstRows: readonly string[]): RankedTable | null {
  const cells = cellsOf(heading);
  const column = cells.findIndex(({ start, end }) =>
    rankHeading.test(
      heading
        .slice(start, end)
        .replaceAll(/[*_\\]/gu, "")
        .trim(),
    ),
  );
  if (column !== -1) return column + 1 < cells.length ? { column } : null;
  const ranks = firstRows.map((row) => {
    const [first] = cellsOf(row);
    return first === undefined ? null : rankInCell(row.slice(first.start, first.end));
  });
  return ranks[0] === 1 && ranks[1] === 2 ? { column: 0 } : null;
}

/** The cell that follows the rank of a row, and the rank. */
function rankedCell(row: string, { column }: RankedTable): { cell: TableCell; rank: number } | null {
  const cells = cellsOf(row);
  const [ranked, cell] = [cells[column], cells[column + 1]];
  if (ranked === undefined || cell === undefined) return null;
  const rank = rankInCell(row.slice(ranked.start, ranked.end));
  return rank === null ? null : { cell, rank };
}

/** The cells of a row; a bar in a cell is escaped. */
function cellsOf(row: string): TableCell[] {
  const cells: TableCell[] = [];
  let start = row.length - row.trimStart().length;
  if (row[start] === "|") start++;
  for (let at = start; at < row.length && cells.length < cellsMax; at++) {
    if (row[at] === "\\") at++;
    else if (row[at] === "|") {
      cells.push({ start, end: at });
      start = at + 1;
    }
  }
  if (cells.length < cellsMax && row.slice(start).trim() !== "") cells.push({ start, end: row.length });
  return cells;
}

/**
 * Words of headings, and of lines above lists, that say: what follows is to be avoided, or no longer exists; or it is where the answer
 * comes from. A change of them is a new version of the matcher.
 */

/** The part of a heading or line that is looked at. */
const listHeadingCharsMax = 300;

/** Conditions and purposes: `If you want to avoid plastic, choose:` warns of nothing. */
const conditions = [
  /^\W*(?:if|when|unless|for (?:those|people|anyone|everyone) who|in case|want(?:ing)? to|looking to|trying to|to avoid|wenn|falls|um|für alle,? die|si|pour|para|se|per|als|om|если|чтобы)(?![\p{L}])[^,:]{0,200}[,:]/iu,
  /^\W*(?:如果|若|想|要想|为了|為了|もし)[^,:]{0,80}[,:]/u,
  /(?<![\p{L}])(?:if|unless|without|instead of|rather than|better than|alternatives? (?:to|for)|replacements? for|who (?:wants?|needs?) to|that (?:help|let)s?|wenn|ohne|statt|alternativen? (?:zu|für)|um (?=[^:]*\bzu\b)|si|sans|pour éviter|au lieu|para evitar|sin|alternativas? (?:a|al)|senza|sem|zonder|если|без|чтобы)(?![\p{L}]).*$/iu,
  /(?:代替|替代|替代品|の代わり|대신).*$/u,
  /\b(?:not|never|n['’]t|nothing|without|far from|anything but|hardly)\s+(?:[\p{L}]+\s+){0,2}(?:overrated|overpriced|overhyped|disappoint\p{L}*|unsafe|worst)\b/giu,
  /\b(?:scams?|fraud|bankruptcy|recalls?|caution|warnings?)[ -]+(?:protection|detection|prevention|law\p{L}*|attorneys?|software|tools?|alerts?|tape|apps?|check\p{L}*|blockers?|insurance|services?|signs?|lights?|free)\b/giu,
  /\bhow\s+to\s+(?:avoid|spot)\s+\p{L}+/giu,
  /\bbest\s*(?:to|and|&|vs\.?|or)\s*(?:the\s+)?worst\b|\bworst\s*(?:to|and|&|vs\.?|or)\s*(?:the\s+)?best\b|\bworst[- ]case\b|\bat worst\b|\bvon (?:gut|besten) bis\b/giu,
  /\b(?:can(?:no|['’])t|cannot|can not|couldn['’]t|could not)\s+(?:\p{L}+\s+){0,2}recommend\b.*\benough\b/giu,
  /(?:不会?|绝不|絕不|从不|從不|零|避免|防|拒绝)踩(?:雷|坑)|失敗しない/gu,
] as const;

const warnings = new RegExp(
  [
    // English
    String.raw`\b(?:worst|weakest|overrated|overhyped|overpriced|disappoint(?:ing|ments?|ed)|underwhelming|unsafe|blacklist(?:ed)?|boycott(?:s|ed)?)\b`,
    String.raw`\b(?:to|should|should['’]d|would|i['’]?d|must|can|probably|definitely|better|best|please)\s+(?:you\s+|i\s+|we\s+)?(?:avoid|skip|ditch)(?:ed)?\b(?=[^\p{L}\p{N}]*$|\s+(?:in|for|at|when|this|these|those|because|due|buying|right|now|altogether|entirely|completely|and|or|like)\b|\s*[(:,–—-])`,
    String.raw`^[^\p{L}\p{N}]*(?:what\s+to\s+|things\s+to\s+)?(?:avoid|skip|ditch|pass)(?=[^\p{L}\p{N}]*$|\s*[:(,–—-])`,
    String.raw`\b(?:avoid|skip|ditch)(?:ing)?\s+(?:these|those|this|them|the\s+following|brands?|models?|products?|at\s+all\s+costs)\b`,
    String.raw`\b(?:steer|stay|keep)\s+(?:well\s+)?(?:clear|away)\b|\bpass\s+on\s+(?:these|those|the\s+following)\b|\bwatch\s+out\s+for\b|\bbeware\b|\bbe\s+(?:careful|cautious|wary)\b|\bcaution\b|\bthink\s+twice\b`,
    String.raw`\b(?:don['’]?t|do\s+not|never|wouldn['’]?t|would\s+not|shouldn['’]?t|should\s+not)\s+(?:\p{L}+\s+){0,2}(?:buy|bother|purchase|choose|pick|trust|waste|touch|use)\b`,
    String.raw`(?:\bnot|\bnever|n['’]t|\bcannot|\bno\s+longer|\bhardly|\bleast)\s+(?:\p{L}+\s+){0,2}recommend(?:ed|ing)?\b|\b(?:hard|difficult|tough|impossible)\s+to\s+recommend\b`,
    String.raw`\b(?:recommend(?:ed|s|ing)?|advis(?:e|ed|es|ing)|warn(?:ed|s|ing)?|caution(?:ed|s)?|decided|argue|voted)\s+(?:\p{L}+\s+){0,2}against\b|\b(?:warned|warnings?)\s+(?:about|of)\b`,
    String.raw`\bbankrupt(?:cy|cies)?\b|\binsolven(?:t|cy)\b|\bdiscontinu(?:ed|ations?)\b|\brecall(?:ed|s)\b|\bdefunct\b|\bout\s+of\s+(?:business|production)\b|\bwent\s+(?:under|bust)\b|\bliquidat(?:ed|ion)\b|\b(?:has|have|had)\s+(?:closed|shut|folded|failed|collapsed)\b|\bthat\s+(?:closed|failed|folded|collapsed)\b|\bno\s+longer\s+(?:available|made|sold|produced|in\s+business|exist|operat|support)`,
    String.raw`\bnot\s+(?:a\s+|as\s+|so\s+|really\s+|very\s+)?(?:good|great|ideal|suitable|worth|advisable|suited)\b(?!\s+(?:enough|only))|(?:isn|aren|weren|wasn)['’]t\s+(?:\p{L}+\s+){0,2}worth\b|\b(?:lowest|worst|poorly|badly|low)[- ](?:rated|ranked|performing|scoring|reviewed|quality)\b|\bleast\s+(?:reliable|favou?rites?|popular|trustworthy|effective|durable)\b|\bbottom\s+(?:of|tier|picks?|performers?)\b|\b(?:wouldn['’]?t|would\s+not|isn['’]?t|not)\s+be\s+my\b|\bscams?\b|\bfraud(?:s|ulent)?\b|\bcounterfeits?\b|\bred\s+flags?\b|\blosers\b|\bfalls?\s+short\b|\bfell\s+short\b`,
    String.raw`\b(?:what|which|ones|brands?|products?|models?)\s+not\s+to\s+\p{L}+|\b(?:poor|bad|weak|unreliable|inferior|subpar)\s+(?:choices?|options?|picks?|brands?|products?|models?|reviews?|ratings?|quality|performers?|value)\b`,
    "^[^\\p{L}\\p{N}]*[❌🚫⛔👎🛑]",
    // German
    String.raw`nicht\s+(?:mehr\s+|zu\s+|so\s+|unbedingt\s+)?(?:empf(?:ehl|ohl)|kaufen|geeignet|erhältlich|lieferbar|zu\s+gebrauchen|gut\b)|nicht\s+(?:\p{L}+\s+){1,3}empfehlen|ungeeignet|abgeraten|abzuraten|(?<![\p{L}])ab(?:zu)?rat(?:e|en)(?![\p{L}])|\brate\p{L}*\b.*\bab\b|finger\s+weg|schlechtest\p{L}*|überbewertet|überschätzt|überteuert|insolven\p{L}*|\bpleite|konkurs|zurückgerufen|rückruf|enttäusch\p{L}*|\bflops?\b|lieber\s+nicht|eingestellte?\p{L}{0,2}(?=[^\p{L}\p{N}]*$|\s+(?:marken|produkte|modelle))|(?:^|[^\p{L}])(?:zu\s+(?:ver)?meiden|(?:ver)?meiden(?:\s+(?:sollten?|sollte\s+man|würde))?)(?=[^\p{L}\p{N}]*$)|(?:ver)?meiden\s+sie\s+(?:diese|die\s+folgenden|folgende)|vorsicht\s+(?:bei|vor)`,
    // French
    String.raw`à\s+(?:éviter|fuir|proscrire)|(?:^|[^\p{L}])évite[rz]?(?:\s+(?:ces|les\s+(?:marques|produits|modèles)|absolument)(?![\p{L}])|(?=[^\p{L}\p{N}]*$))|(?:^|[^\p{L}])(?:non|pas|peu|jamais)\s+(?:\p{L}+\s+){0,2}(?:recommand|conseill|acheter)|ne\s+(?:\p{L}+\s+){0,2}(?:recommand|conseill)|déconseill|(?:^|[^\p{L}])pires?(?![\p{L}])|surcoté|surestimé|surévalué|faillite|liquidation\s+judiciaire|rappelé|rappels?\s+de\s+produits?|décevant|arnaque|méfie[rz]|plus\s+(?:fabriqué|commercialisé|disponible|produit)|moins\s+bon`,
    // Spanish and Portuguese
    String.raw`(?:^|[^\p{L}])(?:a|que|debes|deber[ií]as|conviene|mejor|para|es)\s+evitar(?=[^\p{L}\p{N}]*$)|(?:^|[^\p{L}])evit[ae]r?\s+(?:est[aeo]s|las\s+siguientes|los\s+siguientes|as\s+seguintes|os\s+seguintes)|(?:^|[^\p{L}])(?:no|não|nunca)\s+(?:\p{L}+\s+){0,2}(?:recom[ie]\p{L}*|aconsej|compr[ae]|vale)|(?:desaconsej|desaconselh)\p{L}*|(?:^|[^\p{L}])(?:peor(?:es)?|pior(?:es)?)(?![\p{L}])|sobrevalorad|sobrestimad|superestimad|superfaturad|quiebra|bancarrota|falência|(?<![\p{L}])(?:faliram|faliu|quebraron)(?![\p{L}])|recuperação\s+judicial|descontinuad|decepcion|retirad[oa]s\s+d|huye\s+de|fuja\s+d|estafas?(?![\p{L}])`,
    // Italian
    String.raw`da\s+evitare|(?:^|[^\p{L}])evita(?:re|te)?\s+(?:quest[ei]|i\s+seguenti|le\s+seguenti)|sconsigliat|sconsiglio|non\s+(?:\p{L}+\s+){0,2}(?:consigli|raccomand|acquist|compr)|(?:^|[^\p{L}])peggior[ei]?(?![\p{L}])|sopravvalutat|fallit[aioe](?![\p{L}])|fallimento|bancarotta|fuori\s+produzione|richiamat|deludent`,
    // Dutch
    String.raw`te\s+(?:ver)?mijden|(?:ver)?mijd(?:en)?\s+(?:deze|de\s+volgende)|(?:^|[^\p{L}])(?:ver)?mijden(?=[^\p{L}\p{N}]*$)|niet\s+(?:aan\s+te\s+raden|aanbevolen|aan\s+te\s+bevelen|kopen|geschikt)|afgeraden|af\s+te\s+raden|afraden|slechtste?|overschat|overgewaardeerd|failliet|faillissement|teruggeroepen|stopgezet|teleurstell|pas\s+op\s+voor`,
    // Chinese
    String.raw`避雷|避坑|踩雷|踩坑|拔草|劝退|勸退|黑榜|黑名单|黑名單|红黑榜之黑|智商税|智商稅|翻车|翻車|最差|最烂|最爛|最糟|最不(?:推荐|推薦|值得|靠谱)|不(?:太|是很|是特别|怎么|再|会|被|宜|能)?(?:推荐|推薦|建议|建議|值得|適合购买|适合购买)|不要(?:买|買|选|選|购买|購買)|慎(?:选|選|买|買|入|购|購)|千万别|千萬別|别(?:买|选|碰|入)|別(?:買|選|碰)|远离|遠離|避免(?:购买|購買|选择|選擇|使用|入手|的|以下)|[应应需要該该](?:当|该)?(?:避免|避开|避開)|避开(?:的|以下|这些)|破产|破產|倒闭|倒閉|停产|停產|停售|召回|下架|评价过高|被高估|过誉|過譽|差评|差評`,
    // Japanese
    String.raw`避け(?:る|た|て)?(?:べき|たい|ましょう|ください|方|ほう)|避けるべき|(?:おすすめ|オススメ|お勧め|推奨)(?:し|でき|は(?:し|でき)|され)(?:ない|ません|かね)|買(?:って|わ)(?:は|ない)(?:いけない|ほうが|方が)|最悪|ワースト|倒産|生産終了|製造中止|販売終了|リコール|過大評価|要注意|やめ(?:たほう|た方|とけ)`,
    // Korean
    String.raw`피해야|피할\s|피하세요|추천하지\s*(?:않|못)|비추|최악|워스트|파산|단종|리콜|과대\s*평가|사지\s*(?:마|말)|주의해야|주의할`,
    // Russian
    String.raw`(?:стоит|следует|лучше|надо|нужно)\s+(?:\p{L}+\s+)?(?:избегать|обходить)|избегайте\s+(?:эт|след)|(?:^|[^\p{L}])не\s+(?:\p{L}+\s+){0,2}(?:рекоменд|совету|стоит|покупа|бер)|худши|наихудш|переоцен[её]н|банкрот|обанкрот|снят\p{L}*\s+с\s+производства|отозван|антирейтинг|разочаров`,
  ].join("|"),
  "iu",
);

const sources = new RegExp(
  `^(?:${[
    "(?:sources?|references?|citations?|footnotes?|notes|bibliography|works cited|further reading)(?: (?:and )?(?:sources?|references?|citations?|notes|links|further reading|used|cited|consulted|consultées?|citées?|checked))?|(?:useful |related |external |reference |source )?links",
    "quellen(?:angaben|verzeichnis|nachweise?)?|literatur(?:verzeichnis)?|einzelnachweise|referenzen|weiterführende links|weitere informationen",
    "références?|bibliographie|fuentes?(?: consultadas)?|referencias?|bibliografía|fontes?(?: consultadas)?|referências?|bibliografia|fonti|riferimenti|bronnen|referenties|bronvermelding",
    "参考(?:资料|文献|来源|链接|信息|内容)?|參考(?:資料|文獻|來源|連結)?|(?:资料|信息|数据|引用|内容)?来源|(?:資料|資訊|引用)?來源|引用(?:文献)?|出典|参照(?:元)?|情報源|参考サイト|참고(?:\\s*(?:자료|문헌))?|출처|источники|ссылки|литература",
  ].join("|")})$`,
  "iu",
);

/** True if the text of a heading, or the line above a list, says that the list is no list of choices. */
function disqualifies(text: string): boolean {
  const heading = lastSentence(text.slice(-listHeadingCharsMax));
  const plain = heading
    .replaceAll(/\([^()]*\)/gu, "")
    .replaceAll(/[^\p{L}\p{N}\s]/gu, " ")
    .replaceAll(/^\s*[0-9]+\s|\s+/gu, " ")
    .trim();
  return sources.test(plain) || warns(heading);
}

/** True if a text announces what is to be avoided, or no longer exists. */
function warns(text: string): boolean {
  if (!/[\p{L}\p{Extended_Pictographic}]/u.test(text)) return false;
  let rest = text;
  for (const condition of conditions) rest = rest.replace(condition, " ");
  return warnings.test(rest.trim());
}

/** The text after its last full stop but one. */
function lastSentence(text: string): string {
  const trimmed = text.trimEnd().replace(/[.。]+$/u, "");
  const parts = trimmed.split(/(?<=[.!?][*_"”’)]{0,3})\s+(?=[^\s])|(?<=[。!?])|(?:^|\s)#{1,6}\s/u);
  return parts.findLast((part) => /[\p{L}\p{N}]/u.test(part)) ?? trimmed;
}

/** What a list of properties says of one thing: `Where to buy: Acme` makes no choice. */
const attributes =
  /^[^\p{L}\p{N}]*(?:where\s+to\s+(?:buy|find|get|shop)|available|availability|buy|buy\s+(?:it\s+)?(?:at|from|on|now)|purchase|retailers?|sold|shops?|stores?|order|sellers?|prices?|costs?|pros?|cons?|drawbacks?|downsides?|features?|specs?|specifications|processor|made\s+by|manufacturer|maker|owner|owned\s+by|parent\s+company|compatib\p{L}*|works\s+with|compared?|comparable|similar|alternatives?|competitors?|not|versus|vs|sources?|references?|read\s+more|learn\s+more|link|via|review(?:s|ed)?|kaufen|erhältlich|preis|hersteller|quelle|alternativen?|nachteile|vorteile|où\s+acheter|disponible|prix|fabricant|dónde\s+comprar|precio|购买|价格|品牌方|厂商|来源|优点|缺点)(?:\s+(?:it|them|here|now|at|from|on|in|with|to|by|range|online|stores?|bei|auf|chez|en|à)){0,3}[^\p{L}\p{N}:]*:/iu;

const isAttribute = (prefix: string): boolean => attributes.test(prefix);
