import type { Assembled } from "./assembled.ts";
import { outweighing, wordIn } from "./endings.ts";
import { isObject, list, object, objects, string, type JsonObject } from "./json.ts";

/** Gemini's chunks: parts of the same kind are joined, and the grounding of all chunks is merged. */
export function assembleGenerateContent(chunks: readonly JsonObject[], streamed: boolean): Assembled {
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
