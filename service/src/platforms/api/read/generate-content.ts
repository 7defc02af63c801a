/** Gemini's generateContent. Grounding is beside the text and refers to it by byte offsets. */
import { formsOfResponses, statedEnding } from "../body/endings.ts";
import { isObject, list, number, object, objects, string, type JsonObject } from "../body/json.ts";
import type { Citation } from "./links.ts";
import { fromBytes } from "./offsets.ts";
import { siteInTitle, endingBy, type Ending, type Reading } from "./reading.ts";
import { readCost } from "./read-cost.ts";

export function readGenerateContent(document: JsonObject, reading: Reading): void {
  const candidate = objects(document["candidates"])[0] ?? {};
  const parts = objects(object(candidate["content"])["parts"]);
  for (const part of parts) if (part["thought"] === true) reading.addReasoning(part["text"]);
  const texts = parts.map((part) => (part["thought"] === true ? "" : string(part["text"])));
  const grounding = object(candidate["groundingMetadata"]);
  const pages = objects(grounding["groundingChunks"]).map(pageOf);
  for (const page of pages) reading.addSource(page);
  for (const { place } of pages) if (place !== null) reading.cards.push(place);
  readMore(candidate, reading);
  readQueries(grounding, pages, reading);
  const text = texts.join("");
  const find = placesIn(texts);
  const citations = objects(grounding["groundingSupports"])
    .slice(0, supportsMax)
    .flatMap((support) => citationsOf(support, find, pages));
  reading.addText(text, { citations });
  reading.modelVersion = string(document["modelVersion"]) || null;
  const usage = object(document["usageMetadata"]);
  const sum = (...names: string[]) => {
    const counts = names.map((name) => number(usage[name])).filter((count) => count !== null);
    return counts.length === 0 ? null : counts.reduce((a, b) => a + b, 0);
  };
  reading.consumption = {
    inputTokens: sum("promptTokenCount", "toolUsePromptTokenCount"),
    outputTokens: sum("candidatesTokenCount", "thoughtsTokenCount"),
    searches: queriesOf(grounding).length,
    ...readCost(usage),
  };
  reading.ending = endingOf(document, candidate);
}

/** Each may have to be searched for in the whole text. */
const supportsMax = 1_000;

function pageOf(chunk: JsonObject) {
  const { web, retrievedContext, maps, image } = chunk;
  const page = { ...object(retrievedContext), ...object(maps), ...object(image), ...object(web) } as JsonObject;
  const title = string(page["title"]);
  const url = string(page["uri"]) || string(page["sourceUri"]);
  const place =
    maps === undefined
      ? null
      : ({
          type: "media",
          card: {
            mediaType: "place",
            title: title || null,
            url: url || null,
            thumbnail: null,
            content: string(page["text"]) || null,
          },
        } as const);
  const site = string(page["domain"]) || siteInTitle(title);
  return { url, title, site, summary: place === null ? page["text"] : null, place };
}

function readMore(candidate: JsonObject, reading: Reading): void {
  const opened = object(candidate["urlContextMetadata"] ?? candidate["url_context_metadata"]);
  for (const page of objects(opened["urlMetadata"] ?? opened["url_metadata"])) {
    const url = page["retrievedUrl"] ?? page["retrieved_url"];
    const status = string(page["urlRetrievalStatus"] ?? page["url_retrieval_status"]);
    if (status === "" || status.endsWith("_SUCCESS")) reading.addOpened({ url });
    else reading.addSource({ url });
  }
  const citations = object(candidate["citationMetadata"]);
  for (const { uri, title } of objects(citations["citationSources"] ?? citations["citations"]))
    reading.addSource({ url: uri, title });
}

/** The response does not say which of several queries found a page. */
function readQueries(grounding: JsonObject, pages: readonly JsonObject[], reading: Reading): void {
  const queries = queriesOf(grounding);
  for (const query of queries) reading.addSearch(query, queries.length === 1 ? pages : []);
}

/** A query that is empty was no search. */
function queriesOf(grounding: JsonObject): readonly string[] {
  return list(grounding["webSearchQueries"])
    .map(string)
    .filter((query) => query.trim() !== "");
}

type Find = (segment: JsonObject) => { start: number; end: number } | null;

function citationsOf(support: JsonObject, find: Find, pages: readonly { url: string; site: string }[]): Citation[] {
  const place = find(object(support["segment"]));
  if (place === null) return [];
  return list(support["groundingChunkIndices"]).flatMap((index) => {
    const { url = "", site = "" } = pages[Number(index)] ?? {};
    return url === "" ? [] : [{ ...place, url, ...(site === "" ? {} : { label: site }) }];
  });
}

/**
 * Byte offsets refer to one part, or to all of them: whichever matches the quoted text is used. If neither does, the text is
 * searched for.
 */
function placesIn(texts: readonly string[]): Find {
  const whole = texts.join("");
  const all = { unit: fromBytes(whole), offset: 0 };
  let offset = 0;
  const parts = texts.map((text) => {
    const part = { unit: fromBytes(text), offset };
    offset += text.length;
    return part;
  });
  return (segment) => {
    const quoted = string(segment["text"]);
    for (const { unit, offset } of [all, parts[number(segment["partIndex"]) ?? 0] ?? all]) {
      const start = offset + unit(number(segment["startIndex"]) ?? 0);
      const end = offset + unit(number(segment["endIndex"]) ?? 0);
      if (end > start && (quoted === "" || whole.slice(start, end) === quoted)) return { start, end };
    }
    const at = quoted === "" ? -1 : whole.indexOf(quoted);
    return at < 0 ? null : { start: at, end: at + quoted.length };
  };
}

function endingOf(document: JsonObject, candidate: JsonObject): Ending {
  const error = document["error"];
  if (error !== undefined && error !== null) return { kind: "failed", error };
  const blocked = string(object(document["promptFeedback"])["blockReason"]);
  if (blocked !== "") return { kind: "refused", reason: blocked };
  const { ending, word } = statedEnding(candidate, formsOfResponses.generateContent);
  const last = objects(object(candidate["content"])["parts"]).findLast(
    (part) => isObject(part["functionCall"]) || (part["thought"] !== true && string(part["text"]).trim() !== ""),
  );
  const isCall = ending === "complete" && isObject(last?.["functionCall"]);
  return isCall ? { kind: "unfinished", reason: "functionCall" } : endingBy(ending, word);
}
