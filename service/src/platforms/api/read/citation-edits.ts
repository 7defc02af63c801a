/** What there is to change in a text: a link at each place that the platform cites, and one for each marker in the text. */
import { completeAddress, isWebAddress } from "../../../kernel/web-address.ts";
import type { Range } from "./code-ranges.ts";
import { citationsMax, link, type Citation } from "./links.ts";
import { markersIn, withoutHidden, type Marker, type Numbered } from "./markers.ts";

/** A text with everything that the platform said about its citations. */
export interface CitedText {
  readonly text: string;
  readonly citations: readonly Citation[];
  /** What a number refers to in the text from an offset on, in order. */
  readonly numberings: readonly { readonly from: number; readonly addressOf: Numbered }[];
}

export interface LinkEdit {
  readonly kind: "link";
  readonly at: number;
  readonly cited: Citation[];
  /** What stood here was removed: the link takes its place, behind a space that is there already. */
  readonly replaces: boolean;
}

export interface MarkerEdit extends Range {
  readonly kind: "marker";
  readonly at: number;
  /** What replaces it, if it stands in text; null if it may be the author's own and stays. */
  readonly links: readonly string[] | null;
  /** The pages of citations that cover just the marker. */
  readonly cited: Citation[];
}

export type Edit = LinkEdit | MarkerEdit;

export interface Prepared {
  readonly text: string;
  /** In order. */
  readonly edits: readonly Edit[];
  /** Citations beyond the maximum of places. */
  readonly listed: Citation[];
}

/** Only the end of a long range is examined: an existing link to its source is there. */
const citedCharsMax = 10_000;

export function prepare({ text: given, citations, numberings }: CitedText): Prepared {
  const { text, place } = withoutHidden(given);
  const starts = numberings.map(({ from, addressOf }) => ({ from: place(from), linkOf: linksBy(addressOf) }));
  const markers = new Map<number, MarkerEdit>();
  let numbering = 0;
  for (const marker of markersIn(text)) {
    while ((starts[numbering + 1]?.from ?? Number.POSITIVE_INFINITY) <= marker.from) numbering += 1;
    markers.set(marker.to, markerEdit(marker, starts[numbering]?.linkOf ?? (() => "")));
  }
  const listed: Citation[] = [];
  const places = new Map<number, LinkEdit>();
  for (const { start, end, url: named, ...rest } of citations) {
    const url = completeAddress(named.trim());
    if (end <= 0 || end > given.length || start < 0 || start > end || !isWebAddress(url)) continue;
    const citation = { start, end, url, ...rest };
    const stretch = given.slice(Math.max(start, end - citedCharsMax), end);
    if (stretch.includes(url) || stretch.includes(named)) continue;
    // What is cited is the text of a link: `[[1]](address)`.
    if (/^\]?\(/u.test(given.slice(end, end + 2)) && given.slice(end, end + url.length + 3).includes(url)) continue;
    const isMarker = stretch.length <= 200 && markerAlone.test(stretch);
    const replaces = isMarker && place(start) === place(end);
    const at = replaces ? place(end) : behindWord(text, place(end));
    const known = (isMarker ? markers.get(at) : undefined) ?? places.get(at);
    if (known !== undefined) known.cited.push(citation);
    else if (places.size >= citationsMax) listed.push(citation);
    else places.set(at, { kind: "link", at, cited: [citation], replaces });
  }
  const changing = [...markers.values()].filter(({ links, cited }) => links !== null || cited.length > 0);
  return { text, edits: [...changing, ...places.values()].sort((a, b) => a.at - b.at), listed };
}

const markerAlone = /^\s*(?:【[^】]*】|\[\[?\d{1,3}\]?\]|[\uE000-\uF8FF][^]*[\uE000-\uF8FF]|(?:cite)?turn\d+\w+)\s*$/u;

/** White space at the end of what is cited belongs to what follows. */
function behindWord(text: string, offset: number): number {
  const limit = Math.max(0, offset - whiteSpaceMax);
  let at = offset;
  while (at > limit && /\s/u.test(text[at - 1] ?? "")) at -= 1;
  return at === limit ? offset : at;
}
const whiteSpaceMax = 1_000;

/** The link in place of a number. Each is written once: a text may have hundreds of thousands of markers. */
function linksBy(addressOf: Numbered): (number: number) => string {
  const known = new Map<number, string>();
  return (number) => {
    const text = known.get(number) ?? link(`[${number}]`, completeAddress(addressOf(number) ?? ""));
    known.set(number, text);
    return text;
  };
}

function markerEdit({ from, to, numbers, mayBeProse }: Marker, linkOf: (number: number) => string): MarkerEdit {
  const links = (numbers ?? []).map(linkOf).filter((text) => text !== "");
  const isKept = mayBeProse && links.length < (numbers?.length ?? 0);
  return { kind: "marker", from, to, at: from, links: isKept ? null : links, cited: [] };
}
