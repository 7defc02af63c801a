/** Panels that were changed: what is another instrument, what is the same cell, and what a change is judged over. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  collectSeries,
  computeFigures,
  judgeChanges,
  makeReport,
  type Answer,
  type FigureRequest,
  type PanelDefinition,
} from "../src/index.ts";
import { answer, brand, failedTask, panelOf } from "./answers.ts";
import { reportFacts } from "./report-panel.ts";

const created = "2025-12-01T00:00:00.000Z";
const atRun = (run: number) => `2026-01-${String(run + 1).padStart(2, "0")}T06:00:00.000Z`;
const searched = (name: string, relation: "own" | "competitor", since: readonly string[] = [created]) => ({
  ...brand(name, relation),
  createdAt: since[0] ?? created,
  searchedSince: since,
});
const asks = (revision: number, prompts: string, conditions: Record<string, string> = { "": "c" }) => ({
  revision,
  prompts,
  conditions,
});

interface Asked {
  readonly promptId: string;
  readonly digest: string;
  readonly named: readonly string[];
  readonly revision: number;
}
const asked = (promptId: string, digest: string, revision: number, ...named: string[]): Asked => ({
  promptId,
  digest,
  named,
  revision,
});
const answersOf = (runs: readonly (readonly Asked[])[], more: Partial<Answer> = {}): Answer[] =>
  runs.flatMap((prompts, run) =>
    prompts.map(({ promptId, digest, named, revision }) =>
      answer({
        promptId,
        promptDigest: digest,
        panelRevision: revision,
        mentions: named,
        runId: `r${run}`,
        observedAt: atRun(run),
        ...more,
      }),
    ),
  );
const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);

/** A panel of these prompts, each with the digest of its text. */
const panelWith = (
  prompts: readonly (readonly [promptId: string, digest: string])[],
  more: Partial<PanelDefinition>,
) => {
  const panel = panelOf({
    prompts: prompts.map(([promptId]) => promptId),
    entities: [searched("own", "own"), searched("rival", "competitor")],
  });
  const digests = new Map(prompts);
  return {
    ...panel,
    prompts: panel.prompts.map((prompt) => ({ ...prompt, digest: digests.get(prompt.promptId) ?? "" })),
    formerPrompts: [],
    asked: [asks(1, "one")],
    ...more,
  };
};
const former = (promptId: string, digest: string, lastRevision: number, branded: readonly string[] = []) => ({
  promptId,
  digest,
  topic: promptId,
  intent: null,
  branded,
  lastRevision,
});

const rowsOf = (panel: PanelDefinition, answers: readonly Answer[], request: Partial<FigureRequest> = {}) =>
  computeFigures(panel, answers, { measure: "presence", entityId: "own", by: "none", ...request });
const series = (panel: PanelDefinition, answers: readonly Answer[], request: Partial<FigureRequest> = {}) =>
  rowsOf(panel, answers, { by: "run", ...request }).map(({ seam, thesePrompts: { value } }) => [value, seam]);

