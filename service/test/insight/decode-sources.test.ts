/** The sources of an answer are the same as those of its whole text parsed, whatever their texts contain. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sourcesIn } from "@querent/figures";
import { sourceDecoder } from "../../src/insight/figures/decode-sources.ts";

/** As PostgreSQL writes `jsonb`: members by the length of their names, with spaces. */
const textOf = (sources: readonly object[]) =>
  `[${sources
    .map(
      (source) =>
        `{${Object.entries(source)
          .toSorted(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
          .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
          .join(", ")}}`,
    )
    .join(", ")}]`;

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc
    .array(fc.constantFrom('"', "\\", "}", "{", ", ", '}, {"url": ', '"}, {"url": "', "[", "]", "é", "\n", "\t"))
    .map((parts) => parts.join("")),
);
const source = fc.record(
  { url: hostile, canonicalUrl: hostile, domain: hostile, type: fc.option(hostile) },
  { requiredKeys: ["canonicalUrl", "domain", "type"] },
);

test("sources are decoded as if the whole text were parsed", () => {
  fc.assert(
    fc.property(fc.array(fc.array(source, { maxLength: 40 }), { maxLength: 5 }), (answers) => {
      const decode = sourceDecoder();
      for (const sources of answers) assert.deepEqual(decode(textOf(sources)), sourcesIn(sources));
    }),
  );
});

test("equal sources are one object, and a canonical URL counts once", () => {
  const decode = sourceDecoder();
  const one = { url: "https://a.example/?x=1", canonicalUrl: "https://a.example/", domain: "a.example", type: null };
  const [first] = decode(textOf([one]));
  assert.ok(first);
  const again = decode(textOf([{ ...one, url: "https://a.example/?x=2" }, one]));
  assert.equal(again.length, 1);
  assert.equal(again[0], first);
});
