import { isAttribute, warns } from "./list-headings.ts";

const prefixCharsMax = 120;
/** Nothing but marks, or an article. */
const nothing = /^[^\p{L}\p{N}]*(?:(?:the|der|die|das|le|la|les)\s+|l['’])?[^\p{L}\p{N}]*$/iu;
/** Something before it in the same bold text or link, such as the maker of a product. */
const inBold = /^[^\p{L}\p{N}]*(?:\*\*|__|\[)[^*_\]]*$/u;
/** What it is good for: `Best for beginners: `. */
const label = /^[^.!?]*:\s*[^\p{L}\p{N}]*$/u;

/** Whether an item begins with a name: perhaps after a mark, an article, its maker, or a label that chooses it. */
export function begins(text: string, itemStart: number, start: number): boolean {
  if (start - itemStart > prefixCharsMax) return false;
  const prefix = text.slice(itemStart, start);
  if (!nothing.test(prefix) && !inBold.test(prefix) && !label.test(prefix)) return false;
  return !warns(prefix) && !isAttribute(prefix);
}
