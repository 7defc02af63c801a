import type { Assembled } from "./assembled.ts";
import { formsOfResponses } from "./endings.ts";
import { isObject, number, object, string, type JsonObject } from "./json.ts";

/** Events of Mistral's Conversations API: tools and messages, each at its position in the outputs. */
export function assembleConversation(events: readonly JsonObject[]): Assembled {
  const outputs = new Map<string, { order: number; output: Record<string, unknown> }>();
  let document: JsonObject = { object: "conversation.response" };
  let complete = false;
  const at = (event: JsonObject, made: Record<string, unknown>): Record<string, unknown> => {
    const order = number(event["output_index"]) ?? outputs.size;
    const id = string(event["id"]) || String(order);
    const known = outputs.get(id);
    if (known !== undefined) return known.output;
    outputs.set(id, { order, output: made });
    return made;
  };
  for (const event of events) {
    switch (event["type"]) {
      case "tool.execution.started":
      case "tool.execution.delta":
      case "tool.execution.done": {
        const output = at(event, { type: "tool.execution", name: event["name"], arguments: "" });
        if (event["type"] === "tool.execution.delta")
          output["arguments"] = string(output["arguments"]) + string(event["arguments"]);
        else if (string(event["arguments"]) !== "") output["arguments"] = event["arguments"];
        if (isObject(event["info"])) output["info"] = event["info"];
        break;
      }
      case "message.output.delta": {
        const output = at(event, { type: "message.output", model: event["model"], content: [] });
        addContent(output, event["content"]);
        break;
      }
      case "function.call.delta": {
        const output = at(event, { type: "function.call", name: event["name"], arguments: "" });
        output["arguments"] = string(output["arguments"]) + string(event["arguments"]);
        break;
      }
      case "conversation.response.error":
        document = { ...document, error: { message: event["message"], code: event["code"] } };
        complete = true;
        break;
      default:
        if (!ends.has(string(event["type"]))) break;
        document = { ...document, usage: object(event["usage"]) };
        complete = true;
    }
  }
  const inOrder = [...outputs.values()].sort((a, b) => a.order - b.order).map(({ output }) => output);
  return { document: { ...document, outputs: inOrder }, complete };
}

const ends = new Set<string>(formsOfResponses.conversations.lastEvents);

function addContent(output: Record<string, unknown>, content: unknown): void {
  // A delta is a string, a piece, or a list of either.
  if (Array.isArray(content)) {
    for (const one of content as unknown[]) addContent(output, one);
    return;
  }
  const chunks = output["content"] as Record<string, unknown>[];
  const chunk = typeof content === "string" ? { type: "text", text: content } : object(content);
  const last = chunks.at(-1);
  if (chunk["type"] === "text" && last?.["type"] === "text")
    last["text"] = string(last["text"]) + string(chunk["text"]);
  else chunks.push({ ...chunk });
}
