/** Citations as Markdown links. */
import { isWebAddress, siteOf } from "../../../kernel/web-address.ts";

/** A range of the text and its source. Offsets count UTF-16 code units; `start` equals `end` if only a position is known. */
export interface Citation {
  readonly start: number;
  readonly end: number;
  readonly url: string;
  /** The text of the link; by default the site. */
  readonly label?: string;
}

/** The maximum of linked positions in one text. Further sources are listed once each. */
export const citationsMax = 1_000;

/**
 * `[label](url)`, safe for any label and URL, in any block and between any neighbours; `""` if it is not a web URL. A backtick
 * is percent-encoded, since a code span that began before the link would end in it; a bar is escaped, since it would end a
 * table's cell.
 */
export function link(label: string, url: string): string {
  const address = url.trim();
  if (!isWebAddress(address)) return "";
  const plain = /^[\w\-.~:/?#@!$&'*+,;=%]+$/u.test(address);
  const target = plain
    ? address
    : `<${address
        .replace(/[<>\\`]/gu, (found) => (found === "`" ? "%60" : encodeURIComponent(found)))
        .replace(/[^\S ]/gu, "")
        .replaceAll("|", String.raw`\|`)}>`;
  const text = label.replace(/\s+/gu, " ").replace(/[\\[\]`*_<>|~$&!]/gu, String.raw`\$&`);
  return `[${text}](${target.replace(/&(?=#?\w{1,32};)/gu, "&amp;")})`;
}

/** The links of a citation, one for each page, as they stand between parentheses. */
export function citationLinks(cited: readonly Pick<Citation, "url" | "label">[]): string[] {
  const labels = new Map(cited.map(({ url, label }) => [url.trim(), label ?? (siteOf(url) || url)]));
  return [...labels].map(([url, label]) => link(label, url)).filter((text) => text !== "");
}

/** A page that an annotation cites, with what says which number it has. */
export interface AnnotatedPage {
  readonly url: string;
  /** Some vendors number their citations in the place of a title. */
  readonly title?: string;
  /** The part of the text that the annotation covers: a marker states the number of its page. */
  readonly covered?: string;
}

const numberAlone = /^\s*\[{0,2}(\d{1,3})\]{0,2}\s*$/u;

const markerFirst = /^\s*\[?[[【](\d{1,3})[\]】]/u;
const markerCharsMax = 20;

/** A title that is only the vendor's number of the citation. */
export function isNumber(title: string): boolean {
  return numberAlone.test(title);
}

/**
 * The pages that `[n]` in a text refers to, by number. A number that the vendor states comes first; the pages without one are
 * counted in the order in which they are first cited, each once.
 */
export function numberPages(pages: readonly AnnotatedPage[]): ReadonlyMap<number, string> {
  const numbers = new Map<number, string>();
  const counted = new Map<string, number | null>();
  for (const { url, title = "", covered = "" } of pages) {
    if (url === "") continue;
    const stated = (numberAlone.exec(title) ?? markerFirst.exec(covered.slice(0, markerCharsMax)))?.[1];
    if (!counted.has(url)) counted.set(url, null);
    if (stated === undefined || numbers.has(Number(stated))) continue;
    numbers.set(Number(stated), url);
    counted.set(url, Number(stated));
  }
  let place = 0;
  for (const [url, number] of counted) {
    place += 1;
    if (number === null && !numbers.has(place)) numbers.set(place, url);
  }
  return numbers;
}
