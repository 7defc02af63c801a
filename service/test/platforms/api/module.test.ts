/** Adapters of the operator's own: the example, and what is told of those that are broken. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { startReplayServer } from "../../harness/replay-server.ts";
import { startTestService } from "../../harness/service.ts";
import { composeResult } from "../../../src/answers/index.ts";
import { modulePlatform } from "../../../src/platforms/index.ts";
import { ask, observedAt, question } from "./ask-api.ts";

const example = join(import.meta.dirname, "../../../../examples/adapters/headlines.mjs");
const folder = mkdtempSync(join(tmpdir(), "querent-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const news = JSON.stringify({
  items: [
    { title: "Harvest [late]", link: "https://news.example/harvest", day: "2026-11-01" },
    { title: "Prices", link: "https://news.example/prices?a=(1)" },
  ],
});

const load = (url: string) => modulePlatform(example, { code: "headlines", environment: { HEADLINES_URL: url } });

describe("the example adapter", () => {
  test("has fewer than 60 lines", () => {
    assert.ok(readFileSync(example, "utf8").trimEnd().split("\n").length < 60);
  });

  test("answers in a running service, named by its file", async () => {
    await using server = await startReplayServer({ body: news });
    const settings = join(folder, "platforms.yaml");
    writeFileSync(settings, `platforms: { headlines: { module: ${JSON.stringify(example)}, price: { base: 3 } } }`);
    const service = await startTestService({
      environment: { QUERENT_CONFIG: settings, HEADLINES_URL: `${server.url}/search` },
    });
    const account = await service.account();
    const task = await account.answerTo("coffee & prices", { platformCode: "headlines" });
    assert.equal(task.state, "completed");
    assert.equal(task.chargedPoints, 3);
    assert.equal(server.requests[0]?.path, "/search?q=coffee%20%26%20prices");
    assert.equal(
      task.content,
      "- [Harvest \\[late\\]](<https://news.example/harvest>)\n- [Prices](<https://news.example/prices?a=(1)>)",
    );
    assert.deepEqual(
      task.sources.map(({ url, site, publishedAt }) => [url, site, publishedAt]),
      [
        ["https://news.example/harvest", "news.example", "2026-11-01T00:00:00.000Z"],
        ["https://news.example/prices?a=(1)", "news.example", null],
      ],
    );
    assert.equal(task.availability?.reasoningProcess, "not_exposed");
    assert.equal(task.searchProcess?.length, 1);
  });

  test("reads a stored answer again as it did the first time", async () => {
    await using server = await startReplayServer({ body: news });
    const platform = await load(server.url);
    const outcome = await ask(platform);
    assert.ok(outcome.kind === "answered" && outcome.raw !== null);
    const again = await platform.reread?.(outcome.raw, question("How fine should I grind?", false), observedAt);
    assert.ok(again?.kind === "answered");
    const { options } = question("", false);
    assert.deepEqual(
      { ...composeResult(again.answer, platform, options), observedAt: null },
      { ...composeResult(outcome.answer, platform, options), observedAt: null },
    );
  });

  test("turns what goes wrong into outcomes", async () => {
    await using server = await startReplayServer();
    const platform = await load(server.url);
    const told = async (reply: { status?: number; body: string }) => {
      server.reply = reply;
      const outcome = await ask(platform);
      return "code" in outcome ? `${outcome.kind} ${outcome.code}` : outcome.kind;
    };
    assert.equal(await told({ status: 429, body: "" }), "throttled");
    assert.equal(await told({ status: 500, body: "" }), "retryable platform_unavailable");
    assert.equal(await told({ body: "<html>" }), "retryable platform_bad_response");
    assert.deepEqual(await ask(platform, { signal: AbortSignal.abort() }), { kind: "canceled" });
    assert.match((await modulePlatform(example, { code: "x", environment: {} })).missing ?? "", /HEADLINES_URL/);
  });
});

describe("a broken adapter", () => {
  const broken = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return modulePlatform(path, { code: "mine", environment: {} });
  };

  test("is told when it is loaded, by the platform's code and the file", async () => {
    await assert.rejects(
      modulePlatform(join(folder, "nonesuch.mjs"), { code: "mine", environment: {} }),
      /^Error: mine: the adapter .*nonesuch\.mjs can't be loaded/,
    );
    await assert.rejects(broken("a.mjs", "export const x = ;"), /mine: the adapter .*a\.mjs can't be loaded/);
    await assert.rejects(broken("b.mjs", "export const x = 1;"), /exports no function `createPlatform`/);
    await assert.rejects(
      broken("c.mjs", "export const createPlatform = () => ({});"),
      /gave nothing that can be asked/,
    );
  });

  test("that gives no outcome fails the task, not the service", async () => {
    const platform = await broken(
      "d.mjs",
      "export const createPlatform = () => ({ ask: async () => ({ kind: 'fine' }) });",
    );
    await assert.rejects(ask(platform), /returned no outcome/);
  });
});

test("the page on adapters shows the example as it is", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/how-to/write-an-adapter.md"), "utf8");
  assert.ok(page.includes(`\`\`\`js\n${readFileSync(example, "utf8")}\`\`\``));
});
