import { object, objects, string, parsedObject, type JsonObject } from "../body/json.ts";
import type { Reading } from "../read/reading.ts";
import { chatRequest, systemMessage } from "../requests/forms.ts";
import type { JsonBody, ModelQuestion, Vendor } from "../vendor.ts";

/** Compound systems search by themselves and list what they ran; gpt-oss models get the browser as a tool. */
export const groq: Vendor = {
  code: "groq",
  order: 7,
  name: "Groq",
  defaults: {
    url: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    model: "groq/compound",
    thinking: { normal: "default", deep: "high" },
  },
  keyPage: "https://console.groq.com/keys",
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request: (question) => chatRequest(question, switches(question)),
  extras: { more: readExecutedTools },
  documentation: {
    path: "/chat/completions",
    model: "groq/compound",
    search: null,
    page: "https://console.groq.com/docs/browser-automation",
    checked: "2026-11-22",
    unconfirmed: [],
  },
  options: {
    system: systemMessage,
    native: {
      domains: (body, { allow = [], deny = [] }) =>
        // Only compound systems have settings for their search.
        typeof body["model"] === "string" && body["model"].includes("compound") && body["compound_custom"] === undefined
          ? {
              ...body,
              search_settings: allow.length > 0 ? { include_domains: allow } : { exclude_domains: deny },
            }
          : body,
    },
    domains: { allowMax: 100, denyMax: 100, together: false },
    page: "https://console.groq.com/docs/web-search",
    checked: "2026-11-22",
    unconfirmed: ["domains"],
  },
};

function switches({ model, effort, upstream }: ModelQuestion): JsonBody {
  if (/(?:^|\/)compound/u.test(model)) {
    // A compound system decides for itself whether to search and how hard to think.
    return upstream.search ? {} : { compound_custom: { tools: { enabled_tools: [] } } };
  }
  return {
    ...(effort === "default" || effort === "none" ? {} : { reasoning_effort: effort }),
    ...(upstream.search && model.includes("gpt-oss")
      ? { tools: [{ type: "browser_search" }], tool_choice: "auto" }
      : {}),
  };
}

/** Groq's `executed_tools`: each search with its query and results. The numbers in `【1†L2】` do not refer to these. */
export function readExecutedTools(_document: JsonObject, message: JsonObject, reading: Reading): void {
  let searches = 0;
  for (const tool of objects(message["executed_tools"])) {
    const { query, url } = parsedObject(string(tool["arguments"]));
    const results = [...objects(object(tool["search_results"])["results"]), ...objects(tool["browser_results"])];
    for (const page of results) reading.addSource({ url: page["url"], title: page["title"], summary: page["content"] });
    if (string(query) !== "" || results.length > 0) {
      reading.addSearch(query, results);
      searches += 1;
    } else if (string(url) !== "") {
      reading.addOpened({ url });
    }
  }
  if (searches > 0) reading.consumption = { ...reading.consumption, searches };
}
