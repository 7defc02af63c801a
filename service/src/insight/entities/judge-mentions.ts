import { recommends, warns } from "./recommendation-phrases.ts";

/** What the text around a mention says about the entity. */
export interface Judgment {
  /** The place of the item that it begins, in its list; from 1. Null: it begins none. */
  readonly listPosition: number | null;
  readonly recommended: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * For each mention of a Markdown text, whether it begins an item of a list, and whether it is recommended: as an item of a list that
 * is not one of things to avoid, or by the words of its sentence. Items below items are details, and not counted.
 * `mentions` in the order of the text.
 */
export function judgeMentions(text: string, mentions: readonly Span[]): Judgment[] {
  const lines = new Lines(text);
  return mentions.map(({ start, end }) => {
    const line = lines.at(start);
    const { item } = line;
    const listPosition = item !== null && begins(text, item.start, start) ? item.position : null;
    const isListed = listPosition !== null && item?.isWarning === false;
    return { listPosition, recommended: isListed || recommends(text, line, { start, end }) };
  });
}

interface Item {
  /** Where its text starts, after its number or mark. */
  readonly start: number;
  readonly position: number;
  /** The list is one of things to avoid. */
  readonly isWarning: boolean;
}

interface Line extends Span {
  /** Null: it is not an item, or one below another. */
  readonly item: Item | null;
}

const mark = /^([ \t]*)(?:#{1,6} +)?(?:\*\*|__)?(?:(\d{1,3})[.)、．](?!\d)|[-*+•](?=[ \t]))/u;
const markCharsMax = 60;

/** The lines of a text, read once up to where they are asked for. */
class Lines {
  readonly #text: string;
  #line: Line = { start: 0, end: -1, item: null };
  #list: { indent: number; position: number; number: number | null; isWarning: boolean } | null = null;
  /** The last line that is neither empty nor an item: what stands above a list. */
  #above: Span | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** The line of an offset that is not before those of the earlier calls. */
  at(offset: number): Line {
    while (this.#line.end < offset && this.#line.end < this.#text.length) this.#next();
    return this.#line;
  }

  #next(): void {
    const start = this.#line.end + 1;
    const newline = this.#text.indexOf("\n", start);
    const end = newline === -1 ? this.#text.length : newline;
    this.#line = { start, end, item: this.#itemAt(start, end) };
  }

  #itemAt(start: number, end: number): Item | null {
    const head = this.#text.slice(start, Math.min(end, start + markCharsMax));
    if (head.trim() === "") return null;
    const [whole = "", space = "", digits] = mark.exec(head) ?? [];
    if (whole === "") {
      // An indented line belongs to the item above it. A numbered list goes on after a paragraph: by its numbers.
      if (!/^\s/u.test(head)) {
        if (this.#list?.number === null) this.#list = null;
        this.#above = { start, end };
      }
      return null;
    }
    const number = digits === undefined ? null : Number(digits);
    const indent = space.replaceAll("\t", "    ").length;
    const list = this.#list;
    if (list !== null && (indent > list.indent + 1 || (list.number !== null && number === null))) return null;
    const position = positionAfter(list, number);
    const isNew = list === null || position === 1;
    const isWarning = isNew ? this.#above !== null && warns(this.#text, this.#above) : list.isWarning;
    this.#list = { indent, position, number, isWarning };
    return { start: start + whole.length, position, isWarning };
  }
}

/** By its number, or as the next one. Markdown may number every item 1. */
function positionAfter(list: { position: number; number: number | null } | null, number: number | null): number {
  if (number === null) return list === null || list.number !== null ? 1 : list.position + 1;
  if (list?.number === 1 && number === 1) return list.position + 1;
  return Math.max(1, number);
}

const prefixCharsMax = 120;
/** Nothing but marks, or an article. */
const nothing = /^[^\p{L}\p{N}]*(?:(?:the|der|die|das|le|la|les)\s+|l['’])?[^\p{L}\p{N}]*$/iu;
/** Something before it in the same bold text or link, such as the maker of a product. */
const inBold = /^[^\p{L}\p{N}]*(?:\*\*|__|\[)[^*_\]]*$/u;
/** What it is good for: `Best for beginners: `. */
const label = /^[^.!?]*[::]\s*[^\p{L}\p{N}]*$/u;

function begins(text: string, itemStart: number, start: number): boolean {
  if (start < itemStart || start - itemStart > prefixCharsMax) return false;
  const prefix = text.slice(itemStart, start);
  return nothing.test(prefix) || inBold.test(prefix) || label.test(prefix);
}
