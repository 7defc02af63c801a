/** Prompts of 200 simulated panels are reworded, and nothing else changes. The seed is fixed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { studyEdited } from "./reworded-panels.ts";

const study = { panels: 200, days: 28, prompts: 50, reworded: 12, on: 14, easier: 2 };

test("of 200 panels whose 12 of 50 prompts are reworded and easier, at most 5 % ever raise an alarm", (t) => {
  const { alarms, compared, leftOut } = studyEdited(study);
  t.diagnostic(`alarms in ${(100 * alarms).toFixed(1)} %, ${compared} prompts compared`);
  assert.ok(alarms <= 0.05, `${alarms}`);
  assert.deepEqual([Math.round(compared), Math.round(leftOut)], [38, 12]);
});

test("known by their ids alone, they would raise one in more than that", (t) => {
  const { alarms } = studyEdited({ ...study, byIdAlone: true });
  t.diagnostic(`${(100 * alarms).toFixed(1)} %`);
  assert.ok(alarms > 0.05, `${alarms}`);
});
