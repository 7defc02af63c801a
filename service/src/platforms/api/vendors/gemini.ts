import { createGoogle } from "@ai-sdk/google";
import { askModel } from "../wire/ask-model.ts";
import type { Vendor } from "../vendor.ts";

/** generateContent, grounded in Google Search. */
export const gemini: Vendor = {
  code: "gemini",
  name: "Google Gemini",
  defaults: {
    url: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GEMINI_API_KEY",
    model: "gemini-pro-latest",
    thinking: { normal: "default", deep: "high" },
  },
  returns: ["sources", "media", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "media", "searchProcess"],
  searches: true,
  async send(asking, fetch) {
    const { upstream, model, key, deep } = asking;
    const provider = createGoogle({ apiKey: key, baseURL: upstream.url, fetch });
    await askModel(provider(model), asking, {
      ...(upstream.search ? { tools: { google_search: provider.tools.googleSearch({}) } } : {}),
      ...(deep ? { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } } : {}),
    });
  },
  extras: {},
};
