import type { JsonObject } from "../body/json.ts";
import type { Page } from "../read/chat.ts";
import type { Reading } from "../read/reading.ts";
import type { Vendor } from "../vendor.ts";
import { askChat } from "../wire/ask-chat.ts";
import { referencePages } from "./doubao.ts";
import { webSearchPages } from "./glm.ts";
import { readTools } from "./groq.ts";
import { perplexityPages, readPerplexity } from "./perplexity.ts";
import { searchInfoPages } from "./qwen.ts";

/**
 * Whatever speaks chat completions: a local server, a gateway. What is asked of it beyond a plain question stands in the
 * settings (`searchBody`, `deepBody`); what it answers may have any vendor's form, since a gateway passes it on.
 */
export const openaiCompatible: Vendor = {
  code: "openai-compatible",
  name: "OpenAI-compatible endpoint",
  defaults: {
    url: "http://127.0.0.1:11434/v1",
    keyVariable: null,
    model: "default",
    thinking: { normal: "default", deep: "high" },
  },
  returns: ["reasoningProcess"],
  whenSearching: [],
  searches: false,
  send: (asking, fetch) => askChat(asking, fetch, asking.effort),
  extras: { pages: anyPages, more: readAnything },
};

export function anyPages(document: JsonObject): Page[] {
  return (
    [perplexityPages, webSearchPages, searchInfoPages, referencePages]
      .map((pages) => pages(document))
      .find((pages) => pages.length > 0) ?? []
  );
}

export function readAnything(document: JsonObject, message: JsonObject, reading: Reading): void {
  readPerplexity(document, message, reading);
  readTools(document, message, reading);
}
