import type { Effort, JsonBody } from "./vendor.ts";

/** `thinking: {type}`, as DeepSeek, Zhipu, Moonshot and Volcengine have it; nothing for the vendor's default. */
export function thinkingSwitch(effort: Effort): JsonBody {
  if (effort === "default") return {};
  return { thinking: { type: effort === "none" ? "disabled" : "enabled" } };
}
