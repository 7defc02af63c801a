import { readAnyExtras } from "../read/chat-extras.ts";
import { anyPages } from "../read/pages.ts";
import { chatRequest } from "./chat-request.ts";
import type { Vendor } from "./vendor.ts";

/** Chat completions of many vendors' models, with OpenRouter's own web search as a server tool. */
export const openrouter: Vendor = {
  code: "openrouter",
  name: "OpenRouter",
  defaults: {
    url: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    model: "openrouter/auto",
    thinking: { normal: "default", deep: "high" },
  },
  returns: ["sources", "reasoningProcess"],
  whenSearching: ["sources"],
  searches: true,
  request(question) {
    const { upstream, effort } = question;
    return chatRequest(question, {
      ...(upstream.search ? { tools: [{ type: "openrouter:web_search" }] } : {}),
      ...(effort === "default" ? {} : { reasoning: effort === "none" ? { enabled: false } : { effort } }),
    });
  },
  extras: { pages: anyPages, more: readAnyExtras },
};
