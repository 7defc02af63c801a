import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { canonicalAddress } from "../../src/insight/sources/canonical-address.ts";
import { domainType } from "../../src/insight/sources/domain-type.ts";
import { checkIdempotence } from "./random-addresses.ts";

test("three hundred forms of addresses lead to the canonical ones", () => {
  const lines = readFileSync(join(import.meta.dirname, "address-forms.txt"), "utf8").split("\n");
  let [canonical, forms] = ["", 0];
  for (const line of lines) {
    if (line.startsWith("  ")) {
      forms++;
      assert.equal(canonicalAddress(line.slice(2))?.address, canonical, line);
    } else if (line.startsWith("https:")) {
      canonical = line;
      assert.equal(canonicalAddress(canonical)?.address, canonical);
    }
  }
  assert.ok(forms >= 300, `${forms} forms`);
});

test("pages that differ keep different addresses", () => {
  const distinct = [
    "https://example.com/a",
    "https://example.com/A",
    "https://example.com/a?page=2",
    "https://example.com/a?page=3",
    "https://example.com:8443/a",
    "https://blog.example.com/a",
    "https://example.com/a%2Fb",
    "https://example.com/a/b",
    "https://example.com/search?q=a%26b",
    "https://example.com/search?q=a&b",
    "https://example.com/amplifier",
    "https://example.com/x?amp=12",
    "https://www.google.com/search?q=https://example.com",
    "https://www.facebook.com/example",
    "https://web.archive.org/about",
  ];
  assert.equal(new Set(distinct.map((address) => canonicalAddress(address)?.address)).size, distinct.length);
});

test("what is no web address has no canonical form, and a redirect with a hidden target says so", () => {
  for (const address of [
    "",
    "ftp://example.com",
    "javascript:alert(1)",
    "http://",
    "taobao://item/1",
    `https://a/${"a".repeat(9_000)}`,
  ])
    assert.equal(canonicalAddress(address), null);
  assert.deepEqual(canonicalAddress("https://www.bbc.co.uk/news/"), {
    address: "https://bbc.co.uk/news",
    host: "bbc.co.uk",
    domain: "bbc.co.uk",
    isOpaque: false,
  });
  assert.equal(canonicalAddress("https://vertexaisearch.cloud.google.com/grounding-api-redirect/A")?.isOpaque, true);
  assert.equal(canonicalAddress("https://bit.ly/x")?.isOpaque, true);
});

test("the type of a domain is that of the most specific entry of the list", () => {
  const expected = {
    "de.wikipedia.org": "encyclopedia",
    "play.google.com": "app_store",
    "google.com": "search",
    "pages.nist.gov": "government",
    "cs.ox.ac.uk": "academic",
    "news.ycombinator.com": "forum",
    "example.com": "other",
    "notreddit.com": "other",
  };
  for (const [host, type] of Object.entries(expected)) assert.equal(domainType(host), type, host);
});

test("a canonical address is its own canonical form, for two thousand random addresses", () => {
  checkIdempotence(2_000);
});
