/**
 * Converts the answer's HTML to Markdown and preserves the positions of cards: each is a mark in the HTML, and splits the text
 * there. The Markdown is CommonMark and GFM, with mathematics as `$…$` and `$$…$$`; a dollar sign in text is `\$`.
 */
import type { Element, ElementContent, Root as HtmlRoot } from "hast";
import type { RootContent } from "mdast";
import { mathToMarkdown } from "mdast-util-math";
import { defaultHandlers } from "mdast-util-to-markdown";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified, type Processor } from "unified";
import { mendCode } from "./markdown/mend-code.ts";
import { breakTag, cellCodeTag, mendLooks } from "./markdown/mend-looks.ts";
import { keepWords } from "./markdown/keep-words.ts";
import { mendFootnotes, noteMarkTag, noteTag } from "./markdown/mend-footnotes.ts";
import { isBlank, type LeftOutWords } from "./markdown/hast.ts";
import { mathTag, mendMath } from "./markdown/mend-math.ts";
import { mendElements, mendTables, mendRaised } from "./markdown/mend-elements.ts";

/** The element at the position of a card: `<querent-card data-index="3">`. */
export const cardMark = "querent-card";

type MarkdownStretch = { readonly markdown: string } | { readonly card: number };

const writer = unified()
  .use(remarkGfm)
  .use(withMath)
  .use(remarkStringify, {
    ...{ bullet: "-", emphasis: "_", rule: "-", fences: true, resourceLink: true },
    handlers: { emphasis: emphasisInWords() },
  });

/** Emphasis of a part of a word needs asterisks: `un_believ_able` has none. */
function emphasisInWords(): typeof defaultHandlers.emphasis {
  const { emphasis } = defaultHandlers;
  const attention: typeof emphasis.attention = (node, state) => {
    const chosen = emphasis.attention(node, state);
    return inWords.has(node) ? { ...chosen, markers: ["*", "_"] } : chosen;
  };
  const write = (...input: Parameters<typeof emphasis>) => emphasis(...input);
  return Object.assign(write, { attention, peek: emphasis.peek });
}

/** Emphasis of a part of a word, which `noteInWords` finds. */
const inWords = new WeakSet<object>();

function noteInWords(node: AnyTree): void {
  for (const [at, child] of (node.children ?? []).entries()) {
    const before = node.children?.[at - 1]?.value?.at(-1) ?? "";
    const after = node.children?.[at + 1]?.value?.at(0) ?? "";
    if (child.type === "emphasis" && /[\p{L}\p{N}]/u.test(before + after)) inWords.add(child);
    noteInWords(child);
  }
}

function withMath(this: Processor): void {
  (this.data().toMarkdownExtensions ??= []).push(mathToMarkdown());
}

/** A cell of a table ends at the next `|`, also within a formula. */
const withoutBars = (tex: string) =>
  tex.replaceAll(/\\\||\|/g, (bar) => (bar === "|" ? String.raw`\vert ` : String.raw`\Vert `));

const reader = unified()
  .use(rehypeParse, { fragment: true })
  .use(() => (tree: HtmlRoot, { data }) => {
    const leftOut = (data["leftOut"] ??= []) as LeftOutWords[];
    dropScripts(tree);
    mendMath(tree, leftOut);
    mendCode(tree, leftOut);
    mendTables(tree);
    mendElements(tree);
    mendFootnotes(tree);
    mendRaised(tree);
    keepWords(tree, leftOut);
    dropIcons(tree);
    dropEmptyCode(tree);
    mendLooks(tree);
  })
  .use(rehypeRemark, {
    handlers: {
      [cardMark]: (_state, element) => ({
        type: "html" as const,
        value: `${markPrefix}${String(element.properties["dataIndex"])}-->`,
      }),
      [mathTag]: (state, { properties }) => {
        const tex = String(properties["tex"]);
        return properties["display"] === "true"
          ? { type: "math" as const, value: tex }
          : { type: "inlineMath" as const, value: state.inTable ? withoutBars(tex) : tex };
      },
      [cellCodeTag]: (_state, { properties }) => ({ type: "inlineCode" as const, value: String(properties["text"]) }),
      [breakTag]: () => ({ type: "html" as const, value: "<br>" }),
      [noteMarkTag]: (_state, { properties }) => footnote("footnoteReference", String(properties["label"])),
      [noteTag]: (state, node) => ({
        ...footnote("footnoteDefinition", String(node.properties["label"])),
        children: state.toFlow(state.all(node)),
      }),
      // What is left out with words in it has been noted.
      button: () => undefined,
      svg: () => undefined,
    },
  });

