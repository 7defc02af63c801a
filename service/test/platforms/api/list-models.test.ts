/** `querentd platform models`, against a server of our own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { completeUpstream, isListed, listModels } from "../../../src/platforms/api/index.ts";
import { startReplayServer } from "../../harness/replay-server.ts";
import { key } from "./ask-api.ts";

const data = (...ids: string[]) => JSON.stringify({ object: "list", data: ids.map((id) => ({ id, object: "model" })) });

test("the list of each vendor is at its path, asked for with the key", async () => {
  await using server = await startReplayServer({ body: data("b", "a", "a") });
  for (const [api, path, header] of [
    ["openai", "/models", "authorization"],
    ["anthropic", "/models?limit=1000", "x-api-key"],
    ["gemini", "/models?pageSize=1000", "x-goog-api-key"],
    ["perplexity", "/v1/models", "authorization"],
  ] as const) {
    server.requests.length = 0;
    const list = await listModels(completeUpstream(api, { url: server.url }), key);
    assert.deepEqual(list, { kind: "listed", models: ["a", "b"] });
    const request = server.requests[0] ?? assert.fail("no request");
    assert.deepEqual([request.method, request.path], ["GET", path]);
    assert.ok(String(request.headers[header]).endsWith(key));
  }
});

test("models are found under either name, and presets are not looked for", async () => {
  await using server = await startReplayServer({ body: JSON.stringify({ models: [{ name: "models/gemini-x" }] }) });
  const gemini = completeUpstream("gemini", { url: server.url });
  const list = await listModels(gemini, key);
  assert.ok(list.kind === "listed");
  assert.ok(isListed(gemini, "gemini-x", list.models) && isListed(gemini, "models/gemini-x", list.models));
  assert.ok(!isListed(gemini, "gemini-y", list.models));
  const perplexity = completeUpstream("perplexity");
  assert.ok(isListed(perplexity, "low", []));
  assert.ok(!isListed(perplexity, "perplexity/gone", []));
});

test("each failure is told in a sentence, without the key", async () => {
  for (const [status, body, message] of [
    [401, `{"error":"${key}"}`, "It does not accept the key (status 401)."],
    [404, "", "It has no list of models (status 404)."],
    [500, "", "It replied with status 500."],
    [200, "<html>", "The response contains no list of models."],
    [200, data("x".repeat(9 * 1024 * 1024)), "Its reply is larger than 8 MiB."],
  ] as const) {
    await using server = await startReplayServer({ status, body });
    const list = await listModels(completeUpstream("openai", { url: server.url }), key);
    assert.deepEqual(list, { kind: "failed", message });
  }
  const nowhere = completeUpstream("openai", { url: "http://127.0.0.1:1" });
  assert.deepEqual(await listModels(nowhere, key), {
    kind: "failed",
    message: "It cannot be reached (ECONNREFUSED).",
  });
});
