import type { TaskRecord } from "@querent/client";
import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { useMemo } from "preact/hooks";
import { CardView } from "./card-view.tsx";
import { cardsOf } from "./cards-of.ts";
import { placeCards } from "./place-cards.ts";
import { MarkdownNode, type MarkdownContext } from "./markdown-node.tsx";
import * as css from "./answer-text.module.css";

/** Longer answers are shown as they are: reading Markdown takes some three seconds for each million characters, and the page stands still for it. */
const markdownCharsMax = 200_000;

/** The answer's Markdown as elements, never as HTML: what is no element of ours here can't come to be one. */
export function AnswerText({ record }: { record: TaskRecord }) {
  const content = record.content ?? "";
  const tree = useMemo(() => parse(content), [content]);
  const blocks = placeCards(tree?.children ?? [], cardsOf(record));
  const context: MarkdownContext = {
    sources: new Map(record.sources.map(({ url }, index) => [url, index + 1])),
    definitions: new Map(
      (tree?.children ?? []).flatMap((node) => (node.type === "definition" ? [[node.identifier, node] as const] : [])),
    ),
  };
  return (
    <div class="prose" dir="auto" data-answer>
      {tree === null ? <pre class={css.plainAnswer}>{content}</pre> : null}
      {blocks.map((block, index) =>
        block.kind === "card" ? (
          <CardView key={`card ${block.card.card.position}`} any={block.card} />
        ) : (
          <MarkdownNode key={index} node={block.node} context={context} depth={0} />
        ),
      )}
    </div>
  );
}

/** Parses the Markdown; null if the text is too long, or nested deeper than can be read. */
function parse(content: string): Root | null {
  if (content.length > markdownCharsMax) return null;
  try {
    return fromMarkdown(content, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
