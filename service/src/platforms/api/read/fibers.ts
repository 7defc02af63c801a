/** Kimi's searches: each is a document of its own between the turns of the answer. */
import { isObject, list, object, parsedObject, string, type JsonObject } from "../body/json.ts";
import type { Reading } from "./reading.ts";

export function isFiber(document: JsonObject): boolean {
  return document["object"] === "fiber" || isObject(document["context"]);
}

/** What was found is encrypted, but the addresses are listed beside it. */
export function readFiber(document: JsonObject, reading: Reading): void {
  const context = object(document["context"]);
  const input = parsedObject(string(context["input"]));
  const { query } = { ...input, ...parsedObject(string(input["arguments"])) } as JsonObject;
  const pages = list(context["references"]).map((page) => (isObject(page) ? page : { url: page }));
  for (const page of pages) reading.addSource({ url: page["url"], title: page["title"] });
  reading.addResults(query, pages);
  reading.addConsumption({ inputTokens: null, outputTokens: null, searches: 1 });
}