const footnote = <Type extends string>(type: Type, label: string) => ({ type, identifier: label.toLowerCase(), label });

const markPrefix = "<!--querent-card ";

/** `leftOut` receives what has words and is not in the text. */
export function toMarkdown(html: string, leftOut: LeftOutWords[] = []): MarkdownStretch[] {
  const tree = reader.runSync(reader.parse(html), { data: { leftOut } });
  const stretches: MarkdownStretch[] = [];
  let nodes: RootContent[] = [];
  const flush = () => {
    if (nodes.length === 0) return;
    nodes.forEach(noteInWords);
    const markdown = writer.stringify({ type: "root", children: nodes }).trim();
    if (markdown !== "") stretches.push({ markdown });
    nodes = [];
  };
  for (const node of tree.children) {
    const cards = takeMarks(node);
    if (!isMark(node) && !isComment(node) && !isEmpty(node)) nodes.push(node);
    if (cards.length === 0) continue;
    flush();
    stretches.push(...cards.map((card) => ({ card })));
  }
  flush();
  return stretches;
}

interface AnyTree {
  type: string;
  value?: string;
  children?: AnyTree[];
}

/** Removes the marks from a block: a card within a list or a table follows it. */
function takeMarks(node: AnyTree): number[] {
  if (isMark(node)) return [Number(node.value?.slice(markPrefix.length, -"-->".length))];
  if (node.children === undefined) return [];
  const marks = node.children.flatMap(takeMarks);
  node.children = node.children.filter((child) => !isMark(child) && !isComment(child));
  return marks;
}

const isMark = (node: AnyTree): boolean => node.type === "html" && (node.value ?? "").startsWith(markPrefix);
const isComment = (node: AnyTree): boolean =>
  node.type === "html" && (node.value ?? "").startsWith("<!--") && !isMark(node);
const isEmpty = (node: AnyTree): boolean => node.type === "paragraph" && node.children?.length === 0;

/** Addresses that run something, or contain it. A page does not have them in its snapshot, unless it wants to. */
const unsafe = /^[\s\p{Cc}]*(javascript|data|vbscript|blob|file):/iu;

function dropScripts(tree: HtmlRoot | Element): void {
  for (const child of tree.children) {
    if (child.type !== "element") continue;
    for (const name of ["href", "src"])
      if (unsafe.test(String(child.properties[name] ?? ""))) delete child.properties[name];
    // A link to nowhere is text.
    if (child.tagName === "a" && child.properties["href"] === undefined) child.tagName = "span";
    dropScripts(child);
  }
}

/** Images embedded in the page are decoration, and have no URL in the snapshot. */
function dropIcons(tree: HtmlRoot | Element): void {
  for (let at = tree.children.length - 1; at >= 0; at--) {
    const child = tree.children[at];
    if (child?.type !== "element") continue;
    const later = String(child.properties["dataSrc"] ?? "");
    // A page that loads its pictures when they are scrolled to.
    if (child.tagName === "img" && /^https?:\/\//i.test(later)) child.properties["src"] ??= later;
    if (child.tagName === "img" && (child.properties["src"] ?? "") === "") tree.children.splice(at, 1);
    else dropIcons(child);
  }
}

/** The backticks of code without text would begin code that the next ones end. */
function dropEmptyCode(tree: HtmlRoot | Element): void {
  tree.children = (tree.children as ElementContent[]).filter((child) => {
    if (child.type !== "element" || child.tagName === "pre") return true;
    if (child.tagName === "code" && child.children.every(isBlank)) return false;
    dropEmptyCode(child);
    return true;
  });
}
