import { chatRequest, thinkingSwitch, systemMessage } from "../requests/forms.ts";
import type { Vendor } from "../vendor.ts";

/** The Messages API with DeepSeek's own web search; without search, chat completions. */
export const deepseek: Vendor = {
  code: "deepseek",
  order: 8,
  name: "DeepSeek",
  defaults: {
    url: "https://api.deepseek.com",
    keyVariable: "DEEPSEEK_API_KEY",
    model: "deepseek-flash",
    thinking: { normal: "none", deep: "high" },
  },
  keyPage: "https://platform.deepseek.com/api_keys",
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  searchesOnlyItself: true,
  request(question) {
    const { model, text, effort, upstream } = question;
    if (!upstream.search) return chatRequest(question, thinkingSwitch(effort));
    return {
      path: "/anthropic/v1/messages",
      body: {
        model,
        ...thinkingSwitch(effort),
        messages: [{ role: "user", content: text }],
        tools: [{ type: "deepseek_web_search", name: "deepseek_web_search" }],
      },
    };
  },
  extras: {},
  documentation: {
    path: "/anthropic/v1/messages",
    model: "deepseek-flash",
    search: "deepseek_web_search",
    page: "https://api-docs.deepseek.com/guides/web_tools",
    checked: "2026-11-22",
    unconfirmed: [],
  },
  options: {
    // Without search, it is asked by chat completions.
    system: (body, text) => (body["tools"] === undefined ? systemMessage(body, text) : { ...body, system: text }),
    page: null,
    checked: "2026-11-22",
  },
};
