import type { Cheerio, CheerioAPI } from "cheerio/slim";
import type { AnyNode } from "domhandler";
import { textOf } from "../recipe/read-field.ts";

/**
 * The elements of a text, without those that contain what another one contains: nested ones, hidden copies, and an answer that
 * broke off and was then shown as a whole.
 */
export function withoutRepeats($: CheerioAPI, roots: readonly Cheerio<AnyNode>[]): Cheerio<AnyNode>[] {
  const shown = roots.filter((root) => root.closest("[data-querent-hidden]").length === 0);
  const candidates = shown.length > 0 ? shown : roots;
  const outer = candidates.filter(
    (root) => !candidates.some((other) => other !== root && other.find(root.get(0) as never).length > 0),
  );
  const texts = outer.map(textOf);
  const kept = outer.filter((_root, index) => {
    const text = texts[index] ?? "";
    return !texts.some((other, at) =>
      other === text ? at < index && text !== "" : text.length >= partCharsMin && other.startsWith(text),
    );
  });
  for (const root of kept) removeCutCopy($, root);
  return kept;
}

/** A shorter beginning of another text can be a text of its own. */
const partCharsMin = 20;

/** Removes the first blocks of a text if the same blocks follow, and the last of the first ones was cut. */
function removeCutCopy($: CheerioAPI, root: Cheerio<AnyNode>): void {
  const blocks = root.children().toArray();
  if (blocks.length === 1 && blocks[0] !== undefined) return removeCutCopy($, $(blocks[0]));
  const texts = blocks.map((block) => textOf($(block)));
  for (let count = 1; count * 2 <= blocks.length; count++) {
    const first = texts.slice(0, count);
    const again = texts.slice(count, count * 2);
    const cut = first.at(-1) ?? "";
    const isCopy = first.slice(0, -1).every((text, at) => text === again[at]) && again.at(-1)?.startsWith(cut) === true;
    if (!isCopy || cut === again.at(-1) || first.join("").length < partCharsMin) continue;
    $(blocks.slice(0, count)).remove();
    return;
  }
}
