/** Sites of simulated panels that are cited as before, come or go. The seeds are fixed, so the results are always the same. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { percent } from "./change-studies.ts";
import { goneSite, newSite, studySites, unchangedSites } from "./simulated-sites.ts";

/** Twenty panels of 60 sites take as long as a hundred without. */
const sitePanels = 20;

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
