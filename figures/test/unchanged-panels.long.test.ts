/**
 * Panels in which nothing changes, and in which changes are looked for after each run. The seeds are fixed, so the results are always the
 * same. More panels are simulated by bench/src/proof/false-alarms.ts; docs/explain/numbers.md says of how many each result is.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { panelsMax, percent, study, studiedPanels, studyNaive, unchanged } from "./change-studies.ts";

suite("of up to 200 panels in which nothing changes for 28 days, at most 5 % ever raise an alarm", () => {
  for (const [name, weeks] of Object.entries(unchanged)) {
    test(name, (t) => {
      const { alarms, seams } = study(weeks, studiedPanels(weeks));
      t.diagnostic(`${percent(alarms)}, ${seams.toFixed(2)} instrument changes in a panel`);
      assert.ok(alarms <= 0.05 + 2 * Math.sqrt((0.05 * 0.95) / studiedPanels(weeks)), percent(alarms));
      // What alternates is one instrument; only the model that stays is a change, once.
      assert.ok(name.startsWith("the model changes") ? seams === 1 : seams < 0.2, `${seams} instrument changes`);
    });
  }

  test("when the model changes and is 20 points better, there is no alarm about a brand", () => {
    const weeks = unchanged["the model changes on day 15 and is 20 points better"];
    assert.ok(weeks !== undefined);
    assert.equal(study(weeks, panelsMax, 11).alarms, 0);
  });

  test("naive tests that are looked at every day raise an alarm far more often", (t) => {
    const naive = studyNaive(panelsMax);
    t.diagnostic(JSON.stringify(naive));
    assert.ok(naive.fivePoints > 0.9 && naive.pooledZ > 0.05 && naive.pairedT > 0.25);
  });
});
