import type { ImportedAnswer } from "@querent/contract";
import {
  elements,
  members,
  NotAnAnswer,
  readEach,
  sourcesOf,
  textOf,
  timeOf,
  type ForeignSource,
  type Members,
} from "./foreign.ts";

const contentCharsMax = 1_000_000;
const answersMax = 1_000;
const sourcesMax = 1_000;

/**
 * The answers in a response of DataForSEO: one for each result of its tasks. LLM responses have messages of sections with
 * annotations, the LLM scraper has Markdown with sources, and SERPs have an element `ai_overview`. The forms are documented at
 * https://docs.dataforseo.com/v3, in the versions of 6 June 2026: ai_optimization/chat_gpt/llm_responses/live,
 * ai_optimization/chat_gpt/llm_scraper/task_get/advanced, serp/google/ai_mode/task_get/advanced. Advertisements in AI Mode are those of
 * https://dataforseo.com/update/ads-in-ai-mode-serp-api (30 July 2026).
 */
export function answersOfDataForSeo(line: unknown): ImportedAnswer[] {
  const tasks = elements(members(line)["tasks"]);
  if (tasks.length === 0) throw new NotAnAnswer("/tasks", "The response has no tasks.");
  const answers = readEach(tasks, (task, index) => answersOfTask(members(task), `/tasks/${index}`));
  if (answers.length > answersMax)
    throw new NotAnAnswer("/tasks", `At most ${answersMax} results a line; this one has ${answers.length}.`);
  return answers;
}

function answersOfTask(task: Members, at: string): ImportedAnswer[] {
  const results = elements(task["result"]);
  if (results.length === 0) {
    const why = textOf(task["status_message"], 200);
    throw new NotAnAnswer(
      `${at}/result`,
      `The task has no result${why === null ? "" : ` (${why})`}. Leave out tasks that failed.`,
    );
  }
  const data = members(task["data"]);
  const path = elements(task["path"]).filter((part) => typeof part === "string");
  const platformCode = platformOf(path, data, at);
  const id = textOf(task["id"], 200);
  return readEach(results, (value, index) => {
    const result = members(value);
    const question = textOf(data["user_prompt"] ?? result["keyword"] ?? data["keyword"], 100_000);
    if (question === null) throw new NotAnAnswer(`${at}/data`, "The task has neither a prompt nor a keyword.");
    const observedAt = timeOf(result["datetime"]);
    if (observedAt === null) throw new NotAnAnswer(`${at}/result/${index}/datetime`, "The result has no time.");
    const answer: ImportedAnswer = {
      id: id === null ? null : `${id}/${index}`,
      question,
      platformCode,
      observedAt,
      ...answerOf(result),
      products: productsOf(result),
      ...adsOf(result, platformCode, observedAt),
      modelVersion: textOf(result["model_name"] ?? result["model"], 255),
      locale: localeOf(data),
      searches: searchesOf(result),
    };
    return [answer];
  });
}

/**
 * `v3/ai_optimization/chat_gpt/llm_responses/live`, or `v3/serp/google/ai_mode/live/advanced`. What a model's API answers and what the
 * scraper found on the assistant's page are two platforms, never one series.
 */
function platformOf(path: readonly string[], data: Members, at: string): string {
  const [, api, name, kind] = path;
  // Their results have no overview, whether the page had one or not.
  const left = ["html", "regular"].find((part) => path.includes(part));
  if (left !== undefined)
    throw new NotAnAnswer(`${at}/path`, `Results of the endpoint "${left}" have no answers. Request "advanced".`);
  if (api === "serp" && kind !== undefined && kind !== "organic" && kind !== "ai_mode")
    throw new NotAnAnswer(`${at}/path`, `Searches of the type "${textOf(kind, 40) ?? ""}" have no answers.`);
  const named = name ?? textOf(data["se"], 40) ?? "unknown";
  const surface =
    api === "serp" ? (kind === "ai_mode" ? "-ai-mode" : "-ai-overview") : kind === "llm_responses" ? "-api" : "";
  return `${named.slice(0, 40)}${surface}`.replaceAll("_", "-");
}

function localeOf(data: Members): string | null {
  const place = data["location_name"] ?? data["location_code"] ?? data["web_search_country_iso_code"];
  const parts = [place, data["language_name"] ?? data["language_code"]];
  const locale = parts.map((part) => (typeof part === "number" ? String(part) : (textOf(part, 120) ?? ""))).join("/");
  return locale === "/" ? null : locale;
}

function answerOf(result: Members): Pick<ImportedAnswer, "content" | "sources" | "unread"> {
  const items = elements(result["items"]).map(members);
  const messages = messagesOf(items);
  if (messages.length > 0) return answerInMessages(messages);
  const overview = overviewIn(items);
  if (overview !== null) return answerInOverview(overview);
  const written = textOf(result["markdown"], contentCharsMax);
  const parts = items.flatMap(({ markdown, text }) => textOf(markdown ?? text, contentCharsMax) ?? []);
  const sources = [result["sources"], ...items.map((item) => item["sources"])];
  // Elements of a search page are no answer: only those of the scraper have Markdown.
  const isScraped = written !== null || result["markdown"] !== undefined;
  return {
    content: written ?? (isScraped ? textOf(parts.join("\n\n"), contentCharsMax) : null),
    sources: isScraped ? unique(sources.flatMap((list) => sourcesOf(list, "url"))) : [],
  };
}

