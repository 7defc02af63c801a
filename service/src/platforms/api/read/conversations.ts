/** Mistral's Conversations API: entries of tools and messages; references are pieces of the text. */
import { isObject, number, object, objects, parsedObject, string, type JsonObject } from "../body/json.ts";
import { citationLink } from "./links.ts";
import { resolveMarkers } from "./markers.ts";
import { readCost } from "./read-cost.ts";
import type { Reading } from "./reading.ts";

export function readConversation(document: JsonObject, reading: Reading): void {
  const texts: string[] = [];
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
      texts.push(readContent(entry["content"], reading));
      reading.modelVersion = string(entry["model"]) || reading.modelVersion;
    }
  }
  reading.markdown = texts.filter((text) => text.trim() !== "").join("\n\n");
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

function readContent(content: unknown, reading: Reading): string {
  if (typeof content === "string") return resolveMarkers(content, () => null);
  let markdown = "";
  let cited: { url: string }[] = [];
  const cite = () => {
    const end = markdown.trimEnd();
    markdown = end + citationLink(cited) + markdown.slice(end.length);
    cited = [];
  };
  for (const piece of objects(content)) {
    if (piece["type"] === "tool_reference") {
      const { url, title, description } = piece;
      reading.addSource({ url, title, summary: description });
      cited.push({ url: string(url) });
      continue;
    }
    if (cited.length > 0) cite();
    if (piece["type"] === "thinking") for (const thought of objects(piece["thinking"])) reading.addReasoning(thought);
    else markdown += resolveMarkers(string(piece["text"]), () => null);
  }
  if (cited.length > 0) cite();
  return markdown;
}
