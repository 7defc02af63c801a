/** Gemini's Interactions API: steps of reasoning, search and answer. Annotations refer to the text by byte offsets. */
import { formsOfResponses, statedEnding } from "../body/endings.ts";
import { isObject, list, number, object, objects, string, type JsonObject } from "../body/json.ts";
import type { Citation } from "./links.ts";
import { fromBytes } from "./offsets.ts";
import { siteInTitle, endingBy, type Ending, type Reading } from "./reading.ts";
import { readCost } from "./read-cost.ts";

export function readInteraction(document: JsonObject, reading: Reading): void {
  const steps = objects(document["steps"] ?? document["outputs"]);
  let searches = 0;
  for (const step of steps) {
    const type = string(step["type"]);
    if (type === "thought") for (const part of list(step["summary"])) reading.addReasoning(part);
    else if (type === "model_output") readText(objects(step["content"]), reading);
    else if (type === "text") readText([step], reading);
    else if (type.endsWith("_search_call")) {
      const queries = list(object(step["arguments"])["queries"]).filter((query) => string(query).trim() !== "");
      const found = objects(steps.find(({ call_id: of }) => of !== undefined && of === step["id"])?.["result"]);
      const pages = found.map((page) => ({ ...page, site: siteInTitle(string(page["title"])) }));
      for (const [index, query] of queries.entries()) reading.addSearch(query, index === 0 ? pages : []);
      searches += queries.length;
    } else if (type === "url_context_result") {
      for (const { url, title, status } of objects(step["result"])) {
        if (status === undefined || status === "success") reading.addOpened({ url, title });
        else reading.addSource({ url, title });
      }
    } else if (type.endsWith("_result")) {
      const found = objects(step["result"]).flatMap((entry) => [entry, ...objects(entry["places"])]);
      for (const page of found) {
        const title = string(page["title"]) || string(page["name"]);
        reading.addSource({ url: page["url"], title, site: siteInTitle(title) });
      }
    }
  }
  reading.modelVersion = string(document["model"]) || string(document["agent"]) || null;
  const usage = object(document["usage"]);
  const sum = (...names: string[]) => {
    const counts = names.map((name) => number(usage[name])).filter((count) => count !== null);
    return counts.length === 0 ? null : counts.reduce((a, b) => a + b, 0);
  };
  // As with generateContent, tools and thoughts are counted apart.
  reading.consumption = {
    inputTokens: sum("total_input_tokens", "total_tool_use_tokens"),
    outputTokens: sum("total_output_tokens", "total_thought_tokens"),
    searches,
    ...readCost(usage),
  };
  reading.ending = endingOf(document, steps);
}

function readText(parts: readonly JsonObject[], reading: Reading): void {
  let text = "";
  const citations: Citation[] = [];
  for (const part of parts) {
    const written = string(part["text"]);
    const unit = fromBytes(written);
    const place = (bytes: number) => text.length + unit(bytes);
    for (const annotation of objects(part["annotations"])) {
      const url = string(annotation["url"]) || string(annotation["source"]);
      const title = string(annotation["title"]) || string(annotation["name"]);
      const site = siteInTitle(title);
      reading.addSource({ url, title, site });
      const end = number(annotation["end_index"]);
      const label = site === "" ? {} : { label: site };
      if (url !== "" && end !== null)
        citations.push({ start: place(number(annotation["start_index"]) ?? 0), end: place(end), url, ...label });
    }
    text += written;
  }
  reading.addText(text, { citations });
}

function endingOf(document: JsonObject, steps: readonly JsonObject[]): Ending {
  const { error } = document;
  if (isObject(error)) return { kind: "failed", error };
  const { ending, word } = statedEnding(document, formsOfResponses.interactions);
  // It gives no reason, and documents a limit of length as the only one.
  if (word === "incomplete") return { kind: "cut" };
  const isCall = ending === "complete" && steps.at(-1)?.["type"] === "function_call";
  return isCall ? { kind: "unfinished", reason: "function_call" } : endingBy(ending, word);
}
