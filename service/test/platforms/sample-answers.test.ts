/** The answers of `sample`: what they quote and cite, and that they repeat. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { composeResult, mergeCards, readCards } from "../../src/answers/index.ts";
import { bundledCorpusFolder, samplePlatform, type CorpusProblem, type Platform } from "../../src/platforms/index.ts";

const observedAt = new Date("2026-11-01T09:30:00Z");
const problems: CorpusProblem[] = [];
let platform: Platform;

before(async () => {
  platform = await samplePlatform({
    folder: bundledCorpusFolder,
    clock: { now: () => observedAt },
    onProblem: (problem) => problems.push(problem),
  });
});

async function ask(text: string, deepAnalysis = false) {
  const options = { deepAnalysis, output: "answer", resultFormat: "json" } as const;
  const outcome = await platform.ask(
    { taskId: "task-1", text, options, attempt: 1 },
    { signal: new AbortController().signal },
  );
  assert.ok(outcome.kind === "answered");
  return composeResult(outcome.answer, platform, options);
}

test("the bundled documents are read without a problem", () => {
  assert.deepEqual(problems, []);
  assert.equal(platform.missing, null);
});

describe("an answer", () => {
  test("quotes passages as they stand and cites each document that it quotes", async () => {
    const { content, sources } = await ask("How do I make pour-over coffee?");
    const file = await readFile(join(bundledCorpusFolder, "pour-over.md"), "utf8");
    assert.equal(sources[0]?.url, "https://coffee.example/pour-over");
    const cards = readCards(content ?? "").length;
    const quoted = (content ?? "")
      .split("\n")
      .filter((line) => line.startsWith("> ") && !/^> (?:\*\*|!\[)/u.test(line))
      .map((line) => line.slice(2));
    assert.ok(cards > 0 && quoted.some((line) => file.includes(line)));
    for (const { title, url } of sources) assert.ok(content?.includes(`[${title}](${url})`), title);
  });

  test("is the same for the same question, every time", async () => {
    for (const deep of [false, true]) {
      assert.deepEqual(await ask("grind size for espresso", deep), await ask("grind size for espresso", deep));
    }
  });

  test("says so, without sources and cards, when nothing answers the question", async () => {
    for (const text of ["What is the capital of France?", "Who won the world cup in 2022?", "¿?!", "的"]) {
      const result = await ask(text);
      assert.match(result.content ?? "", /^(?:Nothing in the 27 documents|“Coffee at home”的 27 篇文档中没有)/u);
      assert.deepEqual([result.sources, mergeCards(result)], [[], []]);
    }
  });

  test("finds Chinese documents by Chinese questions, and answers in Chinese", async () => {
    const { content, sources } = await ask("咖啡豆如何保存？");
    assert.equal(sources[0]?.url, "https://coffee.example/zh/storage");
    assert.match(content ?? "", /^“Coffee at home”中的文档/u);
  });

  test("shows cards that match the question, after the document that they belong to, in one order", async () => {
    const result = await ask("How do I make pour-over coffee?");
    const cards = mergeCards(result);
    assert.ok(result.products.length > 0 && result.videos.length > 0);
    assert.deepEqual(
      cards.map(({ card }) => card.position),
      cards.map((_, index) => index + 1),
    );
    const content = result.content ?? "";
    const citation = content.indexOf("[Pour-over, step by step](");
    assert.ok(citation > 0 && citation < content.indexOf('"card 1")'));
  });

  test("has deep links with fallbacks in the catalogue", async () => {
    const { products } = await ask("Recommend a hand grinder");
    assert.equal(products[0]?.urlType, "app_deep_link");
    assert.ok(products[0].fallbackUrl?.startsWith("https://"));
  });

  test("names the collection and the hash of its contents as the model", async () => {
    assert.match((await ask("water")).modelVersion ?? "", /^sample-1 \(Coffee at home@[0-9a-f]{12}\)$/u);
  });
});

describe("deep analysis", () => {
  test("searches more than once and tells each query with what it found", async () => {
    const plain = await ask("French press or moka pot?");
    const deep = await ask("French press or moka pot?", true);
    assert.equal(plain.searchProcess?.length, 1);
    assert.ok((deep.searchProcess?.length ?? 0) > 3);
    assert.ok(deep.searchProcess?.every(({ query }) => query !== ""));
  });

  test("tells its steps; without it they are not requested", async () => {
    const deep = await ask("French press or moka pot?", true);
    assert.ok((deep.reasoningProcess?.length ?? 0) >= 5);
    assert.equal(deep.availability.reasoningProcess, "present");
    assert.equal((await ask("French press or moka pot?")).availability.reasoningProcess, "not_requested");
  });

  test("finds words that are misspelt", async () => {
    const { sources } = await ask("capuccino", true);
    assert.equal(sources[0]?.url, "https://coffee.example/milk");
  });
});

test("a canceled question is not answered", async () => {
  const outcome = await platform.ask(
    {
      taskId: "task-1",
      text: "water",
      attempt: 1,
      options: { deepAnalysis: false, output: "answer", resultFormat: "json" },
    },
    { signal: AbortSignal.abort() },
  );
  assert.deepEqual(outcome, { kind: "canceled" });
});
