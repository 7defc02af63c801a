/** The directives of `simulator`, and that its answers repeat. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { failureCodes } from "@querent/contract";
import fc from "fast-check";
import { composeResult, mergeCards, readCards } from "../../src/answers/index.ts";
import { simulatorPlatform, type Outcome, type PlatformQuestion } from "../../src/platforms/index.ts";

const observedAt = new Date("2026-11-01T09:30:00Z");
const platform = simulatorPlatform({ clock: { now: () => observedAt } });
const options = { deepAnalysis: false, output: "answer", resultFormat: "json" } as const;

const ask = (
  text: string,
  changes: Partial<PlatformQuestion> = {},
  signal = new AbortController().signal,
): Promise<Outcome> => platform.ask({ taskId: "task-1", text, options, attempt: 1, ...changes }, { signal });

async function result(text: string, changes: Partial<PlatformQuestion> = {}) {
  const outcome = await ask(text, changes);
  assert.ok(outcome.kind === "answered");
  return composeResult(outcome.answer, platform, changes.options ?? options);
}

describe("an answer", () => {
  test("holds the question as text that is no Markdown", async () => {
    const { content, availability } = await result("# What\n> is **this**?");
    assert.ok(content?.endsWith("\n\n    # What\n    > is **this**?"));
    assert.equal(availability.sources, "none_on_platform");
  });

  test("is the same for the same question, every time", async () => {
    const text = "cards=product,video,map deeplink=1 sources=3 html=1";
    assert.deepEqual(await result(text, { taskId: "a" }), await result(text, { taskId: "b", attempt: 3 }));
  });

  test("has exactly as many bytes as `size` says", async () => {
    for (const size of [1, 2, 94, 95, 96, 300_000, 1024 * 1024]) {
      const { content } = await result(`size=${size}`);
      assert.equal(Buffer.byteLength(content ?? ""), size);
    }
  });

  test("shows the cards in the order given, of every kind", async () => {
    const composed = await result("please cards=product,video,image,product,weather");
    const labels = ["product", "video", "image", "product", "weather"];
    assert.deepEqual(
      mergeCards(composed).map(({ card }) => card.position),
      [1, 2, 3, 4, 5],
    );
    assert.deepEqual(
      readCards(composed.content ?? "").map(({ label }) => label),
      labels,
    );
    assert.ok(composed.content?.endsWith("Text after card 5."));
  });

  test("has app deep links and their fallbacks for deeplink=1", async () => {
    const { products } = await result("deeplink=1");
    assert.equal(products[0]?.urlType, "app_deep_link");
    assert.ok(products[0].url === products[0].deepLink && products[0].fallbackUrl?.startsWith("https://"));
  });

  test("has as many sources as `sources` says, and the search that found them", async () => {
    const composed = await result("sources=1000");
    assert.equal(composed.sources.length, 1000);
    assert.equal(composed.searchProcess?.length, 1);
  });

  test("for empty=1 is completed and says that the platform gave none", async () => {
    const { content, sources, availability } = await result("empty=1 sources=3 cards=product");
    assert.deepEqual([content, sources, availability.content], [null, [], "none_on_platform"]);
  });

  test("has a page for html=1, with the question as text", async () => {
    const { pageHtml, availability } = await result("html=1 <script>alert(1)</script>");
    assert.ok(pageHtml?.includes("&#60;script&#62;"));
    assert.equal(availability.pageHtml, "present");
  });

  test("tells its reasoning when deep analysis is asked for", async () => {
    const composed = await result("Why?", { options: { ...options, deepAnalysis: true } });
    assert.equal(composed.availability.reasoningProcess, "present");
  });
});

describe("fail", () => {
  for (const code of failureCodes) {
    test(`fail=${code} fails with that code`, async () => {
      const outcome = await ask(`fail=${code}`);
      assert.ok(outcome.kind === "retryable" || outcome.kind === "permanent");
      assert.equal(outcome.code, code);
    });
  }

  test("unavailable, timeout, rate limited and bad response are worth another try, the rest is not", async () => {
    const outcomes = await Promise.all(
      failureCodes.map(async (code) => [code, (await ask(`fail=${code}`)).kind] as const),
    );
    assert.deepEqual(
      outcomes.filter(([, kind]) => kind === "retryable").map(([code]) => code),
      ["platform_unavailable", "platform_timeout", "platform_rate_limited", "platform_bad_response"],
    );
  });

  test("@2 fails the first two attempts and answers the third", async () => {
    const kinds = await Promise.all(
      [1, 2, 3].map(async (attempt) => (await ask("fail=platform_unavailable@2", { attempt })).kind),
    );
    assert.deepEqual(kinds, ["retryable", "retryable", "answered"]);
  });
});

describe("throttle", () => {
  test("asks each task for patience once, though its attempt stays the same", async () => {
    const first = await ask("throttle=3s", { taskId: "throttled-1" });
    assert.deepEqual(first, { kind: "throttled", retryAfterMs: 3_000, platformStatus: 429 });
    assert.equal((await ask("throttle=3s", { taskId: "throttled-1" })).kind, "answered");
    assert.equal((await ask("throttle=3s", { taskId: "throttled-2" })).kind, "throttled");
  });
});

describe("delay", () => {
  test("answers after the time given", async () => {
    const started = performance.now();
    await ask("delay=50ms");
    assert.ok(performance.now() - started >= 45);
  });

  test("ends at once when the task is canceled, and leaves no timer or listener", async () => {
    const controller = new AbortController();
    const outcome = ask("delay=30m", {}, controller.signal);
    controller.abort();
    assert.deepEqual(await outcome, { kind: "canceled" });
    assert.deepEqual(await ask("anything", {}, controller.signal), { kind: "canceled" });
  });
});

describe("a directive that can't be followed", () => {
  for (const directive of [
    "delay=soon",
    "delay=2",
    "delay=31m",
    "delay=-1s",
    "delay=",
    "throttle=1h",
    "fail=nothing",
    "fail=internal@0",
    "fail=internal@x",
    "size=0",
    "size=1048577",
    "size=1e3",
    "cards=",
    "cards=car",
    `cards=${"product,".repeat(200)}product`,
    "deeplink=yes",
    "sources=1001",
    "empty=2",
    "html=true",
    "sources=1 sources=2",
  ]) {
    test(`${directive.slice(0, 40)} is refused, naming it`, async () => {
      const outcome = await ask(`Please ${directive} now`);
      assert.ok(outcome.kind === "permanent" && outcome.code === "platform_refused");
      assert.ok(outcome.message.includes(directive.slice(0, directive.indexOf("="))), outcome.message);
      assert.ok(outcome.message.length < 600);
    });
  }

  test("other words with = in them, and keys inside of words, are no directives", async () => {
    for (const text of ["Is E=mc2, a=b, mydelay=x?", "x.size=huge", "==", "Delay=2s"]) {
      assert.equal((await ask(text)).kind, "answered", text);
    }
  });

  test("punctuation around a directive does not belong to it", async () => {
    assert.equal(
      (await result("Answer (sources=2), please: “cards=video”. 请 sources=2。".replace("sources=2。", ""))).sources
        .length,
      2,
    );
  });

  test("no question at all makes it throw", async () => {
    const word = fc.oneof(
      fc.constantFrom("fail=", "size=", "cards=", "sources=", "@", "2", "product", ",", " ", "s", "throttle=1s"),
      fc.string({ unit: "binary", maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 12 }), async (words) => {
        const outcome = await ask(words.join(""));
        if (outcome.kind === "answered") composeResult(outcome.answer, platform, options);
      }),
      { numRuns: 300 },
    );
  });
});
