/** The simulator's answer: depends only on the question, unless it has brands, which are drawn for each task. */
import { forEachAskedAs, type ReasoningStep, type SearchStep, type Source, type Support } from "@querent/contract";
import { describeAskedAs, optionSupport } from "../option-support.ts";
import type { PlatformAnswer, AnswerPart, DraftAd, DraftCard, PlatformQuestion } from "../platform.ts";
import { sizeBytesMax, type Directives } from "./directives.ts";
import { createHash } from "node:crypto";
import type { BrandDirectives, DirectedBrand, DirectedProduct } from "./brand-directives.ts";

const models = ["simulator-1", "simulator-2"];

/** It supports all options in all ways, so that clients can be tested with it. Its answer shows what it received. */
export const simulatorOptions = optionSupport(
  { ...forEachAskedAs((): Support => "native"), language: "prompted" },
  { model: models, domains: { allowMax: 100, denyMax: 100, together: true } },
);

export function simulatedAnswer(question: PlatformQuestion, directives: Directives, observedAt: Date): PlatformAnswer {
  const { deepAnalysis } = question.options;
  const drawn =
    directives.drawn === null
      ? null
      : drawBrands(directives.drawn, { taskId: question.taskId, text: question.text, at: observedAt });
  const sources = directives.empty ? [] : [...(drawn?.sources ?? []), ...simulatedSources(directives.sources)];
  return {
    parts: directives.empty ? [] : parts(question, directives, drawn),
    sources,
    reasoning: deepAnalysis && !directives.empty ? reasoning(directives) : null,
    search: sources.length > 0 ? search(question.text, sources) : null,
    pageHtml: directives.html && !directives.empty ? page(question.text) : null,
    modelVersion: drawn?.modelVersion ?? models.find((model) => model === question.options.model) ?? "simulator-1",
    observedAt,
    endpoint: null,
    region: null,
    unreadable: [],
    ...simulatedAds(directives, drawn?.advertisers ?? []),
  };
}

function simulatedAds({ ads, empty }: Directives, drawn: readonly string[]): Pick<PlatformAnswer, "ads" | "noAds"> {
  if (ads === "not_exposed") return {};
  if (typeof ads === "string") return { ads: [], noAds: ads };
  if (empty) return { ads: [] };
  const numbered = Array.from({ length: ads }, (_, index) =>
    simulatedAd(`Simulated advertiser ${index + 1}`, `advertiser-${index + 1}.example`, `${index + 1}`),
  );
  return { ads: [...drawn.map((host) => simulatedAd(host, host, `of ${host}`)), ...numbered] };
}

function simulatedAd(advertiser: string, host: string, name: string): DraftAd {
  return {
    advertiser,
    title: `Simulated advertisement ${name}`,
    text: "Nothing is advertised: this is simulated.",
    url: `https://${host}/offer?gclid=simulated`,
    displayUrl: host,
    thumbnail: null,
    products: [],
    placement: "below_answer",
    label: "Sponsored",
  };
}

function parts(
  { text: question, options }: PlatformQuestion,
  directives: Directives,
  drawn: DrawnBrands | null,
): AnswerPart[] {
  const received = describeAskedAs(simulatorOptions, options);
  const withReceived = (text: string) => (received === null ? text : `${text}\n\n${received}`);
  const whole = drawn === null ? echo(withReceived(question)) : withReceived(brandText(drawn.brands));
  const markdown = directives.sizeBytes === null ? whole : filler(directives.sizeBytes);
  const text: AnswerPart = { type: "markdown", markdown };
  const products = (drawn?.products ?? []).map(({ name, shop }, index) =>
    simulatedProduct(index + 1, directives.deeplink, { title: name, shop }),
  );
  if (directives.cards.length === 0) return [text, ...products];
  // A line of text after every card, so that the cards are between text and not all at its end. With `size` there is no space
  // for it: the text has exactly the requested size.
  const isPlain = directives.sizeBytes === null;
  return [
    text,
    ...products,
    ...directives.cards.flatMap((kind, index): AnswerPart[] => {
      const card = simulatedCard(kind, index + 1, directives.deeplink);
      return isPlain ? [card, { type: "markdown", markdown: `Text after card ${index + 1}.` }] : [card];
    }),
  ];
}

