/** Texts that try to break out of an answer: what they open and close cannot change the cards around them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { composeResult, readCards } from "../../src/answers/index.ts";
import { answer, apiPlatform, markdown, options, product } from "./answers.ts";

/** A tree of these takes a parser seconds or more; lines take it milliseconds. Counted in time of this process, however busy the machine is. */
const composeMsMax = 2_000;
const chars = 200_000;

describe("text made to be slow to parse is composed in time that grows with its length", () => {
  const texts: Record<string, string> = {
    "nested lists": `<\n${"1. ".repeat(chars / 3)}`,
    "nested quotes": `<\n${">".repeat(chars)}`,
    headings: "<a\n===\n".repeat(chars / 7),
    fences: "```\n~~~\n".repeat(chars / 8),
    "half imitations of cards": `> **${"a".repeat(60)}\n`.repeat(chars / 65),
    "bold in bold": `> ${"**".repeat(chars / 2)}a`,
    brackets: `<${"[".repeat(chars)}`,
  };
  for (const [name, text] of Object.entries(texts)) {
    test(name, () => {
      const started = process.cpuUsage();
      const result = composeResult(answer({ parts: [markdown(text), product()] }), apiPlatform, options);
      assert.ok(process.cpuUsage(started).user / 1000 < composeMsMax);
      assert.equal(result.products.length, 1);
    });
  }
});

test("a card after fences that open and close in many ways is still read", () => {
  const text = "```\na\n```\n\n- b\n  ```\n  c\n\n~~~ d\ne\n~~~~\n\n<!-- f -->\n\n<pre>\ng";
  const { content } = composeResult(answer({ parts: [markdown(text), product()] }), apiPlatform, options);
  assert.equal(readCards(content ?? "").length, 1);
});
