/** Assembles the pieces of a stream into the one document that the same question would have returned without streaming. */
import { assembleChat } from "./assemble-chat.ts";
import { assembleConversation } from "./assemble-conversation.ts";
import { assembleGenerateContent } from "./assemble-generate-content.ts";
import { assembleInteraction } from "./assemble-interaction.ts";
import { assembleMessage } from "./assemble-message.ts";
import { assembleResponse } from "./assemble-response.ts";
import type { Assembled } from "./assembled.ts";
import { object, string, type JsonObject } from "./json.ts";
import type { Body } from "./read-body.ts";
import { isStatedError } from "./stated-error.ts";

/** The complete documents of a body. There are several only if the answer took several requests. */
export function assemble(body: Extract<Body, { kind: "documents" }>): readonly Assembled[] {
  const documents = body.documents.map(object);
  const first = documents[0] ?? {};
  const stated = documents.find(isStatedError);
  if (stated !== undefined) return [{ document: { error: stated }, complete: true }];
  // Gemini sends its stream as one JSON array unless events are requested.
  if (documents.some(isGenerateContent)) return [assembleGenerateContent(documents, body.streamed)];
  if (!body.streamed) return documents.map((document) => ({ document, complete: true }));
  const type = documents.map(({ type }) => string(type)).find((type) => type !== "") ?? "";
  if (documents.some(({ event_type: kind }) => string(kind) !== "")) return [assembleInteraction(documents)];
  if (type.startsWith("response.")) return [assembleResponse(documents)];
  if (type.startsWith("conversation.")) return [assembleConversation(documents)];
  if (type.startsWith("message_") || type.startsWith("content_block_")) return [assembleMessage(documents)];
  if (documents.some(({ choices, object: kind }) => Array.isArray(choices) || string(kind).startsWith("chat."))) {
    return [assembleChat(documents, body.done)];
  }
  const failed = documents.find(({ error }) => error !== undefined && error !== null);
  return [{ document: failed ?? first, complete: failed !== undefined || documents.length === 1 }];
}

function isGenerateContent(document: JsonObject): boolean {
  return Array.isArray(document["candidates"]) || document["promptFeedback"] !== undefined;
}
