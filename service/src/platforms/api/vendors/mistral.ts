import type { Vendor } from "../vendor.ts";
import { postJson } from "../wire/post-json.ts";

/**
 * The Conversations API: the one of Mistral's that searches. The SDK speaks its chat completions alone, which have no
 * search, so this request is written here.
 */
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
  async send(asking, fetch) {
    const { upstream, model, text } = asking;
    const tools = upstream.search ? [{ type: "web_search" }] : [];
    await postJson(asking, "/conversations", { model, inputs: text, tools, stream: false, store: false }, fetch);
  },
  extras: {},
};
