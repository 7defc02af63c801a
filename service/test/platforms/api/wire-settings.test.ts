/** What settings change in a request: the header of the key, and models that take their thinking in another form. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { completeUpstream, vendors, type UpstreamChange } from "../../../src/platforms/api/index.ts";
import { startReplayServer, type ReplayServer } from "../../harness/replay-server.ts";
import { ask, key, platformAt } from "./ask-api.ts";

let server: ReplayServer;
before(async () => {
  server = await startReplayServer();
});
beforeEach(() => {
  server.requests.length = 0;
});
after(() => server.close());

async function sent(api: string, change: UpstreamChange, deep = false) {
  await ask(platformAt(api, server.url, change), { deep });
  return server.requests.at(-1) ?? assert.fail("no request");
}

describe("whatever the vendor", () => {
  for (const { code } of vendors) {
    test(`${code} carries the key in the header that the settings name, and in no other`, async () => {
      const { headers } = await sent(code, { keyHeader: "x-gateway-key" });
      const carriers = Object.entries(headers).filter(([, value]) => String(value).includes(key));
      assert.deepEqual(carriers, [["x-gateway-key", key]]);
    });

    test(`${code} sends no header for a key where none is needed`, async () => {
      const { headers } = await sent(code, { keyVariable: null });
      const named = Object.keys(headers).filter((name) => /authorization|key/u.test(name));
      assert.deepEqual(named, []);
    });
  }
});

const least = (change: UpstreamChange): UpstreamChange => ({ ...change, thinking: { normal: "none", deep: "high" } });
const level = (thinkingLevel: string) => ({ thinkingConfig: { thinkingLevel } });

/** What the body says about thinking and tools, for a model that is not the built-in one. */
const cases: [api: string, change: UpstreamChange, deep: boolean, members: Record<string, unknown>][] = [
  [
    "anthropic",
    { model: "claude-sonnet-4-5" },
    true,
    { max_tokens: 64_000, thinking: { type: "enabled", budget_tokens: 38_400 }, output_config: undefined },
  ],
  [
    "anthropic",
    { model: "claude-opus-4-1", thinking: { normal: "low", deep: "high" } },
    false,
    { max_tokens: 19_200, thinking: { type: "enabled", budget_tokens: 3_200 }, output_config: undefined },
  ],
  [
    "anthropic",
    { model: "claude-opus-4-6" },
    true,
    { max_tokens: 32_000, thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
  ],
  // The least that each model accepts: some can't do without.
  ["anthropic", least({}), false, { thinking: { type: "between_tools" }, output_config: undefined }],
  ["anthropic", least({ model: "claude-haiku-5-5" }), false, { thinking: { type: "disabled" } }],
  ["anthropic", least({ model: "claude-sonnet-5" }), false, { thinking: { type: "disabled" } }],
  [
    "anthropic",
    least({ model: "claude-opus-5-5" }),
    false,
    { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
  ],
  ["openai", least({}), false, { reasoning: { effort: "low", summary: "detailed" } }],
  ["openai", least({ model: "gpt-6.1-sol" }), false, { reasoning: { effort: "low", summary: "detailed" } }],
  ["openai", least({ model: "gpt-5.5" }), false, { reasoning: { effort: "none" } }],
  [
    "gemini",
    { model: "gemini-2.5-flash" },
    true,
    { generationConfig: { thinkingConfig: { thinkingBudget: 24_576, includeThoughts: true } } },
  ],
  ["gemini", least({ model: "gemini-4-argon" }), false, { generationConfig: level("low") }],
  ["gemini", least({ model: "gemini-3-pro-preview" }), false, { generationConfig: level("low") }],
  ["gemini", least({ model: "gemini-3-flash-preview" }), false, { generationConfig: level("minimal") }],
  ["gemini", least({ model: "gemini-3.8-flash" }), false, { generationConfig: level("low") }],
  [
    "openai",
    { model: "gpt-4o", thinking: { normal: "low", deep: "high" } },
    false,
    { reasoning: undefined, include: ["web_search_call.action.sources"] },
  ],
  ["openai", { model: "my-model", background: false }, true, { reasoning: { effort: "high", summary: "auto" } }],
  ["groq", { model: "openai/gpt-oss-120b" }, true, { tools: [{ type: "browser_search" }], reasoning_effort: "high" }],
  ["mistral", { thinking: { normal: "none", deep: "low" } }, false, { completion_args: { reasoning_effort: "none" } }],
  ["mistral", { thinking: { normal: "none", deep: "low" } }, true, { completion_args: { reasoning_effort: "high" } }],
  ["mistral", { model: "magistral-medium-latest" }, true, { completion_args: undefined }],
  ["mistral", { model: "mistral-large-latest" }, true, { completion_args: undefined }],
  ["kimi", { model: "kimi-k2.6" }, false, { thinking: { type: "disabled" }, reasoning_effort: undefined }],
  ["kimi", { model: "kimi-k2.6" }, true, { thinking: { type: "enabled" }, reasoning_effort: undefined }],
  [
    "kimi",
    { thinking: { normal: "medium", deep: "default" } },
    true,
    { thinking: undefined, reasoning_effort: undefined },
  ],
  ["xai", { search: false }, false, { include: ["reasoning.encrypted_content"] }],
  // A list of no tools is refused.
  ["groq", { model: "qwen/qwen3-32b" }, false, { tools: undefined, tool_choice: undefined }],
];

describe("a model gets the switches that it knows", () => {
  for (const [api, change, deep, members] of cases) {
    test(`${api} ${JSON.stringify(change)}${deep ? ", deep" : ""}`, async () => {
      const body = (await sent(api, change, deep)).body as Record<string, unknown>;
      for (const [name, value] of Object.entries(members)) assert.deepEqual(body[name], value, name);
    });
  }
});

test("DeepSeek's search is requested of DeepSeek alone, unless the settings say otherwise", () => {
  assert.equal(completeUpstream("deepseek").search, true);
  assert.equal(completeUpstream("deepseek", { url: "https://api.deepseek.com/v1" }).search, true);
  assert.equal(completeUpstream("deepseek", { url: "https://models.example/v1" }).search, false);
  assert.equal(completeUpstream("deepseek", { url: "https://models.example/v1", search: true }).search, true);
  assert.equal(completeUpstream("qwen", { url: "https://models.example/v1" }).search, true);
});
