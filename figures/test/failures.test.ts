/** Measures of tasks, and that no other measure knows of those that failed. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import {
  computeFigures,
  failedTaskOf,
  makeReport,
  measuredCells,
  measures,
  readsFailures,
  type Answer,
  type FailedTask,
  type FigureRequest,
  type ComputedRow,
  type MeasureId,
  type PanelDefinition,
  type Report,
} from "../src/index.ts";
import { answer, failedTask as failed, panelOf } from "./answers.ts";
import { dayAt, entities, reportAnswers, reportFacts } from "./report-panel.ts";
import { randomFrom } from "./simulated-panels.ts";

const panel: PanelDefinition = {
  ...panelOf({ prompts: ["p1", "p2"], entities }),
  failuresSince: "2025-12-01T00:00:00.000Z",
};

const rowsOf = (
  measure: MeasureId,
  given: { answers: readonly Answer[]; failures: readonly FailedTask[]; of?: PanelDefinition },
  more: Partial<FigureRequest> = {},
) => computeFigures(given.of ?? panel, given.answers, { measure, by: "none", ...more }, given.failures);

suite("failed tasks and refused questions", () => {
  test("are shares of the tasks of each cell, and each cell counts alike", () => {
    const answers = [answer({}), answer({ promptId: "p2" }), answer({ promptId: "p2" }), answer({ promptId: "p2" })];
    const failures = [failed(), failed({ promptId: "p2", code: "platform_refused" })];
    const [row] = rowsOf("failure_rate", { answers, failures });
    // (1 of 2 + 1 of 4) / 2
    assert.equal(row?.thesePrompts.value, 0.375);
    assert.deepEqual([row.thesePrompts.cells, row.thesePrompts.answers, row.leftOut], [2, 6, {}]);
    const [refused] = rowsOf("refusal_rate", { answers, failures });
    assert.equal(refused?.thesePrompts.value, 0.125);
    assert.match(refused.thesePrompts.observations, /^\/v1\/observations\/failures\?.*&code=platform_refused$/);
    assert.equal(rowsOf("failure_rate", { answers, failures: [] })[0]?.thesePrompts.value, 0);
  });

  test("are known only since failed tasks are recorded, and not of imported answers", () => {
    const answers = [
      answer({ observedAt: "2025-11-30T00:00:00.000Z" }),
      answer({}),
      answer({ kind: "imported", promptId: "p2" }),
    ];
    const rows = rowsOf("failure_rate", { answers, failures: [failed()] });
    assert.deepEqual(
      rows.map(({ group, leftOut, thesePrompts: { value } }) => [group.kind, value, leftOut]),
      [
        ["api", 0.5, { failures_not_recorded: 1 }],
        ["imported", null, { not_reported: 1 }],
      ],
    );
    const { failuresSince: _, ...unrecorded } = panel;
    const [row] = rowsOf("failure_rate", { answers: [answer({})], failures: [], of: unrecorded });
    assert.deepEqual([row?.thesePrompts.value, row?.thesePrompts.reason?.code], [null, "too_few_answers"]);
  });

  test("have a row where nothing was answered, and a failed task makes no seam", () => {
    const answers = [0, 1, 3].map((day) => answer({ runId: `r${day}`, observedAt: `${dayAt(day)}T06:00:00.000Z` }));
    const failures = [0, 2].map((day) => failed({ runId: `r${day}`, failedAt: `${dayAt(day)}T07:00:00.000Z` }));
    const others = [failed({ platformCode: "other", kind: "web" })];
    const rows = rowsOf("failure_rate", { answers, failures: [...failures, ...others] }, { by: "run" });
    assert.deepEqual(
      rows.map(({ group, seam, thesePrompts: { value, instrument } }) => [
        group.platformCode,
        group.runId,
        value,
        seam,
        instrument.length,
      ]),
      [
        ["other", "r0", 1, false, 0],
        ["sim", "r0", 0.5, false, 1],
        ["sim", "r1", 0, false, 1],
        ["sim", "r2", 1, false, 0],
        ["sim", "r3", 0, false, 1],
      ],
    );
    const byDay = rowsOf("failure_rate", { answers, failures }, { by: "day" });
    assert.deepEqual(
      byDay.map(({ group }) => group.day),
      [0, 1, 2, 3].map(dayAt),
    );
  });

  test("count a task by the reciprocal of the probability with which it was asked, answered or failed", () => {
    const answers = [answer({}), answer({ repeat: 2, probability: 0.5 })];
    const failures = [failed({ repeat: 3, probability: 0.25 })];
    // 4 of 1 + 2 + 4
    assert.equal(rowsOf("failure_rate", { answers, failures })[0]?.thesePrompts.value, 4 / 7);
    const [cells] = measuredCells(panel, answers, { measure: "failure_rate" }, failures);
    assert.equal(cells?.cells[0]?.answers.length, 3);
  });

  test("have intervals for both scopes above the floor", () => {
    const of: PanelDefinition = { ...panelOf({ prompts: prompts(20), entities }), failuresSince: "2025" };
    const tasks = [0, 1, 2, 3, 4].flatMap((day) => prompts(20).map((promptId) => ({ day, promptId })));
    const random = randomFrom(1);
    const drawn = tasks.map((task) => ({ ...task, isFailed: random() < 0.25 }));
    const given = {
      of,
      answers: drawn
        .filter(({ isFailed }) => !isFailed)
        .map(({ day, promptId }) => answer({ promptId, runId: `r${day}` })),
      failures: drawn
        .filter(({ isFailed }) => isFailed)
        .map(({ day, promptId }) => failed({ promptId, runId: `r${day}` })),
    };
    const [row] = rowsOf("failure_rate", given);
    for (const figure of [row?.thesePrompts, row?.promptsLikeThese]) {
      assert.ok(figure?.interval !== null && figure?.interval !== undefined);
      assert.ok(figure.interval.low < 0.25 && figure.interval.high > 0.25, JSON.stringify(figure.interval));
    }
    const few = { ...given, answers: given.answers.slice(0, 20), failures: [] };
    assert.equal(rowsOf("failure_rate", few)[0]?.thesePrompts.reason?.code, "too_few_runs");
  });

  test("of a public record are those of the task", () => {
    const { failureId, taskId, failedAt, kind, code, ...cell } = failed({ probability: 0.5 });
    const record = { failureId, taskId, failedAt, kind, code, cell: { ...cell, probability: 0.5 } };
    assert.deepEqual(failedTaskOf(record), { failureId, taskId, failedAt, kind, code, ...cell });
    assert.equal("probability" in failedTaskOf({ ...record, cell: { ...record.cell, probability: null } }), false);
  });
});

/** A row without what tells of missing answers. */
function withoutBounds(row: ComputedRow): unknown {
  const plain = (figure: ComputedRow["thesePrompts"]) => ({ ...figure, bounds: null });
  const leftOut = Object.entries(row.leftOut).filter(([code]) => code !== "failed");
  return {
    ...row,
    leftOut,
    thesePrompts: plain(row.thesePrompts),
    promptsLikeThese: plain(row.promptsLikeThese),
    otherInstruments: row.otherInstruments.map((one) => ({
      ...one,
      thesePrompts: plain(one.thesePrompts),
      promptsLikeThese: plain(one.promptsLikeThese),
    })),
  };
}

