/** Every trouble that the example page can make gives the right whole answer, or the right failure; never half an answer. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { BrowserPool } from "../../../src/browser/index.ts";
import type { DriveReport } from "../../../src/platforms/index.ts";
import { testPool } from "../../harness/browser.ts";
import { waiting } from "../../harness/wait.ts";
import { ask, examplePage, platformOf, result } from "./fixture.ts";
import { smallPage } from "./small-page.ts";

const { pool } = testPool({ after });
const page = await examplePage();

const platform = (query = "", own: BrowserPool = pool) => platformOf(page.loaded(query), own);
const isWhole = (content: string | null) => {
  assert.match(content ?? "", /^## An example answer\n/);
  assert.match(content ?? "", /That is the end of the answer\.$/);
};
const codes = (outcome: Awaited<ReturnType<typeof ask>>) =>
  "code" in outcome ? [outcome.kind, outcome.code] : [outcome.kind];
/** Enough to open the page and read it, and less than the minute for which it stalls. */
const budgetMs = (atRest: number) => Math.min(50_000, atRest * waiting());

suite("an answer of a web page that makes trouble", { concurrency: 2 }, () => {
  for (const [knob, query] of [
    ["stall=6 a stall of six seconds in the middle", ""],
    ["late=3 sources that come three seconds late", ""],
    ["rerender=1 an answer that is thrown away and painted anew", ""],
    ["typing=3 paint that goes on after the request has ended, with a pause", ""],
    ["popup=1 something in the way", ""],
    ["a popup before the question", "?popup=1"],
    ["an area that scrolls by itself paragraphs=60", "?inner=1"],
    ["everything in shadow roots", "?shadow=1"],
    ["an editor instead of a field, with\nmore than one line", "?composer=editor"],
    ["an editor in a shadow root", "?composer=editor&shadow=1"],
    ["an old conversation above", "?old=1"],
    ["turns=2 a remark before the answer", ""],
  ] as const) {
    test(`is whole with ${knob}`, async () => {
      const { content, sources } = await result(platform(query), knob);
      isWhole(content);
      assert.equal(sources.length, 3);
    });
  }

  test("a list that holds only what it shows is read to its end", async () => {
    const { sources } = await result(platform(), "virtual=1 sources=40");
    assert.deepEqual(
      sources.map(({ title }) => title),
      Array.from({ length: 40 }, (_, index) => `Source ${index + 1}`),
    );
  });

  test("sources that the page tells of and that never come are told as not read", async () => {
    const loaded = page.loaded();
    const check = { of: "sources", count: "button.show-sources", settleSeconds: 1 } as const;
    const impatient = platformOf({ ...loaded, recipe: { ...loaded.recipe, checks: [check] } }, pool);
    const { content, sources, availability } = await result(impatient, "late=120");
    isWhole(content);
    assert.deepEqual(sources, []);
    assert.equal(availability.sources, "parse_failed");
  });

  for (const [question, query, outcome] of [
    ["login=after a wall after the question", "", ["permanent", "platform_auth"]],
    ["a wall before the question", "?login=1", ["permanent", "platform_auth"]],
    ["a human check", "?human=1", ["permanent", "platform_human_check"]],
    ["a human check with a status", "?human=1&status=403", ["permanent", "platform_human_check"]],
    ["error=middle a fault in the middle", "", ["retryable", "platform_unavailable"]],
    ["cut=1 a connection that ends in the middle", "", ["retryable", "platform_unavailable"]],
    ["status=503 a request that is refused", "", ["retryable", "platform_unavailable"]],
    ["status=429 patience asked for", "", ["throttled"]],
    ["status=401 a session that has ended", "", ["permanent", "platform_auth"]],
    ["a page that is not there", "?status=502", ["retryable", "platform_unavailable"]],
    ["a page that asks for patience", "?status=429", ["throttled"]],
  ] as const) {
    test(`fails with ${question}`, async () => {
      assert.deepEqual(codes(await ask(platform(query), question)), outcome);
    });
  }

  test("an answer that is not whole in time is a failure, and what was seen is kept", async () => {
    const kept: { text: string | null; failed: boolean }[] = [];
    const slow = platformOf(page.loaded(), pool, {
      onDriven: (snapshots, _question, failed) => kept.push({ text: snapshots.page, failed }),
    });
    const outcome = await ask(slow, "stall=60", { budgetMs: budgetMs(9_000) });
    assert.deepEqual(codes(outcome), ["retryable", "platform_timeout"]);
    assert.equal(kept[0]?.failed, true);
    assert.match(kept[0].text ?? "", /An example answer/);
    assert.doesNotMatch(kept[0].text ?? "", /the end of the answer/);
  });

  test("a recipe whose composer is not there fails as a page that has changed", async () => {
    const loaded = page.loaded();
    const composer = { input: "#gone", submit: { press: "Enter" }, timeoutSeconds: 1 };
    const outcome = await ask(platformOf({ ...loaded, recipe: { ...loaded.recipe, composer } }, pool), "Why?");
    assert.deepEqual(codes(outcome), ["retryable", "platform_bad_response"]);
  });

  for (const [what, change, question, signs] of [
    [
      "a composer that is gone",
      { composer: { input: "#gone", submit: { press: "Enter" }, timeoutSeconds: 1 } },
      "Why?",
      ["composer.input"],
    ],
    ["a mark of the end that is gone", { complete: { done: "#gone" } }, "Why?", ["complete.done"]],
    [
      "turns that are gone",
      { turn: { each: "#gone" }, complete: { done: "i", startSeconds: 2 } },
      "Why?",
      ["turn.each"],
    ],
    ["an answer that is only slow", {}, "stall=60", []],
    ["a wall of the page's own", {}, "login=after", null],
  ] as const) {
    test(`a failure tells what of the recipe did not hold: ${what}`, async () => {
      const reports: DriveReport[] = [];
      const loaded = page.loaded();
      const asked = platformOf({ ...loaded, recipe: { ...loaded.recipe, ...change } }, pool, {
        onReport: (report) => reports.push(report),
      });
      const outcome = await ask(asked, question, { budgetMs: budgetMs(12_000) });
      assert.notEqual(outcome.kind, "answered");
      assert.deepEqual(
        reports.map((report) => report.signs.map(({ sign, what: where }) => [sign, where])),
        signs === null ? [] : [signs.map((sign) => ["unmatched", sign])],
      );
    });
  }

  test("a failure tells what of the recipe did not hold, also if the page replies no more when the time is up", async () => {
    const reports: DriveReport[] = [];
    // The answer has been looked at by then.
    const script = `setTimeout(() => { for (;;); }, ${5000 * waiting()});`;
    const loaded = await smallPage({ script }, "complete: { done: .gone }\n");
    const asked = platformOf(loaded, pool, { onReport: (report) => reports.push(report) });
    assert.deepEqual(await ask(asked, "Why?", { budgetMs: 15_000 * waiting() }), {
      kind: "retryable",
      code: "platform_timeout",
      stage: "platform",
      message:
        "The answer was not whole when the time was up. Still missing was what the recipe's complete.done names.",
      platformStatus: null,
    });
    assert.deepEqual(reports[0]?.signs, [{ sign: "unmatched", what: "complete.done" }]);
  });

  test("a cancellation ends it at once", async () => {
    const stop = new AbortController();
    const asked = ask(platform(), "stall=60", { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("canceled")), 1500);
    assert.deepEqual(codes(await asked), ["canceled"]);
  });
});
