import { number, object, objects, type JsonObject } from "../body/json.ts";
import type { Page } from "../read/chat.ts";
import type { Vendor } from "../vendor.ts";
import { askResponses } from "../wire/ask-responses.ts";

/** Alibaba's Responses API: its chat completions search too, but do not tell what they found. */
export const qwen: Vendor = {
  code: "qwen",
  name: "Alibaba Qwen",
  defaults: {
    url: "https://dashscope-intl.aliyuncs.com/api/v2/apps/protocols/compatible-mode/v1",
    keyVariable: "DASHSCOPE_API_KEY",
    model: "qwen3.5-plus",
    thinking: { normal: "none", deep: "high" },
  },
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  send: (asking, fetch) => askResponses(asking, fetch),
  body: ({ effort }, written) => (effort === "default" ? written : { ...written, enable_thinking: effort !== "none" }),
  extras: { pages: searchInfoPages },
};

/** DashScope's own form: `search_info.search_results`, numbered by `index`. */
export function searchInfoPages(document: JsonObject): Page[] {
  return objects(object(document["search_info"])["search_results"]).map((result, index) => ({
    number: number(result["index"]) ?? index + 1,
    url: result["url"],
    title: result["title"],
    site: result["site_name"],
  }));
}
