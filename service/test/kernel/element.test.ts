import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { suite, test } from "node:test";
import { toHtml } from "hast-util-to-html";
import { cssText, h, htmlPage, withStyle } from "../../src/kernel/element.ts";

const digest = (style: string) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
const pageOf = (text: string) =>
  toHtml(htmlPage({ language: "en", title: text, style: "p{color:red}", body: h("p", {}, text) }));

suite("a page with a further style", () => {
  test("allows the style that it had, the further one and its fonts, and nothing else", () => {
    const page = withStyle(pageOf("</head><style>x</style>"), "p{margin:0}", "http://fonts.example/");
    const policy = /content="([^"]*)"/.exec(page)?.[1]?.replaceAll("&#x27;", "'");
    assert.equal(
      policy,
      `default-src 'none'; style-src ${digest("p{color:red}")} ${digest("p{margin:0}")}; base-uri 'none'; form-action 'none'; font-src http://fonts.example/`,
    );
    assert.equal(page.match(/<style>/g)?.length, 2);
    assert.ok(page.indexOf("p{margin:0}") < page.indexOf("<body>"), "in the head, not in a text that looks like it");
  });

  test("is made of our pages only", () => {
    assert.throws(() => withStyle("<p>no page</p>", "", ""));
  });
});

test("a text as a string of CSS has no character that could end it", () => {
  for (const text of ['"} @page{size:1mm}', "\\22 \n</style>", "a\u202eb", "海尔 & Söhne", ""]) {
    const written = cssText(text);
    assert.match(written, /^"(?:[A-Za-z0-9]|\\[0-9a-f]{1,6} )*"$/);
    const read = written
      .slice(1, -1)
      .replaceAll(/\\([0-9a-f]+) /g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
    assert.equal(read, text.replaceAll("\u202e", ""));
  }
});