const prompts = (number: number) => Array.from({ length: number }, (_, prompt) => `p${prompt}`);

suite("all other figures", () => {
  const answers = reportAnswers();
  const failures = Array.from({ length: 60 }, (_, index) =>
    failed({
      promptId: `p${index % 12}`,
      kind: index % 3 === 0 ? "web" : "api",
      runId: `r${index % 9}`,
      failedAt: `${dayAt(index % 9)}T05:00:00.000Z`,
      ...(index % 5 === 0 ? { probability: 0.5 } : {}),
    }),
  );
  const since = { ...reportFacts, panel: { ...reportFacts.panel, failuresSince: "2025-12-01T00:00:00.000Z" } };

  test("have the same values and intervals, whatever failed; beside them, failures make bounds", () => {
    const without = makeReport(reportFacts, answers);
    const made = makeReport(since, answers, failures);
    const ofTasks = (row: { measure: MeasureId }) => readsFailures(row.measure);
    const withoutFailures = (report: Report) => ({
      ...report,
      grade: null,
      definitions: report.definitions.filter((one) => !/^(failure|refusal)_rate/.test(one)),
      summary: report.summary.filter((row) => !ofTasks(row)).map(withoutBounds),
      prompts: report.prompts.map(withoutBounds),
    });
    assert.equal(JSON.stringify(withoutFailures(made)), JSON.stringify(withoutFailures(without)));
    assert.equal(made.summary.filter(ofTasks).length, 4);
    const bounded = made.summary.filter(({ thesePrompts: { bounds } }) => bounds !== null);
    assert.ok(bounded.length > 0 && bounded.every(({ leftOut }) => (leftOut.failed ?? 0) > 0));
    for (const by of ["run", "day", "prompt", "topic"] as const)
      for (const { id: measure } of measures.filter(({ id, per }) => per !== "entity" && !readsFailures(id))) {
        const request = { measure, by, domain: "own.example", sourceType: "other" };
        assert.deepEqual(
          computeFigures(since.panel, answers, request, failures).map(withoutBounds),
          computeFigures(since.panel, answers, request).map(withoutBounds),
        );
      }
  });

  test("of a report without failed tasks are made again byte for byte", () => {
    // Written by `makeReport` when the format of reports was introduced: another output needs another format.
    const golden = readFileSync(new URL("golden/report-of-answers.json", import.meta.url), "utf8");
    assert.equal(JSON.stringify(makeReport(reportFacts, answers)), JSON.stringify(JSON.parse(golden)));
  });
});
