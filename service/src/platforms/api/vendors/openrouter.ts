import type { Vendor } from "../vendor.ts";
import { askChat } from "../wire/ask-chat.ts";
import { anyPages, readAnything } from "./openai-compatible.ts";

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
  send: askChat,
  body: ({ upstream, effort }, written) => ({
    ...written,
    ...(upstream.search ? { tools: [{ type: "openrouter:web_search" }] } : {}),
    ...(effort === "default" ? {} : { reasoning: effort === "none" ? { enabled: false } : { effort } }),
  }),
  extras: { pages: anyPages, more: readAnything },
};
