import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { composeResult, withArtifacts } from "../../src/answers/index.ts";
import {
  cardsMax,
  contentBytesMax,
  reasoningStepsMax,
  searchResultsPerStepMax,
  searchStepsMax,
  sellingPointsMax,
  sourcesMax,
  summaryCharsMax,
  titleCharsMax,
} from "../../src/answers/bounds.ts";
import { cutText, oneLine } from "../../src/answers/text.ts";
import { answer, apiPlatform, markdown, options, product, source, webPlatform } from "./answers.ts";

/** `npm run test:all` sets 1,500. */
const runs = Number(process.env["FUZZ_RUNS"] ?? 500);

describe("content", () => {
  test("a plain answer is kept to the last byte", () => {
    const text = "  Code:\n\n    indented\n\ntrailing  \n";
    assert.equal(composeResult(answer({ parts: [markdown(text)] }), apiPlatform, options).content, text);
  });

  test("no answer is null content and none_on_platform", () => {
    for (const parts of [[], [markdown("")], [markdown(" \n ")]]) {
      const result = composeResult(answer({ parts }), apiPlatform, options);
      assert.equal(result.content, null);
      assert.equal(result.availability.content, "none_on_platform");
    }
  });

  test("is storable: no U+0000, no half characters", () => {
    const result = composeResult(
      answer({ parts: [markdown("a\0b\ud800c")], modelVersion: "m\0\ud800" }),
      apiPlatform,
      options,
    );
    assert.equal(result.content, "a\uFFFDb\uFFFDc");
    assert.ok(result.modelVersion?.isWellFormed());
  });

  test("longer than the bound is cut visibly, between two characters", () => {
    const result = composeResult(
      answer({ parts: [markdown(`a${"😀".repeat(contentBytesMax / 4)}`)] }),
      apiPlatform,
      options,
    );
    const content = result.content ?? "";
    assert.match(content.slice(-100), /😀\n\n\*\[The answer was cut here: it is longer than 1 MiB\.\]\*$/u);
    assert.ok(content.isWellFormed());
    assert.ok(Buffer.byteLength(content) <= contentBytesMax + 100);
  });

  test("says how many cards and sources are left out", () => {
    const cards = Array.from({ length: cardsMax + 3 }, () => product());
    const sources = Array.from({ length: sourcesMax + 2 }, (_, index) =>
      source({ url: `https://site.example/${index}` }),
    );
    const result = composeResult(answer({ parts: cards, sources }), apiPlatform, options);
    assert.equal(result.products.length, cardsMax);
    assert.equal(result.sources.length, sourcesMax);
    assert.match(result.content ?? "", /\*\[Left out, over the limits of one result: 3 cards, 2 sources\.\]\*$/u);
  });
});

test("one line of a long text is that of the whole text, of which only the beginning is read", () => {
  const piece = fc.constantFrom("x", "word ", " \n\t", "\u0000", "\u0085", "😀", "\ud83d", "é ", " ".repeat(40));
  const text = fc.array(piece, { maxLength: 60, size: "max" }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 20 }), (given, charsMax) => {
      const whole = given
        .toWellFormed()
        .replace(/[\s\p{Cc}]+/gu, " ")
        .trim();
      assert.equal(oneLine(given, charsMax), cutText(whole, charsMax));
    }),
    { numRuns: 500 },
  );
  const before = process.cpuUsage();
  for (let n = 0; n < 3_000; n += 1) oneLine("é ".repeat(50_000), 300);
  assert.ok(process.cpuUsage(before).user < 1_000_000, "reading all of it takes four seconds");
});

