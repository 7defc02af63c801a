import { chatRequest } from "./chat-request.ts";
import { thinkingSwitch } from "./thinking-switch.ts";
import type { Vendor } from "./vendor.ts";

/** The Messages API with DeepSeek's own web search; without search, chat completions. */
export const deepseek: Vendor = {
  code: "deepseek",
  name: "DeepSeek",
  defaults: {
    url: "https://api.deepseek.com",
    keyVariable: "DEEPSEEK_API_KEY",
    model: "deepseek-flash",
    thinking: { normal: "none", deep: "high" },
  },
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
};
