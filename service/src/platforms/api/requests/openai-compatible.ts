import { readAnyExtras } from "../read/chat-extras.ts";
import { anyPages } from "../read/pages.ts";
import { chatRequest } from "./chat-request.ts";
import type { Vendor } from "./vendor.ts";

/**
 * Everything that accepts chat completions: a local server, a gateway. The settings say what to send beyond a plain question
 * (`searchBody`, `deepBody`). The response may have any vendor's form, since a gateway passes it on.
 */
export const openaiCompatible: Vendor = {
  code: "openai-compatible",
  name: "OpenAI-compatible endpoint",
  defaults: {
    url: "http://127.0.0.1:11434/v1",
    keyVariable: null,
    model: "default",
    thinking: { normal: "default", deep: "high" },
  },
  returns: ["reasoningProcess"],
  whenSearching: [],
  searches: false,
  request: (question) =>
    chatRequest(question, question.effort === "default" ? {} : { reasoning_effort: question.effort }),
  extras: { pages: anyPages, more: readAnyExtras },
};
