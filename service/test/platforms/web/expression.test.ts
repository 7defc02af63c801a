/** The regular expressions of recipes take bounded time, whatever a page says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "cheerio/slim";
import fc from "fast-check";
import { firstMatch, firstMatchOrNull } from "../../../src/platforms/web/recipe/expression.ts";
import { readField } from "../../../src/platforms/web/recipe/read-field.ts";
import { Stopped } from "../../../src/platforms/web/recipe/stopped.ts";

/** Expressions with texts for which they take years, or minutes. The number makes each one of its own. */
const hostile: readonly [string, string][] = [
  ["(a+)+$", `${"a".repeat(60)}b`],
  ["(a|a)*b", "a".repeat(60)],
  ["^(?:.*,){12}x", "1,2,3,4,5,6,7,8,9,10,".repeat(20)],
  ["(.*)*x\\1", "a".repeat(80)],
  ["a.*b.*c.*d.*e", "abcd".repeat(4_000)],
  ["^(?=(\\w+\\s?)+$)", `${"word ".repeat(20)}!`],
  ["(?<=^z(x+x+)+)y", `${"x".repeat(100)}y`],
  ["\\s+$", `${" ".repeat(200_000)}x`],
];

test("a search ends when its time is over, and the run ends with it and says which expression it was", () => {
  for (const [index, [source, text]] of hostile.entries()) {
    const own = `${source}|never${index}`;
    const from = performance.now();
    assert.throws(
      () => firstMatch(own, "u", text),
      (error: unknown) =>
        error instanceof Stopped && error.code === "platform_bad_response" && error.message.includes(own.slice(0, 100)),
      own,
    );
    assert.ok(performance.now() - from < 2_000, own);
  }
});

test("thousands of searches that would take too long take as much time as one", () => {
  const items = Array.from({ length: 3_000 }, () => `<li>${"a".repeat(60)}b</li>`).join("");
  const $ = load(`<ul>${items}</ul>`);
  const from = performance.now();
  assert.deepEqual(readField($, $.root(), { select: "li", match: "^(a+)+$" }), []);
  // Each alone takes longer than this; so do as many that are each ended when their time is over.
  assert.ok(performance.now() - from < 10_000, `${performance.now() - from} ms`);
});

test("an expression that took too long for one page is there for the next", async () => {
  const source = "^(b+)+$";
  assert.equal(firstMatchOrNull(source, "u", `${"b".repeat(60)}c`), null);
  const deadline = performance.now() + 30_000;
  while (firstMatchOrNull(source, "u", "bbb") === null && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(firstMatchOrNull(source, "u", "bbb")?.[1], "bbb");
});

test("a search finds what JavaScript finds", () => {
  const sources = ["(\\d+)", "^x", "b.d", "(?<name>[a-c]+)", "é", "\\p{Lu}+", "(?:ab)?c", "$"];
  fc.assert(
    fc.property(
      fc.constantFrom(...sources),
      fc.constantFrom("u", "iu", "su"),
      fc.oneof(fc.string({ unit: fc.constantFrom(..."abcdx1É\n ") }), fc.string({ unit: "binary" })),
      (source, flags, text) => {
        const found = firstMatch(source, flags, text);
        const expected = new RegExp(source, flags).exec(text);
        assert.equal(found?.index, expected?.index);
        assert.deepEqual(found === null ? null : Array.from(found), expected === null ? null : Array.from(expected));
      },
    ),
  );
});
