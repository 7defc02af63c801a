/** Text as the database and JSON can hold it, and as short as the bounds want it. */

const nul = "\0";
const replacement = "\uFFFD";
const cutMark = "…";

/** Without U+0000 (PostgreSQL refuses it) and without lone surrogates (no UTF-8 has them). The same string when it is fine. */
export function storableText(text: string): string {
  const withoutNul = text.includes(nul) ? text.replaceAll(nul, replacement) : text;
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed();
}

/** At most `charsMax` UTF-16 code units, never half a character; what was cut ends in `…`. */
export function cutText(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : wholeCharacters(text, charsMax - cutMark.length) + cutMark;
}

/** The longest start of `text` that fits `bytesMax` bytes of UTF-8 and ends between two characters. */
export function startOfBytes(text: string, bytesMax: number): string {
  // No UTF-16 code unit takes more than three bytes, so most texts need no counting.
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  return wholeCharacters(text, read);
}

/** One line: every run of white space and control characters becomes one space, the ends are trimmed. */
export function oneLine(text: string, charsMax: number): string {
  return cutText(
    text
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
    charsMax,
  );
}

/** Several lines: control characters other than tab and line feed go. */
export function severalLines(text: string, charsMax: number): string {
  const cleaned = text
    .toWellFormed()
    .replace(/\r\n?/gu, "\n")
    .replace(/[^\P{Cc}\n\t]+/gu, " ")
    .trim();
  return cutText(cleaned, charsMax);
}

export function oneLineOrNull(text: string | null, charsMax: number): string | null {
  return text === null ? null : oneLine(text, charsMax) || null;
}

export function severalLinesOrNull(text: string | null, charsMax: number): string | null {
  return text === null ? null : severalLines(text, charsMax) || null;
}

function wholeCharacters(text: string, charsMax: number): string {
  const last = text.charCodeAt(charsMax - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? charsMax - 1 : charsMax);
}
