/**
 * Parses CSV as written by spreadsheets (RFC 4180), from text in chunks. The delimiter is a comma, a semicolon or a tab,
 * whichever splits the first line into the most names that `isName` accepts.
 */
export const recordCharactersMax = 1024 * 1024;
const delimiters = [",", ";", "\t"];
export class CsvRecords {
  #isName;
  #delimiter = null;
  /** The text before the end of the first line. */
  #head = "";
  #line = 1;
  #begunAt = 1;
  #cells = [];
  #cell = "";
  #size = 0;
  #state = "start";
  /** The record is not empty: it has a delimiter, a quote or text. */
  #isBegun = false;
  #lastWasReturn = false;
  #isBroken = false;
  constructor(isName) {
    this.#isName = isName;
  }
  push(text) {
    if (this.#delimiter !== null) return this.#read(text);
    this.#head += text;
    const end = endOfRecord(this.#head);
    if (end === -1 && this.#head.length <= recordCharactersMax) return [];
    return this.#begin(end);
  }
  /** Returns the last record. */
  end() {
    const records = this.#delimiter === null ? this.#begin(-1) : [];
    if (this.#isBroken) return records;
    if (this.#state === "quoted") return [...records, this.#break("quote_not_closed")];
    return this.#isBegun ? [...records, this.#take()] : records;
  }
  #begin(end) {
    const text = this.#head.replace(/^\uFEFF/, "");
    const line = end === -1 ? text : this.#head.slice(0, end);
    this.#head = "";
    this.#delimiter = delimiterOf(line.replace(/^\uFEFF/, ""), this.#isName);
    return this.#read(text);
  }
  #read(text) {
    const records = [];
    for (let at = 0; at < text.length && !this.#isBroken; at++) {
      const character = text[at] ?? "";
      const isSecondOfPair = character === "\n" && this.#lastWasReturn;
      this.#lastWasReturn = character === "\r";
      const isEnd = character === "\n" || character === "\r";
      if (this.#state === "quoted") {
        if (character === '"') this.#state = "closed";
        else {
          // A line break in a question is kept unchanged. CR LF counts as one line.
          this.#add(character);
          if (isEnd && !isSecondOfPair) this.#line++;
        }
      } else if (isSecondOfPair) {
        continue;
      } else if (isEnd) {
        if (this.#isBegun) records.push(this.#take());
        this.#line++;
        this.#begunAt = this.#line;
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
        if (character.trim() !== "") records.push(this.#break("text_after_quote"));
      } else {
        this.#isBegun = true;
        this.#add(character);
        if (character.trim() !== "") this.#state = "plain";
      }
      if (this.#size > recordCharactersMax)
        records.push(this.#break(this.#state === "quoted" ? "quote_not_closed" : "too_long"));
    }
    return records;
  }
  #add(character) {
    this.#cell += character;
    this.#size++;
  }
  #endCell() {
    this.#cells.push(this.#cell);
    this.#cell = "";
    this.#state = "start";
  }
  #take() {
    this.#endCell();
    const record = { line: this.#begunAt, cells: this.#cells };
    this.#cells = [];
    this.#size = 0;
    this.#isBegun = false;
    return record;
  }
  /** The start of the following records is unknown. */
  #break(fault) {
    this.#isBroken = true;
    return { line: this.#begunAt, fault };
  }
}
/** The end of the first record, ignoring quoted line breaks. -1 if it has not ended. */
function endOfRecord(text) {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === "\n" || character === "\r")) return at;
  }
  return -1;
}
function delimiterOf(line, isName) {
  let best = ",";
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
export function cellsOf(line, delimiter) {
  const cells = [""];
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === delimiter && !isQuoted) cells.push("");
    else cells[cells.length - 1] += character;
  }
  return cells;
}
/** True if a line, split by one of the delimiters, contains a cell that `isName` accepts. */
export const hasCell = (line, isName) => delimiters.some((delimiter) => cellsOf(line, delimiter).some(isName));
