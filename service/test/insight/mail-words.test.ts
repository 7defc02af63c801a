import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReportReady } from "@querent/contract";
import { languages } from "../../src/reports/languages/languages.ts";

const mailWords = Object.fromEntries(Object.entries(languages).map(([language, { mail }]) => [language, mail])) as {
  [Language in keyof typeof languages]: (typeof languages)[Language]["mail"];
};

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

test("one of something is singular in each language, and numbers are written as it writes them", () => {
  const one = { ...figure, answers: 1 };
  const said = {
    en: [/; 1 answer of/, /^1 more figure is in/, "It is made from 1 answer of AI platforms. "],
    "zh-CN": [/1 个回答/, /还有 1 个数字/, "报告基于 AI 平台的 1 个回答。"],
    de: [/; 1 Antwort,/, /^Ein weiterer Wert steht/, "Er beruht auf einer Antwort von KI-Plattformen. "],
    fr: [/; 1 réponse,/, /^1 autre chiffre figure dans/, "Il repose sur 1 réponse de plateformes d’IA. "],
    es: [/; 1 respuesta,/, /hay 1 cifra más/, "Se basa en 1 respuesta de plataformas de IA. "],
    ja: [/回答 1 件/, /他に 1 件の数値/, "AI プラットフォームの 1 件の回答に基づいています。"],
  } as const;
  for (const [language, [ofFigure, more, basis]] of Object.entries(said)) {
    const { mail } = languages[language as keyof typeof languages];
    assert.match(mail.figure(one), ofFigure);
    assert.match(mail.more(1), more);
    assert.equal(mail.basis(1, ""), basis);
  }
  assert.match(languages.de.mail.basis(12_345, ""), /12\.345 Antworten/);
  assert.match(languages.ja.mail.basis(12_345, ""), /12,345 件/);
});
