/** Advertisements of every kind in 500 imitated answers: from the page to the observation, none of them is taken for a part of the answer. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { composeResult } from "../../../src/answers/index.ts";
import { compileEntities } from "../../../src/observations/entities/compile-entities.ts";
import { findIn } from "../../../src/observations/entities/find-in-text.ts";
import { describeAnswer } from "../../../src/observations/records/describe-answer.ts";
import { loadBundledRecipe } from "../../../src/platforms/index.ts";
import { extractAnswer } from "../../../src/platforms/web/extract/extract-answer.ts";
import type { PageSnapshots } from "../../../src/platforms/web/page/snapshots.ts";
import { parseRecipe } from "../../../src/platforms/web/recipe/load-recipe.ts";
import type { Recipe } from "../../../src/platforms/web/recipe/recipe.ts";
import { options, webPlatform } from "../../answers/answers.ts";
import { captured } from "./captured.ts";

const answersMax = 500;

test("500 imitated answers keep 0 advertisements in content, sources, cards, mentions and citations, and lose nothing", (t) => {
  const counts = { ads: 0, sources: 0, products: 0 };
  for (let seed = 1; seed <= answersMax; seed++) {
    const page = imitate(seed);
    const read = observe(page);
    const what = `seed ${seed}, ${page.kind}`;
    const { content, sources, products, videos, media, searchProcess, ads = [], availability } = read.result;
    const answered = JSON.stringify({ content, sources, products, videos, media, searchProcess });
    for (const { advertiser, title, path } of page.ads)
      for (const trace of [advertiser, title, path])
        assert.ok(!answered.includes(trace), `${what}: ${trace} is in ${answered}`);
    assert.doesNotMatch(content ?? "", new RegExp(page.label, "u"), what);
    assert.deepEqual(read.observation.mentions, [], what);
    const cited = read.observation.sources.map(({ canonicalUrl }) => canonicalUrl);
    assert.deepEqual(cited.toSorted(), page.cited.toSorted(), what);
    assert.deepEqual(
      products.map(({ title }) => title),
      page.products,
      what,
    );
    for (const words of page.words) assert.ok(content?.includes(words), `${what}: ${words} is missing in ${content}`);
    assert.equal(availability.ads, page.ads.length > 0 ? "shown" : page.isTold ? "none" : "not_exposed", what);
    assert.deepEqual(
      ads.map(({ url }) => url ?? "").toSorted(),
      page.ads.map(({ host, path }) => `https://${host}${path}`).toSorted(),
      what,
    );
    assert.deepEqual(
      read.observation.ads.map(({ host }) => host),
      ads.map(({ url }) => new URL(url ?? "").host),
      what,
    );
    counts.ads += ads.length;
    counts.sources += sources.length;
    counts.products += products.length;
  }
  t.diagnostic(JSON.stringify(counts));
  for (const count of Object.values(counts)) assert.ok(count > answersMax / 2, JSON.stringify(counts));
});

interface ImitatedAd {
  readonly advertiser: string;
  readonly title: string;
  readonly host: string;
  readonly path: string;
  /** The address as the page has it. */
  readonly address: string;
}

interface ImitatedPage {
  readonly kind: string;
  readonly recipe: Recipe;
  readonly snapshots: PageSnapshots;
  readonly ads: readonly ImitatedAd[];
  readonly label: string;
  /** Whether the recipe knows where advertisements stand. */
  readonly isTold: boolean;
  /** What must be in the answer. */
  readonly words: readonly string[];
  readonly cited: readonly string[];
  readonly products: readonly string[];
}

function observe({ recipe, snapshots }: ImitatedPage) {
  const result = composeResult(extractAnswer(recipe, snapshots).answer, webPlatform, options);
  return {
    result,
    observation: describeAnswer(result, {
      entities: "1",
      found: findIn(result.content ?? "", advertisers, "observed"),
    }),
  };
}

const names = Array.from({ length: 12 }, (_, index) => `Zelkova ${String.fromCharCode(65 + index)}`);
const advertisers = compileEntities(
  names.map((name, index) => ({
    entityId: `00000000-0000-7000-8000-0000000000${10 + index}`,
    variants: [{ text: name, isCaseSensitive: false }],
    negativeContexts: [],
  })),
);

