import { setTimeout as delay } from "node:timers/promises";
import { yieldToEventLoop } from "../../runtime/slices.ts";
import type { StoredResult } from "@querent/contract";
import type { PlatformAnswer } from "../../platforms/index.ts";

/** The longest pause between two steps. */
const restMsMax = 50;

/**
 * Processes large answers one after the other, because a thousand may arrive at once, and each takes some ten milliseconds of
 * the main thread. A step is followed by a pause of its duration, in which other tasks, which need a dozen turns of the event
 * loop each, continue. No step begins while too many bytes wait to be written; those of the step before it are counted by then.
 */
export class LargeAnswers {
  readonly #room: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(room: () => Promise<void>) {
    this.#room = room;
  }

  /** Does the work when it is its turn. */
  turn<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    let startedAt = performance.now();
    const done = this.#last.then(async () => {
      await yieldToEventLoop();
      await this.#room();
      startedAt = performance.now();
      return work();
    });
    this.#last = done.catch(() => undefined).then(() => delay(Math.min(performance.now() - startedAt, restMsMax)));
    return done;
  }
}

/**
 * The length in characters from which an answer counts as large: composing and serializing it takes a turn of the event loop of
 * its own.
 */
const largeChars = 128 * 1024;
/** The number of list elements serialized at once; most of the time is spent on escaping. */
const pieceElements = 50;

/** Estimates an answer's length in characters, counting only the parts that can be long. */
export function isLarge(answer: PlatformAnswer, rawBody: string | null): boolean {
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
