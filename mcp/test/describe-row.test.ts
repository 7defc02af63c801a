/** What an assistant is told of a figure. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Figure, FigureRow } from "@querent/client";
import { describeRow } from "../src/describe-row.ts";

const instrument = (modelVersion: string) =>
  ({ kind: "web", modelVersion, recipe: null, reader: 1, matcher: "2", sourceRules: null }) as const;

const figure = (value: number, more: Partial<Figure> = {}): Figure => ({
  value,
  interval: { low: value - 0.1, high: value + 0.1, level: 0.95, method: "wilson_t_runs" },
  bounds: null,
  scope: "these_prompts",
  cells: 2,
  answers: 10,
  window: { from: "2026-01-01T00:00:00.000Z", to: "2026-01-29T00:00:00.000Z" },
  instrument: [instrument("new")],
  blend: false,
  definition: "presence/1",
  reason: null,
  observations: "/v1/observations",
  ...more,
});

const group = { platformCode: "w", kind: "web", locale: "", persona: "", otherPlatformCode: null, otherKind: null };
const nothing = { entityId: null, domain: null, sourceType: null, promptId: null, topic: null, runId: null, day: null };
const described = (thesePrompts: Figure, otherInstruments: FigureRow["otherInstruments"] = []) =>
  describeRow(
    {
      measure: "presence",
      unit: "share",
      definition: "presence/1",
      group: { ...group, ...nothing } as FigureRow["group"],
      brandedPromptsLeftOut: 0,
      leftOut: {},
      seam: false,
      thesePrompts,
      promptsLikeThese: thesePrompts,
      otherInstruments,
      entity: "Acme",
    },
    "share",
  );

suite("a row in sentences", () => {
  test("has the figures of other instruments as what cannot be added", () => {
    const other = { instrument: instrument("old"), thesePrompts: figure(0.2), promptsLikeThese: figure(0.2) };
    const said = described(figure(0.5), [other]);
    assert.match(
      said[2] ?? "",
      /another instrument \(model old, recipe none, reader 1, matcher 2, source rules none\), which cannot be compared or added: 20 %/,
    );
  });

  test("says what the panel asked, and which brands answers were searched for", () => {
    const before = { ...instrument("same"), panelRevision: 2, brandsSince: "2026-11-03T10:00:00.000Z" };
    const said = described(figure(0.5), [
      { instrument: before, thesePrompts: figure(0.2), promptsLikeThese: figure(0.2) },
    ]);
    assert.match(said[2] ?? "", /source rules none, asked by revision 2 of the panel, brands as of 2026-11-03\)/);
  });

  test("says that a blend is one", () => {
    const blend = figure(0.5, { blend: true, instrument: [instrument("old"), instrument("new")] });
    assert.match(described(blend)[0] ?? "", /A blend of answers of 2 instruments, which are not comparable: say so\./);
    assert.doesNotMatch(described(figure(0.5))[0] ?? "", /blend/);
  });

  test("says what missing answers could change", () => {
    const bounds = { low: 0.3, high: 0.7, level: 0.95, missing: 1, asked: 11 };
    assert.match(
      described(figure(0.5, { bounds }))[0] ?? "",
      /1 of 11 answers are missing: whatever they would have said, it is 30 % to 70 %\./,
    );
  });
});
