/**
 * Converts the answer's HTML to Markdown and preserves the positions of cards: each is a mark in the HTML, and splits the text
 * there.
 */
import type { Element, ElementContent, Root as HtmlRoot } from "hast";
import type { RootContent } from "mdast";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";

/** The element at the position of a card: `<querent-card data-index="3">`. */
export const cardMark = "querent-card";

export type Stretch = { readonly markdown: string } | { readonly card: number };

const writer = unified()
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", emphasis: "_", rule: "-", fences: true, resourceLink: true });

const reader = unified()
  .use(rehypeParse, { fragment: true })
  .use(() => mendCode)
  .use(() => dropIcons)
  .use(rehypeRemark, {
    handlers: {
      [cardMark]: (_state, element) => ({
        type: "html" as const,
        value: `${markPrefix}${String(element.properties["dataIndex"])}-->`,
      }),
      // Hidden elements and buttons are not part of the text.
      button: () => undefined,
      svg: () => undefined,
    },
  });

const markPrefix = "<!--querent-card ";

export function toMarkdown(html: string): Stretch[] {
  const tree = reader.runSync(reader.parse(html));
  const stretches: Stretch[] = [];
  let nodes: RootContent[] = [];
  const flush = () => {
    if (nodes.length === 0) return;
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

/** Images embedded in the page are decoration, and have no URL in the snapshot. */
function dropIcons(tree: HtmlRoot | Element): void {
  for (let at = tree.children.length - 1; at >= 0; at--) {
    const child = tree.children[at];
    if (child?.type !== "element") continue;
    if (child.tagName === "img" && (child.properties["src"] ?? "") === "") tree.children.splice(at, 1);
    else dropIcons(child);
  }
}

/**
 * Code blocks as assistants render them: a `pre` with a bar above the code (a language, buttons), and the code itself in a
 * `code` or in an editor's lines. The result is `<pre><code class="language-x">`.
 */
function mendCode(tree: HtmlRoot | Element): void {
  for (const child of tree.children) {
    if (child.type !== "element") continue;
    if (child.tagName === "pre") mendBlock(child);
    else mendCode(child);
  }
}

function mendBlock(pre: Element): void {
  const code =
    find(pre, (element) => element.tagName === "code") ?? find(pre, (element) => hasClass(element, "cm-content"));
  if (code === undefined) return;
  const language = languageOf(code) ?? languageOf(pre) ?? barLanguage(pre, code);
  const text = codeText(code).replace(/\n$/, "");
  pre.children = [
    {
      type: "element",
      tagName: "code",
      properties: language === undefined ? {} : { className: [`language-${language}`] },
      children: [{ type: "text", value: `${text}\n` }],
    },
  ];
}

/** Lines end at a `br`, or are elements of their own in an editor. */
function codeText(code: Element): string {
  const text = (node: ElementContent): string => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return "";
    if (node.tagName === "br") return "\n";
    const inner = node.children.map(text).join("");
    return hasClass(node, "cm-line") || node.tagName === "div" ? `${inner}\n` : inner;
  };
  const whole = code.children.map(text).join("");
  const isFlatEditor =
    hasClass(code, "cm-content") && undefined === find(code, (element) => hasClass(element, "cm-line"));
  // There an empty line is a `br` of its own between those that end lines: three of them are one empty line.
  return isFlatEditor ? whole.replaceAll(/\n{3,}/g, (run) => "\n".repeat(1 + Math.floor((run.length - 1) / 2))) : whole;
}

function languageOf(element: Element): string | undefined {
  return classes(element)
    .map((name) => /^(?:language|lang)-([\w+#.-]+)$/.exec(name)?.[1])
    .find((language) => language !== undefined);
}

/** The language in the bar above the code: its first text, if that is one short word. */
function barLanguage(pre: Element, code: Element): string | undefined {
  const words: string[] = [];
  const walk = (element: Element): boolean => {
    for (const child of element.children) {
      if (child === code) return true;
      if (child.type === "text" && child.value.trim() !== "") words.push(child.value.trim());
      if (child.type === "element" && child.tagName !== "button" && walk(child)) return true;
    }
    return false;
  };
  walk(pre);
  const word = words[0]?.toLowerCase();
  return word !== undefined && /^[a-z][a-z0-9+#.-]{0,20}$/.test(word) ? word : undefined;
}

function find(element: Element, wanted: (element: Element) => boolean): Element | undefined {
  for (const child of element.children) {
    if (child.type !== "element") continue;
    const found = wanted(child) ? child : find(child, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

function classes(element: Element): string[] {
  const { className } = element.properties;
  return Array.isArray(className) ? className.map(String) : [];
}

const hasClass = (element: Element, name: string): boolean => classes(element).includes(name);
