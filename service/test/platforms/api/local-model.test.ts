/** A real model server, where one runs: `LOCAL_MODEL_URL=http://127.0.0.1:11434/v1 LOCAL_MODEL=qwen3:0.6b npm test -- local-model`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, platformAt } from "./ask-api.ts";

const url = process.env["LOCAL_MODEL_URL"] ?? "";
const model = process.env["LOCAL_MODEL"] ?? "default";

test(
  "a local model server answers through `openai-compatible`",
  { skip: url === "" && "LOCAL_MODEL_URL names none" },
  async () => {
    const platform = platformAt("openai-compatible", url, { model, keyVariable: null, body: { max_tokens: 40 } });
    const outcome = await ask(platform, { text: "How fine should I grind for espresso?" });
    assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
    const [part] = outcome.answer.parts;
    assert.ok(part?.type === "markdown" && part.markdown.trim() !== "");
    assert.ok((outcome.answer.modelVersion ?? "").length > 0);
    assert.ok((outcome.consumption?.outputTokens ?? 1) > 0);
  },
);
