import { createOpenAI } from "@ai-sdk/openai";
import { askModel } from "../wire/ask-model.ts";
import { cancelResponse, pollResponses } from "../wire/poll.ts";
import type { Vendor } from "../vendor.ts";

/** The Responses API, with web search. Deep questions think hard, with a summary of the thoughts, in background mode. */
export const openai: Vendor = {
  code: "openai",
  name: "OpenAI",
  defaults: {
    url: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    model: "gpt-5.5",
    thinking: { normal: "default", deep: "high" },
    background: true,
  },
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  async send(asking, fetch) {
    const { upstream, model, key, deep } = asking;
    const provider = createOpenAI({ apiKey: key, baseURL: upstream.url, fetch });
    await askModel(provider.responses(model), asking, {
      ...(upstream.search ? { tools: { web_search: provider.tools.webSearch({}) } } : {}),
      providerOptions: {
        openai: {
          // A background run can be asked after only while it is stored.
          store: deep && upstream.background,
          // The SDK leaves thinking out for models that it does not know to think.
          ...(deep ? { forceReasoning: true, reasoningSummary: "auto" } : {}),
        },
      },
    });
  },
  body: ({ deep, upstream }, written) => (deep && upstream.background ? { ...written, background: true } : written),
  follow: ({ deep, upstream }) =>
    deep && upstream.background ? pollResponses(upstream.url, upstream.pollSeconds) : null,
  cancel: ({ upstream }) => cancelResponse(upstream.url),
  extras: {},
};
