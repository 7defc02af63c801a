import { webSearchPages } from "../read/pages.ts";
import { chatRequest } from "./chat-request.ts";
import { thinkingSwitch } from "./thinking-switch.ts";
import type { Vendor } from "./vendor.ts";

/** Chat completions with `web_search` as a tool; the pages found are beside the choices. */
export const glm: Vendor = {
  code: "glm",
  name: "Zhipu GLM",
  defaults: {
    url: "https://api.z.ai/api/paas/v4",
    keyVariable: "ZAI_API_KEY",
    model: "glm-5.3",
    thinking: { normal: "none", deep: "high" },
  },
  returns: ["sources", "reasoningProcess"],
  whenSearching: ["sources"],
  searches: true,
  request(question) {
    const search = { enable: true, search_engine: engineAt(question.upstream.url), search_result: true };
    const tools = [{ type: "web_search", web_search: search }];
    return chatRequest(question, {
      ...thinkingSwitch(question.effort),
      ...(question.upstream.search ? { tools } : {}),
    });
  },
  extras: { pages: webSearchPages },
};

/** The platforms for China and for everywhere else have search engines of their own. */
function engineAt(url: string): string {
  return /\bbigmodel\.cn(?:[:/]|$)/u.test(url) ? "search_pro" : "search_pro_jina";
}
