/** Divides a JSON document into its answers: the elements of a list, or objects that follow each other. */
import { TextDecoder } from "node:util";
import { AnswerFault, answerBytesMax, tooLong } from "./answer-fault.ts";

export interface AnswerAtLine {
  /** On one line. Whether it is JSON is not checked. */
  readonly text: string;
  /** Where it begins. */
  readonly line: number;
}

const notable = /["\\{}[\],\n]/g;

export async function* answersInDocument(bytes: AsyncIterable<Buffer>): AsyncGenerator<AnswerAtLine, void, void> {
  const division = new Division();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new AnswerFault(division.line, "The file is not UTF-8 from this line on, or from one soon after.");
    }
  };
  for await (const chunk of bytes) yield* division.read(decode(chunk));
  yield* division.read(decode());
  yield* division.end();
}

class Division {
  line = 1;
  /** Open brackets, with that of the list of answers. */
  #depth = 0;
  #isInList = false;
  #isInString = false;
  #isEscaped = false;
  #text = "";
  #startedAt = 1;

  *read(chunk: string): Generator<AnswerAtLine, void, void> {
    let from = 0;
    notable.lastIndex = 0;
    for (let match; (match = notable.exec(chunk)) !== null;) {
      const [sign] = match;
      this.#add(chunk.slice(from, match.index));
      from = match.index + 1;
      if (this.#isInString) this.#readInString(sign);
      else yield* this.#readSign(sign);
    }
    this.#add(chunk.slice(from));
  }

  *end(): Generator<AnswerAtLine, void, void> {
    yield* this.#finish();
    if (this.#isInList) throw new AnswerFault(this.line, "The file ends within its list: it is not complete.");
  }

  #add(text: string): void {
    if (text === "") return;
    if (this.#text === "") {
      if (text.trim() === "") return;
      this.#startedAt = this.line;
    }
    this.#isEscaped = false;
    this.#text += text;
    if (this.#text.length > answerBytesMax) throw new AnswerFault(this.#startedAt, tooLong);
  }

  #readInString(sign: string): void {
    const isEscaped = this.#isEscaped;
    if (sign === "\n") this.line++;
    // A line break in a string is not JSON. Neither is a tab, which does not end the line.
    this.#add(sign === "\n" ? "\t" : sign);
    this.#isEscaped = sign === "\\" && !isEscaped;
    if (sign === '"' && !isEscaped) this.#isInString = false;
  }

  *#readSign(sign: string): Generator<AnswerAtLine, void, void> {
    const base = Number(this.#isInList);
    if (sign === "\n") {
      if (this.#depth === base) yield* this.#finish();
      else this.#add(" ");
      this.line++;
    } else if (sign === "[" && this.#depth === 0 && this.#text === "") {
      [this.#isInList, this.#depth] = [true, 1];
    } else if (this.#depth === base && (sign === "," || (sign === "]" && this.#isInList))) {
      yield* this.#finish();
      if (sign === "]") [this.#isInList, this.#depth] = [false, 0];
    } else {
      this.#add(sign);
      if (sign === '"') this.#isInString = true;
      if (sign === "{" || sign === "[") this.#depth++;
      if ((sign === "}" || sign === "]") && this.#depth > base && --this.#depth === base) yield* this.#finish();
    }
  }

  *#finish(): Generator<AnswerAtLine, void, void> {
    const text = this.#text.trim();
    this.#text = "";
    if (Buffer.byteLength(text) > answerBytesMax) throw new AnswerFault(this.#startedAt, tooLong);
    if (text !== "") yield { text, line: this.#startedAt };
  }
}
