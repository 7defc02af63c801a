import { createHash } from "node:crypto";
import type { PanelContent } from "@querent/contract";
import canonicalize from "canonicalize";

/** SHA-256 of what a panel asks, in canonical form (RFC 8785): the order of members makes no difference. */
export function digestOf(content: PanelContent): Buffer {
  return createHash("sha256")
    .update(canonicalize(content) ?? "")
    .digest();
}

/** SHA-256 of a text, in hex. */
export const textDigest = (text: string): string => createHash("sha256").update(text).digest("hex");

export const digestText = (digest: Buffer): string => `sha256:${digest.toString("hex")}`;
