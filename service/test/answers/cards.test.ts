import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Nodes } from "mdast";
import { composeResult, mergeCards, readCards, type PlacedCard } from "../../src/answers/index.ts";
import { addressCharsMax, titleCharsMax } from "../../src/answers/bounds.ts";
import type { AnswerPart, DraftCard } from "../../src/platforms/platform.ts";
import { answer, apiPlatform, markdown, media, options, product, video } from "./answers.ts";

const compose = (parts: readonly AnswerPart[]) => composeResult(answer({ parts }), apiPlatform, options);

describe("the Markdown of a card", () => {
  test("has the documented form: label, linked title with the position, image, facts", () => {
    const card = product({
      title: "Kobo Clara BW",
      url: "https://shop.example/p/1",
      thumbnail: "https://img.example/1.jpg",
      price: "$129.99",
      mall: "Rakuten Kobo store",
      sales: "2k+ sold",
    });
    assert.equal(
      compose([card]).content,
      `> **product** · [Kobo Clara BW](https://shop.example/p/1 "card 1")
>
> ![Kobo Clara BW](https://img.example/1.jpg)
>
> **$129.99** · Rakuten Kobo store · 2k+ sold`,
    );
  });

  test("links what a client clicks first, and beside an app deep link its fallback", () => {
    const card = product({
      url: "shopapp://item/1",
      urlType: "app_deep_link",
      deepLink: "shopapp://item/1",
      fallbackUrl: "https://shop.example/1",
    });
    assert.equal(
      compose([card]).content,
      '> **product** · [Kettle](shopapp://item/1 "card 1") · [shop.example](https://shop.example/1 "fallback")',
    );
  });

  test("links an app deep link that has no fallback alone", () => {
    const card = product({ url: "shopapp://item/1", urlType: "app_deep_link" });
    assert.equal(compose([card]).content, '> **product** · [Kettle](shopapp://item/1 "card 1")');
    const same = product({ url: "https://a.example/1", urlType: "app_deep_link", fallbackUrl: "https://a.example/1" });
    assert.equal(compose([same]).content, '> **product** · [Kettle](https://a.example/1 "card 1")');
  });

  test("links a web address that an app opens, and its fallback", () => {
    const card = product({ url: "https://a.example/1", urlType: "app_deep_link", fallbackUrl: "https://b.example/1" });
    assert.equal(
      compose([card]).content,
      '> **product** · [Kettle](https://a.example/1 "card 1") · [b.example](https://b.example/1 "fallback")',
    );
  });

  test("leaves out what is missing", () => {
    assert.equal(compose([media({ mediaType: "weather" })]).content, "> **weather**");
    assert.equal(
      compose([media({ mediaType: "weather", content: "12 °C\nrain" })]).content,
      "> **weather**\n>\n> 12 °C rain",
    );
    assert.equal(compose([media({ url: "https://a.example/" })]).content?.includes("card 1"), true);
  });

  test("sets a Latin unit apart from the price and another one not", () => {
    const facts = (price: string, priceUnit: string) =>
      readCards(compose([product({ price, priceUnit })]).content ?? "")[0]?.facts;
    assert.equal(facts("59", "CNY"), "59 CNY");
    assert.equal(facts("59", "元"), "59元");
  });

  for (const url of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "//relative/x",
    "&#106;avascript:alert(1)",
  ]) {
    test(`never links ${JSON.stringify(url)}, and gives no program the address to click`, () => {
      const result = compose([
        product({ url, deepLink: url, fallbackUrl: url, trackingUrl: url, thumbnail: url }),
        video({ url, cover: url }),
        media({ url, thumbnail: url }),
      ]);
      assert.deepEqual(addresses(result.content ?? ""), []);
      assert.equal(JSON.stringify(mergeCards(result)).includes("alert"), false);
    });
  }

  test("keeps a hostile title as text", () => {
    for (const title of hostileTitles) {
      const { content } = compose([product({ title, mall: title }), video({ title, url: "" })]);
      assert.deepEqual(
        addresses(content ?? "").filter((address) => address !== "https://shop.example/kettle"),
        [],
        title,
      );
      const cards = readCards(content ?? "");
      assert.deepEqual(
        cards.map((card) => card.title),
        [title.replace(/[\s\p{Cc}]+/gu, " ").trim(), title.replace(/[\s\p{Cc}]+/gu, " ").trim()],
      );
    }
  });
});

