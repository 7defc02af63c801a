import { createXai } from "@ai-sdk/xai";
import { list, object, string } from "../body/json.ts";
import { askModel } from "../wire/ask-model.ts";
import type { Vendor } from "../vendor.ts";

/** The Responses API, with search of the web and of X. */
export const xai: Vendor = {
  code: "xai",
  name: "xAI Grok",
  defaults: {
    url: "https://api.x.ai/v1",
    keyVariable: "XAI_API_KEY",
    model: "grok-latest",
    thinking: { normal: "default", deep: "high" },
  },
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  async send(asking, fetch) {
    const { upstream, model, key, deep } = asking;
    const provider = createXai({ apiKey: key, baseURL: upstream.url, fetch });
    await askModel(provider.responses(model), asking, {
      ...(upstream.search
        ? { tools: { web_search: provider.tools.webSearch({}), x_search: provider.tools.xSearch({}) } }
        : {}),
      providerOptions: { xai: { store: false, ...(deep ? { reasoningSummary: "auto" } : {}) } },
    });
  },
  extras: {
    // Its chat completions, which gateways still speak, list addresses alone.
    pages: (document) =>
      list(document["citations"]).map((citation, index) => ({
        number: index + 1,
        url: string(citation) || object(citation)["url"],
        title: object(citation)["title"],
      })),
  },
};
