/** Chat completions, as introduced by OpenAI and adopted by others, each with sources in a different place. */
import { formsOfResponses, statedEnding } from "../body/endings.ts";
import { isObject, list, number, object, objects, parsedObject, string, type JsonObject } from "../body/json.ts";
import { isNumber, numberPages, type Citation } from "./links.ts";
import { fromCodePoints, quoting } from "./offsets.ts";
import { readCost } from "./read-cost.ts";
import { endingBy, type Ending, type Reading } from "./reading.ts";

/** A page that a vendor lists beside the text; `[number]` in the text refers to it. */
export interface Page {
  readonly number: number;
  readonly url: unknown;
  readonly title?: unknown;
  readonly summary?: unknown;
  readonly site?: unknown;
  readonly date?: unknown;
}

/** What a vendor adds to the common format. */
export interface ChatExtras {
  /** Its pages, in the order of its numbers. */
  readonly pages?: (document: JsonObject, message: JsonObject) => readonly Page[];
  /** Anything else: searches, cards, steps. */
  readonly more?: (document: JsonObject, message: JsonObject, reading: Reading) => void;
}

export function readChat(document: JsonObject, reading: Reading, extras: ChatExtras = {}): void {
  const choice = objects(document["choices"])[0] ?? {};
  const message = object(choice["message"]);
  const pages = extras.pages?.(document, message) ?? [];
  for (const page of pages) reading.addSource(page);
  const annotations = readAnnotations(message, reading);
  extras.more?.(document, message, reading);
  readToolCalls(message, reading);

  const content = contentOf(message["content"], reading);
  readReasoning(message, reading);
  reading.ending = endingOf(document, choice, message, content);
  // What a model says before it calls a tool is not its answer.
  if (isCall(reading.ending)) reading.addAside(content);
  else {
    const citations = citationsIn(content, annotations);
    const numbers = pages.length === 0 ? numbersOf(content, annotations, citations) : numbersIn(pages);
    reading.addText(content, { citations, addressOf: (number) => numbers.get(number) ?? null });
  }

  reading.modelVersion = string(document["model"]) || reading.modelVersion;
  // Groq's streams have it in a member of their own.
  const usage = { ...object(object(document["x_groq"])["usage"]), ...object(document["usage"]) };
  const searches =
    number(usage["num_search_queries"]) ??
    number(object(usage["server_tool_use"])["web_search_requests"]) ??
    number(object(usage["server_tool_use_details"])["web_search_requests"]) ??
    reading.consumption.searches;
  reading.addConsumption({
    inputTokens: number(usage["prompt_tokens"]),
    outputTokens: outputTokensOf(usage),
    searches: null,
    ...readCost(usage),
  });
  reading.consumption = { ...reading.consumption, searches };
}

/** xAI counts the tokens of its reasoning apart, as the total shows; all others among those of the answer. */
function outputTokensOf(usage: JsonObject): number | null {
  const output = number(usage["completion_tokens"]);
  const reasoning = number(object(usage["completion_tokens_details"])["reasoning_tokens"]);
  if (output === null || reasoning === null) return output;
  const isApart = number(usage["total_tokens"]) === (number(usage["prompt_tokens"]) ?? 0) + output + reasoning;
  return isApart ? output + reasoning : output;
}

/** Most send a string. Mistral and some gateways send pieces, including reasoning, of which a stream makes many. */
function contentOf(content: unknown, reading: Reading): string {
  if (typeof content === "string") return content;
  let text = "";
  let thought = "";
  for (const piece of isObject(content) ? [content] : list(content)) {
    const { type, text: written, thinking } = object(piece);
    if (type === "thinking") {
      thought += typeof thinking === "string" ? thinking : list(thinking).map(textOf).join("");
      continue;
    }
    reading.addReasoning(thought);
    thought = "";
    text += textOf(isObject(piece) ? written : piece);
  }
  reading.addReasoning(thought);
  return text;
}

