import type { Vendor } from "./vendor.ts";

/** The Conversations API: Mistral's chat completions have no search. */
export const mistral: Vendor = {
  code: "mistral",
  name: "Mistral",
  defaults: {
    url: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    model: "mistral-medium-latest",
    deepModel: "magistral-medium-latest",
  },
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request({ upstream, model, text }) {
    const tools = upstream.search ? [{ type: "web_search" }] : [];
    return { path: "/conversations", body: { model, inputs: text, tools, stream: false, store: false } };
  },
  extras: {},
};
