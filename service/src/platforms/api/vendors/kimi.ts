import { list, object, objects, string, type JsonObject } from "../body/json.ts";
import type { Follow } from "../wire/exchange.ts";
import type { Vendor } from "../vendor.ts";
import { askChat } from "../wire/ask-chat.ts";
import { thinkingSwitch } from "./thinking-switch.ts";

/**
 * Chat completions with the built-in `$web_search`: the model calls it, and goes on once its arguments are sent back as they
 * came. What it found stays with the vendor. It does not search while it thinks.
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
  send: askChat,
  body({ upstream, effort }, written) {
    const thinks = effort !== "none" && effort !== "default";
    const tools = [{ type: "builtin_function", function: { name: "$web_search" } }];
    return { ...written, ...thinkingSwitch(effort), ...(upstream.search && !thinks ? { tools } : {}) };
  },
  follow: () => sendBack,
  extras: {},
};

const sendBack: Follow = ({ url, body }, received) => {
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
  return {
    method: "POST",
    url,
    body: { ...body, messages: [...list(body["messages"]), message, ...results] },
    delayMs: 0,
    poll: false,
  };
};
