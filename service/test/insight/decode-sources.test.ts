/** The sites of an answer's sources are the same however its row has them, whatever their texts contain. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sitesIn } from "@querent/figures";
import { sourceDecoder } from "../../src/observations/answers/decode-answers.ts";
import { citedSitesText } from "../../src/observations/records/describe-answer.ts";

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc
    .array(fc.constantFrom('"', "\\", "],", '],["', '["', ',"', "1]", "]]", "{", "}", "é", "\n", "\t", "\u2028"))
    .map((parts) => parts.join("")),
);
const address = fc.oneof(
  hostile,
  hostile.map((text) => `https://${text}`),
  fc.constantFrom(
    "https://a.example/1",
    "https://a.example/2",
    "https://www.b.example:8080/?q",
    "https://[::1]/",
    "app://open",
  ),
);
const source = fc.record({ canonicalUrl: address, domain: hostile, type: fc.option(hostile) });

test("the sites of sources are decoded as they were written, with and without their addresses", () => {
  fc.assert(
    fc.property(fc.array(fc.array(source, { maxLength: 40 }), { maxLength: 5 }), (answers) => {
      const decode = sourceDecoder();
      for (const sources of answers) {
        const text = citedSitesText(sources);
        assert.doesNotMatch(text, /[\t\n]/, "tabs and line feeds separate the texts of an answer");
        assert.deepEqual(decode(text), sitesIn(sources));
        // As PostgreSQL writes `jsonb`.
        assert.deepEqual(decode(JSON.stringify(sources)), sitesIn(sources));
      }
    }),
  );
});

test("equal sites are one object, and a canonical URL counts once", () => {
  const decode = sourceDecoder();
  const [one, other] = ["https://a.example/1", "https://a.example/2"].map((canonicalUrl) => ({
    url: `${canonicalUrl}?x=1`,
    canonicalUrl,
    domain: "a.example",
    type: null,
  }));
  assert.ok(one !== undefined && other !== undefined);
  const text = citedSitesText([one, other, one]);
  assert.equal(text, '[["a.example","a.example",null,2]]');
  const [first, ...rest] = [...decode(text), ...decode(JSON.stringify([one, one]))];
  assert.equal(rest.length, 2);
  for (const each of rest) assert.equal(each, first);
});
