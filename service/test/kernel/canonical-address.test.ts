import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { canonicalAddress } from "../../src/kernel/addresses/canonical-address.ts";
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
    "https://m.media-amazon.com/images/a",
    "https://media-amazon.com/images/a",
    "https://m.blogspot.com/a",
    "https://blogspot.com/a",
    "https://example.com/x?type=ampere",
    "https://example.com/guitar/amp/fender",
    "https://www.youtube.com/playlist?list=PL1",
    "https://www.youtube.com/embed/videoseries?list=PL1",
    "https://example.com/a?plain=1",
    "https://example.com/amplifier/1",
    "https://example.com/go?to=shop",
    "https://example.com/login?url=https://example.com/account",
    "https://example.com/sharer?u=https://example.com/account",
    "https://example.com/learn/go",
    "https://example.com/going?url=https://example.com/account",
    "https://example.com/a/amp/2",
    "https://example.com/amp_a/1",
    "https://github.io/a",
    "https://acme.github.io/a",
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
    "main.py",
    "README.md",
    "Best grinders of 2026",
    "name@example.com",
    "mailto:name@example.com",
    "/a/b",
    "localhost/a",
    "https://exa mple.com/b",
    "index.html",
    "co.uk",
    "..",
    "//",
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

test("redirects whose target only their server knows are opaque, and belong to no site", () => {
  for (const address of [
    "https://www.google.com/goto?url=CAESiwEB7keqTabc",
    "https://google.de/goto?url=CAES",
    "https://www.google.com/url?sa=t&rct=j",
    "https://www.google.com/share.google?q=abc",
    "https://news.google.com/u/0/articles/CBMiabc",
    "https://cc.bingj.com/cache.aspx?q=x&d=1",
    "https://m.baidu.com/from=1/ssid=0/t=wap/tc?ref=x",
    "https://cr.naver.com/rd?m=1",
    "https://email.mg2.substack.com/c/eJx",
    "https://hubs.la/Q02x",
    "https://go.microsoft.com/fwlink/?linkid=1",
    "https://m.baidu.com/from=0/ssid=0/link?url=x",
    "https://www.baidu.com/link?url=x",
    "https://www.sogou.com/link?url=hedJ",
    "https://m.sogou.com/web/link?url=hedJ",
    "https://weixin.sogou.com/link?url=dn9a",
    "https://www.so.com/link?m=abc",
    "https://share.google/abc",
    "https://amzn.to/3abc",
    "https://search.app/abc",
    "https://search.app?link=abc",
    "https://news.google.com/rss/articles/CBMiabc",
    "https://news.google.com/read/CBMiabc?hl=en",
    "https://archive.ph/AbC12",
    "https://archive.today/AbC12",
    "https://archive.is/wip/AbC12",
    "https://perma.cc/ABCD-1234",
    "https://apple.news/AbCdEf",
    "https://t.co/x",
    "https://lnkd.in/x",
    "https://www.bing.com/ck/a?p=1&u=zz",
    "https://duckduckgo.com/y.js?ad_domain=x",
    "https://yandex.ru/clck/jsredir?from=x",
    "https://l.facebook.com/l.php?h=x",
    "https://acme.us1.list-manage.com/track/click?u=1&id=2",
    "https://feedproxy.google.com/~r/acme/~3/x/",
    "https://acme.app.goo.gl/x",
    "https://vertexaisearch.cloud.google.com/grounding-api-redirect/A",
  ]) {
    const found = canonicalAddress(address);
    assert.deepEqual([found?.isOpaque, found?.host, found?.domain], [true, "", ""], address);
  }
});

test("a home page, or another page at the host of redirects, is not opaque", () => {
  for (const address of [
    "https://bit.ly/",
    "https://apple.news",
    "https://www.google.com/search?q=x",
    "https://www.baidu.com/s?wd=link",
    "https://news.google.com/topstories",
    "https://web.archive.org/details/x",
    "https://vertexaisearch.cloud.google.com/",
    "https://mailchi.mp/acme/newsletter",
    "https://www.msn.com/en-us/news/a/ar-1",
    "https://www.reddit.com/r/a/comments/1",
    "https://www.google.com/maps/place/x",
    "https://docs.google.com/document/d/x",
    "https://www.pinterest.com/pin/1",
    "https://x.com/i/status/1",
    "https://search.brave.com/search?q=x",
    "https://www.naver.com/",
    "https://gu.com",
  ])
    assert.equal(canonicalAddress(address)?.isOpaque, false, address);
});

