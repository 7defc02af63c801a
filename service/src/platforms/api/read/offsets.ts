/** Converts offsets into a text from the platform's unit to the UTF-16 code units of a string. */
import type { Citation } from "./links.ts";

const stride = 1024;

/** From UTF-8 bytes. Counts from the nearest of marks set in one pass, so that a long text with many offsets is cheap. */
export function fromBytes(text: string): (bytes: number) => number {
  const buffer = Buffer.from(text);
  if (buffer.length === text.length) return (bytes) => bytes;
  const marks: number[] = [];
  let units = 0;
  for (const [at, byte] of buffer.entries()) {
    if (at % stride === 0) marks.push(units);
    units += unitsOf(byte);
  }
  return (bytes) => {
    const to = Math.min(Math.max(0, bytes), buffer.length);
    const mark = Math.min(Math.floor(to / stride), marks.length - 1);
    let at = marks[mark] ?? 0;
    for (const byte of buffer.subarray(mark * stride, to)) at += unitsOf(byte);
    return at;
  };
}

/** Characters of four bytes are two units long; continuation bytes add none. */
function unitsOf(byte: number): number {
  if (byte >= 0xf0) return 2;
  return (byte & 0xc0) === 0x80 ? 0 : 1;
}

/** From Unicode code points, as Python counts. */
export function fromCodePoints(text: string): (codePoints: number) => number {
  if (!/[\u{10000}-\u{10FFFF}]/u.test(text)) return (codePoints) => codePoints;
  const starts: number[] = [];
  let unit = 0;
  for (const character of text) {
    starts.push(unit);
    unit += character.length;
  }
  return (codePoints) => starts[codePoints] ?? text.length;
}

/**
 * A citation whose offsets count code points, as documented. If characters beyond the basic plane make a difference, the unit in
 * which the range contains the URL, as a link of the text does, is used.
 */
export function quoting(
  text: string,
  unit: (offset: number) => number,
  start: number,
  end: number,
  url: string,
): Citation {
  const asWritten = { start: unit(start), end: unit(end), url };
  const holds = (citation: Citation) => text.slice(citation.start, citation.end).includes(url);
  return !holds(asWritten) && holds({ start, end, url }) ? { start, end, url } : asWritten;
}
