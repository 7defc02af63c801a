/** `content`: the platform's own Markdown, kept as it wrote it, with the cards at their places. */
import type { AnswerPart } from "../platforms/platform.ts";
import { cardsMax, contentBytesMax } from "./bounds.ts";
import { placeCard, type Mention, type PlacedCard } from "./cards.ts";
import { closeOpenBlock } from "./close-open-block.ts";
import { startOfBytes, storableText } from "./text.ts";
import { writeCards } from "./write-card.ts";

interface Written {
  /** `""` when the platform gave no answer. */
  readonly markdown: string;
  readonly cards: readonly PlacedCard[];
  readonly cardsLeftOut: number;
}

const cutNotice = `*[The answer was cut here: it is longer than ${contentBytesMax / 1024 / 1024} MiB.]*`;

export function writeContent(parts: readonly AnswerPart[]): Written {
  const [only] = parts;
  if (parts.length === 1 && only?.type === "markdown") {
    // Most answers. No Markdown is parsed or written here, and a text within bounds is not even copied.
    const text = withoutImitations(storableText(only.markdown));
    const kept = startOfBytes(text, contentBytesMax);
    return { markdown: kept === text ? kept : `${closeOpenBlock(kept)}\n\n${cutNotice}`, cards: [], cardsLeftOut: 0 };
  }
  return interleave(parts);
}

function interleave(parts: readonly AnswerPart[]): Written {
  /** Texts, and the cards and mentions that stand between them. */
  const blocks: (string | PlacedCard | Mention)[] = [];
  const cards: PlacedCard[] = [];
  let mentions = 0;
  let cardsLeftOut = 0;
  let bytesLeft = contentBytesMax;
  let text = "";
  const flushText = (beforeCard: boolean): void => {
    const cleaned = withoutImitations(storableText(text))
      .replace(/^(?:[ \t]*[\n\r])+/u, "")
      .trimEnd();
    text = "";
    if (cleaned === "" || bytesLeft === 0) return;
    const kept = startOfBytes(cleaned, bytesLeft);
    bytesLeft = kept === cleaned ? bytesLeft - Buffer.byteLength(kept) : 0;
    blocks.push(beforeCard || kept !== cleaned ? closeOpenBlock(kept) : kept);
    if (kept !== cleaned) blocks.push(cutNotice);
  };
  for (const part of parts) {
    if (part.type === "markdown") {
      text = text === "" ? part.markdown : `${text}\n\n${part.markdown}`;
    } else if (cards.length + mentions === cardsMax) {
      cardsLeftOut += 1;
    } else {
      flushText(true);
      const placed = placeCard(part, cards.length + 1);
      if (placed === null) continue;
      if (placed.type === "mention") mentions += 1;
      else cards.push(placed);
      blocks.push(placed);
    }
  }
  flushText(false);
  const written = writeCards(blocks.filter((block) => typeof block !== "string"))[Symbol.iterator]();
  const texts = blocks.map((block) => (typeof block === "string" ? block : (written.next().value ?? "")));
  return { markdown: texts.join("\n\n"), cards, cardsLeftOut };
}

/**
 * A platform's own text must not pass for a card. A quote that begins like one loses the bold of its label and reads the
 * same otherwise. The pattern takes in more than the reader of cards accepts, and is tried on single lines: no text, however made, is slow.
 */
function withoutImitations(markdown: string): string {
  if (!markdown.includes(">") || !/\*\*|__/u.test(markdown)) return markdown;
  let cleaned = markdown;
  // Again, because without its outer bold a label in doubled bold looks like one in plain bold.
  for (let before = ""; before !== cleaned;) {
    before = cleaned;
    cleaned = before.replace(imitation, "$1$3");
  }
  return cleaned;
}
const imitation = /^( {0,3}>[ \t]*)(\*\*|__)((?:[a-z0-9_]|&[#a-zA-Z0-9]{1,32};|\\.){1,64}?)\2(?=[ \t]*(?:$|[·&]))/gmu;
