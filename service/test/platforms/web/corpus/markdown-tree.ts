import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import type { Root } from "mdast";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";

export function parseMarkdown(markdown: string): Root {
  return fromMarkdown(markdown, {
    extensions: [gfm(), math()],
    mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
  });
}

/** What the Markdown means, without how it is written. */
export function markdownTree(markdown: string): unknown {
  return stripped(parseMarkdown(markdown));
}

const unsaid = new Set(["position", "spread", "data", "meta"]);

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !unsaid.has(name))
      .map(([name, each]) => [name, stripped(each)]),
  );
}
