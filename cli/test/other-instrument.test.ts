/** What an instrument beside a figure is called. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { otherInstrument } from "../src/output/other-instrument.ts";

const instrument = (more: object = {}) => ({
  kind: "api" as const,
  modelVersion: "m",
  recipe: null,
  reader: 1,
  matcher: "3",
  sourceRules: "2",
  panelRevision: 1,
  brandsSince: "2026-11-03T10:00:00.000Z",
  ...more,
});

test("an instrument is called by what tells it from that of the figure", () => {
  const headline = [instrument()];
  assert.equal(otherInstrument(instrument({ modelVersion: "n" }), headline), "other instrument: n");
  assert.equal(otherInstrument(instrument({ panelRevision: 2 }), headline), "as revision 2 asks: m");
  assert.equal(
    otherInstrument(instrument({ brandsSince: "2026-11-04T11:30:00.000Z" }), headline),
    "brands as of 2026-11-04 11:30: m",
  );
  assert.equal(otherInstrument(instrument({ brandsSince: null }), headline), "no brands yet: m");
  assert.equal(
    otherInstrument(instrument({ reader: 2 }), headline),
    "other recipe, reader, matcher or source rules: m",
  );
});
