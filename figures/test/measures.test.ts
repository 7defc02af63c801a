/** Each measure, on answers of which the figure can be counted by hand. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import {
  answerOf,
  computeFigures,
  measureIds,
  measureOf,
  measures,
  productsIn,
  type Answer,
  type FigureRequest,
} from "../src/index.ts";
import { answer, brand, panelOf, source } from "./answers.ts";

const panel = panelOf({
  prompts: ["p1", "p2"],
  entities: [brand("own", "own", ["own.example"]), brand("rival", "competitor"), brand("word", "other")],
});
const rowsOf = (answers: readonly Answer[], request: Partial<FigureRequest> & Pick<FigureRequest, "measure">) =>
  computeFigures(panel, answers, {
    entityId: "own",
    domain: "a.example",
    sourceType: "news",
    by: "none",
    ...request,
  });
const valueOf = (measure: FigureRequest["measure"], answers: readonly Answer[]) => {
  const [row, ...others] = rowsOf(answers, { measure });
  assert.ok(row !== undefined && others.length === 0);
  return [row.thesePrompts.value, row.thesePrompts.answers, row.leftOut];
};
const on = (day: number) => ({ observedAt: `2026-01-${String(day).padStart(2, "0")}T06:00:00.000Z`, runId: `r${day}` });

suite("entities", () => {
  test("the first place is among answers that name it, and other words do not take it", () => {
    const answers = [
      answer({ mentions: ["word", "own", "rival"] }),
      answer({ mentions: ["rival", "own"] }),
      answer({ mentions: ["rival"] }),
    ];
    assert.deepEqual(valueOf("first_place", answers), [0.5, 2, { not_named: 1 }]);
    assert.deepEqual(valueOf("first_place_of_all", answers), [1 / 3, 3, {}]);
  });

  test("a position is the mean of those that are listed: not listed is missing, not last", () => {
    const answers = [
      answer({ mentions: [{ entityId: "own", listPosition: 1 }] }),
      answer({ mentions: [{ entityId: "own", listPosition: 4 }] }),
      answer({ mentions: ["own"] }),
      answer({}),
    ];
    assert.deepEqual(valueOf("position", answers), [2.5, 2, { not_listed: 2 }]);
  });

  test("listed are those that have a place; answers of earlier matchers are left out, not counted as yes or no", () => {
    const matcher = "3-icu78.2";
    const answers = [
      answer({ mentions: [{ entityId: "own", listPosition: 2 }], matcher }),
      answer({ mentions: [{ entityId: "own", listPosition: null }], matcher }),
      answer({ mentions: [{ entityId: "rival", listPosition: 1 }], matcher }),
      answer({ mentions: [{ entityId: "own", listPosition: 1 }], matcher: "2-icu78.2" }),
      answer({ matcher: "1-icu78.2" }),
      answer({ mentions: [{ entityId: "own", listPosition: 1 }], matcher: "10-icu78.2" }),
    ];
    const [row] = rowsOf(answers, { measure: "listed", blend: true });
    assert.deepEqual([row?.thesePrompts.value, row?.leftOut], [2 / 4, { not_searched: 2 }]);
  });

  test("prompts that name any compared entity are out of the share of voice", () => {
    const branded = {
      ...panel,
      prompts: panel.prompts.map((one, n) => ({ ...one, branded: n === 1 ? ["rival"] : [] })),
    };
    const answers = [answer({ mentions: ["own"] }), answer({ promptId: "p2", mentions: ["rival", "rival"] })];
    const [row] = computeFigures(branded, answers, { measure: "mention_share", entityId: "own", by: "none" });
    assert.deepEqual(
      [row?.thesePrompts.value, row?.brandedPromptsLeftOut, row?.leftOut],
      [1, 1, { branded_prompt: 1 }],
    );
  });

  test("own sites include subdomains, and not other domains that end alike", () => {
    const answers = [
      answer({ sources: [source("https://shop.own.example/a"), source("https://notown.example/")] }),
      answer({ sources: [source("https://notown.example/")] }),
      answer({ sources: [source("https://own.example/?q=1"), source("https://own.example/b")] }),
      answer({}),
    ];
    assert.deepEqual(valueOf("own_citation_rate", answers), [0.5, 4, {}]);
    assert.deepEqual(valueOf("own_citation_share", answers), [3 / 5, 4, {}]);
  });
});

suite("sources", () => {
  const answers = [
    answer({ sources: [source("https://a.example/1", "news"), source("https://b.example/")] }),
    answer({ sources: [source("https://a.example/2", "shop"), source("https://a.example/3", "news")] }),
    answer({}),
    answer({ flags: ["not_exposed:sources"] }),
    answer({ flags: ["parse_failed:sources"] }),
    answer({ flags: ["empty"] }),
    answer({ flags: ["opaque_sources"], sources: [{ host: "r.example", domain: "", type: null }] }),
  ];
  const missing = { sources_not_known: 2, no_text: 1 };

  test("surfaces without sources are out of the denominators, and hidden targets out of those of domains", () => {
    assert.deepEqual(valueOf("cited_answers", answers), [3 / 4, 4, missing]);
    for (const [measure, value] of [
      ["citation_rate", 2 / 3],
      ["citation_share", 3 / 4],
      ["type_citation_rate", 2 / 3],
      ["type_citation_share", 2 / 4],
    ] as const)
      assert.deepEqual(valueOf(measure, answers), [value, 3, { ...missing, source_hidden: 1 }]);
  });

  test("an answer shows cards or none; without text, or of a platform that never shows products, nothing is known", () => {
    const cards = [answer({ cards: 2 }), answer({}), answer({ flags: ["not_exposed:products"] })];
    const unread = answer({ flags: ["unread"] });
    assert.deepEqual(valueOf("carded_answers", [...cards, unread]), [1 / 2, 2, { not_reported: 1, no_text: 1 }]);
    for (const measure of ["cited_answers", "citation_share", "presence", "mention_share", "answer_length"] as const)
      assert.deepEqual(valueOf(measure, [unread]), [null, 0, { no_text: 1 }], measure);
    assert.deepEqual(valueOf("empty_rate", [unread]), [0, 1, {}]);
  });

  test("the core is what 80 % of the runs cite, to whichever prompts; it has no interval, and needs five runs", () => {
    const core = [1, 2, 3, 4, 5].map((day) =>
      answer({ ...on(day), sources: [source("https://a.example/"), source(`https://b${day}.example/`)] }),
    );
    assert.deepEqual(valueOf("core_citation_share", core), [0.5, 5, {}]);
    const [row] = rowsOf(core, { measure: "core_citation_share" });
    assert.deepEqual([row?.thesePrompts.interval, row?.thesePrompts.reason?.code], [null, "no_interval"]);
    assert.deepEqual(valueOf("core_citation_share", core.slice(1)), [null, 0, { too_few_runs: 4 }]);
    const scattered = core.flatMap((one, day) => [
      { ...one, promptId: day % 2 === 0 ? "p1" : "p2" },
      answer({ ...on(day + 1), promptId: day % 2 === 0 ? "p2" : "p1", sources: [source("https://c.example/")] }),
    ]);
    assert.deepEqual(valueOf("core_citation_share", scattered), [2 / 3, 10, {}]);
  });
});

suite("products", () => {
  const card = (domain: string, ...entityIds: string[]) => ({ entityIds, domain });
  const answers = [
    answer({ products: [card("a.example", "rival"), card("b.example", "own"), card("a.example", "own", "rival")] }),
    answer({ products: [card("a.example", "own")] }),
    answer({ products: [card("b.example", "rival")] }),
    answer({ products: [] }),
    answer({ flags: ["not_exposed:products"], products: [] }),
    answer({ flags: ["parse_failed:products"], products: [] }),
    answer({ flags: ["empty"], products: [] }),
    answer({}),
  ];

  test("shown, placed and shared are those whose title names the entity; what was not recorded is not 0", () => {
    const missing = { not_reported: 2, no_text: 1, not_searched: 1 };
    assert.deepEqual(valueOf("product_rate", answers), [2 / 4, 4, missing]);
    assert.deepEqual(valueOf("product_position", answers), [(2 + 1) / 2, 2, { ...missing, not_shown: 2 }]);
    assert.deepEqual(valueOf("product_share", answers), [3 / 5, 4, missing]);
  });

  test("a shop has its share of the cards, and answers with a card that hides its shop are left out", () => {
    const hidden = answer({ products: [card(""), card("a.example")] });
    assert.deepEqual(valueOf("shop_share", [...answers, hidden]), [
      3 / 5,
      4,
      { not_reported: 3, no_text: 1, shop_hidden: 1 },
    ]);
  });

  test("a card is of the entities that are mentioned within its heading", () => {
    const at = (entityId: string, start: number) => ({ entityId, start });
    const mentions = [at("own", 4), at("rival", 10), at("own", 12), at("own", 14), at("word", 20), at("rival", 31)];
    const span = (start: number, end: number) => ({ kind: "product" as const, start, end, domain: "a.example" });
    assert.deepEqual(productsIn([span(10, 20), { kind: "video", start: 20, end: 30 }, span(30, 40)], mentions), {
      products: [card("a.example", "rival", "own"), card("a.example", "rival")],
    });
    assert.deepEqual(productsIn([{ kind: "video" }], mentions), { products: [] });
    assert.deepEqual(productsIn([span(10, 20), { kind: "product", domain: "a.example" }], mentions), {});
  });
});

suite("advertisements", () => {
  const ad = (host: string, advertiser: string | null = null) => ({
    advertiser,
    host,
    domain: host.split(".").slice(-2).join("."),
  });
  const excluded = { adsExcluded: true } as const;
  const answers = [
    answer({ ads: [ad("own.example"), ad("other.example")] }),
    answer({ ads: [ad("shop.own.example"), ad("rival.example"), ad("www.notown.example")] }),
    answer({ ads: [] }),
    answer({ ads: [] }),
    answer({}),
    answer({}),
    answer({ ...excluded }),
  ];
  const missing = { ads_not_known: 2, ads_excluded: 1 };

  test("the rate is of the answers beside which they could be seen", () => {
    assert.deepEqual(valueOf("ad_rate", answers), [2 / 4, 4, missing]);
  });

  test("of a surface that does not expose them there is no figure, and the reason is counted", () => {
    for (const measure of ["ad_rate", "ad_share", "own_ad_rate", "own_ad_share"] as const) {
      const [row] = rowsOf([answer({}), answer({ ...excluded })], { measure });
      assert.deepEqual(
        [row?.thesePrompts.value, row?.thesePrompts.interval, row?.thesePrompts.reason?.code, row?.leftOut],
        [null, null, "too_few_answers", { ads_not_known: 1, ads_excluded: 1 }],
      );
    }
  });

  test("shares are of all advertisements, and an answer with one that hides its advertiser has none", () => {
    const hidden = answer({ ads: [ad("a.example"), { advertiser: null, host: "", domain: "" }] });
    const ofDomain = (domain: string) => {
      const [row] = rowsOf([...answers, hidden], { measure: "ad_share", domain });
      return [row?.thesePrompts.value, row?.thesePrompts.answers, row?.leftOut];
    };
    assert.deepEqual(ofDomain("own.example"), [2 / 5, 4, { ...missing, advertiser_hidden: 1 }]);
    assert.deepEqual(ofDomain("rival.example"), [1 / 5, 4, { ...missing, advertiser_hidden: 1 }]);
    assert.deepEqual(ofDomain("gone.example"), [0, 4, { ...missing, advertiser_hidden: 1 }]);
  });

  test("an entity's are those that lead to its sites or state one of its names, and no others", () => {
    assert.deepEqual(valueOf("own_ad_rate", answers), [2 / 4, 4, missing]);
    assert.deepEqual(valueOf("own_ad_share", answers), [2 / 5, 4, missing]);
    const named = panelOf({
      prompts: ["p1"],
      entities: [{ ...brand("x", "own"), name: "Acme Mills", aliases: ["ACM"] }],
    });
    const by = ["ACME  mills®", "acm", "Acme Mills Outlet", "Acme", null].map((advertiser) =>
      answer({ ads: [ad("tracker.example", advertiser)] }),
    );
    const [row] = computeFigures(named, by, { measure: "own_ad_rate", entityId: "x", by: "none" });
    assert.equal(row?.thesePrompts.value, 2 / 5);
  });

  test("a rival advertises on a name in answers to prompts with that name, and only there", () => {
    const [own, rival] = [brand("own", "own", ["own.example"]), brand("rival", "competitor", ["rival.example"])];
    const second = brand("second", "own", ["second.example"]);
    const named = {
      ...panelOf({
        prompts: ["p1", "p2", "p3"],
        entities: [own, rival, second, brand("word", "other", ["word.example"])],
      }),
      prompts: [["own"], ["rival"], []].map((branded, n) => ({
        ...{ promptId: `p${n + 1}`, topic: null, intent: null },
        branded,
      })),
    };
    const beside = (promptId: string, ...hosts: string[]) => answer({ promptId, ads: hosts.map((host) => ad(host)) });
    const given = [
      beside("p1", "rival.example"),
      beside("p1", "own.example", "second.example", "word.example", "stranger.example"),
      beside("p1"),
      answer({ promptId: "p1" }),
      beside("p2", "own.example"),
      beside("p2", "rival.example"),
      beside("p3", "rival.example", "own.example"),
    ];
    const of = (entityId: string) => {
      const [row] = computeFigures(named, given, { measure: "rival_ad_rate", entityId, by: "none" });
      return [row?.thesePrompts.value, row?.thesePrompts.answers, row?.brandedPromptsLeftOut, row?.leftOut];
    };
    assert.deepEqual(of("own"), [1 / 3, 3, 0, { unbranded_prompt: 3, ads_not_known: 1 }]);
    assert.deepEqual(of("rival"), [1 / 2, 2, 0, { unbranded_prompt: 5 }]);
    assert.deepEqual(of("second"), [null, 0, 0, { unbranded_prompt: 7 }]);
  });

  test("they are split by platform, country and prompt, and have intervals as other shares have", () => {
    const week = [1, 2, 3, 4, 5, 6, 7].flatMap((day) =>
      ["US", "DE"].flatMap((locale) =>
        ["p1", "p2"].map((promptId) =>
          answer({
            ...on(day),
            locale,
            promptId,
            ads: locale === "US" && promptId === "p1" ? [ad("own.example")] : [],
          }),
        ),
      ),
    );
    const rows = rowsOf(week, { measure: "ad_rate" });
    assert.deepEqual(
      rows.map(({ group, thesePrompts: { value, interval } }) => [group.locale, value, interval !== null]),
      [
        ["DE", 0, true],
        ["US", 0.5, true],
      ],
    );
    assert.deepEqual(
      rowsOf(week, { measure: "ad_rate", by: "prompt", locale: "US" }).map(({ group, thesePrompts }) => [
        group.promptId,
        thesePrompts.value,
      ]),
      [
        ["p1", 1],
        ["p2", 0],
      ],
    );
  });

  test("from public records, they are read as they were observed, and records of earlier versions know of none", () => {
    const record = (more: object) => ({
      ...{ observationId: "o", taskId: null, observedAt: "2026-01-01T00:00:00.000Z", recordedAt: "", contentLength: 1 },
      cell: { panelRevision: 1, runId: null, promptId: "p1", platformCode: "sim", locale: "", persona: "", repeat: 1 },
      instrument: answer({}).instrument,
      ...{ searchCount: null, durationMs: null, chargedPoints: 0, flags: [], sources: [], mentions: [], cards: [] },
      ...more,
    });
    const of = (more: object) => {
      const { ads, adsExcluded } = answerOf(record(more));
      return [ads, adsExcluded];
    };
    assert.deepEqual(of({}), [undefined, undefined]);
    assert.deepEqual(of({ adAvailability: "shown", ads: [{ ...ad("a.example"), position: 1 }] }), [
      [ad("a.example")],
      undefined,
    ]);
    assert.deepEqual(of({ adAvailability: "none", ads: [] }), [[], undefined]);
    for (const availability of ["signed_in_state", "country_without_ads"])
      assert.deepEqual(of({ adAvailability: availability, ads: [] }), [undefined, true]);
    for (const availability of ["not_exposed", "not_requested", "parse_failed", null])
      assert.deepEqual(of({ adAvailability: availability, ads: [] }), [undefined, undefined]);
  });
});

suite("stability", () => {
  const cites = (...hosts: string[]) => ({ sources: hosts.map((host) => source(`https://${host}.example/`)) });

  test("answers of a day are compared with each other, and one answer with nothing", () => {
    const one = [answer({ ...on(1), ...cites("a", "b") })];
    assert.deepEqual(valueOf("source_agreement_within_days", one), [null, 0, { nothing_to_compare: 1 }]);
    const two = [...one, answer({ ...on(1), ...cites("a", "c") }), answer({ ...on(2), ...cites("a", "b") })];
    assert.deepEqual(valueOf("source_agreement_within_days", two), [1 / 3, 2, { nothing_to_compare: 1 }]);
  });

  test("days are compared in pairs, each once: one run gives null, and three days one pair", () => {
    const days = [1, 2, 3].map((day) =>
      answer({ ...on(day), mentions: day === 2 ? ["rival", "own"] : ["own", "rival"] }),
    );
    for (const measure of [
      "order_agreement_between_days",
      "first_place_changes",
      "source_agreement_between_days",
    ] as const)
      assert.equal(valueOf(measure, days.slice(0, 1))[0], null);
    assert.deepEqual(valueOf("first_place_changes", days), [1, 2, { nothing_to_compare: 1 }]);
    const [rbo] = valueOf("order_agreement_between_days", days);
    assert.ok(typeof rbo === "number" && Math.abs(rbo - 0.9) < 1e-12);
    // Four runs, three of which are of one day.
    const runs = [1, 1, 1, 2].map((day, run) =>
      answer({ ...on(day), runId: `run-${9 - run}`, mentions: run === 1 ? ["rival", "own"] : ["own", "rival"] }),
    );
    assert.deepEqual(valueOf("first_place_changes_between_runs", runs), [1 / 2, 4, {}]);
    const [ofRuns] = rowsOf(runs, { measure: "first_place_changes_between_runs" });
    assert.equal(
      ofRuns?.thesePrompts.reason?.detail,
      "Too few pairs of neighbouring runs for an interval: there are 2, and 5 are needed, 3 more.",
    );
    const [row] = rowsOf(days, { measure: "first_place_changes" });
    assert.deepEqual(
      [row?.thesePrompts.reason?.code, row?.thesePrompts.reason?.missing, row?.thesePrompts.reason?.detail],
      [
        "too_few_pairs_of_days",
        4,
        "Too few pairs of neighbouring days for an interval: there are 1, and 5 are needed, 4 more.",
      ],
    );
  });

  test("platforms are compared in pairs, by prompt, locale, persona and run", () => {
    const answers = [
      answer({ ...on(1), ...cites("a", "b") }),
      answer({ ...on(1), platformCode: "other", ...cites("a") }),
      answer({ ...on(1), platformCode: "other", locale: "DE", ...cites("a", "b") }),
      answer({ ...on(2), kind: "web", ...cites("a") }),
    ];
    const rows = rowsOf(answers, { measure: "platform_source_agreement" });
    assert.deepEqual(
      rows.map(({ group, thesePrompts }) => [
        group.platformCode,
        group.otherPlatformCode,
        group.otherKind,
        thesePrompts.value,
      ]),
      [
        ["other", "sim", "api", 0.5],
        ["other", "sim", "web", null],
        ["sim", "sim", "web", null],
      ],
    );
    assert.equal(rowsOf(answers, { measure: "platform_source_agreement", platformCode: "other" }).length, 2);
  });
});

suite("answers", () => {
  test("what is not reported is left out, and a failed platform's empty answers are not usable ones", () => {
    const answers = [
      answer({ searchCount: 4, durationMs: 1000, chargedPoints: 3, contentLength: 10 }),
      answer({ searchCount: 0, durationMs: 3000, chargedPoints: 3, contentLength: 30 }),
      answer({ chargedPoints: 3, contentLength: 0, flags: ["empty"] }),
    ];
    assert.deepEqual(valueOf("search_count", answers), [2, 2, { not_reported: 1 }]);
    assert.deepEqual(valueOf("time_to_answer", answers), [2000, 2, { not_reported: 1 }]);
    assert.deepEqual(valueOf("answer_length", answers), [20, 2, { no_text: 1 }]);
    assert.deepEqual(valueOf("empty_rate", answers), [1 / 3, 3, {}]);
    assert.deepEqual(valueOf("price_per_answer", answers), [4.5, 3, {}]);
    assert.deepEqual(valueOf("price_per_answer", [answer({ kind: "imported" })]), [null, 0, { not_reported: 1 }]);
  });
});

suite("any answers", () => {
  const text = fc.oneof(
    fc.constantFrom("own", "rival", "word", "a.example", "", "__proto__", "constructor"),
    fc.string(),
  );
  const anyAnswer = fc
    .record({
      promptId: fc.constantFrom("p1", "p2", "gone", "__proto__"),
      platformCode: fc.constantFrom("sim", "other"),
      kind: fc.constantFrom("api" as const, "web" as const, "imported" as const),
      runId: fc.option(fc.constantFrom("r1", "r2", "r3", "r4", "r5", "r6")),
      observedAt: fc.constantFrom(
        "2026-01-01T00:00:00.000Z",
        "2026-01-01T23:59:59.999Z",
        "2026-01-02T00:00:00.000Z",
        "2026-02-01T00:00:00.000Z",
      ),
      mentions: fc.array(text, { maxLength: 6 }),
      sources: fc.array(fc.record({ host: text, domain: text, type: fc.option(text) }), { maxLength: 5 }),
      flags: fc.array(fc.constantFrom("empty", "opaque_sources", "not_exposed:sources", "nonsense"), { maxLength: 2 }),
      matcher: fc.option(fc.constantFrom("1-icu", "2-icu", "3-icu", "")),
      searchCount: fc.option(fc.nat()),
      durationMs: fc.option(fc.nat()),
      chargedPoints: fc.nat(),
    })
    .map(answer);

  test("give rows whose answers add up, whose rates are rates, and whose missing parts have reasons", () => {
    fc.assert(
      fc.property(
        fc.array(anyAnswer, { maxLength: 40 }),
        fc.constantFrom(...measureIds),
        fc.constantFrom("none" as const, "prompt" as const, "topic" as const, "run" as const, "day" as const),
        (answers, measure, by) => {
          const window = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
          const rows = rowsOf(answers, { measure, by, ...window });
          let total = 0;
          for (const { thesePrompts, promptsLikeThese, leftOut } of rows) {
            total += thesePrompts.answers + Object.values(leftOut).reduce((sum, count) => sum + count, 0);
            for (const { value, interval, reason, answers: used } of [thesePrompts, promptsLikeThese]) {
              assert.ok(value === null || Number.isFinite(value));
              assert.ok((interval === null) === (reason !== null));
              assert.ok(used > 0 || value === null);
              if (value !== null && measureOf(measure).kind === "rate") assert.ok(value >= 0 && value <= 1 + 1e-12);
              if (interval !== null) assert.ok(interval.low <= interval.high);
            }
          }
          const inWindow = answers.filter(({ observedAt }) => observedAt < "2026-02-01");
          if (measure !== "platform_source_agreement") assert.equal(total, inWindow.length);
        },
      ),
      { numRuns: 1000, seed: 1 },
    );
  });

  test("500 mentions of 500 entities are counted", () => {
    const mentions = Array.from({ length: 500 }, (_, n) => (n === 499 ? "own" : n === 0 ? "rival" : `e${n}`));
    assert.deepEqual(valueOf("mention_share", [answer({ mentions })]), [0.5, 1, {}]);
  });

  test("an entity, domain or type that a measure needs is required", () => {
    const given = { entityId: "unknown" };
    assert.throws(() => computeFigures(panel, [], { measure: "presence", by: "none", ...given }), RangeError);
    assert.throws(() => computeFigures(panel, [], { measure: "citation_rate", by: "none" }), RangeError);
    assert.throws(() => computeFigures(panel, [], { measure: "type_citation_rate", by: "none" }), RangeError);
  });
});

test("every measure has one definition and says everything in full sentences", () => {
  assert.deepEqual(
    measures.map(({ id }) => id),
    [...measureIds],
  );
  assert.equal(new Set(measures.map(({ definition }) => definition)).size, measures.length);
  for (const { counts, leavesOut } of measures) for (const words of [counts, leavesOut]) assert.match(words, /\.$/u);
});
