import assert from "node:assert/strict";
import { test } from "node:test";
import { measures } from "@querent/figures";
import { figureText } from "../src/output/figure-text.ts";

test("shares are percentages, and everything else is the number itself", () => {
  assert.equal(figureText("presence", 0.4266), "42.7 %");
  assert.equal(figureText("product_position", 1.5), "1.5");
  assert.equal(figureText("answer_length", 1234.567), "1,234.57");
  assert.equal(figureText("position", null), "-");
  for (const { id, unit } of measures)
    assert.equal(figureText(id, 0.5), unit === "share" ? "50.0 %" : "0.5", `${id} is in ${unit}`);
});
