import { objects, string, type JsonObject } from "../body/json.ts";
import type { Page } from "../read/chat.ts";
import { chatRequest, systemMessage, changeTools, isBody, thinkingSwitch } from "../requests/forms.ts";
import type { Vendor } from "../vendor.ts";

/** Chat completions with `web_search` as a tool; the pages found are beside the choices. */
export const glm: Vendor = {
  code: "glm",
  order: 11,
  name: "Zhipu GLM",
  defaults: {
    url: "https://api.z.ai/api/paas/v4",
    keyVariable: "ZAI_API_KEY",
    model: "glm-5.3",
    thinking: { normal: "none", deep: "high" },
  },
  keyPage: "https://z.ai/manage-apikey/apikey-list",
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
  documentation: {
    path: "/chat/completions",
    model: "glm-5.3",
    search: "search_pro_jina",
    page: "https://docs.z.ai/api-reference/llm/chat-completion",
    checked: "2026-11-22",
    unconfirmed: ["model", "search"],
  },
  options: {
    system: systemMessage,
    native: {
      domains: (body, { allow = [] }) =>
        changeTools(body, (tool) => {
          const search = tool["web_search"];
          if (!isBody(search)) return tool;
          return { ...tool, web_search: { ...search, search_domain_filter: allow[0] ?? "" } };
        }),
    },
    domains: { allowMax: 1, denyMax: 0, together: false },
    page: "https://docs.z.ai/api-reference/llm/chat-completion",
    checked: "2026-11-22",
    unconfirmed: ["domains"],
  },
};

/** The platforms for China and for everywhere else have search engines of their own. */
function engineAt(url: string): string {
  return /\bbigmodel\.cn(?:[:/]|$)/u.test(url) ? "search_pro" : "search_pro_jina";
}

/** Zhipu: `web_search`, where `refer` is `ref_1` for `[ref_1]` in the text. */
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
