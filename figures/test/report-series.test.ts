import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { computeFigures, makeReport, type Answer } from "../src/index.ts";
import { answer, brand, panelOf } from "./answers.ts";

const entities = [brand("own", "own"), brand("rival", "competitor")];
const prompts = Array.from({ length: 12 }, (_, index) => `p${index}`);
const plain = panelOf({ prompts, entities });
const panel = {
  ...plain,
  prompts: plain.prompts.map((prompt, index) => ({
    ...prompt,
    weight: 1 + (index % 3),
    branded: index === 4 ? ["rival"] : [],
  })),
};
const seamAt = 9;

/** Twenty runs on two platforms, with other instruments from the tenth run on; some answers are empty, and a prompt is unknown. */
const answers: Answer[] = Array.from({ length: 20 }, (_, run) =>
  ["one", "two"].flatMap((platformCode, platform) =>
    [...prompts, "unknown"].map((promptId, index) => {
      const number = run * 31 + platform * 17 + index * 7;
      return answer({
        promptId,
        platformCode,
        runId: `r${run}`,
        observedAt: `2026-01-${String(run + 1).padStart(2, "0")}T06:00:00.000Z`,
        modelVersion: run < seamAt ? "before" : "after",
        flags: number % 11 === 0 ? ["empty"] : [],
        mentions: number % 11 === 0 ? [] : [...(number % 3 === 0 ? ["own"] : []), ...(number % 5 < 2 ? ["rival"] : [])],
      });
    }),
  ),
).flat();

suite("the series of a report", () => {
  test("its trailing figures are those of the answers of up to seven runs since the last seam", () => {
    const facts = {
      panel,
      window: { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" },
      revisions: [],
      service: { name: "Querent", version: "0" },
    };
    const { series } = makeReport(facts, answers);
    assert.deepEqual(
      series.map(({ entityId, platformCode, points }) => [entityId, platformCode, points.length]),
      ["own", "rival"].flatMap((entityId) => ["one", "two"].map((platform) => [entityId, platform, 20])),
    );
    for (const { entityId, platformCode, points } of series)
      for (const [last, { trailing, value }] of points.entries()) {
        const first = Math.max(last < seamAt ? 0 : seamAt, last - 6);
        const figureOf = (from: number) => {
          const ofRuns = answers.filter(({ runId }) => {
            const run = Number(runId?.slice(1));
            return run >= from && run <= last;
          });
          return computeFigures(panel, ofRuns, { measure: "presence", entityId, platformCode, by: "none" })[0]
            ?.thesePrompts;
        };
        assert.equal(value, figureOf(last)?.value);
        const figure = figureOf(first);
        const runs = last - first + 1;
        assert.deepEqual(trailing, runs < 5 ? null : { value: figure?.value, interval: figure?.interval, runs });
      }
  });
});
