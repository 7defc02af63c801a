import { readPerplexity } from "../read/chat-extras.ts";
import { perplexityPages } from "../read/pages.ts";
import { chatRequest } from "./chat-request.ts";
import { pollStored } from "./poll.ts";
import type { ModelQuestion, Vendor } from "./vendor.ts";

/** Sonar: it always searches. Titles, dates, images and videos are in members of their own beside the choices. */
export const perplexity: Vendor = {
  code: "perplexity",
  name: "Perplexity",
  defaults: {
    url: "https://api.perplexity.ai",
    keyVariable: "PERPLEXITY_API_KEY",
    model: "sonar-pro",
    deepModel: "sonar-reasoning-pro",
  },
  returns: ["sources", "videos", "media", "reasoningProcess", "searchProcess"],
  whenSearching: [],
  searches: true,
  request(question) {
    const { upstream, effort } = question;
    const request = chatRequest(question, {
      ...(upstream.search ? { return_images: true } : { disable_search: true }),
      ...(effort === "default" || effort === "none" ? {} : { reasoning_effort: effort }),
    });
    return isStored(question) ? { path: storedPath, body: { request: request.body } } : request;
  },
  followUp: (question) =>
    isStored(question) ? pollStored(`${question.upstream.url}${storedPath}`, question.upstream.pollSeconds) : null,
  extras: { pages: perplexityPages, more: readPerplexity },
};

/** Stored requests are polled, for runs that take minutes. */
const storedPath = "/async/chat/completions";

function isStored({ deep, upstream }: ModelQuestion): boolean {
  return deep && upstream.background;
}