const labels = ["Sponsored", "Ad", "Advertisement", "Anzeige", "Gesponsert", "Patrocinado", "広告", "广告", "광고"];

/** A number from 0 to below `below` for each call, the same for the same seed (mulberry32). */
function numbersOf(seed: number): (below: number) => number {
  let state = seed * 0x9e3779b1;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const recipeOf = (extract: string): Recipe =>
  parseRecipe(`
recipe: 1
name: Imitated
version: 1
verified: true
entry: https://assistant.example/
composer: { input: textarea, submit: { press: Enter } }
network: { answer: { url: /answer$ } }
turn: { each: .turn, text: .text }
complete: { done: .done }
extract:
${extract}`);

const usual = `  sources: { each: "a[href^=http]", fields: { title: ., url: "@href" } }
  products: { each: .product, fields: { title: .name, url: "a@href", price: .price } }
`;
const recipes = {
  "a label, without a rule": recipeOf(usual),
  "a rule": recipeOf(
    `${usual}  ads: { each: "[data-ad]", fields: { advertiser: "@data-ad", title: .name, url: "a@href", label: .label } }`,
  ),
  "a rule, also beside the turn": recipeOf(
    `${usual}  ads:\n    - { in: page, each: "[data-ad]", fields: { title: .name, url: "a@href" } }\n    - { each: "[data-ad]", fields: { title: .name, url: "a@href" } }`,
  ),
  "an answer's stream": loadBundledRecipe("chatgpt-web").recipe,
  "a request of its own": loadBundledRecipe("chatgpt-web").recipe,
  "AI Mode": loadBundledRecipe("google-ai-mode").recipe,
} as const;
type Kind = keyof typeof recipes;

function imitate(seed: number): ImitatedPage {
  const number = numbersOf(seed);
  const one = <Value>(values: readonly Value[]): Value => values[number(values.length)] as Value;
  const kind = one(Object.keys(recipes) as Kind[]);
  const label = one(labels);
  const ads = Array.from({ length: number(4) }, (_, index): ImitatedAd => {
    const name = one(names);
    const host = `${name.toLowerCase().replace(" ", "-")}.example`;
    const path = `/offer/${seed}-${index}`;
    const address = `https://${host}${path}${one(["", "?gclid=abc", "?msclkid=1&fbclid=2"])}`;
    const redirect = `https://www.google.com/aclk?sa=l&adurl=${encodeURIComponent(address)}`;
    return { advertiser: name, title: `${name} offer ${seed}-${index}`, host, path, address: one([address, redirect]) };
  });
  // What the answer itself says: also of the site of an advertiser, another page of which it cites.
  const cited = Array.from({ length: 1 + number(3) }, (_, index) =>
    index === 0 && ads[0] !== undefined && number(2) === 0
      ? `https://${ads[0].host}/guide`
      : `https://source-${number(900)}.example/page-${index}`,
  );
  const paragraphs = cited.map((url, index) => ({ words: `Grind ${seed}-${index} finer`, url }));
  const inPage = kind !== "an answer's stream" && kind !== "a request of its own";
  const products = inPage && kind !== "AI Mode" ? Array.from({ length: number(3) }, (_, n) => `Mill ${seed}-${n}`) : [];
  const links = products.map((_, index) => `https://shop.example/mill-${index}`);
  const drawn = { kind, label, ads, paragraphs, products };
  return {
    ...{ kind, label, ads, cited: [...cited, ...links], products, recipe: recipes[kind] },
    snapshots: drawPage(drawn, number),
    isTold: kind !== "a label, without a rule",
    words: paragraphs.map(({ words }) => words),
  };
}

interface Drawn {
  readonly kind: Kind;
  readonly label: string;
  readonly ads: readonly ImitatedAd[];
  readonly paragraphs: readonly { readonly words: string; readonly url: string }[];
  readonly products: readonly string[];
}

function drawPage({ kind, label, ads, paragraphs, products }: Drawn, number: (below: number) => number): PageSnapshots {
  if (kind === "an answer's stream" || kind === "a request of its own") return drawStream(kind, ads, paragraphs);
  const texts = paragraphs.map(({ words, url }) => `<p>${words}, as <a href="${url}">this page</a> says.</p>`);
  const cards = products.map(
    (name, index) =>
      `<div class="product"><span class="name">${name}</span><a href="https://shop.example/mill-${index}"></a><span class="price">9 EUR</span></div>`,
  );
  const drawn = ads.map((ad) => drawAd(kind, label, ad, number(4)));
  const beside = kind === "a rule, also beside the turn" ? drawn.splice(0, number(drawn.length + 1)) : [];
  const blocks = [...texts, ...cards];
  const outside: string[] = [];
  for (const html of drawn)
    // What is labelled in the text itself stands between its blocks, and elsewhere beside the text.
    if (number(2) === 0) blocks.splice(number(blocks.length + 1), 0, html);
    else outside.push(html);
  const [before, after] = [outside.splice(0, number(outside.length + 1)), outside];
  const text = blocks.join("");
  const turn =
    kind === "AI Mode"
      ? `<div data-scope-id="turn"><div data-subtree="aimc">${before.join("")}<div data-container-id="main-col">${text}</div>${after.join("")}</div></div>`
      : `<div class="turn">${before.join("")}<div class="text">${text}</div>${after.join("")}</div>`;
  return captured(turn, {
    page: `<body>${beside.join("")}${turn.replace(/<[^>]+data-ad=[^]*?<\/section>/gu, "")}</body>`,
  });
}

function drawAd(kind: Kind, label: string, { advertiser, title, address }: ImitatedAd, form: number): string {
  const link = `<a href="${address.replaceAll("&", "&amp;")}">${title}</a>`;
  if (kind === "AI Mode")
    return `<div data-text-ad="1"><span>Sponsored</span><div role="heading" aria-level="3">${link}</div><div>By ${advertiser}</div></div>`;
  const attribute = kind === "a label, without a rule" ? "" : ` data-ad="${advertiser}"`;
  const mark = `<span class="label">${label}</span>`;
  const inside = [
    `<div>${mark}</div><div class="name">${link}</div><div>Free shipping by ${advertiser}</div>`,
    `${mark}<div class="name">${link}</div>`,
    `<div class="name">${link}</div><p>From ${advertiser}</p><div><small>${mark}</small></div>`,
    `<div>${mark}<div><img src="https://pictures.example/1.png" alt="${title}"></div><div class="name">${link}</div></div>`,
  ][form];
  return `<section${attribute}>${inside}</section>`;
}

/** What ChatGPT's responses have: the answer as a document, and the advertisements in it or in a request of their own. */
function drawStream(kind: Kind, ads: readonly ImitatedAd[], paragraphs: Drawn["paragraphs"]): PageSnapshots {
  const mark = (index: number) => `\ue200cite\ue202turn0search${index}\ue201`;
  const text = paragraphs.map(({ words }, index) => `${words}, as one says ${mark(index)}.`).join("\n\n");
  const message = {
    author: { role: "assistant" },
    content: { content_type: "text", parts: [text] },
    metadata: {
      content_references: paragraphs.map(({ url }, index) => ({
        matched_text: mark(index),
        items: [{ title: "This page", url, snippet: null, attribution: new URL(url).host }],
      })),
    },
  };
  const shown = ads.map(({ advertiser, title, address, host }) => ({
    content: {
      advertiser_brand: { name: advertiser, url: `https://${host}/` },
      carousel_cards: [{ title, body: `By ${advertiser}`, target: { value: address } }],
    },
  }));
  const inStream = kind === "an answer's stream";
  const events = [{ message }, ...(inStream ? shown.map((ad) => ({ type: "ads", ads: [ad] })) : [])];
  const response = (body: string) => ({
    ...{ url: "https://assistant.example/answer", status: 200, mediaType: "text/event-stream", body },
  });
  const html = paragraphs.map(({ words }) => `<p>${words}, as one says.</p>`).join("");
  return captured(`<div data-message-author-role="assistant"><div class="markdown">${html}</div></div>`, {
    response: response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")),
    ...(inStream ? {} : { others: { ads: response(JSON.stringify({ ads: shown })) } }),
  });
}
