import type { Element } from "hast";
import { isWebAddress, siteOf } from "../../kernel/web-address.ts";
import { labelOf, priceText, type PlacedCard } from "../cards.ts";
import { h, outwardLink, type Child } from "../../kernel/element.ts";

const factCharsMax = 400;

/** A product, a video or another card as a box with its known fields. */
export function renderCard(placed: PlacedCard): Element {
  const { title, address, deepLink, thumbnail, strong, facts, text } = shown(placed);
  const name = h("bdi", {}, title || (address === null ? "Untitled" : siteOf(address)));
  return h(
    "section",
    { className: ["card"], ariaLabel: `Card ${placed.card.position}` },
    h(
      "span",
      { className: ["tile", tone(labelOf(placed))], ariaHidden: "true" },
      labelOf(placed).charAt(0).toUpperCase(),
    ),
    h(
      "div",
      { className: ["about"] },
      h("p", { className: ["label"] }, labelOf(placed).replaceAll("_", " ")),
      h("p", { className: ["name"], dir: "auto" }, address === null ? name : outwardLink(address, "out", name)),
      strong !== "" && h("p", { className: ["strong"], dir: "auto" }, strong),
      facts.length > 0 && h("p", { className: ["facts"], dir: "auto" }, ...separated(facts)),
      text !== null && h("p", { className: ["text"], dir: "auto" }, text.slice(0, factCharsMax)),
      h(
        "p",
        { className: ["where"] },
        ...separated([
          ...(address === null ? [] : [h("span", {}, siteOf(address))]),
          ...(deepLink === null ? [] : [h("code", { title: "App link" }, deepLink.slice(0, factCharsMax))]),
          ...(thumbnail === null ? [] : [outwardLink(thumbnail, "quiet", "picture")]),
        ]),
      ),
    ),
  );
}

interface Shown {
  readonly title: string;
  readonly address: string | null;
  readonly deepLink: string | null;
  readonly thumbnail: string | null;
  readonly strong: string;
  readonly facts: readonly string[];
  readonly text: string | null;
}

function shown(placed: PlacedCard): Shown {
  switch (placed.type) {
    case "product": {
      const { card } = placed;
      const address = [card.url, card.fallbackUrl].map(web).find((one) => one !== null) ?? null;
      return {
        title: card.title,
        address,
        deepLink: card.deepLink ?? (card.urlType === "app_deep_link" ? card.url || null : null),
        thumbnail: web(card.thumbnail),
        strong: priceText(card),
        facts: [card.mall, card.sales, ...card.sellingPoints].filter((fact) => fact !== ""),
        text: null,
      };
    }
    case "video": {
      const { card } = placed;
      return {
        title: card.title,
        address: web(card.url),
        deepLink: null,
        thumbnail: web(card.cover),
        strong: "",
        facts: [card.author, card.duration, card.videoPlatform].filter(
          (fact) => fact !== null && fact !== "",
        ) as string[],
        text: null,
      };
    }
    case "media": {
      const { card } = placed;
      return {
        title: card.title ?? "",
        address: web(card.url),
        deepLink: null,
        thumbnail: web(card.thumbnail),
        strong: "",
        facts: [],
        text: card.content,
      };
    }
  }
}

const web = (address: string | null): string | null => (address !== null && isWebAddress(address) ? address : null);

function separated(facts: readonly Child[]): Child[] {
  return facts.flatMap((fact, index) => [
    index === 0 ? null : h("span", { className: ["dot"], ariaHidden: "true" }, " · "),
    typeof fact === "string" ? h("bdi", {}, fact) : fact,
  ]);
}

const tones = ["tone-a", "tone-b", "tone-c", "tone-d"] as const;
const toneOf: Readonly<Record<string, (typeof tones)[number]>> = {
  product: "tone-a",
  video: "tone-b",
  music: "tone-b",
  album: "tone-b",
  playlist: "tone-b",
  map: "tone-c",
  place: "tone-c",
  weather: "tone-c",
  image: "tone-c",
};
const tone = (label: string): string => toneOf[label] ?? "tone-d";
