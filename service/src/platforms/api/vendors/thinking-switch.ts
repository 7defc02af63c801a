import type { JsonObject } from "../body/json.ts";
import type { Effort } from "../vendor.ts";

/** `thinking: {type}`, as DeepSeek, Zhipu, Moonshot and Volcengine have it; nothing for the vendor's own choice. */
export function thinkingSwitch(effort: Effort): JsonObject {
  if (effort === "default") return {};
  return { thinking: { type: effort === "none" ? "disabled" : "enabled" } };
}