test("whatever a platform returns, a result is within its bounds, storable, and its short fields are one line", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc
      .tuple(fc.constantFrom("x", "😀", "\n", "é "), fc.constantFrom(600, 1_200, 12_000))
      .map(([unit, times]) => unit.repeat(times)),
  );
  const many = <T>(one: fc.Arbitrary<T>, max: number) =>
    fc
      .tuple(one, fc.constantFrom(0, 1, 3, max + 2))
      .map(([value, count]) => Array.from({ length: count }, () => value));
  const given = fc.record({
    parts: many(
      fc.oneof(
        text.map(markdown),
        text.map((title) =>
          product({ title, mall: title, price: title, sellingPoints: Array(30).fill(title) as string[] }),
        ),
      ),
      500,
    ),
    sources: fc
      .oneof(text, fc.constant(""))
      .chain((title) =>
        fc
          .constantFrom(0, 2, sourcesMax + 5)
          .map((count) =>
            Array.from({ length: count }, (_, n) =>
              source({ title, summary: title, url: `https://site.example/${n}` }),
            ),
          ),
      ),
    reasoning: fc.option(
      many(
        text.map((line) => ({ text: line })),
        reasoningStepsMax,
      ),
      { nil: null },
    ),
    search: fc.option(
      many(
        text.map((query) => ({
          query,
          results: Array.from({ length: 105 }, () => ({ title: query, url: query, site: query })),
        })),
        searchStepsMax,
      ),
      { nil: null },
    ),
    modelVersion: fc.option(text, { nil: null }),
  });
  fc.assert(
    fc.property(given, (fields) => {
      const result = composeResult(answer(fields), apiPlatform, options);
      assert.ok(result.products.length <= cardsMax && result.sources.length <= sourcesMax);
      assert.ok((result.reasoningProcess?.length ?? 0) <= reasoningStepsMax);
      assert.ok((result.searchProcess?.length ?? 0) <= searchStepsMax);
      assert.ok(result.searchProcess?.every(({ results }) => results.length <= searchResultsPerStepMax) ?? true);
      const short = [
        ...result.products
          .slice(0, 3)
          .flatMap(({ title, mall, price, sellingPoints }) => [title, mall, price, ...sellingPoints]),
        ...result.sources.slice(0, 3).map(({ title }) => title),
        ...(result.searchProcess ?? []).slice(0, 3).map(({ query }) => query),
        result.modelVersion ?? "",
      ];
      for (const value of short) assert.ok(value.length <= titleCharsMax && !/\p{Cc}/u.test(value), value.slice(0, 50));
      for (const { sellingPoints } of result.products) assert.ok(sellingPoints.length <= sellingPointsMax);
      for (const { summary } of result.sources) assert.ok((summary ?? "").length <= summaryCharsMax);
      const stored = JSON.stringify(result);
      assert.ok(stored.isWellFormed() && !stored.includes("\\u0000"));
    }),
    { numRuns: Math.ceil(runs / 30) },
  );
});

