/** Converts a body to an outcome. Pure: the same function parses a new response and a stored one. */
import type { FailureCode } from "@querent/contract";
import { isStatedError, statedStatus, readBody, turnsIn, type Body } from "../body/read-body.ts";
import { isReported, type Consumption } from "../../../kernel/consumption.ts";
import type { Outcome, RawAnswer, ReturnedField } from "../../platform.ts";
import { readChat, type ChatExtras } from "./chat.ts";
import { classifyError } from "./classify-error.ts";
import { Reading } from "./reading.ts";
import type { Headers } from "./retry-after.ts";
import { assemble } from "../body/assemble.ts";
import { isObject, object, string, list, parsedObject, type JsonObject } from "../body/json.ts";
import { readConversation } from "./conversations.ts";
import { readGenerateContent } from "./generate-content.ts";
import { readInteraction } from "./interactions.ts";
import { readMessage } from "./messages.ts";
import { readResponse } from "./responses.ts";

interface ReceivedAnswer {
  readonly raw: RawAnswer;
  readonly status: number;
  readonly headers: Headers;
  readonly observedAt: Date;
  /** The URL of the source, as in `provenance`. */
  readonly endpoint: string | null;
}

const unreadable: Readonly<Record<Extract<Read, { kind: "unreadable" }>["what"], string>> = {
  empty: "The platform sent an empty response.",
  "a web page": "The platform sent a web page instead of an answer.",
  "broken JSON": "The platform sent broken JSON: part of its answer is missing or damaged.",
  "no JSON": "The platform sent a response that is not JSON.",
  "an unknown form": "The platform sent JSON in an unknown form.",
};

