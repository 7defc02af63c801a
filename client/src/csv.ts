/**
 * CSV (RFC 4180): the writer of every table that leaves Querent, and the reader of every table that comes in. What the writer
 * wrote, the reader returns unchanged.
 */

/** Numbers and booleans are written as they are. Null is an empty cell. */
export type CsvCell = string | number | boolean | null;

/**
 * Where a program could take text for a formula: at the beginning of a cell and of each line in it, and behind a semicolon or a
 * tab, which separate the cells where a comma is the decimal sign. A sign there gets an apostrophe before it, and so does an
 * apostrophe before such a sign, so that taking one away gives back the text. Tabs and line breaks at the beginning of a cell are
 * among the signs, because spreadsheets drop them. https://owasp.org/www-community/attacks/CSV_Injection
 */
const sign = "[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20]";
const place = (apostrophe: string) =>
  new RegExp(
    [
      `(?<=^|[\\r\\n])${apostrophe}(?='*[^\\S\\r\\n\\t]*${sign})`,
      `^${apostrophe}(?='*[\\t\\r\\n])`,
      `(?<=[;\\t])${apostrophe}(?='*${sign})`,
    ].join("|"),
    "g",
  );
const unguarded = place("");
const guarded = place("'");

/** Rows as lines of CSV, as UTF-8 is without a byte order mark. */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return rows
    .map((row) => `${row.length === 1 && (row[0] ?? "") === "" ? '""' : row.map(cellText).join(",")}\r\n`)
    .join("");
}

/** What a reader could take for something else is quoted: separators, line breaks, spaces at the ends, the line `sep=;`. */
function cellText(value: CsvCell): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = value.replace(unguarded, "'");
  return /[",;\t\r\n]|^\s|\s$|^sep=/i.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export interface CsvRecord {
  /** The line on which it starts. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly fault?: undefined;
}

export interface CsvFault {
  readonly line: number;
  /** The number of the cell in its row, from 1. */
  readonly cell: number;
  readonly cells?: undefined;
  readonly fault: "quote_not_closed" | "text_after_quote" | "too_long";
}

export const recordCharactersMax = 1024 * 1024;
const delimiters = [",", ";", "\t"] as const;

/**
 * Reads CSV in chunks. The delimiter is the one that the first line names (`sep=;`, as Excel reads and other programs write), or
 * a comma, a semicolon or a tab, whichever splits the header into the most names that `isName` accepts. After a fault, reading
 * goes on with the line that follows the one on which the faulty record starts, so that every fault of a file is found at once.
 */
export class CsvRecords {
  readonly #isName: (cell: string) => boolean;
  #delimiter: string | null = null;
  /** The text before the end of the header. */
  #head = "";
  #line = 1;
  #begunAt = 1;
  #cells: string[] = [];
  #cell = "";
  #size = 0;
  #state: "start" | "plain" | "quoted" | "closed" | "skipped" = "start";
  /** The record is not empty: it has a delimiter, a quote or text. */
  #isBegun = false;
  #lastWasReturn = false;
  /** What was read of a record behind its first line. */
  #followingLines = "";

  constructor(isName: (cell: string) => boolean) {
    this.#isName = isName;
  }

