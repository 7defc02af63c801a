/** A figure is of one instrument: which one, what stands beside it, and what a blend says. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { computeFigures, makeReport, type Answer, type FigureRequest } from "../src/index.ts";
import { answer, brand, failedTask, panelOf, source } from "./answers.ts";
import { reportFacts } from "./report-panel.ts";

const panel = panelOf({ prompts: ["p1", "p2"], entities: [brand("own", "own"), brand("rival", "competitor")] });
const dayOf = (run: number) => `2026-01-${String(run + 1).padStart(2, "0")}`;

/** One answer to each prompt in each run; `models`: of each run, what it was taken with, and whether it names the brand. */
const runsOf = (models: readonly (readonly [model: string, isNamed: boolean])[]): Answer[] =>
  models.flatMap(([modelVersion, isNamed], run) =>
    ["p1", "p2"].map((promptId) =>
      answer({
        promptId,
        modelVersion,
        runId: `r${run}`,
        observedAt: `${dayOf(run)}T06:00:00.000Z`,
        mentions: isNamed ? ["own"] : ["rival"],
        sources: [source(`https://${modelVersion}.example/`)],
      }),
    ),
  );
const repeat = (count: number, model: string, isNamed: boolean) =>
  Array.from({ length: count }, () => [model, isNamed] as const);
const rowsOf = (answers: readonly Answer[], request: Partial<FigureRequest> = {}) =>
  computeFigures(panel, answers, { measure: "presence", entityId: "own", by: "none", ...request });
const shown = (answers: readonly Answer[], request: Partial<FigureRequest> = {}) => {
  const [row, ...more] = rowsOf(answers, request);
  assert.ok(row !== undefined && more.length === 0);
  const { thesePrompts, otherInstruments } = row;
  return {
    of: thesePrompts.instrument.map(({ modelVersion }) => modelVersion),
    value: thesePrompts.value,
    others: otherInstruments.map((one) => [one.instrument.modelVersion, one.thesePrompts.value]),
  };
};

suite("a headline", () => {
  test("is of the latest instrument with enough runs, and the others stand beside it, the latest first", () => {
    const settled = runsOf([...repeat(2, "a", false), ...repeat(6, "b", false), ...repeat(5, "c", true)]);
    assert.deepEqual(shown(settled), {
      of: ["c"],
      value: 1,
      others: [
        ["b", 0],
        ["a", 0],
      ],
    });
    const fresh = runsOf([...repeat(6, "b", false), ...repeat(4, "c", true)]);
    assert.deepEqual(shown(fresh), { of: ["b"], value: 0, others: [["c", 1]] });
  });

  test("is of the latest one if none has enough runs, with the reason why it has no interval", () => {
    const answers = runsOf([...repeat(4, "a", false), ...repeat(3, "b", true)]);
    assert.deepEqual(shown(answers), { of: ["b"], value: 1, others: [["a", 0]] });
    const { reason, interval } = rowsOf(answers)[0]?.thesePrompts ?? {};
    assert.deepEqual([interval, reason?.code, reason?.missing], [null, "too_few_runs", 2]);
  });

  test("is of the one that gave most of the last run, if several alternate", () => {
    const stray = runsOf(repeat(8, "a", false)).map((one, place) =>
      place % 4 === 1 ? { ...one, instrument: { ...one.instrument, modelVersion: null } } : one,
    );
    const even = [...stray, ...runsOf(repeat(9, "a", false)).slice(-2)];
    assert.deepEqual(shown(even).of, ["a"]);
  });

  test("counts the answers of others as left out, and has the window and the address of its own", () => {
    const [row] = rowsOf(runsOf([...repeat(6, "a", false), ...repeat(5, "b", true)]));
    assert.deepEqual(row?.leftOut, { other_instrument: 12 });
    const window = { from: "2026-01-07T06:00:00.000Z", to: "2026-01-11T06:00:00.001Z" };
    assert.deepEqual(row?.thesePrompts.window, window);
    assert.ok(row?.thesePrompts.observations.includes(encodeURIComponent(window.from)));
    const [earlier] = row?.otherInstruments ?? [];
    assert.equal(earlier?.thesePrompts.window.to, "2026-01-06T06:00:00.001Z");
  });

  test("is of the same instrument for every measure, prompt and topic, and never holds a figure over a seam", () => {
    const answers = runsOf([...repeat(6, "a", false), ...repeat(5, "b", true)]);
    for (const by of ["prompt", "topic"] as const)
      for (const row of rowsOf(answers, { by }))
        assert.deepEqual(
          [row.thesePrompts.value, row.thesePrompts.instrument.length, row.otherInstruments.length],
          [1, 1, 1],
        );
    const report = makeReport({ ...reportFacts, panel }, answers);
    for (const { thesePrompts } of [...report.summary, ...report.prompts])
      assert.ok(!thesePrompts.blend && thesePrompts.instrument.every(({ modelVersion }) => modelVersion === "b"));
    assert.deepEqual(
      report.sources.map(({ domains }) => domains.map(({ domain }) => domain)),
      [["b.example"]],
    );
    assert.deepEqual(report.surfaces[0]?.headline?.runs, 5);
  });

  test("shows a prompt that only another instrument answered as one without a value", () => {
    const answers = runsOf([...repeat(5, "a", true), ...repeat(5, "b", true)]).filter(
      ({ promptId, instrument }) => promptId !== "p2" || instrument.modelVersion === "a",
    );
    const [, second] = rowsOf(answers, { by: "prompt" });
    assert.deepEqual([second?.thesePrompts.value, second?.otherInstruments[0]?.thesePrompts.value], [null, 1]);
  });

  test("has failed tasks with the instrument of their run", () => {
    const answers = runsOf([...repeat(5, "a", true), ...repeat(5, "b", true)]);
    const failures = [0, 7, 7].map((run) =>
      failedTask({ runId: `r${run}`, failedAt: `${dayOf(run)}T06:00:00.000Z`, promptId: "p1" }),
    );
    const since = { ...panel, failuresSince: "2025-01-01T00:00:00.000Z" };
    const [row] = computeFigures(since, answers, { measure: "failure_rate", by: "none" }, failures);
    assert.deepEqual([row?.thesePrompts.answers, row?.otherInstruments[0]?.thesePrompts.answers], [12, 11]);
  });
});

suite("a blend", () => {
  const answers = runsOf([...repeat(6, "a", false), ...repeat(6, "b", true)]);

  test("is made only if asked for, and says so", () => {
    const [row] = rowsOf(answers, { blend: true });
    assert.deepEqual([row?.thesePrompts.value, row?.thesePrompts.blend, row?.otherInstruments], [0.5, true, []]);
    assert.equal(rowsOf(answers)[0]?.thesePrompts.blend, false);
    assert.equal(rowsOf(answers.slice(12), { blend: true })[0]?.thesePrompts.blend, false);
  });

  test("is what a run of two instruments is, whose seam stays", () => {
    const mixed = runsOf([
      ["a", true],
      ["a", true],
    ]).map((one, place) => (place === 3 ? { ...one, instrument: { ...one.instrument, modelVersion: "b" } } : one));
    assert.deepEqual(
      rowsOf(mixed, { by: "run" }).map(({ seam, thesePrompts: { blend } }) => [seam, blend]),
      [
        [false, false],
        [true, true],
      ],
    );
  });
});
