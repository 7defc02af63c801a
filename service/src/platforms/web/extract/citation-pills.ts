/**
 * Citations that a page shows as small labels in the text, such as "US EPA+1". A label is neither text nor the title of a source,
 * but its addresses are sources, including those that it shows only when it is opened, if the page contains them.
 */
import type { Source } from "@querent/contract";
import type { Cheerio, CheerioAPI } from "cheerio/slim";
import type { AnyNode, Element } from "domhandler";
import { textOf } from "../recipe/read-field.ts";

/** Replaces a pill, so that the white space around it can be removed. */
const placeholder = "<querent-pill></querent-pill>";

export interface CitationPills {
  readonly sources: readonly Source[];
  /** Whether a text is only the label of a pill. */
  isLabel(text: string): boolean;
}

export function readPills($: CheerioAPI): CitationPills {
  const labels = new Set<string>();
  const sources: Source[] = [];
  for (const pill of pillsOf($)) {
    const label = labelOf(pill);
    labels.add(label).add(label.replace(/\s*\+\d{1,3}$/, ""));
    for (const link of linksOf($, pill)) {
      const title = link.title === label || labels.has(link.title) ? "" : link.title;
      sources.push({ title, url: link.url, summary: null, site: "", publishedAt: null });
    }
  }
  return { sources, isLabel: (text) => labels.has(text) || counted.test(text) };
}

/** Removes the pills from the text. Call `closeGaps` on the HTML afterwards. */
export function removePills($: CheerioAPI): void {
  for (const pill of pillsOf($)) {
    let outer = pill;
    // Wrappers that contain nothing else: a tooltip's trigger, parentheses are not such.
    for (let up = outer.parent(); wrapper(up) && textOf(up) === textOf(outer); up = outer.parent()) outer = up;
    outer.replaceWith(placeholder);
  }
}

const wrapper = (element: Cheerio<AnyNode>) => element.is("span, sup, a, button, cite, small");

/** Removes the white space that was between words and pills. */
export function closeGaps(html: string): string {
  return html.replaceAll(gap, (run, after: string) => {
    const isAtEnd = /^(?:$|<\/|[.,;:!?)\]\u3002\uFF0C\u3001])/u.test(after);
    return isAtEnd || !spaceBeside.test(run) ? "" : " ";
  });
}

const space = String.raw`(?:\s|&nbsp;|&#xa0;)*`;
const gap = new RegExp(`${space}(?:${placeholder}${space})+(?=(<?/?.?))`, "gu");
const spaceBeside = /^(?:\s|&)|(?:\s|;)$/u;

/** "US EPA+1", "+2". */
const counted = /^.{0,60}\S\s?\+\d{1,3}$/su;
const named =
  "[data-testid*='citation' i], [data-testid*='webpage-pill' i], [class*='citation-pill' i], [class*='citation-chip' i], [class*='citation-badge' i], [class*='citation-marker' i], [data-pplx-citation], [data-citation-index], .citation";
const labelCharsMax = 60;

/** The outermost element of each pill. */
function pillsOf($: CheerioAPI): Cheerio<Element>[] {
  const found = new Set<Element>();
  const accept = (node: Element) => {
    const label = labelOf($(node));
    if (label.length <= labelCharsMax && linksOf($, $(node)).length > 0) found.add(node);
  };
  for (const node of $(named).toArray()) accept(node);
  if (/\+\d{1,3}\s*</.test($.html()))
    for (const node of $("a, button, span, sup").toArray()) if (hasCount($, $(node))) accept(node);
  return [...found]
    .map((node) => $(node))
    .filter(
      (node) =>
        !node
          .parents()
          .toArray()
          .some((parent) => found.has(parent)),
    );
}

const hidden = "[data-querent-hidden], [hidden]";

/** "C++11+1" is text. In a pill, the number of further sources is an element of its own, or the whole is a link. */
function hasCount($: CheerioAPI, element: Cheerio<Element>): boolean {
  if (!counted.test(labelOf(element))) return false;
  if (element.is("a[href^=http]")) return true;
  const within = element.find("span, div, b").toArray();
  return within.some((node) => /^\+\d{1,3}$/.test(textOf($(node))));
}

/** What is visible of it. */
function labelOf(element: Cheerio<Element>): string {
  if (element.find(hidden).length === 0) return textOf(element);
  const copy = element.clone();
  copy.find(hidden).remove();
  return textOf(copy);
}

/** The pages that a pill leads to, with the titles that the page gives them elsewhere than in the label. */
function linksOf($: CheerioAPI, pill: Cheerio<Element>): { url: string; title: string }[] {
  const owned = pill
    .find("[aria-controls], [aria-describedby], [data-popover-id]")
    .add(pill)
    .toArray()
    .flatMap((node) => ["aria-controls", "aria-describedby", "data-popover-id"].map((name) => $(node).attr(name)))
    .flatMap((id) => (id === undefined || !/^[\w:.-]+$/.test(id) ? [] : $(`[id="${id}"]`).toArray()));
  const places = [...pill.toArray(), ...pill.closest("a[href]").toArray(), ...owned];
  const found = new Map<string, string>();
  for (const node of places.flatMap((place) => [place, ...$(place).find("*").toArray()])) {
    const element = $(node) as Cheerio<Element>;
    const url = ["href", "data-pplx-citation-url", "data-url", "data-href", "data-source-url"]
      .map((name) => element.attr(name)?.trim() ?? "")
      .find((value) => /^https?:\/\//i.test(value));
    if (url === undefined) continue;
    const isShown = pill.is(element) || (pill.find(node as never).length > 0 && element.closest(hidden).length === 0);
    const title = element.attr("title") ?? (isShown ? "" : textOf(element));
    if ((found.get(url) ?? "") === "") found.set(url, title.trim());
  }
  return [...found].map(([url, title]) => ({ url, title }));
}