  push(text: string): (CsvRecord | CsvFault)[] {
    if (this.#delimiter !== null) return this.#read(text);
    this.#head += text;
    return this.#begin(false);
  }

  /** Returns the last records. */
  end(): (CsvRecord | CsvFault)[] {
    const records = this.#delimiter === null ? this.#begin(true) : [];
    while (this.#state === "quoted") for (const record of this.#fail("quote_not_closed")) records.push(record);
    return this.#isBegun ? [...records, this.#take()] : records;
  }

  #begin(isWhole: boolean): (CsvRecord | CsvFault)[] {
    const text = this.#head.replace(/^\uFEFF/, "");
    const { start, line } = firstLine(text);
    if (start + line.length === text.length && !isWhole && text.length <= recordCharactersMax) return [];
    this.#head = "";
    const separator = this.#isName(line) ? undefined : separatorIn(line);
    this.#delimiter = separator ?? delimiterOf(line, this.#isName);
    return this.#read(separator === undefined ? text : text.slice(0, start) + text.slice(start + line.length));
  }

  #read(text: string): (CsvRecord | CsvFault)[] {
    const records: (CsvRecord | CsvFault)[] = [];
    for (let at = 0; at < text.length; at++) {
      const character = text[at] ?? "";
      const isSecondOfPair = character === "\n" && this.#lastWasReturn;
      this.#lastWasReturn = character === "\r";
      const isEnd = character === "\n" || character === "\r";
      if (this.#begunAt < this.#line && !(isSecondOfPair && this.#followingLines === ""))
        this.#followingLines += character;
      let fault: CsvFault["fault"] | null = null;
      if (this.#state === "quoted") {
        if (character === '"') this.#state = "closed";
        else {
          // A line break in a cell is kept unchanged. CR LF counts as one line.
          this.#add(character);
          if (isEnd && !isSecondOfPair) this.#line++;
        }
      } else if (isSecondOfPair) {
        continue;
      } else if (isEnd) {
        if (this.#isBegun) records.push(this.#take());
        this.#reset();
        this.#line++;
        this.#begunAt = this.#line;
      } else if (this.#state === "skipped") {
        continue;
      } else if (character === this.#delimiter) {
        this.#isBegun = true;
        this.#endCell();
      } else if (character === '"' && this.#state === "closed") {
        this.#add('"');
        this.#state = "quoted";
      } else if (character === '"' && this.#state === "start" && this.#cell.trim() === "") {
        this.#isBegun = true;
        this.#cell = "";
        this.#state = "quoted";
      } else if (this.#state === "closed") {
        if (character.trim() !== "") fault = "text_after_quote";
      } else {
        this.#isBegun = true;
        this.#add(character);
        if (character.trim() !== "") this.#state = "plain";
      }
      if (this.#size > recordCharactersMax) fault = this.#state === "quoted" ? "quote_not_closed" : "too_long";
      if (fault !== null) for (const record of this.#fail(fault)) records.push(record);
    }
    return records;
  }

  #add(character: string): void {
    this.#cell += character;
    this.#size++;
  }

  #endCell(): void {
    this.#cells.push(this.#cell.replace(guarded, ""));
    this.#cell = "";
    this.#state = "start";
  }

  #take(): CsvRecord {
    this.#endCell();
    const record = { line: this.#begunAt, cells: this.#cells };
    this.#reset();
    return record;
  }

  #reset(): void {
    this.#cells = [];
    this.#cell = "";
    this.#size = 0;
    this.#isBegun = false;
    this.#followingLines = "";
    this.#state = "start";
  }

  /**
   * Ends a record with a fault, and reads its text again from its second line on. No text is read more than twice: what one
   * reading has within a quoted cell holds no quote that opens a cell in the other, except the last.
   */
  #fail(fault: CsvFault["fault"]): (CsvRecord | CsvFault)[] {
    const failed: CsvFault = { line: this.#begunAt, cell: this.#cells.length + 1, fault };
    const again = this.#followingLines;
    const isOneLine = this.#begunAt === this.#line;
    this.#reset();
    if (isOneLine) {
      // The cells in the rest of the line are unknown.
      this.#state = "skipped";
      return [failed];
    }
    this.#line = ++this.#begunAt;
    this.#lastWasReturn &&= again === "";
    return [failed, ...this.#read(again)];
  }
}

/** The first line with text, without its end. Line breaks in quotes are a part of it. */
function firstLine(text: string): { readonly start: number; readonly line: string } {
  const found = text.search(/\S/);
  const firstText = found === -1 ? text.length : found;
  const start = 1 + Math.max(text.lastIndexOf("\n", firstText), text.lastIndexOf("\r", firstText));
  let isQuoted = false;
  for (let at = firstText; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === "\n" || character === "\r")) return { start, line: text.slice(start, at) };
  }
  return { start, line: text.slice(start) };
}

/** The separator that a first line names. Programs that add delimiters to every line add them to this one too. */
function separatorIn(line: string): string | undefined {
  const named = /^\s*(?:sep=([^"\w\r\n])|"sep=([^"\w\r\n])")[,;\t ]*$/i.exec(line);
  return named?.[1] ?? named?.[2];
}

function delimiterOf(line: string, isName: (cell: string) => boolean): string {
  let best: string = ",";
  let bestScore = -1;
  for (const delimiter of delimiters) {
    const cells = cellsOf(line, delimiter);
    // The most known names decide, and without known names, the most cells.
    const score = cells.filter(isName).length * 1_000 + cells.length;
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

/** The cells of a header line, without quotes. */
function cellsOf(line: string, delimiter: string): string[] {
  const cells = [""];
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) cells.push("");
    else cells[cells.length - 1] += character;
  }
  return cells;
}

/** True if the header of a text has a cell that `isName` accepts. */
export function hasColumn(text: string, isName: (cell: string) => boolean): boolean {
  const reader = new CsvRecords(isName);
  const [header] = [...reader.push(text.slice(0, 64 * 1024)), ...reader.end()];
  return header?.cells?.some(isName) === true;
}
