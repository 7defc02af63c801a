import { ProblemError } from "./problem-error.ts";

/** 1-255 printable ASCII characters, bare or quoted; `"` and `\` are escaped inside quotes (RFC 9651 string). */
export function readIdempotencyKey(values: readonly string[] | undefined): string {
  const [header = "", ...others] = values ?? [];
  if (others.length > 0) throw new ProblemError("idempotency_key_malformed", "Send one `Idempotency-Key` header.");
  if (header === "") {
    throw new ProblemError(
      "idempotency_key_missing",
      "Send an `Idempotency-Key` header: a new UUID for each new submission.",
    );
  }
  const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(header);
  const key = quoted?.[1] === undefined ? header : quoted[1].replace(/\\(["\\])/g, "$1");
  if (!/^[\x20-\x7e]{1,255}$/.test(key) || (quoted === null && key.startsWith('"'))) {
    throw new ProblemError(
      "idempotency_key_malformed",
      "The key is 1 to 255 printable ASCII characters, bare or in double quotes.",
    );
  }
  return key;
}
