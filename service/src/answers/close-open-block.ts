/**
 * Makes a card that follows a text a block of its own. An empty line and a quote at the margin end every block, except a code
 * fence and HTML that ends at a marker (`<!--`, `<pre>`): if the text leaves one open, it is closed here.
 *
 * The parser determines what is open. It needs 8 s for 20,000 characters of nested list markers and 0.5 s for 1 MiB of prose,
 * during which the process answers no requests. So it parses in portions and within bounds. Beyond them, and where CommonMark
 * and GFM disagree about what is open, the start of every such block is escaped.
 */
import { fromMarkdown, type Options } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

export function closeOpenBlock(markdown: string): string {
  return closedIfCertain(markdown) ?? withoutOpeners(markdown);
}

/** The same; null if it is uncertain what is open. */
export function closedIfCertain(markdown: string): string | null {
  // Parsers skip a byte order mark only at the start of a document, and the text may be elsewhere in it.
  const text = markdown.replace(/^\uFEFF+/u, "");
  if (!opener.test(text)) return text;
  if (text.length > charsMax || tooDeep.test(text)) return null;
  const dialects = /\||\[\^/u.test(text) ? [commonMark, githubMarkdown] : [commonMark];
  const budget = { left: workMax };
  let closed = text;
  for (const dialect of dialects) {
    const open = openBlock(closed, dialect, budget);
    if (open !== null && open !== "") closed += `\n${closingOf(open)}`;
  }
  const isCertain = dialects.every(
    (dialect) => (closed === text && budget.left >= 0) || openBlock(closed, dialect, budget) === "",
  );
  return isCertain ? closed : null;
}

/** In UTF-16 code units. Longer answers that contain code or HTML and are followed by a card are rare. */
const charsMax = 128 * 1024;
/** Quotes and list items that start in one line. */
const depthMax = 10;
const tooDeep = new RegExp(String.raw`^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*){${depthMax},}`, "mu");
/** How much the parser gets at once. */
const portionChars = 2 * 1024;
/** The sum of the squares of all portions, which bounds the time for the slowest texts: 5 ns each, so 2 s. */
const workMax = 4e8;

/** The start of a block that an empty line does not end. */
const opener = /^ {0,3}(?:```|~~~|<)/mu;

function withoutOpeners(text: string): string {
  return text.replace(/^\uFEFF+/u, "").replace(/^( {0,3})(?=```|~~~|<)/gmu, "$1\\");
}

/** Parses only the block structure, not the text within a line. */
const blocksOnly = {
  disable: {
    null: [
      ...["attention", "autolink", "characterEscape", "characterReference", "codeText"],
      ...["hardBreakEscape", "htmlText", "labelEnd", "labelStartImage", "labelStartLink"],
    ],
  },
};
const commonMark: Options = { extensions: [blocksOnly] };
const githubMarkdown: Options = {
  extensions: [gfm(), blocksOnly],
  mdastExtensions: gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] })),
};

/**
 * The text of the block that is open at the end, from its first marker; empty if there is none, null if finding out took too
 * long.
 */
function openBlock(text: string, dialect: Options, budget: { left: number }): string | null {
  let rest = text;
  for (let size = portionChars; ;) {
    const end = rest.indexOf("\n", size) + 1;
    const portion = end === 0 ? rest : rest.slice(0, end);
    budget.left -= portion.length ** 2;
    if (budget.left < 0) return null;
    const { isOpen, at } = lastBlock(portion, dialect);
    if (end === 0) return isOpen ? rest.slice(at) : "";
    // The next portion starts with the last block. If it is open, its first line determines how the rest is parsed.
    const from = lineStart(rest, at);
    const to = isOpen ? rest.indexOf("\n", at) + 1 : end;
    size = portionChars + to - from;
    rest = rest.slice(from, to) + rest.slice(end);
  }
}

/** The position of a text's last block at the margin, and whether a quote after an empty line would be part of it. */
function lastBlock(text: string, dialect: Options): { readonly isOpen: boolean; readonly at: number } {
  // The leading empty line keeps the parser from skipping a byte order mark.
  const { children } = fromMarkdown(`\n${text}\n\n> quote`, dialect);
  const last = children.at(-1);
  const isOpen = last?.type !== "blockquote" || last.position?.start.offset !== text.length + 3;
  const block = isOpen ? last : children.at(-2);
  return { isOpen, at: (block?.position?.start.offset ?? text.length + 1) - 1 };
}

function closingOf(open: string): string {
  const fence = /^(?:`{3,}|~{3,})/u.exec(open)?.[0];
  if (fence !== undefined) return fence;
  if (open.startsWith("<!--")) return "-->";
  if (open.startsWith("<?")) return "?>";
  if (open.startsWith("<![CDATA[")) return "]]>";
  return open.startsWith("<!") ? ">" : "</pre>";
}

function lineStart(text: string, at: number): number {
  const before = text.slice(0, at);
  return Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
}
