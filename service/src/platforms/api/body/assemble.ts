/** Assembles the pieces of a stream into the one document that the same question would have returned without streaming. */
import { isObject, object, string, number, objects, list, parsedObject, type JsonObject } from "./json.ts";
import { type Body, isStatedError } from "./read-body.ts";
import { outweighing, wordIn, formsOfResponses } from "./endings.ts";

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

/** The one document assembled from the pieces of a stream. */
interface Assembled {
  readonly document: JsonObject;
  /** False if the stream ended without its end marker. */
  readonly complete: boolean;
}

/**
 * Chat completion chunks: the deltas are joined; of everything else (sources, usage, model) the last value that was not empty
 * is used. A stream is complete if it has a finish reason, and no more text behind it. `[DONE]` says nothing: gateways send it
 * when their upstream breaks off.
 */
function assembleChat(chunks: readonly JsonObject[]): Assembled {
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

/** Events of Mistral's Conversations API: tools and messages, each at its position in the outputs. */
function assembleConversation(events: readonly JsonObject[]): Assembled {
  const outputs = new Map<string, { order: number; output: Record<string, unknown> }>();
  let document: JsonObject = { object: "conversation.response" };
  let complete = false;
  const at = (event: JsonObject, made: Record<string, unknown>): Record<string, unknown> => {
    const order = number(event["output_index"]) ?? outputs.size;
    const id = string(event["id"]) || String(order);
    const known = outputs.get(id);
    if (known !== undefined) return known.output;
    outputs.set(id, { order, output: made });
    return made;
  };
  for (const event of events) {
    switch (event["type"]) {
      case "tool.execution.started":
      case "tool.execution.delta":
      case "tool.execution.done": {
        const output = at(event, { type: "tool.execution", name: event["name"], arguments: "" });
        if (event["type"] === "tool.execution.delta")
          output["arguments"] = string(output["arguments"]) + string(event["arguments"]);
        else if (string(event["arguments"]) !== "") output["arguments"] = event["arguments"];
        if (isObject(event["info"])) output["info"] = event["info"];
        break;
      }
      case "message.output.delta": {
        const output = at(event, { type: "message.output", model: event["model"], content: [] });
        addContent(output, event["content"]);
        break;
      }
      case "function.call.delta": {
        const output = at(event, { type: "function.call", name: event["name"], arguments: "" });
        output["arguments"] = string(output["arguments"]) + string(event["arguments"]);
        break;
      }
      case "conversation.response.error":
        document = { ...document, error: { message: event["message"], code: event["code"] } };
        complete = true;
        break;
      default:
        if (!conversationEnds.has(string(event["type"]))) break;
        document = { ...document, usage: object(event["usage"]) };
        complete = true;
    }
  }
  const inOrder = [...outputs.values()].sort((a, b) => a.order - b.order).map(({ output }) => output);
  return { document: { ...document, outputs: inOrder }, complete };
}

const conversationEnds = new Set<string>(formsOfResponses.conversations.lastEvents);

function addContent(output: Record<string, unknown>, content: unknown): void {
  // A delta is a string, a piece, or a list of either.
  if (Array.isArray(content)) {
    for (const one of content as unknown[]) addContent(output, one);
    return;
  }
  const chunks = output["content"] as Record<string, unknown>[];
  const chunk = typeof content === "string" ? { type: "text", text: content } : object(content);
  const last = chunks.at(-1);
  if (chunk["type"] === "text" && last?.["type"] === "text")
    last["text"] = string(last["text"]) + string(chunk["text"]);
  else chunks.push({ ...chunk });
}

/** Gemini's chunks: parts of the same kind are joined, and the grounding of all chunks is merged. */
function assembleGenerateContent(chunks: readonly JsonObject[], streamed: boolean): Assembled {
  const parts: Record<string, unknown>[] = [];
  const grounding = new Grounding();
  let document: JsonObject = {};
  let candidate: JsonObject = {};
  let finish: string | null = null;
  for (const chunk of chunks) {
    document = { ...document, ...chunk };
    const next = objects(chunk["candidates"])[0];
    if (next === undefined) continue;
    const added = objects(object(next["content"])["parts"]);
    for (const part of added) addPart(parts, part);
    grounding.add(object(next["groundingMetadata"]));
    // A chunk may say that it is the end although more follows.
    if (added.some(isContent)) finish = null;
    const word = wordIn(next["finishReason"]);
    if (word !== null) finish = outweighing(finish, word);
    candidate = { ...candidate, ...next };
  }
  const complete =
    // A single chunk is a whole document, unless it is the first event of a stream that broke off.
    (chunks.length === 1 && !streamed) ||
    finish !== null ||
    // Only with a reason does this end anything: it comes with ratings alone as well.
    string(object(document["promptFeedback"])["blockReason"]) !== "" ||
    isObject(document["error"]);
  if (chunks.length > 1 || streamed) candidate = { ...candidate, finishReason: finish };
  if (!chunks.some((chunk) => objects(chunk["candidates"]).length > 0)) return { document, complete };
  return {
    document: {
      ...document,
      candidates: [{ ...candidate, content: { role: "model", parts }, groundingMetadata: grounding.merged }],
    },
    complete,
  };
}

function isContent(part: JsonObject): boolean {
  return string(part["text"]) !== "" || isObject(part["functionCall"]);
}

function addPart(parts: Record<string, unknown>[], part: JsonObject): void {
  const last = parts.at(-1);
  const isText = typeof part["text"] === "string";
  if (last !== undefined && isText && typeof last["text"] === "string" && last["thought"] === part["thought"]) {
    last["text"] += string(part["text"]);
  } else {
    parts.push({ ...part });
  }
}

/** A chunk repeats the grounding so far, or adds more; the indices of what it adds start at its own first. */
class Grounding {
  #chunks: unknown[] = [];
  readonly #supports = new Map<string, unknown>();
  readonly #queries = new Set<string>();
  #rest: JsonObject = {};

  add(metadata: JsonObject): void {
    const { groundingChunks, groundingSupports, webSearchQueries, ...rest } = metadata;
    this.#rest = { ...this.#rest, ...rest };
    for (const query of list(webSearchQueries)) if (typeof query === "string") this.#queries.add(query);
    const chunks = [...list(groundingChunks)];
    const repeats = this.#chunks.every((chunk, index) => JSON.stringify(chunk) === JSON.stringify(chunks[index]));
    const offset = repeats || chunks.length === 0 ? 0 : this.#chunks.length;
    this.#chunks = offset === 0 && chunks.length > 0 ? chunks : [...this.#chunks, ...(offset === 0 ? [] : chunks)];
    for (const support of objects(groundingSupports)) {
      const indices = list(support["groundingChunkIndices"]).map((index) => Number(index) + offset);
      const shifted = { ...support, groundingChunkIndices: indices };
      this.#supports.set(JSON.stringify(shifted), shifted);
    }
  }

  get merged(): JsonObject {
    return {
      ...this.#rest,
      groundingChunks: this.#chunks,
      groundingSupports: [...this.#supports.values()],
      webSearchQueries: [...this.#queries],
    };
  }
}

/** Events of Gemini's Interactions API: steps that start, grow by deltas, and end. */
function assembleInteraction(events: readonly JsonObject[]): Assembled {
  let document: JsonObject = { object: "interaction" };
  let complete = false;
  const steps = new Map<number, Record<string, unknown>>();
  const written = new Map<number, string>();
  for (const event of events) {
    const index = number(event["index"]) ?? 0;
    switch (event["event_type"]) {
      case "step.start":
        steps.set(index, { ...object(event["step"]) });
        break;
      case "step.delta": {
        const step = steps.get(index) ?? {};
        steps.set(index, step);
        const delta = object(event["delta"]);
        if (delta["type"] === "arguments_delta")
          written.set(index, (written.get(index) ?? "") + string(delta["arguments"]));
        else growStep(step, delta);
        break;
      }
      case "error":
        document = { ...document, error: object(event["error"]) };
        complete = true;
        break;
      default:
        document = { ...document, ...object(event["interaction"]) };
        complete ||= interactionEnds.has(string(event["event_type"]));
    }
  }
  for (const [index, json] of written) {
    const step = steps.get(index);
    if (step !== undefined) step["arguments"] = parsedObject(json);
  }
  const inOrder = [...steps].sort(([a], [b]) => a - b).map(([, step]) => step);
  return { document: { ...document, steps: inOrder }, complete };
}

const interactionEnds = new Set<string>(formsOfResponses.interactions.lastEvents);

function growStep(step: Record<string, unknown>, delta: JsonObject): void {
  const type = string(delta["type"]);
  if (type === "text") {
    const text = textOf(step);
    text["text"] = string(text["text"]) + string(delta["text"]);
  } else if (type.startsWith("text_annotation")) {
    const text = textOf(step);
    for (const annotation of list(delta["annotations"])) own(text, "annotations").push(annotation);
  } else if (type === "thought_summary") {
    own(step, "summary").push(delta["content"]);
  } else {
    const { type: _type, ...members } = delta;
    Object.assign(step, members);
  }
}

/** A list member that can be appended to. The document was parsed for us alone, so it may be modified. */
function own(holder: Record<string, unknown>, member: string): unknown[] {
  const known: unknown[] = Array.isArray(holder[member]) ? holder[member] : [];
  holder[member] = known;
  return known;
}

/** The single text of a step that grows. */
function textOf(step: Record<string, unknown>): Record<string, unknown> {
  const content = own(step, "content");
  const last = content.at(-1) as Record<string, unknown> | undefined;
  if (isObject(last) && last["type"] === "text") return last;
  const text: Record<string, unknown> = { type: "text", text: "" };
  content.push(text);
  return text;
}

/** Events of Anthropic's Messages API: blocks that start, grow by deltas, and end. */
function assembleMessage(events: readonly JsonObject[]): Assembled {
  let message: JsonObject = {};
  let complete = false;
  const blocks = new Map<number, Record<string, unknown>>();
  const inputs = new Map<number, string>();
  for (const event of events) {
    const index = number(event["index"]) ?? 0;
    switch (event["type"]) {
      case "message_start":
        message = object(event["message"]);
        break;
      case "content_block_start":
        blocks.set(index, { ...object(event["content_block"]) });
        break;
      case "content_block_delta":
        growBlock(blocks.get(index) ?? newBlock(blocks, index), object(event["delta"]), (json) =>
          inputs.set(index, (inputs.get(index) ?? "") + json),
        );
        break;
      case "message_delta":
        message = {
          ...message,
          ...object(event["delta"]),
          usage: { ...object(message["usage"]), ...object(event["usage"]) },
        };
        break;
      case "error":
        message = { ...message, type: "error", error: event["error"] };
        complete = true;
        break;
      default:
        complete ||= messageEnds.has(string(event["type"]));
    }
  }
  for (const [index, json] of inputs) {
    const block = blocks.get(index);
    if (block !== undefined && json !== "") block["input"] = parsedObject(json);
  }
  const content = [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
  return { document: { type: "message", ...message, content }, complete };
}

const messageEnds = new Set<string>(formsOfResponses.messages.lastEvents);

function newBlock(blocks: Map<number, Record<string, unknown>>, index: number): Record<string, unknown> {
  const block = { type: "text", text: "" };
  blocks.set(index, block);
  return block;
}

function citationsOf(block: Record<string, unknown>): unknown[] {
  const citations: unknown[] = Array.isArray(block["citations"]) ? block["citations"] : [];
  block["citations"] = citations;
  return citations;
}

function growBlock(block: Record<string, unknown>, delta: JsonObject, onInput: (json: string) => void): void {
  switch (delta["type"]) {
    case "text_delta":
      block["text"] = string(block["text"]) + string(delta["text"]);
      break;
    case "thinking_delta":
      block["thinking"] = string(block["thinking"]) + string(delta["thinking"]);
      break;
    // Without it, the vendor rejects the thoughts of a turn that is continued.
    case "signature_delta":
      block["signature"] = string(block["signature"]) + string(delta["signature"]);
      break;
    case "citations_delta":
      if (isObject(delta["citation"])) citationsOf(block).push(delta["citation"]);
      break;
    case "input_json_delta":
      onInput(string(delta["partial_json"]));
      break;
    default:
  }
}

/** Events of the Responses API: the last one contains the whole response; without it, the completed items are used. */
function assembleResponse(events: readonly JsonObject[]): Assembled {
  let response: JsonObject = {};
  let complete = false;
  const items = new Map<number, JsonObject>();
  for (const event of events) {
    const type = string(event["type"]);
    if (isObject(event["response"])) response = event["response"];
    if (type === "response.output_item.done")
      items.set(number(event["output_index"]) ?? items.size, object(event["item"]));
    if (responseEnds.has(type)) {
      complete = true;
      if (!isObject(event["response"]))
        response = { ...response, status: type === "response.done" ? "completed" : type.slice("response.".length) };
    }
    // Perplexity's last event of a run that failed has the error alone.
    if (type === "response.failed" && !isObject(event["response"]))
      response = { ...response, status: "failed", error: event["error"] };
    if (type === "error" || type === "response.error") {
      response = { ...response, status: "failed", error: isObject(event["error"]) ? event["error"] : event };
      complete = true;
    }
  }
  const output =
    Array.isArray(response["output"]) && response["output"].length > 0 ? response["output"] : inOrder(items);
  return { document: { ...response, output }, complete };
}

const responseEnds = new Set<string>(formsOfResponses.responses.lastEvents);

function inOrder(items: ReadonlyMap<number, JsonObject>): readonly JsonObject[] {
  return [...items].sort(([a], [b]) => a - b).map(([, item]) => item);
}
