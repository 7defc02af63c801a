import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import {
  firstDifference,
  gradeRules,
  makeReport,
  type Answer,
  type GradeLevel,
  type PanelDefinition,
  type Report,
  type ReportFacts,
  type RevisionFacts,
} from "../src/index.ts";
import { answer, brand, panelOf } from "./answers.ts";

const entities = [brand("own", "own", ["own.example"]), brand("rival", "competitor", ["rival.example"])];
const sealed: RevisionFacts = {
  revision: 1,
  digest: "sha256:0",
  seal: { sealedAt: "2025-12-31T00:00:00.000Z", kid: "k", runsBefore: 0 },
};
const window = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };

const panelWith = (prompts: number): PanelDefinition =>
  panelOf({ prompts: Array.from({ length: prompts }, (_, index) => `p${index}`), entities });

/** One answer to each prompt on each of so many days: the first half of the prompts is answered with the own brand. */
function answersOf(panel: PanelDefinition, days: number, more: (prompt: number, day: number) => object = () => ({})) {
  return Array.from({ length: days }, (_, day) => {
    const observedAt = `2026-01-${String(day + 1).padStart(2, "0")}T06:00:00.000Z`;
    return panel.prompts.map(({ promptId }, index) =>
      answer({
        promptId,
        runId: `r${day}`,
        observedAt,
        mentions: index % 2 === 0 ? ["own", "rival"] : ["rival"],
        ...more(index, day),
      }),
    );
  }).flat();
}

const report = (panel: PanelDefinition, answers: readonly Answer[], facts: Partial<ReportFacts> = {}): Report =>
  makeReport({ panel, window, revisions: [sealed], service: { name: "Querent", version: "0" }, ...facts }, answers);

const gradeOf = (made: Report): [GradeLevel, string[]] => [
  made.grade.grade,
  made.grade.rules
    .filter(({ allows }) => allows === made.grade.grade && allows !== "decision-grade")
    .map(({ id }) => id),
];

suite("the grade of a report", () => {
  test("is decision-grade if every rule is met, and less by each that is not", () => {
    const panel = panelWith(50);
    const enough = answersOf(panel, 14);
    assert.deepEqual(gradeOf(report(panel, enough)), ["decision-grade", []]);
    const emptied = (count: number) => enough.map((one, place) => (place < count ? { ...one, flags: ["empty"] } : one));
    assert.deepEqual(gradeOf(report(panel, emptied(13))), ["decision-grade", []]);
    // 14 of 700 are 2 %.
    assert.deepEqual(gradeOf(report(panel, emptied(14))), ["directional", ["answered"]]);
    assert.deepEqual(gradeOf(report(panel, answersOf(panel, 13))), ["directional", ["runs", "days"]]);
    assert.deepEqual(gradeOf(report(panel, answersOf(panel, 4))), ["exploratory", ["runs", "days", "complete"]]);
    assert.deepEqual(gradeOf(report({ ...panel, entities: [brand("rival", "competitor")] }, enough)), [
      "exploratory",
      ["own_entity"],
    ]);
    const topics = (count: number): PanelDefinition => ({
      ...panel,
      prompts: panel.prompts.map((prompt, index) => ({ ...prompt, topic: `t${index % count}` })),
    });
    assert.deepEqual(gradeOf(report(topics(19), enough)), ["directional", ["topics"]]);
    assert.deepEqual(gradeOf(report(topics(9), enough)), ["exploratory", ["topics"]]);
    const twoModels = answersOf(panel, 14, (_, day) => ({ modelVersion: day < 7 ? "alpha" : "beta" }));
    assert.deepEqual(gradeOf(report(panel, twoModels)), ["directional", ["runs", "one_instrument"]]);
    const gaps = enough.filter(({ promptId }) => !["p0", "p1", "p2"].includes(promptId));
    assert.deepEqual(gradeOf(report(panelWith(50), gaps))[0], "exploratory");
  });

  test("of 49 prompts is never more than exploratory", () => {
    const panel = panelWith(49);
    assert.deepEqual(gradeOf(report(panel, answersOf(panel, 28))), ["exploratory", ["prompts"]]);
    const withBranded = panelWith(50);
    const [first, ...others] = withBranded.prompts;
    assert.ok(first !== undefined);
    const branded = { ...withBranded, prompts: [{ ...first, branded: ["own"] }, ...others] };
    assert.deepEqual(gradeOf(report(branded, answersOf(branded, 28))), ["exploratory", ["prompts"]]);
  });

  test("says whether the panel was sealed before its first run, after it, or never", () => {
    const panel = panelWith(50);
    const answers = answersOf(panel, 14);
    for (const [seal, state, grade] of [
      [sealed.seal, "before_first_run", "decision-grade"],
      [{ sealedAt: "2026-01-05T00:00:00.000Z", kid: "k", runsBefore: 1 }, "after_first_run", "directional"],
      [null, "never", "directional"],
    ] as const) {
      const made = report(panel, answers, { revisions: [{ ...sealed, seal }] });
      assert.deepEqual([made.revisions[0]?.sealed, made.grade.grade], [state, grade]);
    }
  });

  test("is exploratory where which prompts name whom is chance", () => {
    const panel = panelWith(50);
    // The brand of a prompt changes from one run to the next: the two halves of the runs contradict each other.
    const chance = answersOf(panel, 14, (prompt, day) => ({
      mentions: (prompt + day) % 2 === 0 ? ["own"] : ["rival"],
    }));
    const rule = report(panel, chance).grade.rules.find(({ id }) => id === "reproducibility");
    assert.deepEqual([rule?.value, rule?.allows], [0, "exploratory"]);
  });

  test("has rules whose demands do not fall, and a remedy for each", () => {
    assert.ok(gradeRules.every(({ directional, decision }) => (directional ?? 0) <= decision));
    assert.ok(gradeRules.every(({ remedy, counts }) => remedy.endsWith(".") && counts.endsWith(".")));
  });
});

