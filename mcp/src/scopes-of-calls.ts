import { isObject } from "./messages.ts";
import { toolTable } from "./tool-table.ts";

/** The scopes of the tools that a message, or a batch of them, calls. */
export function scopesOfCalls(body: unknown): readonly string[] {
  const messages = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    if (!isObject(message) || message["method"] !== "tools/call" || !isObject(message["params"])) return [];
    const { name } = message["params"];
    return typeof name === "string" && Object.hasOwn(toolTable, name)
      ? [toolTable[name as keyof typeof toolTable].scope]
      : [];
  });
}
