/** No web-type platform ships with the service; what holds for the others is tested here, the rest beside `readItem`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readItem, type ItemRules } from "../../src/tasks/read-items.ts";
import { item, startTestService } from "../harness/service.ts";

const service = await startTestService();
const price = { base: 1, deepAnalysis: 0, screenshot: 5, shareLink: 5, pageHtml: 2 };
const rules: ItemRules = {
  platforms: new Map([["web-one", { code: "web-one", kind: "web", price, runTimeoutSeconds: 60, missing: null }]]),
  itemsMax: 1,
  refuseWebhookUrl: () => null,
  browserUsable: true,
};

for (const output of ["answer", "screenshot", "share_link"]) {
  test(`for a web-type platform, options.output is returned as answer when ${output} was asked for`, () => {
    const verdict = readItem(item("Why?", { platformCode: "web-one", options: { output } }), 0, rules);
    assert.ok("item" in verdict);
    assert.equal(verdict.item.options.output, "answer");
    assert.equal(verdict.item.pricePoints, 1);
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

test("for other platforms, resultFormat is echoed and changes nothing", async () => {
  const account = await service.account();
  const record = await account.answerTo("Why?", { options: { resultFormat: "html" } });
  assert.equal(record.options.resultFormat, "html");
  assert.equal(record.availability?.content, "present");
  assert.equal(record.chargedPoints, 1);
});
