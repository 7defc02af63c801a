/** Assembles the pieces of a stream into the one document that the same question would have returned without streaming. */
import { assembleChat } from "./assemble-chat.ts";
import { assembleConversation } from "./assemble-conversation.ts";
import { assembleGenerateContent } from "./assemble-generate-content.ts";
import { assembleInteraction } from "./assemble-interaction.ts";
import { assembleMessage } from "./assemble-message.ts";
import { assembleResponse } from "./assemble-response.ts";
import type { Assembled } from "./assembled.ts";
import { isObject, object, string, type JsonObject } from "./json.ts";
import type { Body } from "./read-body.ts";
import { isStatedError } from "./stated-error.ts";

/** The complete documents of a body. There are several only if the answer took several requests. */
export function assemble(body: Extract<Body, { kind: "documents" }>): readonly Assembled[] {
  const documents = body.documents.map(object);
  const stated = documents.find(isStatedError);
  if (stated !== undefined) return [{ document: { error: stated }, complete: true }];
  // Gemini sends its stream as one JSON array unless events are requested.
  if (documents.some(isGenerateContent)) return [assembleGenerateContent(documents, body.streamed)];
  if (!body.streamed) return documents.map((document) => ({ document, complete: true }));
  const assembled = assembleStream(documents);
  // An error ends every stream, whatever its form, and whatever follows.
  const error = documents.map(errorIn).find((each) => each !== null);
  if (error === undefined || error === null || errorIn(assembled.document) !== null) return [assembled];
  return [{ document: { ...assembled.document, error }, complete: true }];
}

function assembleStream(documents: readonly JsonObject[]): Assembled {
  const type = documents.map(({ type: each }) => string(each)).find((each) => each !== "" && each !== "error") ?? "";
  if (documents.some(({ event_type: kind }) => string(kind) !== "")) return assembleInteraction(documents);
  if (type.startsWith("response.")) return assembleResponse(documents);
  if (type.startsWith("conversation.")) return assembleConversation(documents);
  if (type.startsWith("message_") || type.startsWith("content_block_")) return assembleMessage(documents);
  if (documents.some(({ choices, object: kind }) => Array.isArray(choices) || string(kind).startsWith("chat."))) {
    return assembleChat(documents);
  }
  const failed = documents.find((document) => errorIn(document) !== null);
  return { document: failed ?? documents[0] ?? {}, complete: failed !== undefined || documents.length === 1 };
}

/** The error of a document; null if it has none. If it is a sentence, its code is beside it. */
function errorIn(document: JsonObject): JsonObject | null {
  const { error } = document;
  if (typeof error === "string" && error !== "") return document;
  return isObject(error) ? error : null;
}

function isGenerateContent(document: JsonObject): boolean {
  return Array.isArray(document["candidates"]) || document["promptFeedback"] !== undefined;
}
