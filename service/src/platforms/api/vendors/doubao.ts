import { objects, type JsonObject } from "../body/json.ts";
import type { Page } from "../read/chat.ts";
import type { Vendor } from "../vendor.ts";
import { askResponses } from "../wire/ask-responses.ts";
import { thinkingSwitch } from "./thinking-switch.ts";

/** Volcengine Ark's Responses API, with web search. */
export const doubao: Vendor = {
  code: "doubao",
  name: "ByteDance Doubao",
  defaults: {
    url: "https://ark.cn-beijing.volces.com/api/v3",
    keyVariable: "ARK_API_KEY",
    model: "doubao-seed-2-0-pro-260215",
    thinking: { normal: "none", deep: "high" },
  },
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  send: (asking, fetch) => askResponses(asking, fetch, { store: false }),
  body: ({ effort }, written) => ({ ...written, ...thinkingSwitch(effort) }),
  extras: { pages: referencePages },
};

/** Ark's bots, over chat completions: `references`, numbered in their order. */
export function referencePages(document: JsonObject): Page[] {
  return objects(document["references"]).map((page, index) => ({
    number: index + 1,
    url: page["url"],
    title: page["title"],
    summary: page["summary"],
    site: page["site_name"],
    date: page["publish_time"],
  }));
}
