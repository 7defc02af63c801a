/** Rises and falls of simulated panels: how many are found, when, and with which days. The seeds are fixed, so the results are always the same. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { falls, falseDiscoveryRate, percent, rises, studiedPanels, study, studyRise } from "./change-studies.ts";

/** With a single answer of a prompt a day, many falls can't be told from something that moves all prompts for some days. */
const foundAtLeast: Readonly<Record<string, number>> = {
  "a run a day": 0.7,
  "a run a day, a rate of 25 %": 0.15,
  "a run a day, 35 % of answers repeated": 0.3,
  "a run a day, two models alternate": 0.8,
  "a run a day, one of 12 series": 0.5,
};

suite("changes that are real", () => {
  for (const [name, weeks] of Object.entries(rises)) {
    test(`a rate of 25 % comes to 60 %, ${name}: it is found, and the days with which it may have begun are told`, (t) => {
      const rise = studyRise(weeks, 60);
      t.diagnostic(JSON.stringify(rise));
      assert.ok(rise.found > 0.95 && rise.dated >= 0.92 && rise.changes < 1.6);
      // What came at once is hardly ever said to be gradual, nor the other way round.
      assert.ok(name === "at once" ? rise.gradual < 0.05 : rise.sudden < 0.05);
    });
  }

  for (const [name, weeks] of Object.entries(falls)) {
    test(`a fall by 30 % over 50 prompts, ${name}`, (t) => {
      const { alarms, medianDays } = study(weeks, studiedPanels(weeks));
      t.diagnostic(`${percent(alarms)} found within 14 days, in the median after ${medianDays} days`);
      assert.ok(alarms >= (foundAtLeast[name] ?? 0.9), percent(alarms));
    });
  }

  test("of 500 series, 50 of which fall, at most 5 % of those that are ever found are none", (t) => {
    const { rate, found } = falseDiscoveryRate(2);
    t.diagnostic(`false discovery rate ${percent(rate)}, ${percent(found)} of the falls found`);
    assert.ok(rate <= 0.05 && found > 0.45);
  });
});