describe("the address to click", () => {
  const first = (changes: Parameters<typeof product>[0]) => {
    const result = compose([product({ url: "", ...changes })]);
    const [card] = result.products;
    return card === undefined ? null : [card.url, card.urlType];
  };
  const deepLink = "shopapp://item/1";
  const fallbackUrl = "https://shop.example/1";

  test("is the app's deep link where the platform gives no address, and then the one to fall back to", () => {
    assert.deepEqual(first({ deepLink, fallbackUrl }), [deepLink, "app_deep_link"]);
    assert.deepEqual(first({ deepLink }), [deepLink, "app_deep_link"]);
    assert.deepEqual(first({ fallbackUrl, urlType: "app_deep_link" }), [fallbackUrl, "web"]);
    assert.deepEqual(first({ url: "javascript:alert(1)", deepLink: "javascript:x", fallbackUrl }), [
      fallbackUrl,
      "web",
    ]);
    assert.deepEqual(first({ url: "not an address", deepLink }), [deepLink, "app_deep_link"]);
  });

  test("a promoted deep link keeps its fallback, and the Markdown links both", () => {
    const result = compose([product({ url: "", deepLink, fallbackUrl })]);
    assert.equal(result.products[0]?.fallbackUrl, fallbackUrl);
    assert.equal(
      result.content,
      '> **product** · [Kettle](shopapp://item/1 "card 1") · [shop.example](https://shop.example/1 "fallback")',
    );
  });

  test("a product without any is no card but text, and takes no position", () => {
    const result = compose([
      product({ url: "", price: "59", priceUnit: "€", mall: "*Kettles*", sellingPoints: ["> **product** · x"] }),
      product({ url: "", title: "" }),
      product({ url: "", title: "# 1. Pan" }),
      video(),
    ]);
    assert.deepEqual(result.products, []);
    assert.equal(result.availability.products, "none_on_platform");
    assert.equal(result.videos[0]?.position, 1);
    const [one, two, ...rest] = (result.content ?? "").split("\n\n");
    assert.equal(plainText(one ?? ""), "Kettle · 59€ · *Kettles* · > **product** · x");
    assert.equal(plainText(two ?? ""), "# 1. Pan");
    assert.match(rest.join("\n\n"), /^> \*\*video\*\*/);
    assert.equal(readCards(result.content ?? "").length, 1);
  });
});

const plainText = (text: string) =>
  fromMarkdown(text)
    .children.flatMap((node) => (node.type === "paragraph" ? node.children : []))
    .map((node) => ("value" in node ? node.value : ""))
    .join("");

describe("positions", () => {
  test("run 1..n over products, videos and media in shown order, with no gap and no tie", () => {
    const result = compose([video(), markdown("Text."), product(), media(), product(), markdown("More."), video()]);
    const merged = mergeCards(result);
    assert.deepEqual(
      merged.map(({ type, card }) => [type, card.position]),
      [
        ["video", 1],
        ["product", 2],
        ["media", 3],
        ["product", 4],
        ["video", 5],
      ],
    );
  });
});

describe("cards and text", () => {
  for (const open of ["<div>\r```", "<div>\n```", "</table>\n~~~", "<my-tag>\n```", "text\n<section>\n```"]) {
    test(`a fence inside of HTML that ends at an empty line is none: ${JSON.stringify(open)}`, () => {
      const result = compose([markdown(open), video()]);
      assert.equal(readCards(result.content ?? "").length, 1, result.content ?? "");
    });
  }

  test("content read back gives the arrays, whatever the cards and the text around them hold", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const result = compose(parts);
        const read = readCards(result.content ?? "");
        assert.deepEqual(read.map(comparable), mergeCards(result).map(expected));
      }),
      { numRuns: 600 },
    );
  });

  test("no address but those of the arrays is ever linked by a card", () => {
    fc.assert(
      fc.property(fc.array(draftCard, { minLength: 1, maxLength: 4 }), (cards) => {
        const result = compose(cards);
        const given = new Set(
          mergeCards(result).flatMap(({ card }) => Object.values(card).filter((value) => typeof value === "string")),
        );
        for (const address of addresses(result.content ?? "")) {
          assert.ok(/^https?:/iu.test(address) || result.products.some(({ url }) => url === address), address);
          assert.ok(given.has(address), address);
        }
      }),
      { numRuns: 300 },
    );
  });

  for (const text of [
    "```js\nopen",
    "~~~~\nopen\n```",
    "<!-- open",
    "<pre>\nopen",
    "<script>\nopen",
    "<?php open",
    "<![CDATA[ open",
    "<!DOCTYPE open",
    "- item\n  ```\n  open",
    "<div>\nopen",
    "[^1]: note",
    "1. one\n2. two",
    "1. one\n\n   ```\n   open",
    "* * *\n  ```\n  open",
    "```\nclosed\n```\n\n<!-- closed -->",
    "``` not ` a fence",
    "    ```\n    indented",
  ]) {
    test(`a card stands outside of what the text before it leaves open: ${JSON.stringify(text)}`, () => {
      const { content } = compose([markdown(text), product(), markdown("After.")]);
      assert.ok(content?.startsWith(text));
      assert.equal(readCards(content ?? "").length, 1);
    });
  }

  test("a platform's own text does not pass for a card", () => {
    for (const imitation of [
      '> **product** · [Fake](https://evil.example/ "card 1")',
      '>__product__ · [Fake](https://evil.example/ "card 1")',
      ">\n> **product**",
      "> **pr&#111;duct** &middot; Fake",
      "> **__product__** · Fake",
    ]) {
      const result = compose([markdown(imitation), product(), markdown(imitation)]);
      assert.equal(readCards(result.content ?? "").length, 1, imitation);
    }
  });

  test("an ordinary quote stays as the platform wrote it", () => {
    const text = "> **Note:** fresh beans\n\n> **tip** use a scale\n\n> **Tip**";
    assert.equal(compose([markdown(text)]).content, text);
  });

  test("an address too long to keep whole counts as absent, a title too long is cut visibly between two characters", () => {
    const url = `https://a.example/${"x".repeat(addressCharsMax)}`;
    const fallbackUrl = "https://a.example/";
    const result = compose([product({ url, fallbackUrl, title: "😀".repeat(titleCharsMax) })]);
    assert.equal(result.products[0]?.url, fallbackUrl);
    const title = result.products[0]?.title ?? "";
    assert.ok(title.length <= titleCharsMax && title.endsWith("😀…") && title.isWellFormed());
  });
});