suite("a panel that was changed", () => {
  test("prompts that were added are a seam, and its headline is never of both", () => {
    const panel = panelWith(
      [
        ["hard", "h"],
        ["easy", "e"],
      ],
      { revision: 2, asked: [asks(1, "one"), asks(2, "two")] },
    );
    const hard = (revision: number) => asked("hard", "h", revision);
    const answers = answersOf([...times(5, [hard(1)]), ...times(2, [hard(2), asked("easy", "e", 2, "own")])]);
    assert.deepEqual(series(panel, answers), [...times(5, [0, false]), [0.5, true], [0.5, false]]);
    const [row] = rowsOf(panel, answers);
    assert.deepEqual([row?.thesePrompts.value, row?.thesePrompts.instrument[0]?.panelRevision], [0, 1]);
    assert.deepEqual(
      row?.otherInstruments.map((other) => [other.instrument.panelRevision, other.thesePrompts.value]),
      [[2, 0.5]],
    );
    const report = makeReport({ ...reportFacts, panel }, answers);
    assert.deepEqual(
      report.series.find(({ entityId }) => entityId === "own")?.points.map(({ seam }) => seam),
      [...times(5, false), true, false],
    );
    assert.equal(report.grade.rules.find(({ id }) => id === "one_instrument")?.value, 0);
  });

  test("a prompt that was reworded under its id is another cell, with what its old wording named", () => {
    const panel = panelWith([["p", "new"]], {
      revision: 2,
      formerPrompts: [former("p", "old", 1, ["rival"])],
      asked: [asks(1, "one"), asks(2, "two")],
    });
    const answers = answersOf([
      ...times(5, [asked("p", "old", 1)]),
      ...times(5, [asked("p", "new", 2, "own", "rival")]),
    ]);
    assert.deepEqual(series(panel, answers), [...times(5, [0, false]), [1, true], ...times(4, [1, false])]);
    assert.equal(rowsOf(panel, answers, { blend: true })[0]?.thesePrompts.cells, 2);
    const [row, ...more] = rowsOf(panel, answers, { by: "prompt" });
    assert.deepEqual([row?.group.promptId, row?.thesePrompts.value, more.length], ["p", 1, 0]);
    // Only the old wording names the rival.
    const [rival] = rowsOf(panel, answers, { entityId: "rival" });
    assert.deepEqual([rival?.thesePrompts.value, rival?.otherInstruments[0]?.thesePrompts.value], [1, null]);
  });

  test("the same text under another id is the same cell, and nothing else was changed", () => {
    const panel = panelWith([["renamed", "text"]], { revision: 2, formerPrompts: [former("p", "text", 1)] });
    const answers = answersOf([
      ...times(3, [asked("p", "text", 1, "own")]),
      ...times(3, [asked("renamed", "text", 2, "own")]),
    ]);
    assert.deepEqual(series(panel, answers), times(6, [1, false]));
    assert.deepEqual(
      rowsOf(panel, answers, { by: "prompt" }).map(({ group, thesePrompts }) => [group.promptId, thesePrompts.answers]),
      [["renamed", 6]],
    );
  });

  test("a revision that asks the same is no seam, and one with other options or personas is", () => {
    const runs = [...times(3, [asked("p", "d", 1)]), ...times(3, [asked("p", "d", 2)])];
    const same = panelWith([["p", "d"]], { revision: 2 });
    assert.deepEqual(series(same, answersOf(runs)), times(6, [0, false]));
    const [before, after] = [asks(1, "one", { "": "c", a: "x" }), asks(2, "one", { "": "c", a: "y" })];
    const other = panelWith([["p", "d"]], { revision: 2, asked: [before, after] });
    assert.deepEqual(series(other, answersOf(runs)), times(6, [0, false]));
    assert.deepEqual(
      series(other, answersOf(runs, { persona: "a" })).map(([, seam]) => seam),
      [false, false, false, true, false, false],
    );
    // Going back to what was asked before is the instrument of before.
    const back = panelWith([["p", "d"]], { revision: 3, asked: [before, after, { ...before, revision: 3 }] });
    const again = answersOf([...runs, ...times(2, [asked("p", "d", 3)])], { persona: "a" });
    assert.equal(rowsOf(back, again)[0]?.thesePrompts.instrument[0]?.panelRevision, 1);
  });

  test("a failed task counts in the wording that it asked", () => {
    const panel = panelWith([["p", "new"]], {
      revision: 2,
      formerPrompts: [former("p", "old", 1)],
      asked: [asks(1, "one"), asks(2, "two")],
      failuresSince: created,
    });
    const answers = answersOf([...times(5, [asked("p", "old", 1)]), ...times(5, [asked("p", "new", 2)])]);
    const failures = [failedTask({ promptId: "p", panelRevision: 1, runId: "r1", failedAt: atRun(1) })];
    const [row] = computeFigures(panel, answers, { measure: "failure_rate", by: "none" }, failures);
    assert.deepEqual([row?.thesePrompts.value, row?.otherInstruments[0]?.thesePrompts.value], [0, 1 / 6]);
  });

  test("answers from elsewhere are of no revision, and another text under an id of the panel is a cell of its own", () => {
    const panel = panelWith([["p", "d"]], { revision: 2, asked: [asks(1, "one"), asks(2, "two")] });
    const answers = answersOf([
      [asked("p", "d", 1, "own"), asked("p", "as it was typed there", 1, "own")],
      [asked("p", "d", 2, "own")],
    ]).map((one) => ({ ...one, instrument: { ...one.instrument, kind: "imported" as const } }));
    assert.deepEqual(series(panel, answers), times(2, [1, false]));
    const [row] = rowsOf(panel, answers);
    assert.deepEqual([row?.thesePrompts.cells, row?.thesePrompts.answers], [2, 3]);
    assert.equal(row?.thesePrompts.instrument[0]?.panelRevision, null);
  });
});

