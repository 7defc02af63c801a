import type { Effort, JsonBody, Vendor } from "../vendor.ts";

/** The Conversations API: Mistral's chat completions have no search. */
export const mistral: Vendor = {
  code: "mistral",
  order: 6,
  name: "Mistral",
  tracedAs: "mistral_ai",
  defaults: {
    url: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    model: "mistral-medium-latest",
    thinking: { normal: "default", deep: "high" },
  },
  keyPage: "https://console.mistral.ai/api-keys",
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request({ upstream, model, text, effort }) {
    const tools = upstream.search ? [{ type: "web_search" }] : [];
    const completion = thinkingOf(model, effort);
    return { path: "/conversations", body: { model, inputs: text, tools, ...completion, stream: false, store: false } };
  },
  extras: {},
  documentation: {
    path: "/conversations",
    model: "mistral-medium-latest",
    search: "web_search",
    page: "https://docs.mistral.ai/agents/tools/built-in/websearch",
    checked: "2026-11-22",
    unconfirmed: ["model"],
  },
  options: { system: (body, text) => ({ ...body, instructions: text }), page: null, checked: "2026-11-22" },
};

/** Two levels: `high` and `none`. Magistral models always think, and others never. */
function thinkingOf(model: string, effort: Effort): JsonBody {
  if (effort === "default" || !/^mistral-(?:medium|small)/u.test(model)) return {};
  return { completion_args: { reasoning_effort: effort === "none" ? "none" : "high" } };
}
