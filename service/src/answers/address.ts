/** URLs as platforms return them: which are stored, and which can be linked. */
import { completeAddress, isWebAddress } from "../kernel/web-address.ts";
import { addressCharsMax } from "./bounds.ts";
import { storableText } from "./text.ts";

/** Schemes that execute or show their own content, or access the reader's machine. */
const dangerousSchemes = new Set(["javascript:", "vbscript:", "data:", "blob:", "file:", "filesystem:", "about:"]);

/**
 * The URL as given, without surrounding white space and control characters, and with the scheme https if it has none; `""` if it is
 * missing, too long, or dangerous to click.
 */
export function keptAddress(address: string): string {
  const cleaned = completeAddress(
    storableText(address)
      .replace(/\p{Cc}+/gu, "")
      .trim(),
  );
  if (cleaned === "" || cleaned.length > addressCharsMax) return "";
  const url = URL.parse(cleaned);
  return url === null || dangerousSchemes.has(url.protocol) ? "" : cleaned;
}

/** The same, for web URLs only. */
export function keptWebAddress(address: string): string {
  const kept = keptAddress(address);
  return isWebAddress(kept) ? kept : "";
}
