import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { composeAds } from "../../src/answers/ads.ts";
import type { DraftAd } from "../../src/platforms/platform.ts";

const draft: DraftAd = {
  advertiser: null,
  title: "Brew Pro",
  text: null,
  url: null,
  displayUrl: null,
  thumbnail: null,
  products: [],
  placement: "below_answer",
  label: null,
};
const addressOf = (url: string) => {
  const [ad] = composeAds([{ ...draft, url }]);
  return [ad?.url, ad?.removed];
};

suite("the address of an advertisement counts no click", () => {
  test("identifiers of clicks are removed and named, and what names the campaign stays", () => {
    assert.deepEqual(addressOf("https://brew.example/pro?size=2&gclid=a&utm_source=chat&oppref=x&msclkid=b#top"), [
      "https://brew.example/pro?size=2&utm_source=chat#top",
      ["gclid", "oppref", "msclkid"],
    ]);
  });

  test("a redirect that says where it leads is replaced by that", () => {
    const target = "https://brew.example/pro?gbraid=1";
    for (const redirect of [
      `https://www.google.com/aclk?sa=l&adurl=${encodeURIComponent(target)}`,
      `https://www.bing.com/aclick?ld=e8&u=a1${Buffer.from(target).toString("base64url")}`,
      `https://googleads.g.doubleclick.net/pagead/aclk?sa=L&ai=1&adurl=${encodeURIComponent(target)}`,
      `https://duckduckgo.com/l/?uddg=${encodeURIComponent(target)}`,
      `https://ads.example/click?dest=${encodeURIComponent(`https://www.googleadservices.com/pagead/aclk?adurl=${encodeURIComponent(target)}`)}`,
    ])
      assert.deepEqual(addressOf(redirect), ["https://brew.example/pro", ["redirect", "gbraid"]]);
  });

  test("one that does not say it keeps no parameter", () => {
    assert.deepEqual(addressOf("https://www.googleadservices.com/pagead/aclk?sa=l&ai=xyz"), [
      "https://www.googleadservices.com/pagead/aclk",
      ["sa", "ai"],
    ]);
  });

  test("what is no web address is none", () => {
    for (const url of ["javascript:alert(1)", "data:text/html,x", "https://[", ""])
      assert.deepEqual(addressOf(url), [null, []]);
  });
});

test("advertisements are numbered, and no more than a result may have are kept", () => {
  const ads = composeAds(Array.from({ length: 60 }, () => draft));
  assert.deepEqual([ads.length, ads[0]?.position, ads.at(-1)?.position], [50, 1, 50]);
});
