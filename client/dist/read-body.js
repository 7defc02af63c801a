/** Reads response bodies of limited size: complete, in chunks, or in lines. */
import { UnexpectedReplyError } from "./errors.js";
/** The complete body, up to a maximum size. */
export async function readBytes(source, bytesMax) {
  const chunks = [];
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
/** The chunks of the body. Leaving the loop cancels the rest. */
export async function* readChunks({ body }, idle) {
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
    // A failed stream cannot be canceled and does not need to be.
    reader.cancel().catch(() => undefined);
  }
}
/**
 * The lines of the body, without line breaks (`\n`, `\r\n` and, with `loneReturns`, `\r`). Text after the last line break
 * is returned as `rest`. In a stream of records it is an incomplete record.
 */
export async function* readLines(chunks, options) {
  const decoder = new TextDecoder();
  // A `\r` at the very end may be the first half of `\r\n`.
  const ends = options.loneReturns === true ? /\r\n|\n|\r(?!$)/g : /\r?\n/g;
  const parts = [];
  let size = 0;
  for await (const chunk of chunks) {
    const piece = decoder.decode(chunk, { stream: true });
    size += chunk.length;
    if (size > options.bytesMax)
      throw new UnexpectedReplyError(`A line of the response is larger than ${options.bytesMax} bytes.`);
    const mayEnd = /[\r\n]/.test(piece) || parts.at(-1)?.endsWith("\r") === true;
    parts.push(piece);
    // Chunks are joined only when a line may end, so that a long line is not copied with every chunk.
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
