/** What vendors state that an answer costs, in the form of each. Where it was looked up, the page and the day stand beside it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Consumption } from "../../../src/kernel/consumption.ts";
import { observedAt, platformAt, question } from "./ask-api.ts";

function consumed(api: string, ...documents: unknown[]): Consumption | null {
  // Several turns are stored as a list.
  const body = JSON.stringify(documents.length === 1 ? documents[0] : documents);
  const mediaType = `application/json; api=${api}`;
  const outcome = platformAt(api, "http://127.0.0.1:9").reread({ mediaType, body }, question("?", false), observedAt);
  assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
  return outcome.consumption;
}

const chat = (usage: object) => ({
  choices: [{ finish_reason: "stop", message: { content: "Yes." } }],
  usage: { prompt_tokens: 100, completion_tokens: 20, ...usage },
});
const tokens = { inputTokens: 100, outputTokens: 20, searches: null };

// https://docs.x.ai/developers/cost-tracking.md (2026-11-22): 10,000,000,000 ticks are a dollar.
test("xAI states the cost in ticks", () => {
  const usage = { input_tokens: 100, output_tokens: 20, cost_in_usd_ticks: 37_756_000 };
  const document = {
    object: "response",
    status: "completed",
    output: [{ type: "message", content: [{ type: "output_text", text: "Yes." }] }],
    usage,
  };
  assert.deepEqual(consumed("xai", document), { ...tokens, searches: 0, statedUsd: 0.0037756 });
});

// https://openrouter.ai/docs/use-cases/usage-accounting (2026-11-22).
test("OpenRouter states what it charges, and what a provider charges whose key is the operator's own", () => {
  const details = { cost_details: { upstream_inference_cost: 0.25 } };
  assert.deepEqual(consumed("openrouter", chat({ cost: 0.5, ...details })), { ...tokens, statedUsd: 0.5 });
  assert.deepEqual(consumed("openrouter", chat({ cost: 0.5, is_byok: false, ...details }))?.statedUsd, 0.5);
  assert.deepEqual(consumed("openrouter", chat({ cost: 0.5, is_byok: true, ...details }))?.statedUsd, 0.75);
  assert.deepEqual(consumed("openrouter", chat({ cost: 0 }))?.statedUsd, 0);
  assert.equal(consumed("openrouter", chat({ cost: 0.5, is_byok: true }))?.statedUsd, undefined);
});

test("Perplexity itemizes the cost, of which only dollars count", () => {
  const cost = { currency: "USD", input_cost: 0.1, total_cost: 0.3 };
  assert.equal(consumed("perplexity", chat({ cost }))?.statedUsd, 0.3);
  assert.equal(consumed("perplexity", chat({ cost: { total_cost: 0.3 } }))?.statedUsd, 0.3);
  assert.equal(consumed("perplexity", chat({ cost: { ...cost, currency: "EUR" } }))?.statedUsd, undefined);
  for (const wrong of ["0.3", null, [], { total_cost: "0.3" }])
    assert.deepEqual(consumed("perplexity", chat({ cost: wrong })), tokens);
});

test("tokens from a cache are told apart, wherever a vendor counts them", () => {
  for (const usage of [
    { prompt_tokens_details: { cached_tokens: 64 } },
    { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 },
    { cached_tokens: 64 },
  ])
    assert.deepEqual(consumed("kimi", chat(usage)), { ...tokens, cachedTokens: 64 });
  const claude = (content: string) => ({
    type: "message",
    content: [{ type: "text", text: content }],
    stop_reason: "end_turn",
    usage: { input_tokens: 36, cache_read_input_tokens: 64, output_tokens: 20 },
  });
  assert.deepEqual(consumed("anthropic", claude("Yes.")), { ...tokens, cachedTokens: 64 });
  const gemini = {
    candidates: [{ content: { parts: [{ text: "Yes." }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, cachedContentTokenCount: 64 },
  };
  assert.deepEqual(consumed("gemini", gemini), { ...tokens, searches: 0, cachedTokens: 64 });
});

test("the turns of an answer are added up", () => {
  const first = { ...chat({ cost: 0.25, cached_tokens: 10 }) };
  const second = { ...chat({ cost: 0.5, cached_tokens: 20 }) };
  const sum = { inputTokens: 200, outputTokens: 40, searches: null, cachedTokens: 30, statedUsd: 0.75 };
  assert.deepEqual(consumed("openai-compatible", first, second), sum);
});
