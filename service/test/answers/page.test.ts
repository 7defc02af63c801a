/** The page of an answer shows what the answer has, and runs and loads nothing. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, test } from "node:test";
import { fontPath } from "../../src/answers/index.ts";
import { renderPage } from "../../src/answers/page/render-page.ts";
import { markdown, media, pageInput, product, source, video } from "./answers.ts";

const page = (...args: Parameters<typeof pageInput>) => renderPage(pageInput(...args), { plain: false });
/** The page without its style. */
const bodyOf = (html: string) => html.slice(html.indexOf("<body>"));

describe("the answer page", () => {
  test("says whose answer it is, who recorded it and when, and that it is no page of the platform", () => {
    const html = bodyOf(page([markdown("Fine.")], { modelVersion: "model-7" }));
    assert.match(html, /Answer of <bdi>Example<\/bdi>, recorded by Querent/);
    assert.match(html, /<time datetime="2026-11-01T09:30:00.000Z">2026-11-01 09:30:00 UTC<\/time>/);
    assert.match(html, /model-7/);
    assert.match(html, /This page is not a page of <bdi>Example<\/bdi>/);
  });

  test("has no script, no picture, no frame, no form, and asks for nothing but fonts of ours", () => {
    const html = page([markdown("A 😀 好 ![chart](https://img.example/1.png)"), product(), video(), media()]);
    assert.doesNotMatch(bodyOf(html), /<(script|img|iframe|object|embed|form|link|svg|video|audio|base)\b/i);
    assert.doesNotMatch(bodyOf(html), /\sstyle=|\son\w+=/i);
    const files = [...html.matchAll(/url\(([^)]*)\)/g)].map(([, address = ""]) => address);
    assert.ok(files.length > 3);
    for (const file of files) {
      assert.match(file, /^\.\.\/fonts\/[\w.-]+\.woff2$/);
      assert.ok(existsSync(fontPath(file.slice("../fonts/".length)) ?? ""), file);
    }
    assert.match(
      html,
      /http-equiv="Content-Security-Policy" content="default-src &#x27;none&#x27;; style-src &#x27;sha256-/,
    );
  });

  test("shows sources with their site and date, search steps and reasoning, folded", () => {
    const html = bodyOf(
      page([markdown("Fine.")], {
        sources: [source({ title: "Grinding", summary: "All about it", publishedAt: "2026-03-04T00:00:00.000Z" })],
        search: [{ query: "grind size", results: [{ title: "Found", url: "https://found.example/", site: "" }] }],
        reasoning: [{ text: "First I thought." }],
      }),
    );
    assert.match(html, /href="https:\/\/site.example\/page"[^>]*><bdi>Grinding<\/bdi>/);
    assert.match(html, /site\.example · 2026-03-04/);
    assert.match(html, /<details><summary>Search steps/);
    assert.match(html, /grind size/);
    assert.match(html, /<details><summary>Reasoning/);
    assert.doesNotMatch(html, /<details open/);
  });

  test("draws each card where it stands in the answer, from the structured card", () => {
    const html = bodyOf(
      page([
        markdown("Before."),
        product({ title: "A kettle", price: "59", priceUnit: "€" }),
        markdown("After."),
        video(),
      ]),
    );
    const places = ["Before.", "A kettle", "59€", "After.", 'aria-label="Card 2"'].map((text) => html.indexOf(text));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.ok(!places.includes(-1), html);
    assert.equal(html.split('class="card"').length - 1, 2);
    assert.doesNotMatch(html, /<blockquote/);
  });

  test("a quote of the answer is a quote, also when it looks like a card", () => {
    const html = bodyOf(page([markdown('> **product** · [Fake](https://fake.example/ "card 1")\n\n> To be.')]));
    assert.equal(html.split("<blockquote").length - 1, 2);
    assert.doesNotMatch(html, /class="card"/);
  });

  test("an app deep link is shown as text, and never linked", () => {
    const html = bodyOf(
      page([product({ url: "shopapp://item/1", urlType: "app_deep_link", deepLink: "shopapp://item/1" })]),
    );
    assert.match(html, /<code title="App link">shopapp:\/\/item\/1<\/code>/);
    assert.doesNotMatch(html, /href="shopapp/);
  });

  test("Arabic runs from right to left, lists and quotes too, beside English that does not", () => {
    const html = bodyOf(page([markdown("مرحبا\n\nHello\n\n1. واحد\n\n> اقتباس")]));
    assert.match(html, /<p dir="rtl">مرحبا/);
    assert.match(html, /<p dir="ltr">Hello/);
    assert.match(html, /<ol dir="rtl">\s*<li dir="rtl">/);
    assert.match(html, /<blockquote dir="rtl">/);
  });

  const languages = {
    zh: "研磨度应该多细？",
    ja: "どのくらい細かく挽きますか",
    ko: "얼마나 곱게 갈아야 하나요",
    en: "How fine?",
  };
  for (const [language, text] of Object.entries(languages)) {
    test(`is set in the shapes of ${language}, and names only the fonts that it needs`, () => {
      const html = page([markdown(text)], {}, { question: text });
      assert.ok(html.includes(`<main lang="${language}">`));
      const families = new Set([...html.matchAll(/@font-face\{font-family:"([^"]+)"/g)].map(([, family]) => family));
      const own = { zh: "Noto Sans SC", ja: "Noto Sans JP", ko: "Noto Sans KR", en: "Noto Sans" }[language];
      assert.ok(families.has(own));
      assert.equal(families.has("Noto Sans Arabic"), false);
      assert.equal(families.has("Noto Color Emoji"), false);
    });
  }

  test("letters that the style makes capitals have a font of ours too", () => {
    const html = page([product()]);
    assert.match(bodyOf(html), />product</);
    const ranges = [...html.matchAll(/font-family:"Noto Sans";[^}]*unicode-range:([^}]+)/g)].flatMap(([, list = ""]) =>
      list.split(",").map((range) => /^U\+([0-9A-F]+)(?:-([0-9A-F]+))?$/i.exec(range.trim())),
    );
    for (const letter of "PRODUCT") {
      const point = letter.codePointAt(0) ?? 0;
      const covers = (range: RegExpExecArray | null) =>
        range !== null &&
        Number.parseInt(range[1] ?? "", 16) <= point &&
        point <= Number.parseInt(range[2] ?? range[1] ?? "", 16);
      assert.ok(ranges.some(covers), letter);
    }
  });

  test("shows the beginning of a very long answer, and says so", () => {
    const html = page([markdown("word ".repeat(200_000))]);
    assert.ok(html.length < 600_000);
    assert.match(html, /The answer is longer than this page shows/);
  });

  test("an empty answer is told as such", () => {
    assert.match(page([]), /The platform gave no answer to show/);
  });
});

