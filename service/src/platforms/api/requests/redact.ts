/** Keys must not appear in anything that is stored, shown or logged. */

export const redactedMark = "[redacted]";
/** Shorter ones are not secrets (`none`, `ollama`), and removing them would remove words. */
const secretCharsMin = 8;

/**
 * The text without the secrets: in plain form, as base64, and as JSON, URLs or HTML may encode them, with each character
 * escaped or not.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length < secretCharsMin) continue;
    const base64 = Buffer.from(secret).toString("base64").replace(/=+$/u, "");
    redacted = redacted.replaceAll(writtenForms(secret), redactedMark).replaceAll(base64, redactedMark);
  }
  return redacted;
}

/** Each character as it is, or in an escape of JSON (`\/`, `\u0041`), of an address (`%41`) or of HTML (`&#65;`, `&#x41;`). */
function writtenForms(secret: string): RegExp {
  const characters = [...secret].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    const units = [...Array(character.length).keys()].map((at) =>
      character.charCodeAt(at).toString(16).padStart(4, "0"),
    );
    const forms = [
      RegExp.escape(character),
      units.map((unit) => `\\\\u${unit}`).join(""),
      RegExp.escape(percentEncoded(character)),
      `&#0*${code};`,
      `&#x0*${code.toString(16)};`,
      ...(/["\\/]/u.test(character) ? [RegExp.escape(`\\${character}`)] : []),
    ];
    return `(?:${forms.join("|")})`;
  });
  return new RegExp(characters.join(""), "giu");
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Headers that can be shown: those with a key as their name only. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /authorization|api-?key|token$|secret|cookie/iu.test(name) ? redactedMark : redact(value, secrets),
    ]),
  );
}
