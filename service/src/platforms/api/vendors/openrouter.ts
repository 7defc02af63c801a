import { chatRequest, systemMessage, changeTools, isBody, listIn, merge } from "../requests/forms.ts";
import type { DomainLimits, JsonBody, Vendor } from "../vendor.ts";
import { anyPages, readAnyExtras } from "./openai-compatible.ts";

/** Chat completions of many vendors' models, with OpenRouter's own web search as a server tool. */
export const openrouter: Vendor = {
  code: "openrouter",
  order: 13,
  name: "OpenRouter",
  defaults: {
    url: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    model: "openrouter/auto",
    thinking: { normal: "default", deep: "high" },
  },
  keyPage: "https://openrouter.ai/settings/keys",
  returns: ["sources", "reasoningProcess"],
  whenSearching: ["sources"],
  searches: true,
  request(question) {
    const { upstream, effort } = question;
    return chatRequest(question, {
      ...(upstream.search ? { tools: [{ type: "openrouter:web_search" }] } : {}),
      ...(effort === "default" ? {} : { reasoning: effort === "none" ? { enabled: false } : { effort } }),
    });
  },
  extras: { pages: anyPages, more: readAnyExtras },
  documentation: {
    path: "/chat/completions",
    model: "openrouter/auto",
    search: "openrouter:web_search",
    page: "https://openrouter.ai/docs/guides/features/server-tools/web-search",
    checked: "2026-11-29",
    unconfirmed: ["path", "model"],
  },
  options: {
    system: systemMessage,
    native: {
      searchDepth: (body, depth) =>
        openRouterSearch(body).hasDepth ? inParameters(body, { search_context_size: depth, ...engineFor(body) }) : body,
      domains: (body, { allow = [], deny = [] }) =>
        openRouterSearch(body).domains === null
          ? body
          : inParameters(body, {
              ...(allow.length > 0 ? { allowed_domains: allow } : { excluded_domains: deny }),
              ...engineFor(body),
            }),
    },
    domains: (body) => openRouterSearch(body).domains,
    page: "https://openrouter.ai/docs/guides/features/server-tools/web-search",
    checked: "2026-11-29",
  },
};

/** What OpenRouter's search can restrict: as the page says of its engine, and of the vendor's own search that it uses for a model. */
function openRouterSearch(body: JsonBody): { readonly domains: DomainLimits | null; readonly hasDepth: boolean } {
  const both: DomainLimits = { allowMax: 100, denyMax: 100, together: false };
  const engine = engineIn(body);
  const vendor = typeof body["model"] === "string" ? (body["model"].split("/")[0] ?? "") : "";
  const own = engine === "auto" || engine === "native" ? nativeSearches[vendor] : undefined;
  if (own !== undefined) return { domains: own.domains, hasDepth: false };
  return { domains: both, hasDepth: engine === "auto" || engine === "exa" };
}

/** The vendors whose own search OpenRouter uses. What they can't do, it drops in silence; none has a depth. */
const nativeSearches: Readonly<Record<string, { readonly domains: DomainLimits | null }>> = {
  anthropic: { domains: { allowMax: 100, denyMax: 100, together: false } },
  openai: { domains: { allowMax: 100, denyMax: 0, together: false } },
  "x-ai": { domains: { allowMax: 5, denyMax: 5, together: false } },
  perplexity: { domains: null },
  google: { domains: null },
};

/** Which model OpenRouter chooses is not known before, so its search could be one that drops this: Exa's is used instead. */
function engineFor(body: JsonBody): JsonBody {
  const isChosenLater = typeof body["model"] === "string" && body["model"].startsWith("openrouter/");
  return isChosenLater && engineIn(body) === "auto" ? { engine: "exa" } : {};
}

function engineIn({ tools }: JsonBody): string {
  const search = listIn(tools).find((tool) => isBody(tool) && tool["type"] === "openrouter:web_search");
  const parameters = isBody(search) ? search["parameters"] : undefined;
  const engine = isBody(parameters) ? parameters["engine"] : undefined;
  return typeof engine === "string" ? engine : "auto";
}

function inParameters(body: JsonBody, parameters: JsonBody): JsonBody {
  return changeTools(body, (tool) => (tool["type"] === "openrouter:web_search" ? merge(tool, { parameters }) : tool));
}