describe("what is hostile in an answer is text on the page", () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';

  test("HTML, whole and in pieces, in every field", () => {
    const html = bodyOf(
      page(
        [
          markdown(
            `${hostile}\n\n<div onclick="x()">\n\n</div>\n\n<svg/onload=x()>\n\n\`\`\`${hostile}\n${hostile}\n\`\`\``,
          ),
          product({ title: hostile, mall: hostile, price: hostile, sellingPoints: [hostile] }),
          video({ title: hostile, author: hostile }),
          media({ title: hostile, content: hostile, mediaType: "news" }),
        ],
        {
          sources: [source({ title: hostile, site: hostile, summary: hostile })],
          search: [{ query: hostile, results: [{ title: hostile, url: "https://a.example/", site: hostile }] }],
          reasoning: [{ text: hostile }],
          modelVersion: hostile,
          endpoint: hostile,
          region: hostile,
        },
        { question: hostile, platformName: hostile },
      ),
    );
    assert.doesNotMatch(html, /<(script|img|svg|div onclick)/i);
    // Every attribute there is, is one that the page gives itself.
    const tags = html.match(/<[a-z][^>]*>/gi) ?? [];
    for (const tag of tags) assert.doesNotMatch(tag.replace(/"[^"]*"/g, '""'), /\son\w+|src/i, tag);
  });

  test("addresses that are not of the web are no links, however they come", () => {
    const text = [
      "[a](javascript:alert(1))",
      "[b](JaVaScRiPt:alert(1))",
      "[c](data:text/html,x)",
      "[d](vbscript:x)",
      "[e][ref]",
      "![f](javascript:alert(1))",
      "<javascript:alert(1)>",
      "[g](//evil.example)",
      "[h](/v1/tasks)",
      "[i](#top)",
      "",
      "[ref]: javascript:alert(1)",
    ].join("\n\n");
    const html = bodyOf(page([markdown(text)], { sources: [source({ url: "javascript:alert(1)" })] }));
    assert.doesNotMatch(html, /href=/);
  });

  test("links tell nobody where the reader comes from, and get no hold of the page", () => {
    const html = bodyOf(page([markdown("[a](https://a.example/)")]));
    assert.match(
      html,
      /<a href="https:\/\/a.example\/" class="out" rel="noopener noreferrer nofollow" target="_blank">/,
    );
  });

  test("marks that turn the direction of text are gone", () => {
    const turned = "\u202Egnp.exe\u202C \u202Dx";
    const html = page([markdown(turned), product({ title: turned })], {}, { question: turned });
    assert.doesNotMatch(html, /[\u202D\u202E]/);
  });

  test("`$` and style ends in a text do not end the style", () => {
    const html = page([markdown("</style><b>")], {}, { question: "</style>", platformName: "</title>" });
    assert.equal(html.split("</style>").length, 2);
    assert.equal(html.split("</title>").length, 2);
  });
});
