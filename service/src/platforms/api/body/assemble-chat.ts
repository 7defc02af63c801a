import type { Assembled } from "./assembled.ts";
import { outweighing, wordIn } from "./endings.ts";
import { isObject, number, object, objects, string, type JsonObject } from "./json.ts";

/**
 * Chat completion chunks: the deltas are joined; of everything else (sources, usage, model) the last value that was not empty
 * is used. A stream is complete if it has a finish reason, and no more text behind it. `[DONE]` says nothing: gateways send it
 * when their upstream breaks off.
 */
export function assembleChat(chunks: readonly JsonObject[]): Assembled {
  const document: Record<string, unknown> = {};
  const message: Record<string, unknown> = {};
  const toolCalls = new Map<number, Record<string, unknown>>();
  const tools = new Map<number, JsonObject>();
  const annotations = new Map<string, unknown>();
  let whole: JsonObject = {};
  let finish: string | null = null;
  let choiceError: unknown;
  for (const chunk of chunks) {
    for (const [name, value] of Object.entries(chunk)) {
      if (name !== "choices" && !isEmpty(value)) document[name] = value;
    }
    const choice = objects(chunk["choices"]).find(({ index }) => (number(index) ?? 0) === 0);
    if (choice === undefined) continue;
    if (hasText(object(choice["delta"]))) finish = null;
    const word = wordIn(choice["finish_reason"]);
    if (word !== null) finish = outweighing(finish, word);
    if (!isEmpty(choice["error"])) choiceError = choice["error"];
    if (isObject(choice["message"])) whole = choice["message"];
    for (const [name, value] of Object.entries(object(choice["delta"]))) {
      if (name === "tool_calls") joinToolCalls(toolCalls, objects(value));
      else if (name === "executed_tools") replaceTools(tools, objects(value));
      else if (name === "annotations") for (const one of objects(value)) annotations.set(JSON.stringify(one), one);
      // Some repeat it in every chunk.
      else if (name === "role") message[name] = value;
      // A single piece without the list around it.
      else message[name] = joined(message[name], isPiece(value) ? [value] : value);
    }
  }
  if (annotations.size > 0) message["annotations"] = [...annotations.values()];
  if (tools.size > 0) message["executed_tools"] = [...tools.values()];
  if (toolCalls.size > 0) message["tool_calls"] = [...toolCalls.values()];
  // Some repeat the message so far in every chunk. It replaces missing deltas.
  const full: Record<string, unknown> = { ...whole, ...withoutEmpty(message) };
  document["choices"] = [
    { index: 0, finish_reason: finish, message: full, ...(choiceError === undefined ? {} : { error: choiceError }) },
  ];
  return { document, complete: finish !== null || !isEmpty(document["error"]) };
}

function hasText(delta: JsonObject): boolean {
  return !isEmpty(delta["content"]) || !isEmpty(delta["tool_calls"]);
}

/**
 * Strings are concatenated and lists appended. A stream may send one member in both forms (Mistral's reasoning models send
 * `content` as a list while they think and as a string afterwards): then a string becomes one more piece of the list.
 */
function joined(before: unknown, value: unknown): unknown {
  if (isEmpty(value)) return before;
  if (isEmpty(before)) return Array.isArray(value) ? [...(value as unknown[])] : value;
  if (typeof value === "string" && typeof before === "string") return before + value;
  // A list is our own copy, made for the first piece.
  const pieces: unknown[] | null = Array.isArray(before) ? before : Array.isArray(value) ? [before] : null;
  if (pieces === null) return value;
  for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) pieces.push(one);
  return pieces;
}

/** A piece of content that was sent without the list around it. */
function isPiece(value: unknown): boolean {
  return isObject(value) && typeof value["type"] === "string";
}

function joinToolCalls(calls: Map<number, Record<string, unknown>>, deltas: readonly JsonObject[]): void {
  for (const delta of deltas) {
    const index = number(delta["index"]) ?? calls.size;
    const before = calls.get(index) ?? {};
    const made = object(delta["function"]);
    const known = object(before["function"]);
    calls.set(index, {
      ...before,
      ...withoutEmpty(delta),
      function: {
        ...known,
        ...withoutEmpty(made),
        arguments: string(known["arguments"]) + string(made["arguments"]),
      },
    });
  }
}

/** Groq reports a tool when it starts, and again with its results when it is done. */
function replaceTools(tools: Map<number, JsonObject>, reported: readonly JsonObject[]): void {
  for (const tool of reported) {
    const index = number(tool["index"]) ?? tools.size;
    tools.set(index, { ...tools.get(index), ...withoutEmpty(tool) });
  }
}

function withoutEmpty(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => !isEmpty(member)));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
