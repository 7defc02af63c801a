/**
 * Public URLs, which open without an access token. Such a URL contains the id of what it opens and a code that cannot be computed without
 * this installation's key, so none can be guessed or derived from another, and one that was never issued is refused without a
 * database query.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** What a URL opens. A URL of one purpose does not work for another. */
export type AddressPurpose = "share" | "screenshot" | "report";

const idBytes = 16;
/** 256 bits. */
const codeBytes = 32;

export function publicToken(key: Buffer, purpose: AddressPurpose, ofId: string): string {
  const id = Buffer.from(ofId.replaceAll("-", ""), "hex");
  return Buffer.concat([id, codeOf(key, purpose, id)]).toString("base64url");
}

/** The id that a token is for; null if it was not issued here for this purpose. */
export function readPublicToken(key: Buffer, purpose: AddressPurpose, token: string): string | null {
  if (!/^[\w-]{64}$/.test(token)) return null;
  const bytes = Buffer.from(token, "base64url");
  const id = bytes.subarray(0, idBytes);
  if (!timingSafeEqual(bytes.subarray(idBytes), codeOf(key, purpose, id))) return null;
  return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function codeOf(key: Buffer, purpose: AddressPurpose, id: Buffer): Buffer {
  return createHmac("sha256", key).update(`${purpose}\0`).update(id).digest().subarray(0, codeBytes);
}
