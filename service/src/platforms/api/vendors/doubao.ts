import { objects, type JsonObject } from "../body/json.ts";
import type { Page } from "../read/chat.ts";
import { responsesRequest, webSearch, systemInput, thinkingSwitch } from "../requests/forms.ts";
import type { Vendor } from "../vendor.ts";

/** Volcengine Ark's Responses API, with web search. */
export const doubao: Vendor = {
  code: "doubao",
  order: 12,
  name: "ByteDance Doubao",
  defaults: {
    url: "https://ark.cn-beijing.volces.com/api/v3",
    keyVariable: "ARK_API_KEY",
    model: "doubao-seed-evolving",
    thinking: { normal: "none", deep: "high" },
  },
  keyPage: "https://console.volcengine.com/ark/region:ark+cn-beijing/apiKey",
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request: (question) =>
    responsesRequest(question, question.upstream.search ? [webSearch] : [], {
      store: false,
      ...thinkingSwitch(question.effort),
    }),
  extras: { pages: referencePages },
  documentation: {
    path: "/responses",
    model: "doubao-seed-evolving",
    search: "web_search",
    page: null,
    checked: "2026-11-29",
    unconfirmed: ["path", "model", "search"],
  },
  options: { system: systemInput, page: null, checked: "2026-11-22" },
};

/** Ark's bots: `references`, numbered in order. */
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
