import type { Passage } from "./corpus.ts";
import { passageCharsMax, passageCharsMin } from "./limits.ts";

/**
 * Splits a text into passages: paragraphs of one section, combined until there is enough to quote. Only a block that is too
 * long is cut.
 */
export function splitPassages(markdown: string): Passage[] {
  const passages: Passage[] = [];
  let heading = "";
  let blocks: string[] = [];
  let blocksChars = 0;
  const flush = (): void => {
    if (blocks.length > 0) passages.push({ heading, markdown: blocks.join("\n\n") });
    blocks = [];
    blocksChars = 0;
  };
  for (const block of splitBlocks(markdown)) {
    const title = /^#{1,6}[ \t]+(?<title>[^\n]*?)[ \t]*#*$/u.exec(block)?.groups?.["title"];
    if (title !== undefined) {
      flush();
      heading = title;
      continue;
    }
    for (const piece of piecesOf(block)) {
      if (blocksChars + piece.length > passageCharsMax) flush();
      blocks.push(piece);
      blocksChars += piece.length;
      if (blocksChars >= passageCharsMin) flush();
    }
  }
  flush();
  return passages;
}

/** Blocks are separated by blank lines; a code fence is one block, headings are blocks of their own. */
function splitBlocks(markdown: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const flush = (): void => {
    if (lines.length > 0) blocks.push(lines.join("\n"));
    lines = [];
  };
  for (const line of markdown.split(/\r\n?|\n/u)) {
    const mark: string | undefined = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence !== null) {
      lines.push(line);
      if (mark?.startsWith(fence)) fence = null;
    } else if (line.trim() === "") {
      flush();
    } else if (/^#{1,6}[ \t]/u.test(line)) {
      flush();
      blocks.push(line.trimEnd());
    } else {
      if (mark !== undefined) fence = mark;
      lines.push(line);
    }
  }
  flush();
  return blocks;
}

/** A block that is too long to quote, cut after sentences; one without sentences is cut between any two characters. */
function piecesOf(block: string): string[] {
  if (block.length <= passageCharsMax) return [block];
  const pieces: string[] = [];
  let rest = block;
  while (rest.length > passageCharsMax) {
    const start = rest.slice(0, passageCharsMax);
    const sentenceEnd = Math.max(
      ...[". ", ".\n", "! ", "? ", "。", "！", "？", "\n"].map((mark) => start.lastIndexOf(mark)),
    );
    const end = sentenceEnd > passageCharsMin ? sentenceEnd + 1 : passageCharsMax - 1;
    const splitsPair = /[\uD800-\uDBFF]/.test(rest.charAt(end - 1));
    pieces.push(rest.slice(0, splitsPair ? end - 1 : end).trim());
    rest = rest.slice(splitsPair ? end - 1 : end).trimStart();
  }
  return rest === "" ? pieces : [...pieces, rest];
}
