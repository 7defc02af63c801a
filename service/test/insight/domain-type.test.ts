/** The types of the domains of sources. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { domainType } from "../../src/observations/records/describe-answer.ts";

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
