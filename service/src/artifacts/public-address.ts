/**
 * Addresses that open without an access token, for whoever was given one. Such an address carries the task's id and a
 * code that nobody can work out without this installation's key, so none can be guessed, found by trying, or made from
 * another; and one that was never given out is refused without asking the database.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** What an address opens. An address of one purpose opens nothing of another. */
export type AddressPurpose = "share" | "screenshot";

const idBytes = 16;
/** 256 bits. */
const codeBytes = 32;

export function publicToken(key: Buffer, purpose: AddressPurpose, taskId: string): string {
  const id = Buffer.from(taskId.replaceAll("-", ""), "hex");
  return Buffer.concat([id, codeOf(key, purpose, id)]).toString("base64url");
}

/** The task that a token is for; null when it was not made here for this purpose. */
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
