/** Where each vendor's chat completions list the pages they found. */
import { list, number, object, objects, string, type JsonObject } from "../body/json.ts";
import type { Page } from "./chat.ts";

/** For gateways, which pass on any vendor's format. */
export function anyPages(document: JsonObject): Page[] {
  return (
    [perplexityPages, webSearchPages, searchInfoPages, referencePages]
      .map((pages) => pages(document))
      .find((pages) => pages.length > 0) ?? []
  );
}

/** Perplexity: `search_results` is complete; the older `citations` is what the numbers in the text refer to. */
export function perplexityPages(document: JsonObject): Page[] {
  const citations = list(document["citations"]).map((citation) => string(citation) || string(object(citation)["url"]));
  const results = objects(document["search_results"]);
  const cited: readonly JsonObject[] = citations.map((url) => ({ url }));
  const numbered = citations.length >= results.length ? cited : results;
  const pages = [...numbered, ...(numbered === cited ? results : cited)];
  return pages.map((page, index) => ({
    number: index + 1,
    url: page["url"],
    title: page["title"],
    summary: page["snippet"],
    date: page["date"],
  }));
}

/** xAI: `citations`, only URLs. */
export function citationPages(document: JsonObject): Page[] {
  return list(document["citations"]).map((citation, index) => ({
    number: index + 1,
    url: string(citation) || object(citation)["url"],
    title: object(citation)["title"],
  }));
}

/** Zhipu: `web_search`, where `refer` is `ref_1` for `[ref_1]` in the text. */
export function webSearchPages(document: JsonObject): Page[] {
  return objects(document["web_search"]).map((page, index) => ({
    number: Number(/\d{1,3}/u.exec(string(page["refer"]))?.[0] ?? index + 1),
    url: page["link"] ?? page["url"],
    title: page["title"],
    summary: page["content"],
    site: page["media"],
    date: page["publish_date"],
  }));
}

/** DashScope's own format: `search_info.search_results`, numbered by `index`. */
export function searchInfoPages(document: JsonObject): Page[] {
  return objects(object(document["search_info"])["search_results"]).map((result, index) => ({
    number: number(result["index"]) ?? index + 1,
    url: result["url"],
    title: result["title"],
    site: result["site_name"],
  }));
}

/** Ark's bots: `references`, numbered in order. */
export function referencePages(document: JsonObject): Page[] {
  return objects(document["references"]).map((page, index) => ({
    number: index + 1,
    url: page["url"],
    title: page["title"],
    summary: page["summary"],
    site: page["site_name"],
    date: page["publish_time"],
  }));
}