const opening = "This answer is simulated: no answer platform was asked. The question was:\n\n    ";

/** The question as an indented code block, in which no question is interpreted as Markdown. */
const echo = (question: string): string =>
  opening + (/[\n\r]/u.test(question) ? question.replace(/\r\n?|\n/gu, "\n    ") : question);

const fillerLine = "This answer is simulated, and this line is here to make it as long as the question asked for.\n";

/** The longest text, created on first use. Answers are slices of it, so that a thousand of them take no time and no memory. */
let longest: string | null = null;

/** Exactly this number of bytes: ASCII, in lines. */
function filler(sizeBytes: number): string {
  longest ??= Buffer.from(fillerLine.repeat(Math.ceil(sizeBytesMax / fillerLine.length))).toString("latin1");
  // Trailing white space might be trimmed later, and the size would be off by one.
  const last = longest[sizeBytes - 1] ?? "";
  return last.trim() === "" ? `${longest.slice(0, sizeBytes - 1)}.` : longest.slice(0, sizeBytes);
}

/** The sources created so far. They are the same in every answer: a thousand answers that end at once only take slices. */
const madeSources: Source[] = [];

function simulatedSources(count: number): Source[] {
  while (madeSources.length < count) madeSources.push(simulatedSource(madeSources.length));
  return madeSources.slice(0, count);
}

function simulatedSource(index: number): Source {
  return {
    title: `Simulated source ${index + 1}`,
    url: `https://source-${index + 1}.example/article`,
    summary: `What the simulated source ${index + 1} says.`,
    site: `source-${index + 1}.example`,
    publishedAt: new Date(firstPublishedMs + index * dayMs).toISOString(),
  };
}
const dayMs = 24 * 60 * 60 * 1_000;
const firstPublishedMs = Date.UTC(2020, 0, 1);

function search(question: string, sources: readonly Source[]): Omit<SearchStep, "position">[] {
  const results = sources.slice(0, 10).map(({ title, url, site }) => ({ title, url, site }));
  return [{ query: question.slice(0, 200).toWellFormed(), results }];
}

function reasoning(directives: Directives): Omit<ReasoningStep, "position">[] {
  return [
    { text: "Read the question for directives." },
    { text: `Made an answer with ${directives.cards.length} cards and ${directives.sources} sources.` },
  ];
}

function page(question: string): string {
  const text = question.replace(/[&<>]/gu, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Simulated answer</title></head>\n<body><h1>Simulated answer</h1><pre>${text}</pre></body>\n</html>\n`;
}

function simulatedCard(kind: string, number: number, deeplink: boolean): DraftCard {
  switch (kind) {
    case "product":
      return simulatedProduct(number, deeplink);
    case "video":
      return {
        type: "video",
        card: {
          title: `Simulated video ${number}`,
          url: `https://video.example/watch/${number}`,
          cover: `https://video.example/cover/${number}.jpg`,
          author: "Simulated author",
          duration: "12:30",
          videoId: String(number),
          videoPlatform: "video.example",
        },
      };
    default:
      return {
        type: "media",
        card: {
          mediaType: kind,
          title: `Simulated ${kind} ${number}`,
          url: `https://media.example/${kind}/${number}`,
          thumbnail: `https://media.example/${kind}/${number}.jpg`,
          content: `What the simulated ${kind} shows.`,
        },
      };
  }
}

function simulatedProduct(
  number: number,
  deeplink: boolean,
  { title = `Simulated product ${number}`, shop = "shop.example" } = {},
): DraftCard {
  const web = `https://${shop}/item/${number}`;
  const app = `shopapp://item/${number}`;
  return {
    type: "product",
    card: {
      title,
      url: deeplink ? app : web,
      urlType: deeplink ? "app_deep_link" : "web",
      deepLink: deeplink ? app : null,
      trackingUrl: `https://track.example/click?item=${number}`,
      fallbackUrl: deeplink ? web : null,
      thumbnail: `https://${shop}/item/${number}.jpg`,
      mall: shop === "shop.example" ? "Simulated shop" : shop,
      mallPlatform: "simulated-mall",
      mallProductId: `P${number}`,
      skuId: `S${number}`,
      shopId: "SHOP1",
      price: (9.9 + number).toFixed(2),
      priceUnit: "EUR",
      sales: `${number}00+ sold`,
      sellingPoints: ["Does not exist", "Never out of stock"],
    },
  };
}

