/**
 * Changes that are looked for after each run of simulated panels. The seeds are fixed, so the results are always the same. More panels
 * are simulated by bench/src/proof/false-alarms.ts; docs/explain/numbers.md says of how many each result is.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { falls, falseDiscoveryRate, rises, study, studyNaive, studyRise, unchanged } from "./change-studies.ts";
import type { SimulatedWeeks } from "./simulated-changes.ts";
import { goneSite, newSite, studySites, unchangedSites } from "./simulated-sites.ts";

const panels = 200;
/** Twelve series take as long as twelve panels, and 24 runs a day as long as eight panels of three. A panel of 60 sites takes longest. */
const panelsOf = ({ series, runsOfDay }: SimulatedWeeks) => (series > 1 || runsOfDay > 3 ? 25 : panels);
const sitePanels = 20;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

suite("of up to 200 panels in which nothing changes for 28 days, at most 5 % ever raise an alarm", () => {
  for (const [name, weeks] of Object.entries(unchanged)) {
    test(name, (t) => {
      const { alarms, seams } = study(weeks, panelsOf(weeks));
      t.diagnostic(`${percent(alarms)}, ${seams.toFixed(2)} instrument changes in a panel`);
      assert.ok(alarms <= 0.05 + 2 * Math.sqrt((0.05 * 0.95) / panelsOf(weeks)), percent(alarms));
      // What alternates is one instrument; only the model that stays is a change, once.
      assert.ok(name.startsWith("the model changes") ? seams === 1 : seams < 0.2, `${seams} instrument changes`);
    });
  }

  test("when the model changes and is 20 points better, there is no alarm about a brand", () => {
    const weeks = unchanged["the model changes on day 15 and is 20 points better"];
    assert.ok(weeks !== undefined);
    assert.equal(study(weeks, panels, 11).alarms, 0);
  });

  test("naive tests that are looked at every day raise an alarm far more often", (t) => {
    const naive = studyNaive(panels);
    t.diagnostic(JSON.stringify(naive));
    assert.ok(naive.fivePoints > 0.9 && naive.pooledZ > 0.05 && naive.pairedT > 0.25);
  });
});

suite(
  "of 20 panels whose 60 sites and two brands are cited and named as before, at most 5 % ever raise an alarm",
  () => {
    for (const [name, weeks] of Object.entries(unchangedSites)) {
      test(name, (t) => {
        const { alarms } = studySites(weeks, sitePanels);
        t.diagnostic(percent(alarms));
        assert.ok(alarms <= 0.05, percent(alarms));
      });
    }

    for (const [name, weeks] of Object.entries({ goes: goneSite, comes: newSite })) {
      test(`a site that half of the answers cite and that ${name} is found within ten days, and nothing else is`, (t) => {
        const { found, alarms, wrong, medianDays } = studySites(weeks, sitePanels);
        t.diagnostic(`${percent(found)} found, in the median after ${medianDays} days; others: ${percent(alarms)}`);
        assert.ok(found === 1 && wrong === 0 && alarms <= 0.05);
      });
    }
  },
);

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
      const { alarms, medianDays } = study(weeks, panelsOf(weeks));
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
