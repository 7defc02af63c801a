import { object, string, list, type JsonObject } from "../body/json.ts";
import type { Page } from "../read/chat.ts";
import {
  responsesRequest,
  webSearch,
  systemInput,
  approximate,
  inSearch,
  isBody,
  listIn,
  defined,
} from "../requests/forms.ts";
import type { JsonBody, Vendor } from "../vendor.ts";

/** The Responses API, with search of the web and of X. */
export const xai: Vendor = {
  code: "xai",
  order: 5,
  name: "xAI Grok",
  tracedAs: "x_ai",
  defaults: {
    url: "https://api.x.ai/v1",
    keyVariable: "XAI_API_KEY",
    model: "grok-latest",
    thinking: { normal: "default", deep: "high" },
  },
  keyPage: "https://console.x.ai",
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request(question) {
    const { upstream, effort, deep } = question;
    const reasoning = { ...(effort === "default" ? {} : { effort }), ...(deep ? { summary: "auto" } : {}) };
    return responsesRequest(question, upstream.search ? [webSearch, { type: "x_search" }] : [], {
      store: false,
      // Which search found which page. The same of searches of X is rejected.
      include: ["reasoning.encrypted_content", ...(upstream.search ? ["web_search_call.action.sources"] : [])],
      ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    });
  },
  // Its chat completions, which gateways still use, list addresses alone.
  extras: { pages: citationPages },
  documentation: {
    path: "/responses",
    model: "grok-latest",
    search: "web_search",
    page: "https://docs.x.ai/developers/pricing.md",
    checked: "2026-11-29",
    unconfirmed: ["path", "model"],
  },
  options: {
    system: systemInput,
    native: {
      country: (body, country) => approximate(body, { country }),
      location: (body, { city, region }) => approximate(body, defined({ city, region })),
      // The search of X knows no domains: with it, the answer could cite posts on X nevertheless.
      domains: (body, { allow = [], deny = [] }) =>
        inSearch(
          withoutTool(body, "x_search"),
          allow.length > 0 ? { allowed_domains: allow } : { excluded_domains: deny },
        ),
    },
    location: ["city", "region"],
    domains: { allowMax: 5, denyMax: 5, together: false },
    page: "https://docs.x.ai/docs/guides/tools/search-tools",
    checked: "2026-11-29",
    unconfirmed: ["country", "location", "domains"],
  },
};

function withoutTool(body: JsonBody, type: string): JsonBody {
  const { tools } = body;
  if (!Array.isArray(tools)) return body;
  return { ...body, tools: listIn(tools).filter((tool) => !isBody(tool) || tool["type"] !== type) };
}

/** xAI: `citations`, only URLs. */
function citationPages(document: JsonObject): Page[] {
  return list(document["citations"]).map((citation, index) => ({
    number: index + 1,
    url: string(citation) || object(citation)["url"],
    title: object(citation)["title"],
  }));
}
