import type { Assembled } from "./assembled.ts";
import { formsOfResponses } from "./endings.ts";
import { isObject, number, object, string, type JsonObject } from "./json.ts";

/** Events of the Responses API: the last one contains the whole response; without it, the completed items are used. */
export function assembleResponse(events: readonly JsonObject[]): Assembled {
  let response: JsonObject = {};
  let complete = false;
  const items = new Map<number, JsonObject>();
  for (const event of events) {
    const type = string(event["type"]);
    if (isObject(event["response"])) response = event["response"];
    if (type === "response.output_item.done")
      items.set(number(event["output_index"]) ?? items.size, object(event["item"]));
    if (ends.has(type)) {
      complete = true;
      if (!isObject(event["response"]))
        response = { ...response, status: type === "response.done" ? "completed" : type.slice("response.".length) };
    }
    // Perplexity's last event of a run that failed has the error alone.
    if (type === "response.failed" && !isObject(event["response"]))
      response = { ...response, status: "failed", error: event["error"] };
    if (type === "error" || type === "response.error") {
      response = { ...response, status: "failed", error: isObject(event["error"]) ? event["error"] : event };
      complete = true;
    }
  }
  const output =
    Array.isArray(response["output"]) && response["output"].length > 0 ? response["output"] : inOrder(items);
  return { document: { ...response, output }, complete };
}

const ends = new Set<string>(formsOfResponses.responses.lastEvents);

function inOrder(items: ReadonlyMap<number, JsonObject>): readonly JsonObject[] {
  return [...items].sort(([a], [b]) => a - b).map(([, item]) => item);
}
