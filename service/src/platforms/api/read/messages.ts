/** Anthropic's Messages API. The blocks are in chronological order. */
import { formsOfResponses, statedEnding } from "../body/endings.ts";
import { isObject, number, object, objects, string, type JsonObject } from "../body/json.ts";
import type { Citation } from "./links.ts";
import { readCost } from "./read-cost.ts";
import { endingBy, type Ending, type Reading } from "./reading.ts";

export function readMessage(document: JsonObject, reading: Reading): void {
  // A turn that pauses may end between a search and its results, which the next turn starts with.
  const queries = reading.openSearches;
  let text = "";
  const citations: Citation[] = [];
  let afterText = false;
  for (const block of objects(document["content"])) {
    const type = string(block["type"]);
    if (type === "text") {
      // Text continues where the previous block ended, unless something else happened in between.
      text += text === "" || afterText || /^\s/u.test(string(block["text"])) ? "" : "\n\n";
      const start = text.length;
      text += string(block["text"]);
      for (const url of readCitations(block, reading)) citations.push({ url, start: text.length, end: text.length });
      if (text.length === start) continue;
    } else if (type === "thinking") {
      reading.addReasoning(block["thinking"]);
    } else if (type === "server_tool_use") {
      const query = string(object(block["input"])["query"]);
      if (query !== "" && string(block["name"]).includes("search") && !string(block["name"]).startsWith("tool_search"))
        queries.set(string(block["id"]), query);
    } else if (type.endsWith("web_search_tool_result")) {
      readResults(block, queries, reading);
    } else if (type.endsWith("_tool_result")) {
      // Claude's `web_fetch`, DeepSeek's `deepseek_read_url`. One that could not be opened has an error instead of the URL.
      const page = object(block["content"]);
      reading.addOpened({ url: page["url"], title: object(page["content"])["title"] ?? page["title"] });
    }
    afterText = type === "text";
  }
  reading.ending = endingOf(document);
  if (reading.ending.kind !== "unfinished") {
    for (const query of queries.values()) reading.addSearch(query);
    queries.clear();
  }
  reading.addText(text, { citations });
  reading.modelVersion = string(document["model"]) || reading.modelVersion;
  readUsage(object(document["usage"]), reading);
}

/** The pages that a block cites. */
function readCitations(block: JsonObject, reading: Reading): readonly string[] {
  return objects(block["citations"]).map((citation) => {
    const url = string(citation["url"]) || string(citation["source"]);
    reading.addSource({ url, title: citation["title"] });
    reading.addPassage(url, citation["cited_text"]);
    return url;
  });
}

function readResults(block: JsonObject, queries: Map<string, string>, reading: Reading): void {
  const id = string(block["tool_use_id"]);
  const results = objects(block["content"]);
  for (const { url, title, page_age: age } of results) reading.addSource({ url, title, date: age });
  reading.addSearch(queries.get(id), results);
  queries.delete(id);
}

function readUsage(usage: JsonObject, reading: Reading): void {
  const input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"].map((name) =>
    number(usage[name]),
  );
  const known = input.filter((tokens) => tokens !== null);
  reading.addConsumption({
    inputTokens: known.length === 0 ? null : known.reduce((a, b) => a + b, 0),
    outputTokens: number(usage["output_tokens"]),
    searches: number(object(usage["server_tool_use"])["web_search_requests"]),
    ...readCost(usage),
  });
}

function endingOf(document: JsonObject): Ending {
  if (isObject(document["error"])) return { kind: "failed", error: document["error"] };
  const { ending, word } = statedEnding(document, formsOfResponses.messages);
  if (ending === "refused") {
    const { category, explanation } = object(document["stop_details"]);
    return { kind: "refused", reason: string(category) || word, explanation: string(explanation) };
  }
  const isCall = objects(document["content"]).at(-1)?.["type"] === "tool_use";
  return isCall ? { kind: "unfinished", reason: "tool_use" } : endingBy(ending, word);
}
