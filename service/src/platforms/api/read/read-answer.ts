/** Parses a body, as text. Pure, so that a stored one can be parsed again. */
import { assemble } from "../body/assemble.ts";
import { isObject, object, string, type JsonObject } from "../body/json.ts";
import { readBody, turnsIn, type Body } from "../body/read-body.ts";
import { readChat, type ChatExtras } from "./chat.ts";
import { readConversation } from "./conversations.ts";
import { isFiber, readFiber } from "./fibers.ts";
import { readGenerateContent } from "./generate-content.ts";
import { readInteraction } from "./interactions.ts";
import { readMessage } from "./messages.ts";
import { Reading } from "./reading.ts";
import { readResponse } from "./responses.ts";

export type Read =
  | { readonly kind: "read"; readonly reading: Reading }
  | {
      readonly kind: "unreadable";
      readonly what: Extract<Body, { kind: "unreadable" }>["what"] | "an unknown form";
      /** What it contains nevertheless, such as an error's members. */
      readonly document: JsonObject;
    };

/** Parses a body by its actual format: vendors use more than one, and change to newer ones. */
export function readAnswer(text: string, extras: ChatExtras, observedAt: Date): Read {
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
