/** Addresses that were made to harm, or that are none. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalAddress, siteNamed } from "../../src/kernel/addresses/canonical-address.ts";

test("any text has a canonical form or none, and the form of a form is itself", () => {
  const bits = fc.constantFrom(
    ...[
      "https://",
      "http:/",
      "//",
      "www.",
      "m.",
      "amp.",
      "/amp",
      ".amp",
      "/",
      ".",
      "..",
      "%",
      "%2",
      "%2e",
      "%e5",
      "?",
      "&",
      "=",
      "#",
      "#/",
    ],
    ...[
      ":80",
      ":443",
      "@",
      "[::1]",
      "example.com",
      "t.co",
      "youtu.be/",
      "/watch?v=",
      "archive.ph/",
      "web.archive.org/web/",
      "google.com/url?q=",
    ],
    ...[
      "translate.goog",
      "例え.jp",
      "co.uk",
      "\u0000",
      "\ud800",
      " ",
      "\t",
      "index.html",
      "/link?url=",
      "r.jina.ai/https://",
      "u=a1aHR0",
    ],
  );
  const text = fc
    .array(fc.oneof(bits, fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 14 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(text, text, (address, named) => {
      const first = canonicalAddress(address, named);
      siteNamed(address);
      if (first === null) return;
      assert.ok(URL.canParse(first.address));
      assert.deepEqual(canonicalAddress(first.address, named), first);
    }),
    { numRuns: 5_000 },
  );
});

test("no address takes long", () => {
  const long = (piece: string, before = "https://example.com/") => `${before}${piece.repeat(8_000 / piece.length)}`;
  const hostile = [
    ...[
      "/",
      "/amp",
      ".amp",
      "/index.html",
      "/index.html/amp",
      "%",
      "%2e",
      "&amp;",
      "?a=&",
      ";jsessionid=",
      "..",
      "/../a",
    ].map((piece) => long(piece)),
    ...["www.", "m.", "amp.", ".", "a.", "-"].map((piece) => long(piece, "https://")),
    ...["https://r.jina.ai/", "web.archive.org/web/1/", "http://web.archive.org/web/"].map((piece) =>
      long(piece, "https://web.archive.org/web/1/"),
    ),
    long("https%3A%2F%2Fgoogle.com%2Furl%3Fq%3D", "https://google.com/url?q="),
    long("a", "https://news.google.com/articles/"),
    long("utm_a=1&", "https://example.com/?"),
    long("x&", "https://example.com/?"),
  ];
  for (const address of hostile) {
    const started = performance.now();
    canonicalAddress(`${address}x`, address);
    canonicalAddress(address);
    const took = performance.now() - started;
    assert.ok(took < 500, `${address.slice(0, 60)}: ${took} ms`);
  }
});
