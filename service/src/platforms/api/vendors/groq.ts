import { createGroq } from "@ai-sdk/groq";
import { object, objects, parsedObject, string, type JsonObject } from "../body/json.ts";
import type { Reading } from "../read/reading.ts";
import type { Vendor } from "../vendor.ts";
import { askModel } from "../wire/ask-model.ts";

/** Compound systems search by themselves and list what they ran; other models get the browser as a tool. */
export const groq: Vendor = {
  code: "groq",
  name: "Groq",
  defaults: {
    url: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    model: "groq/compound",
    thinking: { normal: "default", deep: "high" },
  },
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  async send(asking, fetch) {
    const { upstream, model, key, effort } = asking;
    const provider = createGroq({ apiKey: key, baseURL: upstream.url, fetch });
    const compound = isCompound(model);
    await askModel(provider(model), asking, {
      // A compound system decides for itself how hard to think.
      effort: compound ? "default" : effort,
      ...(upstream.search && !compound ? { tools: { browser_search: provider.tools.browserSearch({}) } } : {}),
    });
  },
  body: ({ upstream, model }, written) =>
    !upstream.search && isCompound(model) ? { ...written, compound_custom: { tools: { enabled_tools: [] } } } : written,
  extras: { more: readTools },
};

function isCompound(model: string): boolean {
  return /(?:^|\/)compound/u.test(model);
}

/** `executed_tools`: each search with its query and what it found; the numbers `【1†L2】` count what the model read, not these. */
export function readTools(_document: JsonObject, message: JsonObject, reading: Reading): void {
  for (const tool of objects(message["executed_tools"])) {
    const { query, url } = parsedObject(string(tool["arguments"]));
    const results = [...objects(object(tool["search_results"])["results"]), ...objects(tool["browser_results"])];
    for (const page of results) reading.addSource({ url: page["url"], title: page["title"], summary: page["content"] });
    if (string(query) !== "" || results.length > 0) reading.addSearch(query, results);
    else reading.addSource({ url });
  }
}
