/** The Responses API: OpenAI's, and those of xAI, Alibaba, Volcengine, Perplexity and others modeled on it. */
import { endingWordOf, formsOfResponses, statedEnding } from "../body/endings.ts";
import { list, number, object, objects, parsedObject, string, type JsonObject } from "../body/json.ts";
import { isNumber, numberPages, type AnnotatedPage, type Citation } from "./links.ts";
import { withoutHidden } from "./markers.ts";
import { fromCodePoints, quoting } from "./offsets.ts";
import { readCost } from "./read-cost.ts";
import { endingBy, type Ending, type Reading } from "./reading.ts";

export function readResponse(document: JsonObject, reading: Reading): void {
  let refusal = "";
  let searches = 0;
  const byId = numberedPages(document);
  for (const item of objects(document["output"])) {
    const type = string(item["type"]);
    if (type === "reasoning") {
      for (const part of [...list(item["summary"]), ...list(item["content"])]) reading.addReasoning(part);
    } else if (type === "message") {
      const parts = objects(item["content"]);
      // What a model says while it works is not its answer.
      readMessage(parts, byId, reading, item["phase"] === "commentary");
      refusal ||= parts.map((part) => string(part["refusal"])).join("");
    } else if (type !== "function_call" && (type.endsWith("_call") || type.endsWith("_results"))) {
      if (readCall(item, reading)) searches += 1;
    }
  }
  // xAI lists every page that it visited.
  for (const citation of list(document["citations"]))
    reading.addSource(
      typeof citation === "string" ? { url: citation } : { ...object(citation), url: object(citation)["url"] },
    );
  nameResults(reading);
  reading.modelVersion = string(document["model"]) || null;
  const usage = object(document["usage"]);
  reading.consumption = {
    inputTokens: number(usage["input_tokens"]),
    outputTokens: number(usage["output_tokens"]),
    searches: searchesOf(usage) ?? searches,
    ...readCost(usage),
  };
  reading.ending = endingOf(document, reading.text === "" ? refusal : "");
}

/** Perplexity numbers the pages of all its searches: `[2]` and `[web:2]` refer to the page with the `id` 2. */
function numberedPages(document: JsonObject): ReadonlyMap<number, string> {
  const pages = new Map<number, string>();
  for (const item of objects(document["output"])) {
    if (!string(item["type"]).endsWith("search_results")) continue;
    for (const page of objects(item["results"])) {
      const id = number(page["id"]);
      if (id !== null && string(page["url"]) !== "") pages.set(id, string(page["url"]));
    }
  }
  return pages;
}

function readMessage(
  parts: readonly JsonObject[],
  byId: ReadonlyMap<number, string>,
  reading: Reading,
  isCommentary: boolean,
): void {
  let text = "";
  const citations: Citation[] = [];
  /** The pages that a plain `[2]` in this message may refer to. */
  const pages: AnnotatedPage[] = [];
  for (const part of parts) {
    const written = string(part["text"]);
    const unit = fromCodePoints(written);
    for (const annotation of objects(part["annotations"])) {
      const { url: given, title, ...rest } = { ...annotation, ...object(annotation["url_citation"]) } as JsonObject;
      const url = string(given);
      if (url === "") continue;
      reading.addSource({
        url,
        title: isNumber(string(title)) ? "" : title,
        site: rest["site_name"],
        summary: rest["summary"] ?? rest["content"] ?? rest["snippet"],
        date: rest["publish_time"] ?? rest["published_at"] ?? rest["date"],
      });
      const start = number(rest["start_index"]);
      const end = number(rest["end_index"]);
      const place = start === null || end === null ? null : quoting(written, unit, start, end, url);
      const covered = place === null ? "" : written.slice(place.start, place.end);
      pages.push({ url, title: string(title), covered });
      if (place !== null) citations.push({ url, start: text.length + place.start, end: text.length + place.end });
    }
    text += written;
  }
  if (isCommentary) {
    reading.addReasoning(withoutHidden(text).text);
    return;
  }
  const numbers = byId.size > 0 ? byId : numberPages(pages);
  reading.addText(text, { citations, addressOf: (at) => numbers.get(at) ?? null });
}

