import type { JsonObject } from "../body/json.ts";
import type { Page } from "../read/chat.ts";
import type { Reading } from "../read/reading.ts";
import { chatRequest, systemMessage } from "../requests/forms.ts";
import type { Vendor } from "../vendor.ts";
import { referencePages } from "./doubao.ts";
import { webSearchPages } from "./glm.ts";
import { readExecutedTools } from "./groq.ts";
import { perplexityPages, readPerplexity } from "./perplexity.ts";
import { searchInfoPages } from "./qwen.ts";

/**
 * Everything that accepts chat completions: a local server, a gateway. The settings say what to send beyond a plain question
 * (`searchBody`, `deepBody`). The response may have any vendor's form, since a gateway passes it on.
 */
export const openaiCompatible: Vendor = {
  code: "openai-compatible",
  order: 14,
  name: "OpenAI-compatible endpoint",
  defaults: {
    url: "http://127.0.0.1:11434/v1",
    keyVariable: null,
    model: "default",
    thinking: { normal: "default", deep: "high" },
  },
  keyPage: null,
  returns: ["reasoningProcess"],
  whenSearching: [],
  searches: false,
  request: (question) =>
    chatRequest(question, question.effort === "default" ? {} : { reasoning_effort: question.effort }),
  extras: { pages: anyPages, more: readAnyExtras },
  documentation: null,
  options: { system: systemMessage, page: null, checked: "2026-11-22" },
};

/** For gateways, which pass on any vendor's format. */
export function anyPages(document: JsonObject): Page[] {
  return (
    [perplexityPages, webSearchPages, searchInfoPages, referencePages]
      .map((pages) => pages(document))
      .find((pages) => pages.length > 0) ?? []
  );
}

/** For gateways, which pass on any vendor's format. */
export function readAnyExtras(document: JsonObject, message: JsonObject, reading: Reading): void {
  readPerplexity(document, message, reading);
  readExecutedTools(document, message, reading);
}
