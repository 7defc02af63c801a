/** What vendors add to chat completions besides pages: searches, reasoning, images, videos. */
import { list, object, objects, parsedObject, string, type JsonObject } from "../body/json.ts";
import type { Reading } from "./reading.ts";

/** For gateways, which pass on any vendor's format. */
export function readAnyExtras(document: JsonObject, message: JsonObject, reading: Reading): void {
  readPerplexity(document, message, reading);
  readExecutedTools(document, message, reading);
}

export function readPerplexity(document: JsonObject, message: JsonObject, reading: Reading): void {
  for (const step of objects(message["reasoning_steps"])) {
    reading.addReasoning(step["thought"]);
    const search = object(step["web_search"]);
    const results = objects(search["search_results"]);
    for (const { url, title, snippet, date } of results) reading.addSource({ url, title, summary: snippet, date });
    const queries = list(search["search_keywords"]);
    // Of several queries, it is not said which found a page.
    for (const query of queries) reading.addSearch(query, queries.length === 1 ? results : []);
    for (const { url, title } of objects(object(step["fetch_url_content"])["contents"]))
      reading.addOpened({ url, title });
  }
  for (const query of list(document["search_queries"])) reading.addSearch(query);
  for (const image of objects(document["images"])) {
    reading.addImage({ url: image["image_url"] ?? image["url"], title: image["title"], page: image["origin_url"] });
  }
  for (const video of objects(document["videos"])) {
    const { url, title, thumbnail_url: cover, duration } = video;
    reading.addVideo({ url, title, cover, duration });
  }
}

/** Groq's `executed_tools`: each search with its query and results. The numbers in `【1†L2】` do not refer to these. */
export function readExecutedTools(_document: JsonObject, message: JsonObject, reading: Reading): void {
  let searches = 0;
  for (const tool of objects(message["executed_tools"])) {
    const { query, url } = parsedObject(string(tool["arguments"]));
    const results = [...objects(object(tool["search_results"])["results"]), ...objects(tool["browser_results"])];
    for (const page of results) reading.addSource({ url: page["url"], title: page["title"], summary: page["content"] });
    if (string(query) !== "" || results.length > 0) {
      reading.addSearch(query, results);
      searches += 1;
    } else if (string(url) !== "") {
      reading.addOpened({ url });
    }
  }
  if (searches > 0) reading.consumption = { ...reading.consumption, searches };
}
