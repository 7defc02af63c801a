import { readExecutedTools } from "../read/chat-extras.ts";
import { chatRequest } from "./chat-request.ts";
import type { JsonBody, ModelQuestion, Vendor } from "./vendor.ts";

/** Compound systems search by themselves and list what they ran; gpt-oss models get the browser as a tool. */
export const groq: Vendor = {
  code: "groq",
  name: "Groq",
  defaults: {
    url: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    model: "groq/compound",
    thinking: { normal: "default", deep: "high" },
  },
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request: (question) => chatRequest(question, switches(question)),
  extras: { more: readExecutedTools },
};

function switches({ model, effort, upstream }: ModelQuestion): JsonBody {
  if (/(?:^|\/)compound/u.test(model)) {
    // A compound system decides for itself whether to search and how hard to think.
    return upstream.search ? {} : { compound_custom: { tools: { enabled_tools: [] } } };
  }
  return {
    ...(effort === "default" || effort === "none" ? {} : { reasoning_effort: effort }),
    ...(upstream.search && model.includes("gpt-oss")
      ? { tools: [{ type: "browser_search" }], tool_choice: "auto" }
      : {}),
  };
}
