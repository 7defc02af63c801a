/** Two arms that were asked the same prompts. Against SciPy and statsmodels, whose values `golden/compare.py` wrote. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  compareArms,
  sameWordings,
  tCdf,
  tQuantile,
  type Answer,
  type Arm,
  type ComparedSubject,
} from "../src/index.ts";
import { readSample, sumsOf } from "../src/sample.ts";
import { varianceOfRuns } from "../src/variance-of-runs.ts";
import { answer, brand, failedTask, panelOf } from "./answers.ts";
import golden from "./golden/compare.json" with { type: "json" };
import { randomFrom } from "./simulated-panels.ts";

function compare(one: Arm, other: Arm, subjects: readonly ComparedSubject[], pairs: Pairs = idsOf(one)) {
  const steps = compareArms([one, other], pairs, subjects);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
type Pairs = Parameters<typeof compareArms>[1];
const idsOf = ({ panel }: Arm) => panel.prompts.map(({ promptId }) => [promptId, promptId] as const);

const entityIds = Array.from({ length: 6 }, (_, index) => `e${index}`);
const presenceOf = (entityId: string): ComparedSubject => ({ measure: "presence", entityId });
const dayOf = (run: number) => `2026-01-${String(run + 1).padStart(2, "0")}T06:00:00.000Z`;

/** `topics`: one for each prompt. `named`: by run and prompt, whom the answer names. */
function armOf(
  topics: readonly string[],
  named: readonly (readonly (readonly string[])[])[],
  { name = "", ...more }: Partial<Arm> & { name?: string } = {},
): Arm {
  const bare = panelOf({
    prompts: topics.map((_, index) => `${name}p${index}`),
    entities: entityIds.map((entityId) => brand(entityId, "own")),
  });
  const panel = { ...bare, prompts: bare.prompts.map((prompt, index) => ({ ...prompt, topic: topics[index] ?? "" })) };
  const answers: Answer[] = named.flatMap((ofRun, run) =>
    ofRun.map((mentions, index) =>
      answer({ promptId: `${name}p${index}`, mentions, runId: `${name}r${run}`, observedAt: dayOf(run) }),
    ),
  );
  return { panel, answers, failures: [], ...more };
}

function close(actual: number | null | undefined, expected: number, what: string): void {
  assert.ok(actual !== null && actual !== undefined, what);
  assert.ok(
    Math.abs(actual - expected) <= 1e-9 * Math.max(Math.abs(expected), 1e-3),
    `${what}: ${actual}, ${expected}`,
  );
}

