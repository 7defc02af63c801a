import { object, objects, number, type JsonObject } from "../body/json.ts";
import type { Page } from "../read/chat.ts";
import { responsesRequest, webSearch, systemInput } from "../requests/forms.ts";
import type { Vendor } from "../vendor.ts";

/** Alibaba's Responses API: its chat completions also search, but do not return what they found. */
export const qwen: Vendor = {
  code: "qwen",
  order: 9,
  name: "Alibaba Qwen",
  defaults: {
    url: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    keyVariable: "DASHSCOPE_API_KEY",
    model: "qwen3.8-max",
    thinking: { normal: "none", deep: "high" },
  },
  keyPage: "https://www.alibabacloud.com/help/en/model-studio/get-api-key",
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request: (question) =>
    responsesRequest(
      question,
      question.upstream.search ? [webSearch] : [],
      question.effort === "default" ? {} : { enable_thinking: question.effort !== "none" },
    ),
  extras: { pages: searchInfoPages },
  documentation: {
    path: "/responses",
    model: "qwen3.8-max",
    search: "web_search",
    page: "https://help.aliyun.com/en/model-studio/compatibility-with-openai-responses-api",
    checked: "2026-11-29",
    unconfirmed: [],
  },
  options: { system: systemInput, page: null, checked: "2026-11-22" },
};

/** DashScope's own format: `search_info.search_results`, numbered by `index`. */
export function searchInfoPages(document: JsonObject): Page[] {
  return objects(object(document["search_info"])["search_results"]).map((result, index) => ({
    number: number(result["index"]) ?? index + 1,
    url: result["url"],
    title: result["title"],
    site: result["site_name"],
  }));
}