export function outcomeOf(received: ReceivedAnswer, extras: ChatExtras): Outcome {
  const steps = outcomeSteps(received, extras);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps, between which a process can do something else. */
export function* outcomeSteps(received: ReceivedAnswer, extras: ChatExtras): Generator<void, Outcome> {
  const read = readAnswer(received.raw.body, extras, received.observedAt);
  if (read.kind === "read") yield* read.reading.writing();
  const outcome = judge(received, read);
  const consumption = read.kind === "read" ? consumptionOf(read.reading) : null;
  // The platform charges for what it generated, usable or not.
  const failed = outcome.kind === "retryable" || outcome.kind === "permanent";
  return failed && consumption !== null ? { ...outcome, consumption } : outcome;
}

/** What the turns of an answer consumed that failed later. */
export function consumptionIn(body: string, extras: ChatExtras): Consumption | null {
  const read = readAnswer(body, extras, new Date(0));
  return read.kind === "read" ? consumptionOf(read.reading) : null;
}

function judge({ raw, status, headers, observedAt, endpoint }: ReceivedAnswer, read: Read): Outcome {
  if (status === 403 && read.kind === "unreadable" && ["a web page", "no JSON"].includes(read.what)) {
    return {
      kind: "retryable",
      code: "platform_unavailable",
      stage: "platform",
      message: "A firewall or content delivery network in front of the platform blocked the request.",
      platformStatus: status,
    };
  }
  if (status < 200 || status >= 300) {
    return classifyError({ status, headers, error: errorIn(read) }, observedAt);
  }
  if (read.kind === "unreadable") {
    const { document } = read;
    if (document["code"] !== undefined || statedStatus(document) !== null || isStatedError(document))
      return classifyError({ status, headers, error: document }, observedAt);
    return bad("retryable", unreadable[read.what], status);
  }
  const { reading } = read;
  const { ending } = reading;
  const empty = reading.markdown.trim() === "" && reading.cards.length === 0;
  switch (ending.kind) {
    case "failed":
      return classifyError({ status, headers, error: ending.error }, observedAt);
    case "refused":
      return fault("permanent", "platform_refused", refusalOf(ending.reason, ending.explanation), status);
    case "filtered":
      if (empty) return fault("permanent", "platform_refused", refusalOf(ending.reason), status);
      break;
    case "unfinished":
      return bad("retryable", breakOf(ending.reason ?? ""), status);
    case "cut":
      if (empty) return bad("permanent", "The platform reached its limit of length before it had answered.", status);
      break;
    case "complete":
      if (empty) return bad("retryable", "The platform gave an empty answer.", status);
  }
  const truncatedBy = { complete: null, cut: "length_limit", filtered: "content_filter" } as const;
  return {
    kind: "answered",
    answer: {
      parts: [{ type: "markdown", markdown: reading.markdown }, ...reading.cards],
      sources: reading.sources,
      reasoning: reading.reasoning.length === 0 ? null : reading.reasoning.map((text) => ({ text })),
      search: reading.search.length === 0 ? null : reading.search,
      pageHtml: null,
      modelVersion: reading.modelVersion,
      observedAt,
      endpoint,
      region: null,
      truncatedBy: truncatedBy[ending.kind],
      unreadable: noField,
    },
    raw,
    consumption: consumptionOf(reading),
  };
}

const noField: readonly ReturnedField[] = [];

function consumptionOf({ consumption }: Reading): Consumption | null {
  return isReported(consumption) ? consumption : null;
}

function errorIn(read: Read): unknown {
  if (read.kind === "unreadable") return read.document;
  return read.reading.ending.kind === "failed" ? read.reading.ending.error : null;
}

function breakOf(reason: string): string {
  const message = "The platform's answer breaks off before its end.";
  return /^[A-Za-z][\w.-]{0,63}$/u.test(reason) ? `${message} It says \`${reason}\`.` : message;
}

const explanationCharsMax = 500;

/** "The platform declined to answer (cyber): It asks for an exploit." */
function refusalOf(reason: string, explanation = ""): string {
  const text = explanation.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const shown = (text.length > explanationCharsMax ? `${text.slice(0, explanationCharsMax)}…` : text).toWellFormed();
  return `The platform declined to answer (${word(reason)})${shown === "" ? "." : `: ${shown}`}`;
}

function word(reason: string): string {
  return /^[A-Za-z][\w.-]{0,63}$/u.test(reason) ? reason : "content";
}

function bad(kind: "retryable" | "permanent", message: string, platformStatus: number): Outcome {
  return { kind, code: "platform_bad_response", stage: "parse", message, platformStatus };
}

function fault(kind: "permanent", code: FailureCode, message: string, platformStatus: number): Outcome {
  return { kind, code, stage: "platform", message, platformStatus };
}

// Parses a body, as text. Pure, so that a stored one can be parsed again.

type Read =
  | { readonly kind: "read"; readonly reading: Reading }
  | {
      readonly kind: "unreadable";
      readonly what: Extract<Body, { kind: "unreadable" }>["what"] | "an unknown form";
      /** What it contains nevertheless, such as an error's members. */
      readonly document: JsonObject;
    };

/** Parses a body by its actual format: vendors use more than one, and change to newer ones. */
function readAnswer(text: string, extras: ChatExtras, observedAt: Date): Read {
  const reading = new Reading(observedAt);
  let unknown: JsonObject | null = null;
  let known = false;
  for (const body of turnsIn(readBody(text))) {
    if (body.kind === "unreadable") return { ...body, document: {} };
    unknown ??= object(body.documents[0]);
    for (const { document, complete } of assemble(body)) {
      if (!readDocument(unwrapped(document), reading, extras)) continue;
      known = true;
      const isFinal = complete || reading.ending.kind === "failed" || reading.ending.kind === "refused";
      if (!isFinal && reading.ending.kind !== "unfinished") reading.ending = { kind: "unfinished" };
    }
  }
  if (reading.isThinking && reading.text === "" && reading.ending.kind === "complete")
    reading.ending = { kind: "unfinished" };
  return known ? { kind: "read", reading } : { kind: "unreadable", what: "an unknown form", document: unknown ?? {} };
}

function readDocument(document: JsonObject, reading: Reading, extras: ChatExtras): boolean {
  if (Array.isArray(document["choices"])) readChat(document, reading, extras);
  else if (Array.isArray(document["steps"]) || document["object"] === "interaction") readInteraction(document, reading);
  else if (Array.isArray(document["outputs"])) readConversation(document, reading);
  else if (Array.isArray(document["candidates"]) || document["promptFeedback"] !== undefined)
    readGenerateContent(document, reading);
  else if (Array.isArray(document["output"]) || document["object"] === "response") readResponse(document, reading);
  else if (isFiber(document)) readFiber(document, reading);
  else if (Array.isArray(document["content"]) && document["type"] !== "error") readMessage(document, reading);
  else if (isObject(document["error"])) reading.ending = { kind: "failed", error: document["error"] };
  // If the error is a sentence, its code is beside it.
  else if (string(document["error"]) !== "") reading.ending = { kind: "failed", error: document };
  else return false;
  return true;
}

/** Formats that wrap a known one: DashScope's own, Perplexity's stored requests. */
function unwrapped(document: JsonObject): JsonObject {
  const { output, response } = document;
  if (isObject(response) && Array.isArray(response["choices"])) return response;
  if (!isObject(output) || !Array.isArray(output["choices"])) return document;
  const usage = object(document["usage"]);
  return {
    ...output,
    model: document["model"],
    usage: { prompt_tokens: usage["input_tokens"], completion_tokens: usage["output_tokens"] },
  };
}

// Kimi's searches: each is a document of its own between the turns of the answer.

function isFiber(document: JsonObject): boolean {
  return document["object"] === "fiber" || isObject(document["context"]);
}

/** What was found is encrypted, but the addresses are listed beside it. */
function readFiber(document: JsonObject, reading: Reading): void {
  const context = object(document["context"]);
  const input = parsedObject(string(context["input"]));
  const { query } = { ...input, ...parsedObject(string(input["arguments"])) } as JsonObject;
  const pages = list(context["references"]).map((page) => (isObject(page) ? page : { url: page }));
  for (const page of pages) reading.addSource({ url: page["url"], title: page["title"] });
  reading.addResults(query, pages);
  reading.addConsumption({ inputTokens: null, outputTokens: null, searches: 1 });
}