test("the site of an opaque address is the one that the platform names, if that is one", () => {
  const opaque = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/A";
  const siteBeside = (named: string, address = opaque) => {
    const { host, domain } = canonicalAddress(address, named) ?? {};
    return [host, domain];
  };
  assert.deepEqual(siteBeside("example.org"), ["example.org", "example.org"]);
  assert.deepEqual(siteBeside(" www.Example.ORG. "), ["example.org", "example.org"]);
  assert.deepEqual(siteBeside("docs.example.co.uk"), ["docs.example.co.uk", "example.co.uk"]);
  assert.deepEqual(siteBeside("en.m.wikipedia.org"), ["en.wikipedia.org", "wikipedia.org"]);
  assert.deepEqual(siteBeside("acme.github.io"), ["acme.github.io", "acme.github.io"]);
  assert.deepEqual(siteBeside("例え.jp"), ["xn--r8jz45g.jp", "xn--r8jz45g.jp"]);
  const noSites = [
    "",
    "Example",
    "Best grinders of 2026",
    "Node.js",
    "co.uk",
    "localhost",
    "10.0.0.1",
    "[::1]",
    "a..org",
  ];
  noSites.push(
    "example.org/a",
    "user@example.org",
    "example.org:443",
    "-.org",
    "t.co",
    "share.google",
    ".",
    "x".repeat(300),
  );
  noSites.push("vertexaisearch.cloud.google.com", "example.org\0", "exam ple.org", "javascript:alert(1)");
  for (const named of noSites) assert.deepEqual(siteBeside(named), ["", ""], named);
  // The shortener of one site, unless the platform knows better; and an address that is not opaque tells its own site.
  assert.deepEqual(siteBeside("", "https://nyti.ms/x"), ["nytimes.com", "nytimes.com"]);
  assert.deepEqual(siteBeside("", "https://m.tb.cn/h.x"), ["taobao.com", "taobao.com"]);
  assert.deepEqual(siteBeside("", "https://g.page/r/x"), ["google.com", "google.com"]);
  assert.deepEqual(siteBeside("example.org", "https://nyti.ms/x"), ["example.org", "example.org"]);
  assert.deepEqual(siteBeside("example.org", "https://example.com/a"), ["example.com", "example.com"]);
  assert.deepEqual(siteBeside("google.com", "https://www.google.com/goto?url=CAES"), ["", ""]);
});

test("each user of a host of pages is a site", () => {
  const domains = {
    "https://acme.github.io/a": "acme.github.io",
    "https://docs.acme.github.io/a": "acme.github.io",
    "https://acme.blogspot.com/": "acme.blogspot.com",
    "https://acme.blogspot.co.uk/": "acme.blogspot.co.uk",
    "https://acme.wordpress.com/": "acme.wordpress.com",
    "https://acme.substack.com/p/x": "acme.substack.com",
    "https://acme.blog.fc2.com/x": "acme.blog.fc2.com",
    "https://www.fc2.com/x": "fc2.com",
    "https://acme.livedoor.blog/x": "acme.livedoor.blog",
    "https://a.b.itch.io/x": "b.itch.io",
    "https://acme.netlify.app/x": "acme.netlify.app",
    "https://m.blogspot.de/x": "m.blogspot.de",
    "https://acme.myshopify.com/": "acme.myshopify.com",
    "https://wordpress.com/": "wordpress.com",
    "https://www.blogspot.com/": "blogspot.com",
    "https://maps.google.co.uk/": "google.co.uk",
    "https://en.wikipedia.org/": "wikipedia.org",
    "https://10.0.0.1/a": "10.0.0.1",
  };
  for (const [address, domain] of Object.entries(domains))
    assert.equal(canonicalAddress(address)?.domain, domain, address);
});

test("a canonical address is its own canonical form, for two thousand random addresses", () => {
  checkIdempotence(2_000);
});
