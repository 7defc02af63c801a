/** Keys must not come back: not in what is stored, not in what is shown, not in what is logged. */

export const redactedMark = "[redacted]";
/** Shorter ones are no secrets (`none`, `ollama`), and taking them out would take out words. */
const secretCharsMin = 8;

/** The text without the secrets in it, as they are and as JSON, an address or base64 would write them. */
export function redact(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length < secretCharsMin) continue;
    const json = JSON.stringify(secret).slice(1, -1);
    const base64 = Buffer.from(secret).toString("base64").replace(/=+$/u, "");
    for (const form of new Set([secret, json, encodeURIComponent(secret), base64])) {
      if (redacted.includes(form)) redacted = redacted.replaceAll(form, redactedMark);
    }
  }
  return redacted;
}

/** Headers as they may be shown: what carries a key is named and not told. */
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
