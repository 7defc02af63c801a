import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { redact } from "../../../src/platforms/api/requests/exchange.ts";

const secret = 'sk/9aB"é\\+=& key';

suite("a key in an answer", () => {
  const unicode = [...secret].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  for (const [form, written] of Object.entries({
    "as it is": secret,
    "in JSON": JSON.stringify(secret).slice(1, -1),
    "in JSON with escaped slashes": JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
    "in JSON with every character escaped": unicode,
    "in JSON with every character escaped, in capitals": unicode.toUpperCase().replaceAll("\\U", "\\u"),
    "in JSON with one character escaped": secret
      .replaceAll("\\", "\\\\")
      .replaceAll('"', '\\"')
      .replace("9", "\\u0039"),
    "in an address": encodeURIComponent(secret),
    "in an address, in small letters": encodeURIComponent(secret).replaceAll(/%../gu, (code) => code.toLowerCase()),
    "in HTML": secret.replaceAll("&", "&#38;").replaceAll('"', "&#x22;"),
    "in base64": Buffer.from(secret).toString("base64").replace(/=+$/u, ""),
  }))
    test(`is taken out when it stands there ${form}`, () => {
      assert.equal(redact(`before ${written} after`, [secret]), "before [redacted] after");
    });

  test("leaves text alone that only begins like it", () => {
    const text = secret.slice(0, -1);
    assert.equal(redact(text, [secret]), text);
  });
});
