import type { Assembled } from "./assembled.ts";
import { formsOfResponses } from "./endings.ts";
import { isObject, number, object, parsedObject, string, type JsonObject } from "./json.ts";

/** Events of Anthropic's Messages API: blocks that start, grow by deltas, and end. */
export function assembleMessage(events: readonly JsonObject[]): Assembled {
  let message: JsonObject = {};
  let complete = false;
  const blocks = new Map<number, Record<string, unknown>>();
  const inputs = new Map<number, string>();
  for (const event of events) {
    const index = number(event["index"]) ?? 0;
    switch (event["type"]) {
      case "message_start":
        message = object(event["message"]);
        break;
      case "content_block_start":
        blocks.set(index, { ...object(event["content_block"]) });
        break;
      case "content_block_delta":
        grow(blocks.get(index) ?? newBlock(blocks, index), object(event["delta"]), (json) =>
          inputs.set(index, (inputs.get(index) ?? "") + json),
        );
        break;
      case "message_delta":
        message = {
          ...message,
          ...object(event["delta"]),
          usage: { ...object(message["usage"]), ...object(event["usage"]) },
        };
        break;
      case "error":
        message = { ...message, type: "error", error: event["error"] };
        complete = true;
        break;
      default:
        complete ||= ends.has(string(event["type"]));
    }
  }
  for (const [index, json] of inputs) {
    const block = blocks.get(index);
    if (block !== undefined && json !== "") block["input"] = parsedObject(json);
  }
  const content = [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
  return { document: { type: "message", ...message, content }, complete };
}

const ends = new Set<string>(formsOfResponses.messages.lastEvents);

function newBlock(blocks: Map<number, Record<string, unknown>>, index: number): Record<string, unknown> {
  const block = { type: "text", text: "" };
  blocks.set(index, block);
  return block;
}

function citationsOf(block: Record<string, unknown>): unknown[] {
  const citations: unknown[] = Array.isArray(block["citations"]) ? block["citations"] : [];
  block["citations"] = citations;
  return citations;
}

function grow(block: Record<string, unknown>, delta: JsonObject, onInput: (json: string) => void): void {
  switch (delta["type"]) {
    case "text_delta":
      block["text"] = string(block["text"]) + string(delta["text"]);
      break;
    case "thinking_delta":
      block["thinking"] = string(block["thinking"]) + string(delta["thinking"]);
      break;
    // Without it, the vendor rejects the thoughts of a turn that is continued.
    case "signature_delta":
      block["signature"] = string(block["signature"]) + string(delta["signature"]);
      break;
    case "citations_delta":
      if (isObject(delta["citation"])) citationsOf(block).push(delta["citation"]);
      break;
    case "input_json_delta":
      onInput(string(delta["partial_json"]));
      break;
    default:
  }
}