suite("differences of two arms", () => {
  for (const [index, { topics, arms, rows }] of golden.cases.entries())
    test(`of topics, with intervals and adjusted p-values, are those of SciPy and statsmodels: case ${index + 1}`, () => {
      const named = arms.map((runs) =>
        runs.map((ofRun) => ofRun.map((digits) => entityIds.filter((_, entity) => digits[entity] === "1"))),
      );
      const [one, other] = named.map((ofArm) => armOf(topics, ofArm));
      assert.ok(one !== undefined && other !== undefined);
      const compared = compare(one, other, entityIds.map(presenceOf));
      assert.equal(compared.length, rows.length);
      for (const [entity, expected] of rows.entries()) {
        const found = compared[entity]?.promptsLikeThese;
        close(found?.value, expected.value, "difference");
        close(found?.interval?.low, expected.low, "low");
        close(found?.interval?.high, expected.high, "high");
        close(found?.p, expected.p, "p");
        close(found?.adjustedP, expected.adjusted, "adjusted p");
        // Three runs are too few to see how much answers to these prompts differ.
        assert.equal(compared[entity]?.thesePrompts.tooFew?.what, "runs");
        close(compared[entity]?.thesePrompts.value, expected.value, "difference");
      }
    });

  test("prompts that were reworded since are compared in their former words, in one panel and in two", () => {
    const runs = Array.from({ length: 6 }, (_, run) => ["p0", "p1"].map((_, prompt) => (run + prompt) % 2 === 0));
    const asked = (name: string, isNamed: (is: boolean) => boolean): Arm => {
      const arm = armOf(
        ["a", "b"],
        runs.map((ofRun) => ofRun.map((is) => (isNamed(is) ? ["e0"] : []))),
        { name },
      );
      const former = arm.panel.prompts.map((prompt, index) => ({ ...prompt, digest: `old${index}`, lastRevision: 1 }));
      return {
        ...arm,
        panel: {
          ...arm.panel,
          panelId: `panel ${name}`,
          revision: 2,
          formerPrompts: former,
          prompts: arm.panel.prompts.map((prompt, index) => ({ ...prompt, digest: `new${index} ${name}` })),
        },
        answers: arm.answers.map((one) => ({ ...one, promptDigest: `old${one.promptId.at(-1)}` })),
      };
    };
    const [one, other] = [asked("", (is) => is), asked("", () => true)];
    const elsewhere = asked("other", () => true);
    for (const [second, pairs] of [
      [other, null],
      [elsewhere, sameWordings(one.panel, elsewhere.panel)],
    ] as const) {
      const [row] = compare(one, second, [presenceOf("e0")], pairs);
      assert.deepEqual([row?.prompts, row?.unpaired, row?.thesePrompts.value], [2, 0, 0.5]);
    }
  });

  const topics = Array.from({ length: 25 }, (_, index) => [`t${index}`, `t${index}`]).flat();
  /** Each arm names e0 at a rate of its own by topic. */
  function drawn(random: () => number, runs: number, rate: (topic: number) => number) {
    return Array.from({ length: runs }, () =>
      topics.map((_, index) => (random() < rate(Math.floor(index / 2)) ? ["e0"] : [])),
    );
  }

  test("of these prompts have the sum of the arms' variances, with Welch's degrees of freedom", () => {
    const random = randomFrom(3);
    const named = [drawn(random, 7, () => 0.4), drawn(random, 9, () => 0.55)];
    const [one, other] = named.map((ofArm) => armOf(topics, ofArm));
    assert.ok(one !== undefined && other !== undefined);
    const [row] = compare(one, other, [presenceOf("e0")]);
    const spreads = named.map((runs) =>
      varianceOfRuns(
        readSample(
          sumsOf(
            topics.map((topic, prompt) => ({
              topic,
              weight: 1,
              answers: runs.map((ofRun, run) => ({ run: `r${run}`, value: ofRun[prompt]?.length ?? 0 })),
            })),
          ),
        ),
      ),
    );
    const variance = spreads.reduce((sum, spread) => sum + spread.variance, 0);
    const df = variance ** 2 / spreads.reduce((sum, spread) => sum + spread.variance ** 2 / spread.df, 0);
    const value = row?.thesePrompts.value ?? Number.NaN;
    const half = tQuantile(0.975, df) * Math.sqrt(variance);
    close(row?.thesePrompts.interval?.low, value - half, "low");
    close(row?.thesePrompts.interval?.high, value + half, "high");
    close(row?.thesePrompts.p, 2 * tCdf(-Math.abs(value) / Math.sqrt(variance), df), "p");
    assert.deepEqual([row?.one.runs, row?.other.runs, row?.one.answers, row?.topics], [7, 9, 350, 25]);
  });

  test("95 % intervals of both scopes cover the truth, and p-values of no difference are below 5 % in 5 % of the cases", (t) => {
    const random = randomFrom(17);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const rounds = 300;
    let [these, like, falseOnes] = [0, 0, 0];
    for (let round = 0; round < rounds; round++) {
      // By half of the topics' differences above, and by half below 0: prompts like these do not differ.
      const rates = topics.map(() => 0.3 + 0.4 * random());
      const shifts = topics.map(() => 0.08 * normal());
      const rateOf = (topic: number, arm: number) => (rates[topic] ?? 0) + arm * (shifts[topic] ?? 0);
      const [one, other] = [0, 1].map((arm) =>
        armOf(
          topics,
          drawn(random, 7, (topic) => rateOf(topic, arm)),
        ),
      );
      assert.ok(one !== undefined && other !== undefined);
      const [row] = compare(one, other, [presenceOf("e0")]);
      const covers = (interval: { low: number; high: number } | null | undefined, truth: number) =>
        Number(interval !== null && interval !== undefined && interval.low <= truth && truth <= interval.high);
      these += covers(row?.thesePrompts.interval, shifts.slice(0, 25).reduce((sum, shift) => sum + shift, 0) / 25);
      like += covers(row?.promptsLikeThese.interval, 0);
      falseOnes += Number((row?.promptsLikeThese.p ?? 1) < 0.05);
    }
    t.diagnostic(`these prompts ${these / rounds}, like these ${like / rounds}, false ${falseOnes / rounds}`);
    assert.ok(these / rounds >= 0.92 && these / rounds <= 0.985);
    assert.ok(like / rounds >= 0.92 && like / rounds <= 0.985);
    assert.ok(falseOnes / rounds <= 0.08);
  });

  test("only prompts of both arms count, whatever they are called in the other one", () => {
    const named = (runs: number, share: number) =>
      Array.from({ length: runs }, () => topics.map((_, index) => (index < share * topics.length ? ["e0"] : [])));
    const one = armOf(topics, named(6, 0.5));
    const other = armOf(topics, named(6, 1), { name: "x" });
    // The first half: always named in both arms.
    const pairs = topics.slice(0, 25).map((_, index) => [`p${index}`, `xp${index}`] as const);
    const [row] = compare(one, other, [presenceOf("e0")], pairs);
    assert.deepEqual([row?.prompts, row?.one.value, row?.other.value, row?.thesePrompts.value], [25, 1, 1, 0]);
    assert.ok((row?.thesePrompts.interval?.high ?? 0) > 0, "answers that agree leave a width");
    assert.equal(row?.thesePrompts.p, 1);
    assert.deepEqual(row?.promptsLikeThese.tooFew, { what: "topics", arm: null, there: 13, needed: 20 });
    const [none] = compare(one, other, [presenceOf("e0")], [["p0", "x"]]);
    assert.deepEqual(
      [none?.prompts, none?.thesePrompts.value, none?.thesePrompts.tooFew?.what, none?.thesePrompts.p],
      [0, null, "prompts", null],
    );
  });

  test("answers that are missing in an arm are bounds, and a measure without interval says so", () => {
    const random = randomFrom(5);
    const one = armOf(
      topics,
      drawn(random, 6, () => 0.5),
    );
    const missing = Array.from({ length: 20 }, (_, index) => failedTask({ promptId: `p${index}`, runId: "r0" }));
    const other = armOf(
      topics,
      drawn(random, 6, () => 0.5),
      { failures: missing },
    );
    const [row, core] = compare(one, other, [presenceOf("e0"), { measure: "core_citation_share" }]);
    const { low = 0, high = 0 } = row?.bounds ?? {};
    assert.ok(low < (row?.thesePrompts.value ?? 0) && (row?.thesePrompts.value ?? 0) < high);
    // 20 of 320 answers are missing, each cell by itself.
    assert.ok(high - low > 0.03 && high - low < 0.1, `${low} to ${high}`);
    assert.equal(core?.thesePrompts.interval, null);
    assert.equal(core?.thesePrompts.p, null);
  });
});
