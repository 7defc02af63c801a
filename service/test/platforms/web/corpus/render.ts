/** Renders Markdown in the ways of several libraries. Everything in it that a page adds for people is not text of the answer. */
import katex from "katex";
import type { Element, ElementContent } from "hast";
import { toHtml } from "hast-util-to-html";
import type { Strong } from "mdast";
import { toHast, type Handlers, type State } from "mdast-util-to-hast";
import { parseMarkdown } from "./markdown-tree.ts";

export interface Style {
  /** HTML of a formula. */
  readonly math?: (tex: string, display: boolean, at: number) => string;
  /** HTML of a code block. */
  readonly code?: (text: string, language: string | null) => string;
  readonly strong?: (inner: ElementContent[]) => Element;
}

const raw = (value: string) => ({ type: "raw" as const, value }) as never;

export const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

export const withKatex = (tex: string, display: boolean) => katex.renderToString(tex, { displayMode: display });

/** One string of HTML for each block. */
export function renderBlocks(markdown: string, { math = withKatex, code, strong }: Style = {}): string[] {
  let at = 0;
  const handlers: Handlers = {
    inlineMath: (_state, node: { value: string }) => raw(math(node.value, false, at++)),
    math: (_state, node: { value: string }) => raw(math(node.value, true, at++)),
    ...(code && {
      code: (_state, node: { value: string; lang?: string | null }) => raw(code(node.value, node.lang ?? null)),
    }),
    ...(strong && { strong: (state: State, node: Strong) => strong(state.all(node)) }),
  };
  return parseMarkdown(markdown).children.map((block) => {
    const tree = toHast({ type: "root", children: [block] }, { handlers });
    // As React writes the alignment of cells.
    return toHtml(tree, { allowDangerousHtml: true }).replaceAll(/ align="(\w+)"/g, ' style="text-align: $1"');
  });
}

export const lines = (text: string) => text.split("\n").map(escaped);