/** A string, or the text of an object that wraps one. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const { text, value: written } = object(value);
  return string(text) || string(written);
}

function readReasoning(message: JsonObject, reading: Reading): void {
  const details = stepsOf(objects(message["reasoning_details"]));
  // Gateways send the same as one text, in which steps follow each other without a break.
  if (details.length > 1) {
    for (const text of details) reading.addReasoning(text);
    return;
  }
  const before = reading.reasoning.length;
  reading.addReasoning(message["reasoning_content"]);
  if (reading.reasoning.length === before) reading.addReasoning(message["reasoning"]);
  if (reading.reasoning.length === before) reading.addReasoning(details[0]);
}

/** The texts of reasoning details. Those of one index are the pieces of one step, as a stream sends them. */
function stepsOf(details: readonly JsonObject[]): readonly string[] {
  const steps = new Map<unknown, string>();
  for (const detail of details) {
    const step = detail["index"] ?? detail["id"];
    steps.set(step, (steps.get(step) ?? "") + (string(detail["text"]) || string(detail["summary"])));
  }
  return [...steps.values()].filter((text) => text.trim() !== "");
}

function readAnnotations(message: JsonObject, reading: Reading): readonly JsonObject[] {
  const annotations = objects(message["annotations"]).map((annotation): JsonObject => ({
    ...annotation,
    ...object(annotation["url_citation"]),
  }));
  for (const { url, title, content, snippet } of annotations) {
    reading.addSource({ url, title: isNumber(string(title)) ? "" : title });
    reading.addPassage(url, content ?? snippet);
  }
  return annotations;
}

/** The citation of each annotation, so that the two lists can be read together; one without a place ends at 0. */
function citationsIn(text: string, annotations: readonly JsonObject[]): Citation[] {
  const unit = fromCodePoints(text);
  return annotations.map((annotation) => {
    const url = string(annotation["url"]);
    const end = number(annotation["end_index"]) ?? 0;
    return end > 0 ? quoting(text, unit, number(annotation["start_index"]) ?? 0, end, url) : { start: 0, end: 0, url };
  });
}

function numbersIn(pages: readonly Page[]): ReadonlyMap<number, string> {
  return new Map(pages.map((page) => [page.number, string(page.url)]));
}

function numbersOf(
  text: string,
  annotations: readonly JsonObject[],
  citations: readonly Citation[],
): ReadonlyMap<number, string> {
  return numberPages(
    citations.map(({ url, start, end }, index) => ({
      url,
      title: string(annotations[index]?.["title"]),
      covered: text.slice(start, end),
    })),
  );
}

/** Searches that the model called and the vendor ran. */
function readToolCalls(message: JsonObject, reading: Reading): void {
  for (const call of objects(message["tool_calls"])) {
    const made = object(call["function"]);
    const { query, search_query: searchQuery } = parsedObject(string(made["arguments"]));
    if (/search/iu.test(string(made["name"]))) reading.addSearch(query ?? searchQuery);
  }
}

function isCall(ending: Ending): boolean {
  return ending.kind === "unfinished" && /call|tool/iu.test(ending.reason ?? "");
}

function endingOf(document: JsonObject, choice: JsonObject, message: JsonObject, text: string): Ending {
  const error = [document["error"], choice["error"]].find(
    (value) => isObject(value) || (typeof value === "string" && value !== ""),
  );
  // If it is a sentence, its code is beside it.
  if (error !== undefined) return { kind: "failed", error: typeof error === "string" ? document : error };
  const refusal = string(message["refusal"]);
  if (refusal !== "" && text.trim() === "") return { kind: "refused", reason: "refusal", explanation: refusal };
  const { ending, word } = statedEnding(choice, formsOfResponses.chat);
  // A refusal in the middle of an answer leaves what was said before it.
  return endingBy(ending === "refused" ? "filtered" : ending, word);
}
