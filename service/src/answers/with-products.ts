/** The products of an answer from elsewhere, written below its text as the cards of our own answers are. */
import type { ProductCard } from "@querent/contract";
import { addressCharsMax, factCharsMax, titleCharsMax } from "./bounds.ts";
import { priceText } from "./cards.ts";
import { closeOpenBlock } from "./close-open-block.ts";
import { oneLine } from "./text.ts";
import { linkTitle, separator, writeCards } from "./write-card.ts";

export type GivenProduct = Pick<ProductCard, "position" | "title" | "price" | "priceUnit" | "mall"> & {
  readonly url: string | null;
};

/** What an imported text may not exceed either. */
const charsMax = 1_000_000;
/** More than an observation keeps are not written. */
const productsMax = 200;
const heading = /^> \*\*[a-z0-9_]{1,64}\*\*/mu;

/**
 * The text with a card for each product, so that brands are looked for in their titles and offers are read with the text. A text that has
 * cards is left as it is, and so is one without words, or one that would become too long.
 */
export function withProducts(content: string, products: readonly GivenProduct[]): string {
  if (products.length === 0 || products.length > productsMax || content.trim() === "" || heading.test(content))
    return content;
  const cards = products.map(cardOf);
  const isLong = cards.reduce((sum, { title, url }) => sum + title.length + url.length, content.length) > charsMax;
  if (isLong) return content;
  const text = [closeOpenBlock(content).trimEnd(), ...cards.map((card) => plainCard(card) ?? written(card))].join(
    "\n\n",
  );
  return text.length > charsMax ? content : text;
}

const written = (card: ProductCard): string => writeCards([{ type: "product", card }]).join("\n\n");

/** Texts that Markdown writes as they are, wherever in a line they stand. */
const plain = /^(?!.*(?:w\.|  ))[\p{L}\p{N} ,.'’()%;/+$€£¥-]*$/iu;
const plainAddress = /^(?:https?:\/\/[a-z0-9/.?=%-]+)?$/iu;

/** The card if it needs no escapes, which is most of them: the serializer takes a hundred times as long. */
function plainCard(card: ProductCard): string | null {
  const { position, title, url, mall } = card;
  const price = priceText(card);
  if (title.trim() === "" || ![title, price, mall].every((text) => plain.test(text)) || !plainAddress.test(url))
    return null;
  const named = url === "" ? title : `[${title}](${url} "${linkTitle(position)}")`;
  const facts = [price === "" ? "" : `**${price}**`, mall].filter((text) => text !== "").join(separator);
  return `> **product**${separator}${named}${facts === "" ? "" : `\n>\n> ${facts}`}`;
}

function cardOf({ position, title, url, price, priceUnit, mall }: GivenProduct): ProductCard {
  const address = /^https?:/iu.test(url ?? "") && (url?.length ?? 0) <= addressCharsMax ? (url ?? "") : "";
  const fact = (text: string) => oneLine(text, factCharsMax);
  return {
    ...{ position, title: oneLine(title, titleCharsMax), url: address, urlType: "web" },
    ...{ deepLink: null, trackingUrl: null, fallbackUrl: null, thumbnail: "", mallPlatform: "", mallProductId: "" },
    ...{ skuId: "", shopId: "", sales: "", sellingPoints: [] },
    ...{ price: fact(price), priceUnit: fact(priceUnit), mall: fact(mall) },
  };
}
