/** `content`: the platform's own Markdown, unchanged, with the cards at their positions. */
import type { AnswerPart } from "../platforms/platform.ts";
import { cardsMax, contentBytesMax } from "./bounds.ts";
import { placeCard, type TextCard, type PlacedCard } from "./cards.ts";
import { closeOpenBlock } from "./close-open-block.ts";
import { startOfBytes, storableText } from "./text.ts";
import { writeCards } from "./write-card.ts";

interface Written {
  /** `""` if the platform gave no answer. */
  readonly markdown: string;
  readonly cards: readonly PlacedCard[];
  readonly cardsLeftOut: number;
}

const cutNotice = `*[The answer was cut here: it is longer than ${contentBytesMax / 1024 / 1024} MiB.]*`;

export function writeContent(parts: readonly AnswerPart[]): Written {
  const [only] = parts;
  if (parts.length === 1 && only?.type === "markdown") {
    // Most answers: no Markdown is parsed or serialized here, and a text within the bounds is not even copied.
    const { kept, isCut } = bounded(only.markdown, contentBytesMax);
    const text = withoutImitations(kept);
    return { markdown: isCut ? `${closeOpenBlock(text)}\n\n${cutNotice}` : text, cards: [], cardsLeftOut: 0 };
  }
  return interleave(parts);
}

function interleave(parts: readonly AnswerPart[]): Written {
  /** Texts, with the cards and mentions between them. */
  const blocks: (string | PlacedCard | TextCard)[] = [];
  const cards: PlacedCard[] = [];
  let mentions = 0;
  let cardsLeftOut = 0;
  let bytesLeft = contentBytesMax;
  let text = "";
  const flushText = (beforeCard: boolean): void => {
    const { kept, isCut } = bounded(text.replace(/^(?:[ \t]*[\n\r])+/u, ""), bytesLeft);
    const cleaned = withoutImitations(kept).trimEnd();
    text = "";
    if (bytesLeft === 0 || (cleaned === "" && !isCut)) return;
    bytesLeft = isCut ? 0 : bytesLeft - Buffer.byteLength(cleaned);
    blocks.push(beforeCard || isCut ? closeOpenBlock(cleaned) : cleaned);
    if (isCut) blocks.push(cutNotice);
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

/** The prefix of a text that fits, storable. What cannot fit is not even examined: a code unit takes at least one byte. */
function bounded(text: string, bytesMax: number): { kept: string; isCut: boolean } {
  const start = text.length > bytesMax + 1 ? text.slice(0, bytesMax + 1) : text;
  const storable = storableText(start);
  const kept = startOfBytes(storable, bytesMax);
  return { kept, isCut: kept !== storable };
}

/**
 * A platform's own text must not look like a card. A quote that begins like one loses the bold of its label and is otherwise
 * unchanged. The pattern matches more than the parser of cards accepts, and is applied to single lines, so that no text is
 * slow.
 */
function withoutImitations(markdown: string): string {
  if (!markdown.includes(">") || !/\*\*|__/u.test(markdown)) return markdown;
  let cleaned = markdown;
  // Repeated, because without its outer bold a label in doubled bold looks like one in plain bold.
  for (let before = ""; before !== cleaned;) {
    before = cleaned;
    cleaned = before.replace(imitation, "$1$3");
  }
  return cleaned;
}
const imitation = /^( {0,3}>[ \t]*)(\*\*|__)((?:[a-z0-9_]|&[#a-zA-Z0-9]{1,32};|\\.){1,64}?)\2(?=[ \t]*(?:$|[·&]))/gmu;
