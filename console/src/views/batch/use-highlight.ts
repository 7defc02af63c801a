import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { brandPattern } from "./brand-terms.ts";

/** Registered under these names, and coloured by the style sheet; a thirteenth name would have no colour. */
const highlightName = (index: number) => `brand-${(index % 6) + 1}`;

/**
 * Marks names in what is shown, without touching it: ranges that the browser paints. Answers stay the elements they were made
 * to be, whatever the names are. Painted anew whenever `shown` changes.
 */
export function useHighlight(root: RefObject<HTMLElement | null>, brands: readonly string[], shown: unknown): void {
  useEffect(() => {
    const element = root.current;
    // A browser that can't paint ranges shows the answers, and the counts.
    if (element === null || !("highlights" in CSS)) return;
    const paint = () => {
      const byName = new Map<string, Range[]>();
      for (const [index, brand] of brands.entries()) {
        const name = highlightName(index);
        byName.set(name, [...(byName.get(name) ?? []), ...rangesOf(element, brandPattern(brand))]);
      }
      for (const name of names) {
        const ranges = byName.get(name) ?? [];
        if (ranges.length === 0) CSS.highlights.delete(name);
        else CSS.highlights.set(name, new Highlight(...ranges));
      }
    };
    paint();
    // Answers come in, and rows are scrolled into view.
    const observer = new MutationObserver(paint);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      for (const name of names) CSS.highlights.delete(name);
    };
  }, [brands.join(","), shown]);
}

const names = Array.from({ length: 6 }, (_, index) => highlightName(index));

function rangesOf(root: HTMLElement, pattern: RegExp): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    for (const { index, 0: found } of (node.nodeValue ?? "").matchAll(pattern)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + found.length);
      ranges.push(range);
    }
  }
  return ranges;
}
