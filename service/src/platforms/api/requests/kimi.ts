import { object, objects, string, type JsonObject } from "../body/json.ts";
import { chatRequest } from "./chat-request.ts";
import { nextTurn, type FollowUp } from "./follow-up.ts";
import { thinkingSwitch } from "./thinking-switch.ts";
import type { Vendor } from "./vendor.ts";

/**
 * Chat completions with the built-in `$web_search`: the model calls it, and continues once its arguments are sent back
 * unchanged. What it found stays with the vendor. It does not search while it thinks.
 */
export const kimi: Vendor = {
  code: "kimi",
  name: "Moonshot Kimi",
  defaults: {
    url: "https://api.moonshot.ai/v1",
    keyVariable: "MOONSHOT_API_KEY",
    model: "kimi-k2.6",
    thinking: { normal: "none", deep: "high" },
  },
  returns: ["reasoningProcess"],
  whenSearching: [],
  searches: true,
  request(question) {
    const { upstream, effort } = question;
    const thinks = effort !== "none" && effort !== "default";
    const tools = [{ type: "builtin_function", function: { name: "$web_search" } }];
    return chatRequest(question, { ...thinkingSwitch(effort), ...(upstream.search && !thinks ? { tools } : {}) });
  },
  followUp: () => returnArguments,
  extras: {},
};

const returnArguments: FollowUp = (sent, received) => {
  const choice = objects(received["choices"])[0] ?? {};
  const message = object(choice["message"]);
  const calls = objects(message["tool_calls"]);
  if (choice["finish_reason"] !== "tool_calls" || calls.length === 0) return null;
  const results: JsonObject[] = calls.map((call) => ({
    role: "tool",
    tool_call_id: call["id"],
    name: object(call["function"])["name"],
    content: string(object(call["function"])["arguments"]),
  }));
  return nextTurn(sent, [message, ...results]);
};
