/** Citations as Markdown links, at the positions that the platform marked in its text. */
import { isWebAddress, siteOf } from "../../../kernel/web-address.ts";

/** A range of the text and its source. Offsets count UTF-16 code units; `start` equals `end` if only a position is known. */
export interface Citation {
  readonly start: number;
  readonly end: number;
  readonly url: string;
  /** The text of the link; by default the site. */
  readonly label?: string;
}

/** The maximum of linked positions in one text. */
export const citationsMax = 1_000;
/** Only the end of a long range is examined: an existing link to its source is there. */
const citedCharsMax = 10_000;

/** `[label](url)`, safe for any label and URL; `""` if it is not a web URL. */
export function link(label: string, url: string): string {
  const address = url.trim();
  if (!isWebAddress(address)) return "";
  const plain = /^[\w\-.~:/?#@!$&'*+,;=%]+$/u.test(address);
  const target = plain
    ? address
    : `<${address.replace(/[<>\\]/gu, (found) => encodeURIComponent(found)).replace(/[^\S ]/gu, "")}>`;
  return `[${label.replace(/[\\[\]`*_<>]/gu, "\\$&")}](${target})`;
}

/** ` ([site](url))`, as assistants write a citation. */
export function citationLink(cited: readonly Pick<Citation, "url" | "label">[]): string {
  const labels = new Map(cited.map(({ url, label }) => [url, label ?? (siteOf(url) || url)]));
  const links = [...labels].map(([url, label]) => link(label, url)).filter((text) => text !== "");
  return links.length === 0 ? "" : ` (${links.join(", ")})`;
}

/**
 * The text with a link at the end of every cited range. A range that already links to its URL is unchanged; one that is only a
 * marker (`【4:0†source】`) is replaced by its link.
 */
export function linkCitations(text: string, citations: readonly Citation[]): string {
  const places = new Map<number, { start: number; cited: Citation[] }>();
  for (const citation of citations.slice(0, citationsMax)) {
    const { start, end, url } = citation;
    if (end <= 0 || end > text.length || start < 0 || start > end) continue;
    const stretch = text.slice(Math.max(start, end - citedCharsMax), end);
    if (stretch.includes(url)) continue;
    // The marker is the text of a link: `[[1]](address)`.
    if (/^\[.*\]$/u.test(stretch) && /^\]?\(/u.test(text.slice(end, end + 2))) continue;
    const place = places.get(end) ?? { start: end, cited: [] };
    if (isMarker(stretch)) place.start = start;
    place.cited.push(citation);
    places.set(end, place);
  }
  let linked = "";
  let at = 0;
  for (const [end, { start, cited }] of [...places].sort(([a], [b]) => a - b)) {
    if (start < at) {
      linked += citationLink(cited);
      continue;
    }
    linked += text.slice(at, start).replace(start < end ? / $/u : /$^/u, "") + citationLink(cited);
    at = end;
  }
  return linked + text.slice(at);
}

function isMarker(cited: string): boolean {
  return (
    cited.length <= 200 &&
    /^\s*(?:【[^】]*】|\[\[?\d{1,3}\]?\]|[\uE000-\uF8FF][^]*[\uE000-\uF8FF]|(?:cite)?turn\d+\w+)\s*$/u.test(cited)
  );
}
