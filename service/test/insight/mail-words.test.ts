import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReportReady } from "@querent/contract";
import { mailWords } from "../../src/reports/sending/mail-words.ts";

const figure: ReportReady["figures"][number] = {
  name: "Ardenzo",
  platformCode: "chatgpt",
  kind: "web",
  locale: "",
  persona: "",
  models: ["model-2"],
  answers: 800,
  window: { from: "2026-11-23T00:00:00.000Z", to: "2026-12-01T00:00:00.000Z" },
  presence: 0.6,
  interval: { low: 0.56, high: 0.63 },
};

test("a figure in a mail says of which answers it is: not those of the whole report", () => {
  assert.equal(
    mailWords.en.figure(figure).replaceAll(/\s*–\s*/g, "–"),
    "Ardenzo is named in 60 % of the answers of chatgpt (web page) (95 % interval: 56 % to 63 %; 800 answers of 23–30 Nov 2026, model-2)",
  );
  assert.match(
    mailWords["zh-CN"].figure(figure),
    /^chatgpt \(网页\) 有 60 % 的回答提到 Ardenzo（.*；800 个回答，.*，?.*model-2）$/,
  );
  const none = { ...figure, presence: null, interval: null, answers: 0, models: [], window: { from: null, to: null } };
  assert.equal(mailWords.en.figure(none), "Ardenzo, chatgpt (web page): too few answers for a figure");
});

test("no two figures of a brand read the same", () => {
  const all = [
    figure,
    { ...figure, kind: "api" as const },
    { ...figure, locale: "de-DE" },
    { ...figure, persona: "student" },
    { ...figure, locale: "de-DE", persona: "student" },
  ];
  for (const words of Object.values(mailWords))
    assert.equal(new Set(all.map((one) => words.figure(one))).size, all.length);
});
