import { createPerplexity } from "@ai-sdk/perplexity";
import { list, object, objects, string, type JsonObject } from "../body/json.ts";
import type { Page } from "../read/chat.ts";
import type { Reading } from "../read/reading.ts";
import { askModel } from "../wire/ask-model.ts";
import { pollStored } from "../wire/poll.ts";
import type { Asking, Vendor } from "../vendor.ts";

/** Sonar: it always searches. Titles, dates, images and videos stand in members of its own beside the choices. */
export const perplexity: Vendor = {
  code: "perplexity",
  name: "Perplexity",
  defaults: {
    url: "https://api.perplexity.ai",
    keyVariable: "PERPLEXITY_API_KEY",
    model: "sonar-pro",
    deepModel: "sonar-reasoning-pro",
  },
  returns: ["sources", "videos", "media", "reasoningProcess", "searchProcess"],
  whenSearching: [],
  searches: true,
  async send(asking, fetch) {
    const { upstream, model, key } = asking;
    const provider = createPerplexity({
      apiKey: key,
      baseURL: upstream.url,
      fetch: isStored(asking) ? (_url, init) => fetch(`${upstream.url}${storedPath}`, init) : fetch,
    });
    await askModel(provider(model), asking, { effort: "default" });
  },
  body(asking, written) {
    const { upstream, effort } = asking;
    const request = {
      ...written,
      ...(upstream.search ? { return_images: true } : { disable_search: true }),
      ...(effort === "default" || effort === "none" ? {} : { reasoning_effort: effort }),
    };
    return isStored(asking) ? { request } : request;
  },
  follow: (asking) =>
    isStored(asking) ? pollStored(`${asking.upstream.url}${storedPath}`, asking.upstream.pollSeconds) : null,
  extras: { pages: perplexityPages, more: readPerplexity },
};

/** Requests that are stored and asked after, for runs that take minutes. */
const storedPath = "/async/chat/completions";

function isStored({ deep, upstream }: Asking): boolean {
  return deep && upstream.background;
}

/** `search_results` has everything; `citations` is what there was before it, and is what the numbers in the text count. */
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

export function readPerplexity(document: JsonObject, message: JsonObject, reading: Reading): void {
  for (const step of objects(message["reasoning_steps"])) {
    reading.addReasoning(step["thought"]);
    const search = object(step["web_search"]);
    const results = objects(search["search_results"]);
    for (const { url, title, snippet, date } of results) reading.addSource({ url, title, summary: snippet, date });
    for (const [index, query] of list(search["search_keywords"]).entries())
      reading.addSearch(query, index === 0 ? results : []);
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