/** One answer's brands, in their order, its sources, its products, and who advertises beside it. */
interface DrawnBrands {
  readonly brands: readonly string[];
  readonly sources: readonly Source[];
  readonly products: readonly DirectedProduct[];
  /** The hosts of those that advertise beside it. */
  readonly advertisers: readonly string[];
  /** The model that the directives name; null if they name none. */
  readonly modelVersion: string | null;
}

export interface Draw {
  readonly taskId: string;
  /** The whole question: other questions are drawn independently. */
  readonly text: string;
  readonly at: Date;
}

/**
 * Draws what an answer names and cites. The result depends only on the seed, the task, the question and the day, so a task that is
 * asked again has the same answer, and a test that chooses the ids of its tasks has the same figures in every run.
 */
function drawBrands(directives: BrandDirectives, { taskId, text, at }: Draw): DrawnBrands {
  const day = at.toISOString().slice(0, 10);
  const random = (...keys: readonly string[]) => uniform([directives.seed, text, ...keys]);
  const rateOf = (name: string, first: number): number =>
    directives.changes
      .filter((change) => change.name === name && change.day <= day)
      .toSorted((a, b) => (a.day < b.day ? -1 : 1))
      .at(-1)?.rate ?? first;
  // Each answer follows the draw that all answers of the day share with probability √ρ: two of them then correlate with ρ.
  const isDrawn = (name: string, first: number, changed: string = name): boolean => {
    const follows = random("follows", taskId, name) < Math.sqrt(directives.correlation);
    const drawn = follows ? random("shared", day, name) : random("own", taskId, name);
    return drawn < rateOf(changed, first);
  };
  const named = directives.brands.filter(({ name, rate }) => isDrawn(name, rate));
  const order = new Map(named.map((brand) => [brand, random("order", taskId, brand.name)]));
  const brands = named.toSorted((a, b) => positionOf(a) - positionOf(b) || (order.get(a) ?? 0) - (order.get(b) ?? 0));
  const cited = directives.cites.filter(({ address, rate }) => isDrawn(address, rate));
  return {
    brands: brands.map(({ name }) => name),
    sources: cited.map(({ address }) => sourceOf(address)),
    products: directives.products.filter(({ name, rate }) => isDrawn(`product ${name}`, rate, name)),
    advertisers: directives.advertisers
      .filter(({ host, rate }) => isDrawn(`advertiser ${host}`, rate, host))
      .map(({ host }) => host),
    modelVersion: modelOn(directives, day),
  };
}

const positionOf = ({ position }: DirectedBrand): number => position ?? Number.MAX_SAFE_INTEGER;

function modelOn({ models }: BrandDirectives, day: string): string | null {
  return (
    models
      .filter((model) => model.day === null || model.day <= day)
      .toSorted((a, b) => ((a.day ?? "") < (b.day ?? "") ? -1 : 1))
      .at(-1)?.version ?? null
  );
}

function sourceOf(address: string): Source {
  const { hostname, href } = new URL(`https://${address}`);
  return { title: `Simulated source: ${address}`, url: href, summary: null, site: hostname, publishedAt: null };
}

/** A number from 0 to below 1: the first 48 bits of a digest. */
function uniform(keys: readonly string[]): number {
  const digest = createHash("sha256").update(JSON.stringify(keys)).digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** The text of an answer with brands. It does not repeat the question, which has the names of all of them. */
function brandText(brands: readonly string[]): string {
  const opening = "This answer is simulated: no answer platform was asked.\n\n";
  if (brands.length === 0) return `${opening}There is nothing to recommend.`;
  const lines = brands.map((name, index) => `${index + 1}. **${name}**: recommended by the simulator.`);
  return `${opening}${lines.join("\n")}`;
}
