import { object, objects, string, list, type JsonObject } from "../body/json.ts";
import type { Page } from "../read/chat.ts";
import type { Reading } from "../read/reading.ts";
import { pollResponses, cancelResponse, webSearch, inSearch, defined } from "../requests/forms.ts";
import type { JsonBody, ModelQuestion, Vendor } from "../vendor.ts";

/** The Agent API. It rejects every member that it does not know. */
export const perplexity: Vendor = {
  code: "perplexity",
  order: 4,
  name: "Perplexity",
  defaults: {
    url: "https://api.perplexity.ai",
    keyVariable: "PERPLEXITY_API_KEY",
    // Presets: names of the vendor for its current choice of model, prompt and tools.
    model: "low",
    deepModel: "medium",
  },
  keyPage: "https://console.perplexity.ai",
  returns: ["sources", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  modelsPath: "/v1/models",
  request(question) {
    const { text, effort } = question;
    const background = inBackground(question);
    return {
      path: `${versionPath}/responses`,
      body: {
        ...modelOf(question),
        input: text,
        // A background run can only be polled while it is stored.
        store: background,
        ...(background ? { background } : {}),
        ...(effort === "default" || effort === "none" ? {} : { reasoning: { effort } }),
      },
    };
  },
  followUp: (question) =>
    inBackground(question)
      ? pollResponses(`${question.upstream.url}${versionPath}`, question.upstream.pollSeconds)
      : null,
  cancelUrl: ({ upstream }) => cancelResponse(`${upstream.url}${versionPath}`),
  // Answers of the chat completions that ended in September 2026 can still be parsed again.
  extras: { pages: perplexityPages, more: readPerplexity },
  documentation: {
    path: "/v1/responses",
    model: "low",
    search: null,
    page: "https://docs.perplexity.ai/docs/agent-api/openai-compatibility",
    checked: "2026-11-22",
    unconfirmed: [],
  },
  options: {
    system: (body, text) => ({ ...body, instructions: text }),
    native: {
      country: (body, country) => inAgentSearch(body, { user_location: { country } }),
      location: (body, location) => inAgentSearch(body, { user_location: defined(location) }),
      domains: (body, { allow = [], deny = [] }) =>
        inAgentSearch(body, {
          filters: { search_domain_filter: allow.length > 0 ? allow : deny.map((domain) => `-${domain}`) },
        }),
      since: (body, since) =>
        inAgentSearch(body, { filters: { search_after_date_filter: monthDayYear(dayBefore(since)) } }),
    },
    location: ["city", "region", "latitude", "longitude"],
    domains: { allowMax: 20, denyMax: 20, together: false },
    page: "https://docs.perplexity.ai/docs/agent-api/filters",
    checked: "2026-11-22",
  },
};

const versionPath = "/v1";

/**
 * A name without a provider is a preset's. A preset brings its own search, which only a limit of no tool calls disables. A model
 * searches if it is given the tool, and only surely if it must.
 */
function modelOf({ model, upstream: { search } }: ModelQuestion): JsonBody {
  if (!model.includes("/")) return { preset: model, ...(search ? {} : { max_tool_calls: 0 }) };
  return { model, ...(search ? { tools: [webSearch], tool_choice: webSearch } : {}) };
}

function inBackground({ deep, upstream }: ModelQuestion): boolean {
  return deep && upstream.background;
}

/** A preset brings its own search; the tool is given to it only to be configured. */
function inAgentSearch(body: JsonBody, change: JsonBody): JsonBody {
  if (body["max_tool_calls"] === 0 || (body["preset"] === undefined && body["tools"] === undefined)) return body;
  return inSearch({ ...body, tools: body["tools"] ?? [{ type: "web_search" }] }, change);
}

/** The filter excludes its own day. */
function dayBefore(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

function monthDayYear(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${month}/${day}/${year}`;
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
