import type { ImportedAnswer } from "@querent/contract";
import { elements, members, NotAnAnswer, sourcesOf, textOf, timeOf, type Members } from "./foreign.ts";

const contentCharsMax = 1_000_000;
const answersMax = 1_000;

/**
 * The answers in a response of DataForSEO: one for each result of its tasks. LLM responses have sections of text with annotations,
 * the LLM scraper has Markdown with sources, and SERPs have an element `ai_overview` with Markdown and references.
 */
export function answersOfDataForSeo(line: unknown): ImportedAnswer[] {
  const tasks = elements(members(line)["tasks"]);
  if (tasks.length === 0) throw new NotAnAnswer("/tasks", "The response has no tasks.");
  return tasks.flatMap((task, index) => answersOfTask(members(task), `/tasks/${index}`)).slice(0, answersMax);
}

function answersOfTask(task: Members, at: string): ImportedAnswer[] {
  const results = elements(task["result"]);
  if (results.length === 0)
    throw new NotAnAnswer(`${at}/result`, "The task has no result. Leave out tasks that failed.");
  const data = members(task["data"]);
  const path = elements(task["path"]).filter((part) => typeof part === "string");
  return results.map((value, index) => {
    const result = members(value);
    const question = textOf(data["user_prompt"] ?? result["keyword"] ?? data["keyword"], 100_000);
    if (question === null) throw new NotAnAnswer(`${at}/data`, "The task has neither a prompt nor a keyword.");
    const observedAt = timeOf(result["datetime"]);
    if (observedAt === null) throw new NotAnAnswer(`${at}/result/${index}/datetime`, "The result has no time.");
    const id = textOf(task["id"], 200);
    return {
      id: id === null ? null : `${id}/${index}`,
      question,
      platformCode: platformOf(path, data),
      observedAt,
      ...answerOf(result),
      modelVersion: textOf(result["model_name"] ?? result["model"], 255),
      locale: localeOf(data),
      searches: null,
    };
  });
}

/** `v3/ai_optimization/chat_gpt/llm_responses/live`, or `v3/serp/google/ai_mode/live/advanced`. */
function platformOf(path: readonly string[], data: Members): string {
  const [, api, name, kind] = path;
  const named = name ?? textOf(data["se"], 40) ?? "unknown";
  const surface = api === "serp" ? `${named}-${kind === "ai_mode" ? "ai-mode" : "ai-overview"}` : named;
  return surface.replaceAll("_", "-").slice(0, 64);
}

function localeOf(data: Members): string | null {
  const parts = [data["location_name"] ?? data["location_code"], data["language_name"] ?? data["language_code"]];
  const locale = parts.map((part) => (typeof part === "number" ? String(part) : (textOf(part, 120) ?? ""))).join("/");
  return locale === "/" ? null : locale;
}

function answerOf(result: Members): Pick<ImportedAnswer, "content" | "sources"> {
  const items = elements(result["items"]).map(members);
  const overview = items.find(({ type }) => type === "ai_overview");
  const sections = items.flatMap((item) => elements(item["sections"]).map(members));
  if (overview !== undefined && sections.length === 0)
    return {
      content: textOf(overview["markdown"], contentCharsMax) ?? overviewText(overview),
      sources: sourcesOf(overview["references"], "url").slice(0, 1000),
    };
  const written = textOf(result["markdown"], contentCharsMax);
  if (written !== null) return { content: written, sources: sourcesOf(result["sources"], "url").slice(0, 1000) };
  return {
    content: textOf(
      sections.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n\n"),
      contentCharsMax,
    ),
    sources: sections.flatMap(({ annotations }) => sourcesOf(annotations, "url")).slice(0, 1000),
  };
}

function overviewText(overview: Members): string | null {
  const parts = elements(overview["items"]).flatMap((item) => {
    const { markdown, text } = members(item);
    const part = textOf(markdown ?? text, contentCharsMax);
    return part === null ? [] : [part];
  });
  return textOf(parts.join("\n\n"), contentCharsMax);
}
