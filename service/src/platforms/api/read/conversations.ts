/** Mistral's Conversations API: entries of tools and messages; references are pieces of the text. */
import { isObject, number, object, objects, parsedObject, string, type JsonObject } from "../body/json.ts";
import type { Citation } from "./links.ts";
import { readCost } from "./read-cost.ts";
import type { Reading } from "./reading.ts";

export function readConversation(document: JsonObject, reading: Reading): void {
  let searches = 0;
  for (const entry of objects(document["outputs"])) {
    if (entry["type"] === "tool.execution") {
      const made = isObject(entry["arguments"]) ? entry["arguments"] : parsedObject(string(entry["arguments"]));
      const { query, url }: JsonObject = made;
      if (string(query) === "") {
        reading.addOpened({ url });
        continue;
      }
      reading.addSearch(query);
      searches += 1;
    } else if (entry["type"] === "message.output") {
      readContent(entry["content"], reading);
      reading.modelVersion = string(entry["model"]) || reading.modelVersion;
    }
  }
  const usage = object(document["usage"]);
  const connector = number(usage["connector_tokens"]);
  const prompt = number(usage["prompt_tokens"]);
  reading.consumption = {
    inputTokens: prompt === null ? connector : prompt + (connector ?? 0),
    outputTokens: number(usage["completion_tokens"]),
    searches,
    ...readCost(usage),
  };
  const error = document["error"];
  const isCall = objects(document["outputs"]).at(-1)?.["type"] === "function.call";
  if (isObject(error)) reading.ending = { kind: "failed", error };
  else reading.ending = isCall ? { kind: "unfinished", reason: "function.call" } : { kind: "complete" };
}

function readContent(content: unknown, reading: Reading): void {
  if (typeof content === "string") {
    reading.addText(content);
    return;
  }
  let text = "";
  const citations: Citation[] = [];
  for (const piece of objects(content)) {
    if (piece["type"] === "tool_reference") {
      const { url, title, description } = piece;
      reading.addSource({ url, title, summary: description });
      citations.push({ url: string(url), start: text.length, end: text.length });
    } else if (piece["type"] === "thinking") {
      for (const thought of objects(piece["thinking"])) reading.addReasoning(thought);
    } else text += string(piece["text"]);
  }
  reading.addText(text, { citations });
}