suite("the brands of a panel", () => {
  const alias = "2026-01-04T12:00:00.000Z";

  test("a new name is a seam between the answers that were searched for it and those that were not", () => {
    const entities = [searched("own", "own", [created, alias]), searched("rival", "competitor")];
    const panel = panelWith([["p", "d"]], { entities });
    const before = answersOf(times(4, [asked("p", "d", 1)]));
    const after = answersOf([...times(4, []), ...times(4, [asked("p", "d", 1, "own")])]);
    assert.deepEqual(series(panel, [...before, ...after]), [
      ...times(4, [0, false]),
      [1, true],
      ...times(3, [1, false]),
    ]);
    const recounted = answersOf(times(4, [asked("p", "d", 1, "own")]), { recordedAt: "2026-01-09T00:00:00.000Z" });
    assert.deepEqual(series(panel, [...recounted, ...after]), times(8, [1, false]));
    assert.equal(rowsOf(panel, [...recounted, ...after])[0]?.thesePrompts.instrument[0]?.brandsSince, alias);
  });

  test("after a competitor is added, earlier shares are those of the brands that were searched for, and a seam follows", () => {
    const entities = [searched("own", "own"), searched("rival", "competitor"), searched("late", "competitor", [alias])];
    const panel = panelWith([["p", "d"]], { entities });
    const answers = answersOf([
      ...times(4, [asked("p", "d", 1, "own", "rival")]),
      ...times(4, [asked("p", "d", 1, "own", "rival", "late")]),
    ]);
    const share = { measure: "mention_share" } as const;
    assert.deepEqual(series(panel, answers, share), [
      ...times(4, [1 / 2, false]),
      [1 / 3, true],
      ...times(3, [1 / 3, false]),
    ]);
    assert.deepEqual(
      series(panel, answers, { ...share, entityId: "late" }).map(([value]) => value),
      [...times(4, null), ...times(4, 1 / 3)],
    );
    // One that is not the panel's changes nothing.
    const foreign = { ...searched("foreign", "competitor", [alias]), relation: "other" as const };
    const own = panelWith([["p", "d"]], { entities: [...entities.slice(0, 2), foreign] });
    assert.deepEqual(series(own, answers, share), times(8, [1 / 2, false]));
  });
});

suite("a change of a panel that was changed", () => {
  const prompts = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const isNamed = (day: number, index: number) => (day * 7 + index * 3) % 10 < 5;
  const days = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

  test("is judged over the prompts that stand on both sides in the same words, and says how many do not", () => {
    const digestOf = (index: number, revision: number) => (index < 3 && revision === 2 ? "reworded" : `d${index}`);
    const panel = panelWith(
      prompts.map((promptId, index) => [promptId, digestOf(index, 2)]),
      {
        revision: 2,
        formerPrompts: prompts.slice(0, 3).map((promptId, index) => former(promptId, `d${index}`, 1)),
        asked: [asks(1, "one"), asks(2, "two")],
      },
    );
    const revisionOn = (day: number) => (day < 12 ? 1 : 2);
    const answers = answersOf(
      days(0, 24).map((day) =>
        prompts.map((promptId, index) => {
          const revision = revisionOn(day);
          const isEasy = digestOf(index, revision) === "reworded";
          return asked(
            promptId,
            digestOf(index, revision),
            revision,
            ...(isEasy || isNamed(day, index) ? ["own"] : []),
          );
        }),
      ),
    );
    const verdict = judgeChanges(collectSeries(panel, answers)).find((one) => one.series.isMain);
    assert.deepEqual([verdict?.verdict, verdict?.prompts.size, verdict?.promptsLeftOut], ["not_distinguishable", 7, 3]);
    assert.deepEqual(verdict?.from, "2026-01-01");
  });

  test("is no brand's because of a new name, or of other options", () => {
    const since = "2026-01-13T00:00:00.000Z";
    const named = (day: number, index: number) => (day >= 12 || isNamed(day, index) ? ["own"] : []);
    const answers = answersOf(
      days(0, 24).map((day) =>
        prompts.map((promptId, index) => asked(promptId, `d${index}`, day < 12 ? 1 : 2, ...named(day, index))),
      ),
    );
    const texts = prompts.map((promptId, index) => [promptId, `d${index}`] as const);
    const verdicts = (panel: PanelDefinition) =>
      judgeChanges(collectSeries(panel, answers))
        .filter(({ series: { entityId } }) => entityId === "own")
        .map(({ verdict, from }) => [verdict, from]);
    const unchanged = verdicts(panelWith(texts, { revision: 2 }));
    assert.ok(unchanged.some(([verdict]) => verdict === "changed"));
    const alias = panelWith(texts, {
      revision: 2,
      entities: [searched("own", "own", [created, since]), searched("rival", "competitor")],
    });
    const options = panelWith(texts, {
      revision: 2,
      asked: [asks(1, "one"), asks(2, "one", { "": "other" })],
    });
    for (const panel of [alias, options])
      assert.deepEqual(verdicts(panel), times(2, ["not_distinguishable", "2026-01-13"]));
  });
});
