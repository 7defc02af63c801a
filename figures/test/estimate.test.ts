/** How wide intervals are where answers hardly differ, and that no single answer decides it. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { estimate, type Cell, type IntervalScope } from "../src/index.ts";

/** Cells of a topic each, from the answers of their runs. */
const cellsOf = (rows: readonly (readonly number[])[]): Cell[] =>
  rows.map((row, cell) => ({
    topic: `t${cell}`,
    weight: 1,
    answers: row.map((value, run) => ({ run: `r${run}`, value })),
  }));
const widthOf = (rows: readonly (readonly number[])[], scope: IntervalScope) => {
  const { interval } = estimate(cellsOf(rows), "rate", scope);
  return interval === null ? null : interval.high - interval.low;
};
const sure = (runs: number, ...counts: readonly (readonly [times: number, value: 0 | 1])[]) =>
  counts.flatMap(([times, value]) => Array.from({ length: times }, () => Array.from({ length: runs }, () => value)));

/** Prompts of which some are always answered alike, others by a rate of their own. */
const panels = fc
  .record({
    prompts: fc.integer({ min: 5, max: 60 }),
    runs: fc.integer({ min: 5, max: 20 }),
    certain: fc.constantFrom(0, 0.5, 0.9, 1),
    base: fc.constantFrom(0.03, 0.3, 0.5, 0.95),
    draws: fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  })
  .map(({ prompts, runs, certain, base, draws }) => {
    const draw = (): number => draws.next().value ?? 0;
    return Array.from({ length: prompts }, () => {
      const rate = draw() < certain ? Number(draw() < base) : draw();
      return Array.from({ length: runs }, () => Number(draw() < rate));
    });
  });

suite("the width of an interval", () => {
  test("is never 0, and changes by a factor of at most 4 for these prompts, and 2 for prompts like these, if one answer is another", () => {
    fc.assert(
      fc.property(panels, fc.nat(), fc.nat(), (rows, anyCell, anyRun) => {
        const [cell, run] = [anyCell % rows.length, anyRun % (rows[0]?.length ?? 1)];
        const other = rows.map((row, index) =>
          index === cell ? row.map((value, place) => (place === run ? 1 - value : value)) : row,
        );
        for (const [scope, most] of [
          ["these_prompts", 4],
          ["prompts_like_these", 2],
        ] as const) {
          const [one, two] = [widthOf(rows, scope), widthOf(other, scope)];
          if (one === null || two === null) continue;
          assert.ok(one > 0.001 && two > 0.001, `${one} ${two}`);
          assert.ok(Math.max(one / two, two / one) <= most, `${scope}: ${one} and ${two}`);
        }
      }),
      { numRuns: 1500, seed: 20_261_129 },
    );
  });

  test("does not collapse where all runs have the same total", () => {
    // 25 prompts always, 25 never; in every run another one of the latter is named.
    const balanced = sure(7, [25, 1], [25, 0]).map((row, cell) =>
      row.map((value, run) => (cell === 25 + run ? 1 : value)),
    );
    const width = widthOf(balanced, "these_prompts") ?? 0;
    assert.ok(width > 0.02 && width < 0.06, `${width}`);
    // Half of ten prompts in each run, by rotation.
    const rotating = Array.from({ length: 10 }, (_, cell) =>
      Array.from({ length: 6 }, (_answer, run) => Number((cell + run) % 2 === 0)),
    );
    assert.ok((widthOf(rotating, "these_prompts") ?? 0) > 0.2);
  });

  test("where every prompt is always answered alike is that of about one answer in all that might differ", () => {
    const half = widthOf(sure(7, [25, 1], [25, 0]), "these_prompts") ?? 0;
    assert.ok(half > 0.008 && half < 0.03, `${half}`);
    const none = estimate(cellsOf(sure(7, [50, 0])), "rate", "these_prompts").interval;
    // Wilson's for 0 of 350 independent answers ends at 0.0109.
    assert.ok(none !== null && none.low === 0 && none.high > 0.0109 && none.high < 0.02, JSON.stringify(none));
    // How prompts like these differ from each other is not known from answers that agree.
    assert.ok((widthOf(sure(7, [50, 0]), "prompts_like_these") ?? 0) > 0.05);
  });

  test("of a mean is not 0 where all answers have the same value, in either scope", () => {
    const cells = cellsOf(sure(7, [25, 1]));
    for (const scope of ["these_prompts", "prompts_like_these"] as const) {
      const { interval } = estimate(cells, "mean", scope);
      assert.ok(interval !== null && interval.low < 0.999 && interval.high > 1.001, JSON.stringify(interval));
    }
    const once = cells.map((cell) => ({ ...cell, answers: cell.answers.slice(0, 1) }));
    const { interval } = estimate(once, "mean", "prompts_like_these");
    assert.ok(interval !== null && interval.low < 0.999 && interval.high > 1.001, JSON.stringify(interval));
  });

  test("is a number where a cell of almost no weight differs from all others", () => {
    const cells = cellsOf(sure(7, [30, 1], [1, 0])).map((cell, index) => ({
      ...cell,
      weight: index === 30 ? 1e-20 : 1,
    }));
    for (const scope of ["these_prompts", "prompts_like_these"] as const) {
      const { value, interval } = estimate(cells, "rate", scope);
      assert.equal(value, 1);
      assert.ok(
        interval !== null && interval.low < 1 && interval.low > 0.8 && interval.high === 1,
        JSON.stringify(interval),
      );
    }
  });

  test("of prompts like these needs topics, and no repeats", () => {
    const once = Array.from({ length: 150 }, (_, cell) => [Number(cell % 3 === 0)]);
    const figure = estimate(cellsOf(once), "rate", "prompts_like_these");
    assert.equal(figure.interval?.method, "wilson_t_topics");
    // As of 150 independent answers: 0.151 by Wilson's interval, with Student's quantile a little more.
    const width = (figure.interval?.high ?? 0) - (figure.interval?.low ?? 0);
    assert.ok(width > 0.14 && width < 0.16, `${width}`);
    assert.deepEqual(estimate(cellsOf(once), "rate", "these_prompts").tooFew, { what: "runs", there: 1, needed: 5 });
  });

  test("grows if answers are repeated from run to run", () => {
    const rows = Array.from({ length: 40 }, (_, cell) =>
      Array.from({ length: 12 }, (_answer, run) => ((cell * 7 + run * 5) >> 2) & 1),
    );
    const repeated = rows.map((row) => row.map((_, run) => row[run - (run % 3)] ?? 0));
    const [fresh, stale] = [widthOf(rows, "these_prompts") ?? 0, widthOf(repeated, "these_prompts") ?? 0];
    assert.ok(stale > 1.2 * fresh, `${fresh} and ${stale}`);
  });

  test("is left out where few runs clearly move all prompts, with the number of runs that would tell", () => {
    const moved = Array.from({ length: 30 }, (_, cell) =>
      [0, 0, 0, 1, 1, 1, 1].map((value) => (cell % 5 === 0 ? 0 : value)),
    );
    assert.deepEqual(estimate(cellsOf(moved), "rate", "these_prompts").tooFew, {
      what: "dependent_runs",
      there: 7,
      needed: 10,
    });
    const longer = moved.map((row) => [...row, ...row]);
    assert.ok((widthOf(longer, "these_prompts") ?? 0) > 0.3);
  });
});