/** A search, or an opened page. True if it was a search. */
function readCall(item: JsonObject, reading: Reading): boolean {
  const action = object(item["action"]);
  const made = { ...parsedObject(string(item["arguments"])), ...parsedObject(string(item["input"])) };
  const found = [
    ...objects(action["sources"]),
    ...objects(item["results"]),
    ...objects(action["results"]),
    ...objects(item["contents"]),
  ];
  const pages = found
    .map((page) => ({
      url: page["url"],
      title: page["title"],
      site: page["site_name"] ?? page["site"],
      summary: page["snippet"] ?? page["content"],
      date: page["date"] ?? page["publish_time"],
    }))
    .filter(({ url }) => string(url) !== "");
  for (const page of pages) reading.addSource(page);
  const queries = [action["query"], made["query"], item["query"], ...list(action["queries"]), ...list(item["queries"])];
  const asked = [...new Set(queries.map((query) => string(query).trim()).filter((query) => query !== ""))];
  // Perplexity reports the pages of several queries together, and does not say which found a page. Others report pages for each
  // call, whose further queries are variants of its first.
  const isShared = string(item["type"]).endsWith("_results") && asked.length > 1;
  for (const [index, query] of asked.entries()) reading.addSearch(query, index === 0 && !isShared ? pages : []);
  if (asked.length > 0) return true;
  // A page that was opened or searched, not found: `open_page`, `find_in_page`, `browse_page`.
  reading.addOpened({ url: action["url"] ?? made["url"], pattern: action["pattern"] ?? made["pattern"] });
  if (item["type"] === "fetch_url_results") reading.addSearch("", pages);
  return false;
}

/** Search results come without titles; the citations of the same pages have them. */
function nameResults(reading: Reading): void {
  const bare = (url: string) => url.replace(/[?&]utm_source=[\w.]+$/u, "");
  const titles = new Map(
    reading.sources.filter(({ title }) => title !== "").map(({ url, title }) => [bare(url), title]),
  );
  for (const { results } of reading.search) {
    for (const result of results) result.title ||= titles.get(bare(result.url)) ?? "";
  }
}

function searchesOf(usage: JsonObject): number | null {
  // xAI counts searches of the web and of X apart.
  const calls = object(usage["server_side_tool_usage_details"]);
  const perplexityCalls = object(object(usage["tool_calls_details"])["search_web"]);
  const counts = [number(calls["web_search_calls"]), number(calls["x_search_calls"])].filter((count) => count !== null);
  return (
    (counts.length === 0 ? null : counts.reduce((a, b) => a + b, 0)) ??
    number(object(object(usage["x_tools"])["web_search"])["count"]) ??
    number(perplexityCalls["invocation"]) ??
    number(object(usage["tool_usage"])["web_search"])
  );
}

function endingOf(document: JsonObject, refusal: string): Ending {
  const error = document["error"];
  if (error !== null && error !== undefined) return { kind: "failed", error };
  const { ending, word } = statedEnding(document, formsOfResponses.responses);
  if (word === "incomplete") {
    const reason = string(object(document["incomplete_details"])["reason"]);
    return endingBy(endingWordOf(reason), reason || word);
  }
  if (ending !== "complete") return endingBy(ending, word);
  const pending = pendingIn(objects(document["output"]));
  if (pending !== null) return { kind: "unfinished", reason: pending };
  return refusal === "" ? { kind: "complete" } : { kind: "refused", reason: "refusal", explanation: refusal };
}

/**
 * What a response waits for although it says that it is completed: the last message is unfinished, or a call follows it that
 * nobody has run. Null: nothing.
 */
function pendingIn(output: readonly JsonObject[]): string | null {
  const results = new Set(output.filter(({ type }) => string(type).endsWith("_output")).map(({ call_id: id }) => id));
  const last = output.findLast((item) => item["type"] === "message" || isClientCall(item));
  if (last === undefined) return null;
  if (last["type"] === "message")
    return /^in(?:_progress|complete)$/u.test(string(last["status"])) ? "incomplete" : null;
  return results.has(last["call_id"]) ? null : string(last["type"]);
}

/** A call that the client should run: of a function of its own, its computer, its shell, or its approval. */
function isClientCall({ type, name }: JsonObject): boolean {
  if (type === "custom_tool_call") return !/search|browse|view/iu.test(string(name));
  return /^(?:function_call|computer_call|local_shell_call|shell_call|apply_patch_call|mcp_approval_request)$/u.test(
    string(type),
  );
}
