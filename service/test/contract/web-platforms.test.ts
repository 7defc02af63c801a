/**
 * docs/reference/api.md#taskoptions.
 * No web platform is enabled without a recipe, so items for one are read with `readItem`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Quote } from "@querent/contract";
import { optionSupport } from "../../src/platforms/index.ts";
import { readItem, type ItemRules } from "../../src/tasks/submit/read-items.ts";
import { item, startTestService } from "../harness/service.ts";

const service = await startTestService();
const price = { base: 1, deepAnalysis: 0, screenshot: 5, shareLink: 5, pageHtml: 2 };
const rules: ItemRules = {
  platforms: new Map([
    [
      "web-one",
      {
        code: "web-one",
        kind: "web",
        pageHtml: true,
        options: optionSupport(),
        price,
        runTimeoutSeconds: 60,
        missing: null,
      },
    ],
  ]),
  itemsMax: 1,
  refuseWebhookUrl: () => null,
  browserUsable: true,
  now: new Date(),
};

for (const output of ["answer", "screenshot", "share_link"]) {
  test(`for a web-type platform, options.output is returned as answer when ${output} was asked for`, () => {
    const verdict = readItem(item("Why?", { platformCode: "web-one", options: { output } }), 0, rules);
    assert.ok("item" in verdict);
    assert.equal(verdict.item.options.output, "answer");
    assert.equal(verdict.item.pricePoints, 1);
    assert.deepEqual(
      verdict.warnings.map(({ pointer, code }) => [pointer, code]),
      output === "answer" ? [] : [["/0/options/output", "output_without_effect"]],
    );
  });
}

for (const [resultFormat, points] of [
  ["json", 1],
  ["html", 3],
  ["all", 3],
] as const) {
  test(`for a web-type platform, options.resultFormat ${resultFormat} stays and is priced`, () => {
    const verdict = readItem(item("Why?", { platformCode: "web-one", options: { resultFormat } }), 0, rules);
    assert.ok("item" in verdict);
    assert.equal(verdict.item.options.resultFormat, resultFormat);
    assert.equal(verdict.item.pricePoints, points);
  });
}

for (const resultFormat of ["html", "all"]) {
  test(`for other platforms, resultFormat ${resultFormat} is echoed and changes nothing: availability and quote say so`, async () => {
    const account = await service.account();
    const asked = { platformCode: "sample", options: { resultFormat } };
    const record = await account.answerTo("Why?", asked);
    assert.equal(record.options.resultFormat, resultFormat);
    assert.equal(record.availability?.content, "present");
    assert.equal(record.availability.pageHtml, "not_exposed");
    const { body: quote } = await account.call<Quote>("POST", "/v1/tasks/quote", {
      body: [item("Why?", asked), item("Why?", { platformCode: "sample" })],
    });
    assert.equal(quote.valid, true);
    assert.deepEqual(
      quote.items.map(({ points }) => points),
      [record.chargedPoints, record.chargedPoints],
    );
    assert.deepEqual(
      quote.items.map(({ warnings }) => warnings.map(({ pointer, code }) => [pointer, code])),
      [[["/0/options/resultFormat", "result_format_without_effect"]], []],
    );
  });
}
