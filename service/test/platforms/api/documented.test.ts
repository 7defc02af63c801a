/** What is sent, against the table of what the vendors document. Who changes a request or a model looks the page up, and dates it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { completeUpstream, vendors } from "../../../src/platforms/api/index.ts";
import { startReplayServer, type ReplayServer } from "../../harness/replay-server.ts";
import { ask, platformAt } from "./ask-api.ts";

/** The models in use, with the day on which they were looked up. */
const modelsInUse = [
  "openai gpt-6-astra 2026-11-29",
  "anthropic claude-sonnet-5-5 2026-11-29",
  "gemini gemini-pro-latest 2026-11-29, not confirmed",
  "perplexity low 2026-11-22",
  "xai grok-latest 2026-11-29, not confirmed",
  "mistral mistral-medium-latest 2026-11-22, not confirmed",
  "groq groq/compound 2026-11-22",
  "deepseek deepseek-flash 2026-11-22",
  "qwen qwen3.8-max 2026-11-29",
  "kimi kimi-k3 2026-11-22, not confirmed",
  "glm glm-5.3 2026-11-22, not confirmed",
  "doubao doubao-seed-evolving 2026-11-29, not confirmed",
  "openrouter openrouter/auto 2026-11-29, not confirmed",
];

let server: ReplayServer;
before(async () => {
  server = await startReplayServer({ body: "{}" });
});
after(() => server.close());

test("each default model is the documented one, with the day on which it was looked up", () => {
  const inUse = vendors.flatMap(({ code, defaults: { model }, documentation: facts }) => {
    if (facts === null) return [];
    return [`${code} ${model} ${facts.checked}${facts.unconfirmed.includes("model") ? ", not confirmed" : ""}`];
  });
  assert.deepEqual(inUse, modelsInUse);
});

for (const { code, documentation: facts } of vendors) {
  test(`the request of ${code} has the documented path, model and search tool`, async () => {
    if (facts === null) {
      assert.equal(code, "openai-compatible", "only the vendor without documentation of its own is not in the table");
      return;
    }
    server.requests.length = 0;
    await ask(platformAt(code, server.url));
    const request = server.requests[0] ?? assert.fail("no request");
    assert.equal(request.path, facts.path);
    assert.equal(completeUpstream(code).model, facts.model);
    const { tools } = request.body as { tools?: unknown };
    if (facts.search === null) assert.equal(tools, undefined);
    else assert.ok(JSON.stringify(tools).includes(`"${facts.search}"`), JSON.stringify(tools));
    if (facts.page === null) assert.deepEqual(facts.unconfirmed, ["path", "model", "search"]);
    else assert.ok(URL.canParse(facts.page));
    assert.ok(!Number.isNaN(Date.parse(facts.checked)));
  });
}