const hostileTitles = [
  "[x](javascript:alert(1))",
  "![x](https://evil.example/pixel.png)",
  "<img src=x onerror=alert(1)>",
  "<https://evil.example>",
  "https://evil.example/a",
  "www.evil.example",
  "mail@evil.example",
  "a](https://evil.example) [b",
  '" onmouseover="x',
  "# heading\n\n- list",
  "`code` **bold** ~~gone~~ | table |",
  "&lt;b&gt; &amp; &copy;",
  "\\",
  "trailing \\",
  "*",
  "1. one",
  "\u0000nul\u0007bell",
  "> quote",
  "[^1]",
  "[ref][1]",
];

/**
 * Every address that a renderer would follow or load. The transforms are those of mdast, which link an address that stands
 * in the text as text, escaped or not; it leads where it says, so it does no harm.
 */
const gfmTree = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));
function addresses(content: string): string[] {
  const found: string[] = [];
  const walk = (node: Nodes): void => {
    if (node.type === "link" || node.type === "image" || node.type === "definition") found.push(node.url);
    if (node.type === "html") found.push(`html ${node.value}`);
    if ("children" in node) node.children.forEach(walk);
  };
  walk(fromMarkdown(content, { extensions: [gfm()], mdastExtensions: gfmTree }));
  return found;
}

const piece = fc.constantFrom(
  ...hostileTitles,
  "card 1",
  "**product** · ",
  '> **video** · [x](https://evil.example "card 2")',
  "```",
  "~~~",
  "<!--",
  "-->",
  "<div>",
  "<pre>",
  "    ",
  "\n",
  "\r",
  "\n\n",
  "> ",
  " ",
  "a",
  "咖啡",
  "😀",
  "\ud800",
);
const hostileText = fc
  .array(fc.oneof(piece, fc.string({ unit: "binary", maxLength: 5 })), { maxLength: 6 })
  .map((p) => p.join(""));
const address = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  hostileText.map((text) => `https://a.example/${text}`),
  hostileText,
  fc.constantFrom("", "shopapp://x/`1`?a=b&amp;c", "javascript:alert(1)", "https://a.example/?a=1&copy;=2&amp;b=(]"),
);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const draftCard: fc.Arbitrary<DraftCard> = fc.oneof(
  fc
    .record({
      title: hostileText,
      url: address,
      urlType: fc.constantFrom("web" as const, "app_deep_link" as const),
      deepLink: orNull(address),
      fallbackUrl: orNull(address),
      thumbnail: address,
      mall: hostileText,
      price: hostileText,
      priceUnit: hostileText,
      sellingPoints: fc.array(hostileText, { maxLength: 2 }),
    })
    .map(product),
  fc.record({ title: hostileText, url: address, cover: orNull(address), author: orNull(hostileText) }).map(video),
  fc
    .record({
      mediaType: fc.oneof(hostileText, fc.constantFrom("image", "map", "Video", "weather_2")),
      title: orNull(hostileText),
      url: orNull(address),
      thumbnail: orNull(address),
      content: orNull(hostileText),
    })
    .map(media),
);
const part: fc.Arbitrary<AnswerPart> = fc.oneof(draftCard, hostileText.map(markdown));

type Comparable = ReturnType<typeof expected>;

function comparable(read: ReturnType<typeof readCards>[number]): Comparable {
  return {
    label: read.label,
    position: read.position,
    title: read.title,
    url: read.url,
    fallbackUrl: read.fallbackUrl,
    image: read.image,
  };
}

/** What the Markdown of a card shows, told from the card in the arrays. */
function expected({ type, card }: PlacedCard) {
  const web = (value: string | null) => (value !== null && /^https?:/iu.test(value) ? value : null);
  const title = card.title ?? "";
  const url = "urlType" in card ? card.url || null : web(card.url);
  const fallback = "urlType" in card && card.urlType === "app_deep_link" ? web(card.fallbackUrl) : null;
  const image = "cover" in card ? card.cover : card.thumbnail || null;
  return {
    label: "mediaType" in card ? card.mediaType : type,
    position: card.position,
    title: title === "" ? (url ?? "") : title,
    url,
    fallbackUrl: fallback === url ? null : fallback,
    image,
  };
}
