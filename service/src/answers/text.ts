/** Text that the database and JSON can represent, within the bounds. */

const nul = "\0";
const replacement = "\uFFFD";
const cutMark = "…";

/** Removes U+0000 (PostgreSQL rejects it) and lone surrogates (invalid in UTF-8). Returns the same string if it has none. */
export function storableText(text: string): string {
  const withoutNul = text.includes(nul) ? text.replaceAll(nul, replacement) : text;
  return withoutNul.isWellFormed() ? withoutNul : withoutNul.toWellFormed();
}

/** At most `charsMax` UTF-16 code units, never part of a character; truncated text ends in `…`. */
export function cutText(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : wholeCharacters(text, charsMax - cutMark.length) + cutMark;
}

/** The longest prefix of `text` that fits into `bytesMax` bytes of UTF-8 and ends between two characters. */
export function startOfBytes(text: string, bytesMax: number): string {
  // A UTF-16 code unit takes at most three bytes, so most texts need no counting.
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  return wholeCharacters(text, read);
}

/** One line: every run of white space and control characters becomes one space, the ends are trimmed. */
export function oneLine(text: string, charsMax: number): string {
  // The beginning of a long text is enough if more of it remains than is kept. Without its last character, which the slice may have split.
  for (let taken = 2 * charsMax; taken < text.length; taken *= 4) {
    const line = joinLines(text.slice(0, taken));
    if (line.length > charsMax + 1) return cutText(line, charsMax);
  }
  return cutText(joinLines(text), charsMax);
}

const joinLines = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();

/** Several lines: removes control characters except tab and line feed. */
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

/** The text in pieces of at most `charsMax` UTF-16 code units, none of which ends within a character. */
export function* piecesOf(text: string, charsMax: number): Generator<string> {
  for (let from = 0; from < text.length;) {
    const piece = text.slice(from, from + charsMax);
    const whole = from + piece.length < text.length ? wholeCharacters(piece, piece.length) : piece;
    yield whole;
    from += whole.length;
  }
}

function wholeCharacters(text: string, charsMax: number): string {
  const last = text.charCodeAt(charsMax - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? charsMax - 1 : charsMax);
}
