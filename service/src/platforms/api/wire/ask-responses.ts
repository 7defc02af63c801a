import { createOpenAI } from "@ai-sdk/openai";
import type { Asking, Fetch } from "../vendor.ts";
import { askModel } from "./ask-model.ts";

/**
 * A question to a vendor that speaks OpenAI's Responses API in its own way: with its web search where it shall search, and
 * without asking for the sources' list, which such vendors do not know. How hard it thinks is the vendor's to write.
 */
export async function askResponses(asking: Asking, fetch: Fetch, openai: { store?: boolean } = {}): Promise<void> {
  const { upstream, model, key } = asking;
  const provider = createOpenAI({ apiKey: key, baseURL: upstream.url, fetch });
  await askModel(provider.responses(model), asking, {
    effort: "default",
    ...(upstream.search ? { tools: { web_search: provider.tools.webSearch({}) } } : {}),
    providerOptions: { openai: { includeWebSearchSources: false, ...openai } },
  });
}
