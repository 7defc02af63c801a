/** Citations in the text: markers become links or go, code stays, and nothing of the text is lost. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { cite } from "../../../src/platforms/api/read/cite.ts";
import { link, type Citation } from "../../../src/platforms/api/read/links.ts";
import { fromBytes, fromCodePoints } from "../../../src/platforms/api/read/offsets.ts";
import { readDate } from "../../../src/platforms/api/read/read-date.ts";
import { observedAt } from "./ask-api.ts";

const pages = ["https://one.example/", "https://two.example/a_(b)"];
const addressOf = (number: number) => pages[number - 1] ?? null;
const resolve = (text: string) => cite({ text, citations: [], numberings: [{ from: 0, addressOf }] });
const linkCitations = (text: string, citations: readonly Citation[]) => cite({ text, citations, numberings: [] });
const one = "[\\[1\\]](https://one.example/)";
const two = "[\\[2\\]](<https://two.example/a_(b)>)";

describe("markers", () => {
  const cases: readonly (readonly [what: string, text: string, expected: string])[] = [
    ["a number", "So it is [1].", `So it is ${one}.`],
    ["numbers side by side", "So it is[1][2].", `So it is${one}${two}.`],
    ["numbers in one bracket", "So it is [1, 2].", `So it is ${one}${two}.`],
    ["a number that stands for nothing may be the author's own", "See [3] and [2026].", "See [3] and [2026]."],
    ["`[ref_n]`, `[^n^]`, `[citation:n]`", "a[ref_1] b[^2^] c[citation:1]", `a${one} b${two} c${one}`],
    ["`[cite: n, m]`", "a [cite: 1, 2].", `a ${one}${two}.`],
    ["those that stand for nothing go", "a[ref_9] b[^9^] c[citation:9].", "a b c."],
    ["`【n】`", "中文【1】和【注】", `中文${one}和【注】`],
    ["`【n:m†source】` goes", "a【4:0†source】 b【12†L1-L9】.", "a b."],
    ["private-use markers go", "a \uE200cite\uE202turn0search0\uE202turn1news2\uE201b\uE123c", "a bc"],
    ["what is left of them goes", "a citeturn0search0turn0search1 b", "a  b"],
    [":contentReference goes", "a:contentReference[oaicite:0]{index=0} b [oaicite:3]", "a b "],
    ["xAI's tags go", 'a<grok:render card_id="1"><argument name="x">1</argument></grok:render> b', "a b"],
    [
      "a link stays",
      "[1](https://x.example) [[1]](https://x.example)",
      "[1](https://x.example) [[1]](https://x.example)",
    ],
    [
      "a number that the text defines itself keeps its own page",
      "a [1] b [2]\n\n[1]: https://x.example",
      `a [1] b ${two}\n\n[1]: https://x.example`,
    ],
    [
      "code stays",
      "`a[1]` [1] ``b`[1]`` \n```\nc[1]\n```\n[2]",
      `\`a[1]\` ${one} \`\`b\`[1]\`\` \n\`\`\`\nc[1]\n\`\`\`\n${two}`,
    ],
    ["a fence without an end is code to the end", "[1]\n```\na[1]", `${one}\n\`\`\`\na[1]`],
    ["a backtick alone is none", "it`s [1]", `it\`s ${one}`],
  ];
  for (const [what, text, expected] of cases) test(what, () => assert.equal(resolve(text), expected));

  test("text without markers comes out as it went in", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const plain = text.replace(/[[\]【】\uE000-\uF8FF<]|turn\d/gu, "");
        assert.equal(resolve(plain), plain);
      }),
    );
  });
});

describe("links", () => {
  test("hold any label and any web address, and nothing else", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 50 }),
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        (label, url) => {
          const line = label.replace(/\s+/gu, " ").trim() || "x";
          const [paragraph, ...more] = fromMarkdown(`a ${link(line, url)} b`).children;
          assert.equal(more.length, 0);
          assert.ok(paragraph?.type === "paragraph");
          const links = paragraph.children.filter(({ type }) => type === "link");
          assert.deepEqual(
            links.map((node) => (node.type === "link" ? node.url : "")),
            [url],
          );
        },
      ),
    );
  });

  test("are made of web addresses only", () => {
    for (const url of ["javascript:alert(1)", "data:text/html,x", "file:///etc", "x", "", "//x.example"])
      assert.equal(link("a", url), "");
    assert.equal(link("a", "https://x.example/<script> b\nc"), "[a](<https://x.example/%3Cscript%3E bc>)");
  });

  test("stand at the end of what they back, whatever the text holds, and take nothing of it away", () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 80 })
      .map((each) => each.replace(/[\uE000-\uF8FF【】[\]()]/gu, "x"));
    fc.assert(
      fc.property(text, fc.array(fc.tuple(fc.nat(90), fc.nat(90)), { maxLength: 6 }), (given, places) => {
        const citations = places.map(([start, end]) => ({ start, end, url: "https://a.example/" }));
        const linked = linkCitations(given, citations);
        assert.equal(linked.replaceAll(" ([a.example](https://a.example/))", ""), given);
        const valid = new Set(
          citations.filter(({ start, end }) => end > 0 && end <= given.length && start <= end).map(({ end }) => end),
        );
        assert.equal(linked.split("https://a.example/").length - 1, valid.size);
      }),
    );
  });

  test("are not made twice where the text links already", () => {
    const text = "As [it says](https://a.example/).";
    assert.equal(linkCitations(text, [{ start: 3, end: text.length - 1, url: "https://a.example/" }]), text);
  });
});

describe("offsets", () => {
  test("in bytes and in code points come to the same place", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 3000 }), fc.nat(3000), (given, at) => {
        const text = given.toWellFormed();
        const characters = [...text];
        const before = characters.slice(0, at).join("");
        assert.equal(fromBytes(text)(Buffer.byteLength(before)), before.length);
        assert.equal(fromCodePoints(text)(Math.min(at, characters.length)), before.length);
      }),
      { numRuns: 50 },
    );
    const long = "é😀x".repeat(5000);
    const bytes = fromBytes(long);
    for (const count of [0, 1, 1023, 4999]) assert.equal(bytes(count * 7), count * 4);
  });
});

describe("dates", () => {
  test("are read as vendors write them, and never guessed", () => {
    const cases: Readonly<Record<string, string | null>> = {
      "2026-03-02": "2026-03-02",
      "2026-03-02T10:00:00Z": "2026-03-02T10:00:00Z",
      "2026-03-02T10:00:00+0800": "2026-03-02T10:00:00+08:00",
      "2026-10-02 08:30:00": "2026-10-02T08:30:00Z",
      "2026年10月02日": "2026-10-02",
      "2026/3/2": "2026-03-02",
      "July 14, 2026": "2026-07-14",
      "Sep 3 2026": "2026-09-03",
      "14 July 2026": "2026-07-14",
      "Tue, 14 Jul 2026 10:00:00 GMT": "2026-07-14",
      "2026-02-31": null,
      "February 30, 2026": null,
      "2 days ago": "2026-11-19",
      "1 week ago": "2026-11-14",
      "An hour ago": "2026-11-21",
      "10 hours ago": "2026-11-20",
      yesterday: "2026-11-20",
      "3 months ago": "2026-08-21",
      "about a month ago": "2026-10-21",
      "over 2 years ago": "2024-11-21",
      "1 yr ago": "2025-11-21",
      "9mo ago": "2026-02-21",
      "2h ago": "2026-11-21",
      "30 mins. ago": "2026-11-21",
      "last month": null,
      "just now": "2026-11-21",
      刚刚: "2026-11-21",
      "3天前": "2026-11-18",
      "2 个月前": "2026-09-21",
      "1年以前": "2025-11-21",
      半年前: "2026-05-21",
      半个月前: null,
      "15 分钟前": "2026-11-21",
      "July 2025": null,
      "3 parsecs ago": null,
      "9999 years ago": null,
      "last year": null,
      "": null,
    };
    for (const [text, expected] of Object.entries(cases)) assert.equal(readDate(text, observedAt), expected, text);
    assert.equal(readDate(1_793_000_000, observedAt), "2026-10-26T07:33:20.000Z");
    assert.equal(readDate({}, observedAt), null);
    // Where months are not equally long, the last day is meant.
    assert.equal(readDate("1 month ago", new Date("2026-03-31T09:30:00Z")), "2026-02-28");
    assert.equal(readDate("1 year ago", new Date("2028-02-29T09:30:00Z")), "2027-02-28");
  });
});
