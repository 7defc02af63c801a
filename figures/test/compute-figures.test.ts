import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { answerOf, computeFigures, type Answer, type PanelDefinition } from "../src/index.ts";
import { answer, brand, panelOf } from "./answers.ts";

suite("figures of answers", () => {
  const panel: PanelDefinition = panelOf({
    prompts: ["p1", "p2"],
    entities: [brand("own", "own"), brand("rival", "competitor"), brand("word", "other")],
  });
  const figureOf = (answers: readonly Answer[], request: Partial<Parameters<typeof computeFigures>[2]>) =>
    computeFigures(panel, answers, { measure: "presence", entityId: "own", by: "none", ...request });

  test("platforms, kinds of platforms, locales and personas are never added up", () => {
    const rows = figureOf(
      [
        answer({ mentions: ["own"] }),
        answer({ platformCode: "other" }),
        answer({ kind: "web" }),
        answer({ locale: "DE/de" }),
        answer({ persona: "student" }),
      ],
      {},
    );
    assert.deepEqual(
      rows.map(({ group, thesePrompts }) => [
        group.platformCode,
        group.kind,
        group.locale,
        group.persona,
        thesePrompts.value,
      ]),
      [
        ["other", "api", "", "", 0],
        ["sim", "api", "", "", 1],
        ["sim", "api", "", "student", 0],
        ["sim", "api", "DE/de", "", 0],
        ["sim", "web", "", "", 0],
      ],
    );
  });

  test("answers without text, without a matcher, or of a prompt that is not asked any more, are left out and counted", () => {
    const [row] = figureOf(
      [
        answer({ mentions: ["own"] }),
        answer({ flags: ["empty"] }),
        answer({ matcher: null }),
        answer({ promptId: "removed" }),
      ],
      { blend: true },
    );
    assert.deepEqual(row?.leftOut, { no_text: 1, not_searched: 1, prompt_not_in_panel: 1 });
    assert.deepEqual([row?.thesePrompts.value, row?.thesePrompts.answers], [1, 1]);
  });

  test("a share counts mentions of own entities and competitors; others are words", () => {
    const [row] = figureOf([answer({ mentions: ["word", "own", "rival", "own", "rival", "rival"] })], {
      measure: "mention_share",
    });
    assert.equal(row?.thesePrompts.value, 2 / 5);
  });

  test("a series has a seam where its instruments change, and only there", () => {
    const models = ["alpha", "alpha", "beta", "beta"];
    const answers = models.map((modelVersion, day) =>
      answer({ modelVersion, runId: `r${day}`, observedAt: `2026-01-0${day + 1}T00:00:00.000Z` }),
    );
    assert.deepEqual(
      figureOf(answers, { by: "run" }).map(({ group, seam }) => [group.runId, seam]),
      [
        ["r0", false],
        ["r1", false],
        ["r2", true],
        ["r3", false],
      ],
    );
    const [blend] = figureOf(answers, { blend: true });
    assert.deepEqual([blend?.thesePrompts.instrument.length, blend?.thesePrompts.blend], [2, true]);
  });

  test("a window has its first moment and not its last, whether or not they are written with milliseconds", () => {
    const answers = ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.500Z", "2026-01-02T00:00:00.000Z"].map(
      (observedAt) => answer({ observedAt }),
    );
    const window = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
    assert.equal(figureOf(answers, window)[0]?.thesePrompts.answers, 2);
  });

  test("an answer is made from the public record: one mention for each entity, each address once", () => {
    const source = { canonicalUrl: "https://a.example/", domain: "a.example", type: "news" };
    const made = answerOf({
      ...answer({}),
      cell: { ...answer({}), promptId: "p1" },
      cards: [{}, {}],
      sources: [source, { ...source }],
      mentions: [
        { entityId: "b", listPosition: null },
        { entityId: "a", listPosition: 2 },
        { entityId: "b", listPosition: 3 },
      ],
    });
    assert.deepEqual(made.mentions, [
      { entityId: "b", count: 2, rank: 1, listPosition: 3 },
      { entityId: "a", count: 1, rank: 2, listPosition: 2 },
    ]);
    assert.deepEqual([made.sources, made.cards], [[{ host: "a.example", domain: "a.example", type: "news" }], 2]);
  });
});
