import { inlineItems } from "./inline-items.ts";
import { begins } from "./item-begins.ts";
import {
  boldOnly,
  fence,
  markCharsMax,
  readMarks,
  rule,
  type LineMarks,
  type MarkContext,
  type MarkStyle,
  halfWidth,
  positionAfter,
} from "./list-marks.ts";
import { cellsOf, isDelimiterRow, delimiterCharsMax, rankedCell, rankedTable, type RankedTable } from "./list-table.ts";
import { boldLine, isOfChoices, lineAbove, scopeCharsMax, type ListScope, type TextSpan } from "./list-scopes.ts";
import { ordinalItems } from "./ordinal-words.ts";

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
