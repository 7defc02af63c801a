import { chatRequest } from "./chat-request.ts";
import { thinkingSwitch } from "./thinking-switch.ts";
import type { Vendor } from "./vendor.ts";

/** Chat completions with thinking. The API does not search. */
export const deepseek: Vendor = {
  code: "deepseek",
  name: "DeepSeek",
  defaults: {
    url: "https://api.deepseek.com",
    keyVariable: "DEEPSEEK_API_KEY",
    model: "deepseek-v4-flash",
    thinking: { normal: "none", deep: "high" },
  },
  returns: ["reasoningProcess"],
  whenSearching: [],
  searches: false,
  request: (question) => chatRequest(question, thinkingSwitch(question.effort)),
  extras: {},
};
