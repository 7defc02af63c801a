/**
 * Answers, titles and messages are untrusted text. In a terminal, control characters in it could move the cursor, overwrite
 * text, create misleading links, or reverse the order of characters. They are replaced with visible characters.
 */

/** Control characters except line feed and tab, bidirectional controls, and other invisible characters. */
const acted =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E0FFF}]|\p{Surrogate}/gu;

export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").replaceAll(acted, shown);
}

/** Makes a text printable in a single line. */
export function printableLine(text: string): string {
  return printable(text.replaceAll(/\s*\n\s*/g, " "));
}

/** Equivalent JSON that is safe to print to a terminal: control characters are escaped. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(acted, (found) =>
    Array.from({ length: found.length }, (_, index) => `\\u${hex(found.charCodeAt(index))}`).join(""),
  );
}

function shown(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x24_00 + code);
  return code === 0x7f ? "\u2421" : `<U+${hex(code).toUpperCase()}>`;
}

const hex = (code: number) => code.toString(16).padStart(4, "0");
