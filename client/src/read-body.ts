/** Bodies of answers, bounded: whole, as chunks, or as lines. */
import { UnexpectedReplyError } from "./errors.ts";

interface Body {
  readonly body: ReadableStream<Uint8Array> | null;
}

/** The whole body, up to a size. */
export async function readBytes(source: Body, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readChunks(source)) {
    size += chunk.length;
    if (size > bytesMax) throw new UnexpectedReplyError(`The body is larger than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The body as it comes. Leaving the loop cancels the rest. */
export async function* readChunks(
  { body }: Body,
  idle?: { readonly ms: number; readonly onIdle: () => void },
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const timer = idle === undefined ? undefined : setTimeout(idle.onIdle, idle.ms);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    // A stream that has failed can't be canceled, and need not be.
    reader.cancel().catch(() => undefined);
  }
}

/**
 * The body's lines, without their ends (`\n`, `\r\n`, and where `loneReturns` is set `\r` as well). What stands after the
 * last line's end is given as `rest`: for a stream of records it is half a record.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  options: { readonly bytesMax: number; readonly loneReturns?: boolean },
): AsyncGenerator<{ readonly line: string; readonly isWhole: boolean }> {
  const decoder = new TextDecoder();
  // A `\r` at the very end may be the first half of `\r\n`.
  const ends = options.loneReturns === true ? /\r\n|\n|\r(?!$)/g : /\r?\n/g;
  const parts: string[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const piece = decoder.decode(chunk, { stream: true });
    size += chunk.length;
    if (size > options.bytesMax)
      throw new UnexpectedReplyError(`A line of the answer is larger than ${options.bytesMax} bytes.`);
    const mayEnd = /[\r\n]/.test(piece) || parts.at(-1)?.endsWith("\r") === true;
    parts.push(piece);
    // Joined only when a line may end: a long one is not copied with every chunk of it.
    if (!mayEnd) continue;
    const text = parts.join("");
    parts.length = 0;
    let from = 0;
    for (const end of text.matchAll(ends)) {
      yield { line: text.slice(from, end.index), isWhole: true };
      from = end.index + end[0].length;
    }
    const rest = text.slice(from);
    size = rest.length;
    if (rest !== "") parts.push(rest);
  }
  const rest = parts.join("") + decoder.decode();
  if (rest !== "") yield { line: rest, isWhole: false };
}
