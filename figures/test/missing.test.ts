/** What answers that are missing could change. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { computeFigures, type Answer, type FailedTask, type MeasureId } from "../src/index.ts";
import { answer, brand, failedTask, panelOf, source } from "./answers.ts";
import { randomFrom } from "./simulated-panels.ts";

const prompts = Array.from({ length: 20 }, (_, prompt) => `p${prompt}`);
const panel = { ...panelOf({ prompts, entities: [brand("own", "own")] }), failuresSince: "2025-01-01T00:00:00.000Z" };
const timeOf = (run: number) => `2026-01-${String(run + 1).padStart(2, "0")}T06:00:00.000Z`;

interface Simulated {
  readonly answers: Answer[];
  readonly failures: FailedTask[];
}

/** Prompts with rates of their own; an answer that names the brand is lost with the probability `lost`. */
function simulate(
  random: () => number,
  { rates, runs, lost }: { rates: readonly number[]; runs: number; lost: number },
) {
  const made: Simulated = { answers: [], failures: [] };
  for (let run = 0; run < runs; run++)
    for (const [prompt, rate] of rates.entries()) {
      const isNamed = random() < rate;
      const task = { promptId: `p${prompt}`, runId: `r${run}` };
      if (isNamed && random() < lost) made.failures.push(failedTask({ ...task, failedAt: timeOf(run) }));
      else made.answers.push(answer({ ...task, observedAt: timeOf(run), mentions: isNamed ? ["own"] : [] }));
    }
  return made;
}

const figureOf = ({ answers, failures }: Simulated, measure: MeasureId = "presence") => {
  const [row] = computeFigures(panel, answers, { measure, entityId: "own", domain: "a.example", by: "none" }, failures);
  assert.ok(row !== undefined);
  return row;
};

suite("bounds", () => {
  test("hold where answers are missing because they name the brand, and the interval alone does not", () => {
    const random = randomFrom(9);
    let [covered, byInterval, width, needed] = [0, 0, 0, 0];
    const panels = 200;
    for (let count = 0; count < panels; count++) {
      const rates = prompts.map(() => 0.3 + 0.4 * random());
      const truth = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
      // 7.5 % of all tasks are missing, all of them among the half that names the brand.
      const { interval, bounds } = figureOf(simulate(random, { rates, runs: 20, lost: 0.15 })).thesePrompts;
      assert.ok(interval !== null && bounds !== null);
      covered += Number(bounds.low <= truth && truth <= bounds.high);
      byInterval += Number(interval.low <= truth && truth <= interval.high);
      width += bounds.high - bounds.low;
      needed += interval.high - interval.low + bounds.missing / bounds.asked;
    }
    assert.ok(covered >= 0.95 * panels, `${covered} of ${panels}`);
    assert.ok(byInterval < 0.8 * panels, `${byInterval} of ${panels}`);
    // Hardly wider than the interval and what is missing.
    assert.ok(width < 1.1 * needed, `${width / panels} instead of ${needed / panels}`);
  });

  test("contain the interval, for both scopes, and are that of the ends: none of the missing, and all of them", () => {
    const made = simulate(randomFrom(1), { rates: prompts.map(() => 0.5), runs: 8, lost: 0.2 });
    const row = figureOf(made);
    const missing = made.failures.map(({ promptId, runId }) => ({ promptId, ...(runId === null ? {} : { runId }) }));
    const as = (mentions: string[]) =>
      figureOf({
        answers: [
          ...made.answers,
          ...missing.map((one) => answer({ ...one, observedAt: timeOf(Number(one.runId?.slice(1))), mentions })),
        ],
        failures: [],
      });
    const [none, all] = [as([]), as(["own"])];
    for (const scope of ["thesePrompts", "promptsLikeThese"] as const) {
      const { bounds, interval } = row[scope];
      assert.ok(bounds !== null && interval !== null);
      assert.ok(bounds.low <= interval.low && interval.high <= bounds.high);
      assert.ok(Math.abs(bounds.low - Math.min(interval.low, none[scope].interval?.low ?? 1)) < 1e-12);
      assert.ok(Math.abs(bounds.high - Math.max(interval.high, all[scope].interval?.high ?? 0)) < 1e-12);
      assert.deepEqual([bounds.missing, bounds.asked, bounds.level], [made.failures.length, 160, 0.95]);
    }
    assert.equal(row.leftOut.failed, made.failures.length);
  });

  test("stand from 2 % on, and count empty answers and those whose sources are not known", () => {
    const of = (missing: number, more: Partial<Answer> = { flags: ["empty"] }) => {
      const answers = Array.from({ length: 100 }, (_, place) =>
        answer({
          promptId: `p${place % 20}`,
          runId: `r${Math.floor(place / 20)}`,
          observedAt: timeOf(Math.floor(place / 20)),
          sources: [source("https://a.example/")],
          ...(place < missing ? more : {}),
        }),
      );
      return { answers, failures: [] };
    };
    assert.equal(figureOf(of(1)).thesePrompts.bounds, null);
    assert.deepEqual(figureOf(of(2)).thesePrompts.bounds?.missing, 2);
    const hidden = { flags: ["opaque_sources"] };
    assert.equal(figureOf(of(2, hidden)).thesePrompts.bounds, null);
    assert.deepEqual(figureOf(of(2, hidden), "citation_rate").thesePrompts.bounds?.missing, 2);
    assert.equal(figureOf(of(5), "empty_rate").thesePrompts.bounds, null);
  });

  test("of a share take missing answers to be as full as the fullest one", () => {
    const answers = Array.from({ length: 10 }, (_, run) =>
      answer({
        promptId: "p0",
        runId: `r${run}`,
        observedAt: timeOf(run),
        sources: [
          source("https://a.example/"),
          source("https://b.example/"),
          ...(run === 0 ? [source("https://b.example/2"), source("https://b.example/3")] : []),
        ],
      }),
    );
    const failures = [failedTask({ promptId: "p0", runId: "r1", failedAt: timeOf(1) })];
    const { value, bounds } = figureOf({ answers: answers.slice(0, 4), failures }, "citation_share").thesePrompts;
    assert.equal(value, 4 / 10);
    assert.deepEqual([bounds?.low, bounds?.high, bounds?.level], [4 / 14, 8 / 14, null]);
  });

  test("of a mean are not stated: it could change by any amount", () => {
    const made = simulate(randomFrom(2), { rates: prompts.map(() => 0.5), runs: 8, lost: 0.2 });
    assert.equal(figureOf(made, "answer_length").thesePrompts.bounds, null);
  });
});
