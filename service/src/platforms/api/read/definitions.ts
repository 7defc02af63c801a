/** The definitions of a text's references and footnotes. */
import type { Root } from "mdast";
import { codeRanges, isWithin } from "./code-ranges.ts";
import { parseMarkdown } from "./markdown-places.ts";

const labelChars = String.raw`(?:\\.|[^\\\]\[\n]){1,200}`;
const definition = new RegExp(String.raw`^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){0,5}\[(${labelChars})\]:`, "gmu");
const definitionsMax = 200;
const regionCharsMax = 2_000;

/**
 * The definitions of a text, without what they define: a portion read behind them has the same references as in the whole text.
 * `""` if there are none; null if there are too many to put them in front of every portion.
 */
export function definitionsIn(text: string): string | null {
  const found = [...text.matchAll(definition)];
  if (found.length === 0) return "";
  if (found.length > definitionsMax) return null;
  const code = codeRanges(text);
  const labels = new Set<string>();
  for (const { 0: match, 1: label = "", index } of found) {
    const at = index + match.length;
    if (labels.has(label) || isWithin(code, at - 0.5) || !isDefinition(text, index, at)) continue;
    labels.add(label);
  }
  if (labels.size === 0) return "";
  const [notes, links] = [[...labels].filter(isNote), [...labels].filter((label) => !isNote(label))];
  // The last one ends the footnote before it, whatever a portion begins with.
  return [...notes, ...links, "querent"].map((label) => `[${label}]: #\n\n`).join("");
}

const isNote = (label: string): boolean => label.startsWith("^");

/** Whether the parser sees a definition there, within the lines up to the next empty ones. */
function isDefinition(text: string, from: number, to: number): boolean {
  const start = Math.max(text.lastIndexOf("\n\n", from) + 2, from - regionCharsMax);
  const end = text.indexOf("\n\n", to);
  const region = text.slice(start, Math.min(end < 0 ? text.length : end, to + regionCharsMax));
  const place = from - start + (/\[/u.exec(text.slice(from, to))?.index ?? 0);
  const within = (node: Root | Root["children"][number]): boolean => {
    if (node.type === "definition" || node.type === "footnoteDefinition") return node.position?.start.offset === place;
    return "children" in node && node.children.some(within);
  };
  return within(parseMarkdown(region, "plain"));
}