describe("sources", () => {
  const compose = (sources: Parameters<typeof source>[0][]) =>
    composeResult(answer({ sources: sources.map((changes) => source(changes)) }), apiPlatform, options).sources;

  test("duplicates are merged in the order of first citation, and the first address keeps its tracking parameters", () => {
    const sources = compose([
      { url: "https://www.site.example/a/?utm_source=x&b=2&a=1", title: "" },
      { url: "https://other.example/" },
      { url: "http://site.example/a?a=1&b=2&gclid=7#part", title: "Late title", summary: "Late summary" },
    ]);
    assert.deepEqual(
      sources.map(({ title, url, summary, site }) => ({ title, url, summary, site })),
      [
        {
          title: "Late title",
          url: "https://www.site.example/a/?utm_source=x&b=2&a=1",
          summary: "Late summary",
          site: "site.example",
        },
        { title: "A page", url: "https://other.example/", summary: null, site: "other.example" },
      ],
    );
  });

  test("different pages stay apart", () => {
    const urls = [
      "https://site.example/a?id=1",
      "https://site.example/a?id=2",
      "https://site.example/A?id=1",
      "https://site.example:8080/a?id=1",
      "https://site.example/#/a",
      "https://site.example/#/b",
      "urn:isbn:1",
    ];
    assert.deepEqual(
      compose(urls.map((url) => ({ url }))).map(({ url }) => url),
      urls,
    );
  });

  test("sources without an address are not taken for one another", () => {
    assert.equal(
      compose([
        { url: "", title: "One" },
        { url: "javascript:alert(1)", title: "Two" },
      ]).length,
      2,
    );
  });

  for (const publishedAt of [
    "1970-01-01T00:00:00.000Z",
    "1970-01-01",
    "2024-02-30",
    "2025-02-29T10:00:00Z",
    "1969-12-31T18:00:00-06:00",
    "0001-01-01T00:00:00Z",
    "9999-12-31",
    "2026-11-20",
    "yesterday",
    "",
  ]) {
    test(`the date ${JSON.stringify(publishedAt)} is no date of publication`, () => {
      assert.equal(compose([{ publishedAt }])[0]?.publishedAt, null);
    });
  }

  test("a date becomes a timestamp", () => {
    assert.equal(compose([{ publishedAt: "2026-11-02" }])[0]?.publishedAt, "2026-11-02T00:00:00.000Z");
  });

  test("percent-encoding, the dot of the root and the form of a host name make no other page", () => {
    const urls = (...given: string[]) => compose(given.map((url) => ({ url }))).map(({ url }) => url);
    const encoded = "https://zh.wikipedia.org/wiki/%e5%92%96%e5%95%a1";
    assert.deepEqual(
      urls(encoded, encoded.toUpperCase().replace("WIKI/", "wiki/"), "https://zh.wikipedia.org/wiki/咖啡"),
      [encoded],
    );
    assert.equal(urls("https://例え.jp/a", "https://xn--r8jz45g.jp/a").length, 1);
    const [first, ...others] = compose([
      { url: "https://example.com./a", site: "" },
      { url: "https://www.example.com/a?utm_source=openai#:~:text=hello" },
      { url: "https://example.com/a/" },
      { url: "https://example.com:443/a" },
      { url: "HTTPS://EXAMPLE.com/a?" },
      { url: "https://m.example.com/a" },
    ]);
    assert.deepEqual([others.length, first?.site, first?.canonicalUrl], [0, "example.com", "https://example.com/a"]);
  });

  test("of a redirect of Gemini's, the title names the site, whichever platform passes it on", () => {
    const redirect = (id: string) => `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${id}`;
    assert.deepEqual(
      compose([
        { url: redirect("A"), title: "www.Example.org" },
        { url: redirect("B"), title: "Best grinders" },
        { url: "https://share.google/x", title: "example.org" },
        { url: "https://example.net/", title: "example.org" },
      ]).map(({ opaque, domain, site }) => [opaque, domain, site]),
      [
        [true, "example.org", "example.org"],
        [true, "", "vertexaisearch.cloud.google.com"],
        [true, "", "share.google"],
        [undefined, undefined, "example.net"],
      ],
    );
  });

  test("an address without a scheme is kept, as https; what is no address is not", () => {
    const given = [
      "www.example.com/nosheme",
      "//example.org/x",
      "javascript:alert(1)",
      "https://exa mple.com/b",
      "Example",
    ];
    assert.deepEqual(
      compose(given.map((url) => ({ url }))).map(({ url }) => url),
      ["https://www.example.com/nosheme", "https://example.org/x", "", "", ""],
    );
  });

  test("whatever the platform gives, addresses are unique by page, sites filled and nothing throws", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            url: fc.oneof(fc.webUrl(), fc.string({ unit: "binary" })),
            title: fc.string({ unit: "binary" }),
          }),
        ),
        (given) => {
          for (const { url, site, title } of compose(given)) {
            assert.ok(url.isWellFormed() && title.isWellFormed() && !title.includes("\0"));
            if (/^https?:/u.test(url)) assert.notEqual(site, "");
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("availability", () => {
  const full = answer({
    parts: [markdown("Text"), product()],
    sources: [source()],
    search: [{ query: "q", results: [] }],
    pageHtml: "<p>Text</p>",
  });

  test("tells present, none, not requested and not exposed apart", () => {
    assert.deepEqual(
      composeResult(full, { ...apiPlatform, returns: { ...apiPlatform.returns, media: false } }, options).availability,
      {
        content: "present",
        sources: "present",
        products: "present",
        videos: "none_on_platform",
        media: "not_exposed",
        reasoningProcess: "not_requested",
        searchProcess: "present",
        pageHtml: "present",
        screenshot: "not_requested",
        share: "not_requested",
        ads: "not_exposed",
      },
    );
  });

  test("tells of advertisements whether they were shown, looked for, or why there are none", () => {
    const of = (more: Parameters<typeof answer>[0]) =>
      composeResult(answer(more), apiPlatform, options).availability.ads;
    assert.deepEqual(
      [of({}), of({ ads: [] }), of({ ads: [], noAds: "country_without_ads" })],
      ["not_exposed", "none", "country_without_ads"],
    );
  });

  test("reasoning that deep analysis asked for and did not get is none_on_platform", () => {
    const result = composeResult(full, apiPlatform, { ...options, deepAnalysis: true });
    assert.equal(result.availability.reasoningProcess, "none_on_platform");
  });

  test("a field that could not be read is parse_failed", () => {
    const result = composeResult({ ...full, unreadable: ["videos"] }, webPlatform, options);
    assert.equal(result.availability.videos, "parse_failed");
  });

  test("a web-type platform gives structure for json, the page for html, both for all", () => {
    const of = (resultFormat: "json" | "html" | "all") =>
      composeResult({ ...full, ads: [] }, webPlatform, { ...options, resultFormat });
    const json = of("json");
    assert.deepEqual([json.pageHtml, json.availability.pageHtml], [null, "not_requested"]);
    assert.equal(json.products.length, 1);
    const html = of("html");
    assert.equal(html.pageHtml, "<p>Text</p>");
    assert.deepEqual([html.content, html.sources, html.products, html.searchProcess], [null, [], [], null]);
    const { pageHtml, screenshot, share, ...structure } = html.availability;
    assert.deepEqual([pageHtml, screenshot, share], ["present", "not_exposed", "not_exposed"]);
    assert.deepEqual(new Set(Object.values(structure)), new Set(["not_requested"]));
    const all = of("all");
    assert.deepEqual([all.availability.pageHtml, all.availability.content], ["present", "present"]);
  });

  test("resultFormat does not speak to platforms that are not of the web type", () => {
    const result = composeResult(full, apiPlatform, { ...options, resultFormat: "html" });
    assert.equal(result.availability.content, "present");
  });

  test("an artifact is present once it was made", () => {
    const asked = composeResult(full, apiPlatform, { ...options, output: "screenshot" });
    const result = withArtifacts(asked, { screenshotUrl: "https://querent.example/shot.png" });
    assert.deepEqual([result.availability.screenshot, result.availability.share], ["present", "not_requested"]);
    assert.equal(result.screenshotUrl, "https://querent.example/shot.png");
  });
});

test("steps are numbered from 1", () => {
  const result = composeResult(
    answer({
      reasoning: [{ text: "First" }, { text: " " }, { text: "Second" }],
      search: [{ query: "a\nb", results: [{ title: "T", url: "https://www.s.example/", site: "" }] }],
    }),
    apiPlatform,
    { ...options, deepAnalysis: true },
  );
  assert.deepEqual(result.reasoningProcess, [
    { position: 1, text: "First" },
    { position: 2, text: "Second" },
  ]);
  assert.deepEqual(result.searchProcess, [
    { position: 1, query: "a b", results: [{ title: "T", url: "https://www.s.example/", site: "s.example" }] },
  ]);
});
