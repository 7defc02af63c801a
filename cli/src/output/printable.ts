/**
 * Answers, titles and messages are other people's text. On a terminal it could move the cursor, rewrite what stands there,
 * make links that lead elsewhere, or turn the order of letters around. What a terminal would act on is shown instead.
 */

/** Control characters but line feed and tab, the bidirectional controls, and other characters that are not seen. */
const acted =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E0FFF}]|\p{Surrogate}/gu;

export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").replaceAll(acted, shown);
}

/** For places of one line. */
export function printableLine(text: string): string {
  return printable(text.replaceAll(/\s*\n\s*/g, " "));
}

/** JSON with the same meaning that can be shown on a terminal: what it would act on is written as an escape. */
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
