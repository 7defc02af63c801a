import { readPerplexity } from "../read/chat-extras.ts";
import { perplexityPages } from "../read/pages.ts";
import { cancelResponse, pollResponses } from "./poll.ts";
import { webSearch } from "./responses-request.ts";
import type { JsonBody, ModelQuestion, Vendor } from "./vendor.ts";

/** The Agent API. It rejects every member that it does not know. */
export const perplexity: Vendor = {
  code: "perplexity",
  name: "Perplexity",
  defaults: {
    url: "https://api.perplexity.ai",
    keyVariable: "PERPLEXITY_API_KEY",
    // Presets: names of the vendor for its current choice of model, prompt and tools.
    model: "low",
    deepModel: "medium",
  },
  returns: ["sources", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  modelsPath: "/v1/models",
  request(question) {
    const { text, effort } = question;
    const background = inBackground(question);
    return {
      path: `${versionPath}/responses`,
      body: {
        ...modelOf(question),
        input: text,
        // A background run can only be polled while it is stored.
        store: background,
        ...(background ? { background } : {}),
        ...(effort === "default" || effort === "none" ? {} : { reasoning: { effort } }),
      },
    };
  },
  followUp: (question) =>
    inBackground(question)
      ? pollResponses(`${question.upstream.url}${versionPath}`, question.upstream.pollSeconds)
      : null,
  cancelUrl: ({ upstream }) => cancelResponse(`${upstream.url}${versionPath}`),
  // Answers of the chat completions that ended in September 2026 can still be parsed again.
  extras: { pages: perplexityPages, more: readPerplexity },
};

const versionPath = "/v1";

/**
 * A name without a provider is a preset's. A preset brings its own search, which only a limit of no tool calls disables. A model
 * searches if it is given the tool, and only surely if it must.
 */
function modelOf({ model, upstream: { search } }: ModelQuestion): JsonBody {
  if (!model.includes("/")) return { preset: model, ...(search ? {} : { max_tool_calls: 0 }) };
  return { model, ...(search ? { tools: [webSearch], tool_choice: webSearch } : {}) };
}

function inBackground({ deep, upstream }: ModelQuestion): boolean {
  return deep && upstream.background;
}
