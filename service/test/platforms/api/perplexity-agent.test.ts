/** Perplexity's Agent API: presets and models in requests; citations, steps and failures in responses. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { composeResult } from "../../../src/answers/index.ts";
import type { UpstreamChange } from "../../../src/platforms/api/index.ts";
import { startReplayServer, type ReplayServer } from "../../harness/replay-server.ts";
import { ask, platformAt, question } from "./ask-api.ts";

const own = (name: string) => readFileSync(join(import.meta.dirname, "responses", name), "utf8");

let server: ReplayServer;
before(async () => {
  server = await startReplayServer();
});
beforeEach(() => {
  server.requests.length = 0;
  server.reply = { body: own("perplexity-agent.json") };
});
after(() => server.close());

describe("the request", () => {
  test("names a preset, or a model with its provider, which must search", async () => {
    assert.deepEqual(await sent({ model: "fast" }), { preset: "fast", input: "Why?", store: false });
    assert.deepEqual(await sent({ model: "perplexity/sonar" }), {
      model: "perplexity/sonar",
      tools: [{ type: "web_search" }],
      tool_choice: { type: "web_search" },
      input: "Why?",
      store: false,
    });
    assert.deepEqual(await sent({ model: "perplexity/sonar", search: false }), {
      model: "perplexity/sonar",
      input: "Why?",
      store: false,
    });
  });

  test("contains the effort in the form of the Agent API, which has none for no reasoning", async () => {
    const thinking = (normal: "high" | "none") => ({ thinking: { normal, deep: "default" } }) as const;
    assert.deepEqual(((await sent(thinking("high"))) as { reasoning: unknown }).reasoning, { effort: "high" });
    assert.ok(!("reasoning" in (await sent(thinking("none")))));
  });
});

describe("the response", () => {
  test("has citations by the number of the page, not by the order of the citations", async () => {
    const annotated = own("perplexity-agent.json").replace(
      '"annotations": []',
      '"annotations": [{ "type": "url_citation", "url": "https://filters.example/test", "title": "Filters, tested" }]',
    );
    for (const body of [own("perplexity-agent.json"), annotated]) {
      server.reply = { body };
      const result = await resultOf();
      assert.equal(
        result.content,
        "Boil it once.[\\[2\\]](https://taps.example/boil) Use soft to medium water[\\[1\\]](https://water.example/hardness)[\\[3\\]](https://filters.example/test), see `taps[1]` in the manual[9].",
      );
      assert.equal(result.sources.length, 3);
    }
  });

  test("has each search with its pages, and the pages that were opened", async () => {
    const { searchProcess } = await resultOf();
    assert.deepEqual(
      searchProcess?.map(({ query, results }) => [query, results.map(({ url }) => url)]),
      [
        // Which of two queries found a page is not said.
        ["water hardness coffee", []],
        ["water for espresso", []],
        ["", ["https://water.example/hardness"]],
        ["filtered water coffee", ["https://filters.example/test"]],
      ],
    );
  });

  test("counts the searches that the vendor charges for", async () => {
    const outcome = await ask(platformAt("perplexity", server.url));
    assert.ok(outcome.kind === "answered");
    assert.deepEqual(outcome.consumption, {
      inputTokens: 120,
      outputTokens: 40,
      searches: 2,
      cachedTokens: 0,
      statedUsd: 0.0058,
    });
  });

  test("is a failure with the status 200 if the run failed or was canceled", async () => {
    for (const status of ["failed", "cancelled"]) {
      server.reply = { body: JSON.stringify({ object: "response", status, output: [], error: { message: "away" } }) };
      assert.notEqual((await ask(platformAt("perplexity", server.url))).kind, "answered", status);
    }
  });

  test("is the error that ends a stream, even if text came before", async () => {
    const [created, , ...rest] = own("perplexity-agent-stream.sse").split("\n\n");
    const failed = { type: "response.failed", sequence_number: 99, error: { type: "invalid_api_key", code: 401 } };
    const events = [created, ...rest.slice(0, -2), `data: ${JSON.stringify(failed)}`, ""];
    server.reply = { headers: { "content-type": "text/event-stream" }, body: events.join("\n\n") };
    const outcome = await ask(platformAt("perplexity", server.url));
    assert.ok(outcome.kind === "permanent");
    assert.equal(outcome.code, "platform_auth");
  });
});

async function sent(change: UpstreamChange): Promise<object> {
  server.requests.length = 0;
  await ask(platformAt("perplexity", server.url, change), { text: "Why?" });
  return server.requests[0]?.body as object;
}

async function resultOf() {
  const platform = platformAt("perplexity", server.url);
  const outcome = await ask(platform);
  assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
  return composeResult(outcome.answer, platform, question("?", false).options);
}
