import { objects, string, type JsonObject } from "../body/json.ts";
import type { Page } from "../read/chat.ts";
import type { Vendor } from "../vendor.ts";
import { askChat } from "../wire/ask-chat.ts";
import { thinkingSwitch } from "./thinking-switch.ts";

/** Chat completions with `web_search` as a tool; what it found comes beside the choices. */
export const glm: Vendor = {
  code: "glm",
  name: "Zhipu GLM",
  defaults: {
    url: "https://api.z.ai/api/paas/v4",
    keyVariable: "ZAI_API_KEY",
    model: "glm-4.7",
    thinking: { normal: "none", deep: "high" },
  },
  returns: ["sources", "reasoningProcess"],
  whenSearching: ["sources"],
  searches: true,
  send: askChat,
  body({ upstream, effort }, written) {
    const search = { enable: true, search_engine: "search_pro", search_result: true };
    const tools = [{ type: "web_search", web_search: search }];
    return { ...written, ...thinkingSwitch(effort), ...(upstream.search ? { tools } : {}) };
  },
  extras: { pages: webSearchPages },
};

/** `web_search`: `refer` is `ref_1` for what the text marks as `[ref_1]`. */
export function webSearchPages(document: JsonObject): Page[] {
  return objects(document["web_search"]).map((page, index) => ({
    number: Number(/\d{1,3}/u.exec(string(page["refer"]))?.[0] ?? index + 1),
    url: page["link"] ?? page["url"],
    title: page["title"],
    summary: page["content"],
    site: page["media"],
    date: page["publish_date"],
  }));
}
