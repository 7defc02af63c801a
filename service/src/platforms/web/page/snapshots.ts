/**
 * What was on a page: evidence, and everything that the extractor reads. With it an answer can be inspected and parsed again
 * without a browser. Bounded: what is too long is truncated and marked as such. Stored snapshots, files and commands use the
 * name captures.
 */
import type { RawAnswer } from "../../platform.ts";

export interface PageSnapshots {
  readonly format: "querent.captures/1";
  readonly recipe: { readonly name: string; readonly version: number; readonly sha256: string };
  readonly question: string;
  readonly deepAnalysis: boolean;
  readonly startedAt: string;
  readonly observedAt: string;
  readonly url: string;
  readonly title: string;
  /** The last turn's HTML with inlined shadow roots; null if there was none. */
  readonly turn: string | null;
  /** The page's HTML, cleaned. */
  readonly page: string | null;
  /** The elements that `expand` expanded, by name. */
  readonly expanded: Readonly<Record<string, string>>;
  readonly response: CapturedResponse | null;
  /** The last responses of the recipe's other requests, by name; absent in snapshots of earlier versions. */
  readonly others?: Readonly<Record<string, CapturedResponse>>;
  /** What the page's own copy button copied; absent in snapshots of earlier versions. */
  readonly copied?: string | null;
  /** Other drafts of the answer that the page showed beside it, by their positions among all of them; absent: there were none. */
  readonly alternatives?: readonly { readonly position: number; readonly html: string }[];
  /** True: the page showed that it has no answer to this question. */
  readonly none?: boolean;
  /** The selector of each list that matched, which shows when a page changes. */
  readonly matched: Readonly<Record<string, Match>>;
  /** Hosts that were refused to the page. */
  readonly refused: Readonly<Record<string, string>>;
  /** Why it ended before its answer was complete; null if it was complete. */
  readonly stoppedFor: string | null;
  readonly cut: readonly string[];
}

export interface CapturedResponse {
  readonly url: string;
  readonly status: number;
  readonly mediaType: string;
  /** Of a WebSocket: its messages, each on a line of its own. */
  readonly body: string;
}

export interface Match {
  readonly selector: string;
  /** 0 for the first of its list. */
  readonly at: number;
  readonly of: number;
  /** How many elements it matched when it matched first; absent in snapshots of earlier versions. */
  readonly count?: number;
}

export const snapshotsMediaType = "application/vnd.querent.captures+json";
export const partBytesMax = 4 * 1024 * 1024;
const bytesMax = 12 * 1024 * 1024;

export function toRaw(snapshots: PageSnapshots): RawAnswer {
  const body = JSON.stringify(snapshots);
  if (Buffer.byteLength(body) <= bytesMax) return { mediaType: snapshotsMediaType, body };
  // The page is the largest part, and nothing else is extracted from it.
  const less = { ...snapshots, page: null, response: null, others: {}, cut: [...snapshots.cut, "page", "response"] };
  return { mediaType: snapshotsMediaType, body: JSON.stringify(less) };
}

/** Parses the output of `toRaw`; null for anything else. */
export function readSnapshots(raw: RawAnswer): PageSnapshots | null {
  if (raw.mediaType !== snapshotsMediaType) return null;
  try {
    const value = JSON.parse(raw.body) as Partial<PageSnapshots> | null;
    return value?.format === "querent.captures/1" && typeof value.observedAt === "string"
      ? (value as PageSnapshots)
      : null;
  } catch {
    return null;
  }
}

/** At most `partBytesMax` of it, and whether that is all. */
export function boundedPart(html: string): { html: string; isCut: boolean } {
  if (html.length <= partBytesMax / 3 || Buffer.byteLength(html) <= partBytesMax) return { html, isCut: false };
  return { html: Buffer.from(html).subarray(0, partBytesMax).toString("utf8").replace(/�+$/, ""), isCut: true };
}

/** `missing`: why there is none, in a sentence for the account. `cause`: for the operator. */
/** `incomplete`: what it does not show, in a sentence. */
export type Taken<Value> =
  | { readonly taken: Value; readonly incomplete?: string }
  | { readonly missing: string; readonly cause?: unknown };
