import type { StoredResult } from "@querent/contract";
import type { Answer } from "../../platforms/index.ts";

/**
 * The length in characters from which an answer counts as large: composing and serializing it takes a turn of the event loop of
 * its own.
 */
const largeChars = 128 * 1024;
/** The number of list elements serialized at once; most of the time is spent on escaping. */
const pieceElements = 50;

/** Estimates an answer's length in characters, counting only the parts that can be long. */
export function isLarge(answer: Answer, rawBody: string | null): boolean {
  let chars = (answer.pageHtml?.length ?? 0) + (rawBody?.length ?? 0);
  for (const part of answer.parts) chars += part.type === "markdown" ? part.markdown.length : 1000;
  for (const { summary } of answer.sources) chars += 500 + (summary?.length ?? 0);
  for (const { text } of answer.reasoning ?? []) chars += text.length;
  for (const { results } of answer.search ?? []) chars += 300 * results.length;
  return chars > largeChars;
}

export const resultJson = (result: StoredResult): Buffer => Buffer.from(JSON.stringify(result), "utf8");

/**
 * The same bytes, serialized in pieces: each field, and each part of a long list, separately. It waits for `turn` between them.
 */
export async function resultJsonInPieces(result: StoredResult, turn: () => Promise<void>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const write = async (json: string) => {
    pieces.push(Buffer.from(json, "utf8"));
    if (json.length > largeChars) await turn();
  };
  let before = "{";
  for (const [field, value] of Object.entries(result)) {
    const name = `${before}${JSON.stringify(field)}:`;
    before = ",";
    if (!Array.isArray(value) || value.length <= pieceElements) {
      await write(name + JSON.stringify(value));
      continue;
    }
    for (let from = 0; from < value.length; from += pieceElements) {
      const elements = JSON.stringify(value.slice(from, from + pieceElements)).slice(1, -1);
      await write((from === 0 ? `${name}[` : ",") + elements);
    }
    pieces.push(Buffer.from("]"));
  }
  pieces.push(Buffer.from("}"));
  return Buffer.concat(pieces);
}
