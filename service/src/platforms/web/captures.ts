/**
 * What was seen on a page, as evidence and as the one thing that the extractor reads: with it an answer can be read again, and
 * looked into, without a browser. Bounded: what is too long is cut and says so.
 */
import { createHash } from "node:crypto";
import type { RawAnswer } from "../platform.ts";

export interface Captures {
  readonly format: "querent.captures/1";
  readonly recipe: { readonly name: string; readonly version: number; readonly sha256: string };
  readonly question: string;
  readonly deepAnalysis: boolean;
  readonly startedAt: string;
  readonly observedAt: string;
  readonly url: string;
  readonly title: string;
  /** The last turn's HTML, shadow roots written in; null when there was none. */
  readonly turn: string | null;
  /** The page's HTML, cleaned. */
  readonly page: string | null;
  /** What `expand` unfolded, by name. */
  readonly expanded: Readonly<Record<string, string>>;
  readonly response: {
    readonly url: string;
    readonly status: number;
    readonly mediaType: string;
    readonly body: string;
  } | null;
  /** Which selector of each list matched: the sign of a page that changes. */
  readonly matched: Readonly<Record<string, Match>>;
  /** Hosts that the page was refused. */
  readonly refused: Readonly<Record<string, string>>;
  /** Why it ended before its answer was whole; null when it was. */
  readonly stoppedFor: string | null;
  readonly cut: readonly string[];
}

export interface Match {
  readonly selector: string;
  /** 0 for the first of its list. */
  readonly at: number;
  readonly of: number;
}

export const capturesMediaType = "application/vnd.querent.captures+json";
export const partBytesMax = 4 * 1024 * 1024;
const bytesMax = 12 * 1024 * 1024;

export function toRaw(captures: Captures): RawAnswer {
  const body = JSON.stringify(captures);
  if (Buffer.byteLength(body) <= bytesMax) return { mediaType: capturesMediaType, body };
  // The page is the largest, and nothing but the page itself is read from it.
  const less = { ...captures, page: null, response: null, cut: [...captures.cut, "page", "response"] };
  return { mediaType: capturesMediaType, body: JSON.stringify(less) };
}

/** Reads what `toRaw` wrote; null for anything else. */
export function readCaptures(raw: RawAnswer): Captures | null {
  if (raw.mediaType !== capturesMediaType) return null;
  try {
    const value = JSON.parse(raw.body) as Partial<Captures> | null;
    return value?.format === "querent.captures/1" && typeof value.observedAt === "string" ? (value as Captures) : null;
  } catch {
    return null;
  }
}

export function recipeDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** At most `partBytesMax` of it, and whether that is all. */
export function boundedPart(html: string): { html: string; isCut: boolean } {
  if (html.length <= partBytesMax / 3 || Buffer.byteLength(html) <= partBytesMax) return { html, isCut: false };
  return { html: Buffer.from(html).subarray(0, partBytesMax).toString("utf8").replace(/�+$/, ""), isCut: true };
}