suite("a report", () => {
  test("counts the sources of each surface, whose they are, and their core, without answers that hide them", () => {
    const panel = panelWith(2);
    const source = (domain: string) => ({ host: `www.${domain}`, domain, type: "news" });
    const answers = answersOf(panel, 5, (prompt, day) => ({
      sources: [source("own.example"), ...(prompt === 0 && day === 0 ? [source("once.example")] : [])],
    }));
    const hidden = answer({ promptId: "p0", runId: "r0", flags: ["not_exposed:sources"] });
    const [sources] = report(panel, [...answers, hidden]).sources;
    assert.ok(sources !== undefined);
    assert.deepEqual([sources.answers, sources.leftOut, sources.citations], [10, 1, 11]);
    assert.deepEqual(
      sources.domains.map(({ domain, relation, answers: count, share }) => [domain, relation, count, share]),
      [
        ["own.example", "own", 10, 10 / 11],
        ["once.example", "other", 1, 1 / 11],
      ],
    );
    assert.deepEqual([sources.core, sources.tail], [["own.example"], 1]);
    assert.deepEqual(report(panel, answersOf(panel, 4)).sources[0]?.core, null);
  });

  test("has a series by run with its seams, and intervals that do not cross them", () => {
    const panel = panelWith(4);
    const answers = answersOf(panel, 12, (_, day) => ({ modelVersion: day < 6 ? "alpha" : "beta" }));
    const series = report(panel, answers).series.find(({ entityId }) => entityId === "own");
    assert.deepEqual(
      series?.points.map(({ seam, trailing }) => [seam, trailing?.runs ?? 0]),
      [0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 5, 6].map((runs, index) => [index === 6, runs]),
    );
    assert.deepEqual(new Set(series?.points.map(({ value }) => value)), new Set([0.5]));
  });

  test("of no answers has no figures, and is exploratory", () => {
    const made = report(panelWith(50), []);
    assert.deepEqual([made.grade.grade, made.summary, made.counts.answers], ["exploratory", [], 0]);
  });

  test("differs from every other, and the difference is named", () => {
    const panel = panelWith(3);
    const answers = answersOf(panel, 6);
    const made = report(panel, answers);
    assert.equal(firstDifference(made, report(panel, answers)), null);
    assert.equal(firstDifference(JSON.parse(JSON.stringify(made)), made), null);
    for (const index of answers.keys())
      assert.notEqual(firstDifference(made, report(panel, answers.toSpliced(index, 1))), null);
    assert.equal(firstDifference({ a: [1, { "b/c": 2 }] }, { a: [1, { "b/c": 3 }] }), "/a/1/b~1c");
    assert.equal(firstDifference([1], [1, 2]), "/1");
    // What another order of the same sum gives.
    assert.equal(firstDifference([50.4], [50.400000000000006]), null);
    assert.equal(firstDifference([50.4], [50.4001]), "/0");
    assert.equal(firstDifference({ a: 1 }, {}), "/a");
  });
});

test("the page about numbers has the rules of the grade as they are", () => {
  const page = readFileSync(new URL("../../docs/explain/numbers.md", import.meta.url), "utf8");
  const shown = (unit: string, value: number | null) =>
    value === null ? "any" : unit === "share" ? `${value * 100} %` : unit === "yes_or_no" ? "yes" : String(value);
  for (const { title, unit, directional, decision } of gradeRules) {
    const cells = [title, shown(unit, directional), shown(unit, decision)].join(" | ");
    assert.ok(page.replaceAll(/ +/g, " ").includes(`| ${cells} |`), cells);
  }
});