/** The sections of messages. What a model thought before it answered is another type of item. */
const messagesOf = (items: readonly Members[]): Members[] =>
  items
    .filter(({ type }) => type === undefined || type === "message")
    .flatMap((item) => elements(item["sections"]).map(members));

function answerInMessages(sections: readonly Members[]): Pick<ImportedAnswer, "content" | "sources"> {
  const texts = sections.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return {
    content: textOf(texts.join("\n\n"), contentCharsMax),
    sources: sections.flatMap(({ annotations }) => sourcesOf(annotations, "url")).slice(0, sourcesMax),
  };
}

function answerInOverview(overview: Members): Pick<ImportedAnswer, "content" | "sources" | "unread"> {
  const parts = partsOfOverview(overview);
  const content = textOf(overview["markdown"], contentCharsMax) ?? textOf(parts.texts.join("\n\n"), contentCharsMax);
  // The page had an overview that was not loaded, as the request did not ask for it with `load_async_ai_overview`.
  if (content === null && overview["asynchronous_ai_overview"] === true)
    return { content: null, sources: [], unread: true };
  return { content, sources: unique(parts.references.flatMap((list) => sourcesOf(list, "url"))) };
}

/** What ChatGPT or Gemini showed to buy, in the order of the answer. */
function productsOf(result: Members): { title: string; url: string | null }[] | null {
  const shown = elements(result["items"])
    .map(members)
    .filter(({ type }) => typeof type === "string" && type.endsWith("_products"))
    .flatMap((item) => elements(item["items"]).map(members));
  const products = shown.flatMap(({ title, url, price }) => {
    const name = textOf(title, 2000);
    if (name === null) return [];
    const written = priceOf(price);
    return [{ title: name, url: textOf(url, 8192), ...(written === null ? {} : { price: written }) }];
  });
  return products.length === 0 ? null : products.slice(0, 1000);
}

/** As it was shown, or the number and the currency. */
function priceOf(price: unknown): string | null {
  if (typeof price === "string") return textOf(price, 255);
  const { displayed_price: shown, current, currency } = members(price);
  const written = textOf(shown, 255);
  if (written !== null) return written;
  return typeof current === "number" && typeof currency === "string" ? textOf(`${current} ${currency}`, 255) : null;
}

/** Since when AI Mode's responses have its advertisements: without any of them, there were none. */
const adsSince = "2026-07-31";
const adsMax = 50;

function adsOf(result: Members, platformCode: string, observedAt: string): Pick<ImportedAnswer, "ads"> {
  const ads: NonNullable<ImportedAnswer["ads"]> = [];
  const visit = (list: unknown, depth: number): void => {
    if (depth > depthMax) return;
    for (const element of elements(list).map(members)) {
      if (element["type"] === "ai_overview_paid_element")
        ads.push({
          advertiser: textOf(element["website_name"], 2000),
          title: textOf(element["title"], 2000),
          url: textOf(element["url"], 8192),
          displayUrl: textOf(element["domain"], 8192),
          placement: "in_answer",
        });
      visit(element["items"], depth + 1);
    }
  };
  visit(result["items"], 0);
  if (ads.length > 0) return { ads: ads.slice(0, adsMax) };
  return platformCode.endsWith("-ai-mode") && observedAt >= adsSince ? { ads: [] } : {};
}

function searchesOf(result: Members): string[] | null {
  if (!Array.isArray(result["fan_out_queries"])) return null;
  return elements(result["fan_out_queries"])
    .flatMap((query) => textOf(query, 2000) ?? [])
    .slice(0, 1000);
}

/** Each address once, where it was first: elements repeat what the whole cites. */
function unique(sources: readonly ForeignSource[]) {
  const seen = new Set<string>();
  return sources.filter(({ url }) => !seen.has(url) && seen.add(url)).slice(0, sourcesMax);
}

const depthMax = 6;
const textCharsMax = 1_000_000;

/** The AI overview among the elements of a page: one of them, or inside the knowledge graph. Null: the page has none. */
function overviewIn(items: readonly Members[]): Members | null {
  return (
    items.find(({ type }) => type === "ai_overview") ??
    items
      .filter(({ type }) => type === "knowledge_graph")
      .flatMap((graph) => elements(graph["items"]).map(members))
      .find(({ type }) => type === "knowledge_graph_ai_overview_item") ??
    null
  );
}

interface OverviewParts {
  readonly texts: readonly string[];
  /** The lists of references, that of the whole first. */
  readonly references: readonly unknown[];
}

/** The texts and references of an overview and of its elements, expanded elements and their components included. */
function partsOfOverview(overview: Members): OverviewParts {
  const texts: string[] = [];
  const references: unknown[] = [overview["references"]];
  const visit = (list: unknown, depth: number): void => {
    if (depth > depthMax) return;
    for (const element of elements(list).map(members)) {
      // Advertisements, with the words that lead to them.
      if (typeof element["type"] === "string" && element["type"].startsWith("ai_overview_paid")) continue;
      const text = textOf(element["markdown"] ?? element["text"], textCharsMax);
      // An element of a video has these instead, and an expanded one has a title above its components.
      const named = [element["title"], element["snippet"]].flatMap((part) => textOf(part, textCharsMax) ?? []);
      if (text !== null || named.length > 0) texts.push(text ?? named.join(": "));
      references.push(element["references"]);
      visit(element["items"], depth + 1);
      visit(element["components"], depth + 1);
    }
  };
  visit(overview["items"], 0);
  return { texts, references };
}
