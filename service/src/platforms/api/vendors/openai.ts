import {
  pollResponses,
  cancelResponse,
  responsesRequest,
  webSearch,
  systemInput,
  approximate,
  inSearch,
  defined,
} from "../requests/forms.ts";
import type { ModelQuestion, Vendor } from "../vendor.ts";

/** The Responses API, with web search. Deep questions think hard, with a summary of the thoughts, in background mode. */
export const openai: Vendor = {
  code: "openai",
  order: 1,
  name: "OpenAI",
  defaults: {
    url: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    model: "gpt-6-astra",
    thinking: { normal: "default", deep: "high" },
    background: true,
  },
  keyPage: "https://platform.openai.com/api-keys",
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request(question) {
    const { model, deep, upstream } = question;
    const effort = question.effort === "none" && alwaysReasons.test(model) ? "low" : question.effort;
    const background = inBackground(question);
    const thinks = deep || isReasoningModel.test(model);
    const include = [
      ...(upstream.search ? ["web_search_call.action.sources"] : []),
      ...(thinks && !background ? ["reasoning.encrypted_content"] : []),
    ];
    const reasoning = {
      ...(effort === "default" ? {} : { effort }),
      ...(deep ? { summary: "auto" } : effort === "default" || effort === "none" ? {} : { summary: "detailed" }),
    };
    return responsesRequest(question, upstream.search ? [webSearch] : [], {
      // A background run can only be polled while it is stored.
      store: background,
      ...(background ? { background } : {}),
      ...(include.length === 0 ? {} : { include }),
      ...(thinks && Object.keys(reasoning).length > 0 ? { reasoning } : {}),
    });
  },
  followUp: (question) =>
    inBackground(question) ? pollResponses(question.upstream.url, question.upstream.pollSeconds) : null,
  cancelUrl: ({ upstream }) => cancelResponse(upstream.url),
  extras: {},
  documentation: {
    path: "/responses",
    model: "gpt-6-astra",
    search: "web_search",
    page: "https://developers.openai.com/api/docs/guides/tools-web-search",
    checked: "2026-11-29",
    unconfirmed: [],
  },
  options: {
    system: systemInput,
    native: {
      country: (body, country) => approximate(body, { country }),
      location: (body, { city, region }) => approximate(body, defined({ city, region })),
      searchDepth: (body, depth) => inSearch(body, { search_context_size: depth }),
      domains: (body, { allow = [], deny = [] }) =>
        inSearch(body, { filters: allow.length > 0 ? { allowed_domains: allow } : { blocked_domains: deny } }),
    },
    location: ["city", "region"],
    domains: { allowMax: 100, denyMax: 100, together: false },
    page: "https://developers.openai.com/api/docs/guides/tools-web-search",
    checked: "2026-11-29",
  },
};

function inBackground({ deep, upstream }: ModelQuestion): boolean {
  return deep && upstream.background;
}

/** From this generation on, `low` is the least. */
const alwaysReasons = /^gpt-(?:[6-9]|\d{2,})(?:[.-]|$)/u;

/** Other models reject `reasoning`. For a deep question it is always sent: the operator chose the model for reasoning. */
const isReasoningModel = /^(?:o\d+(?:-|$)|gpt-(?:[5-9]|\d{2,})(?!-chat)(?:[.-]|$))/u;
