/**
 * Where each vendor's request takes the options that say from where, as whom and with what a question is asked. What a vendor
 * supports is derived from the requests that these functions make (`upstream-support.ts`), so it is stated nowhere else.
 */
import type { AskedAs, AskedAsMember, LocationPart, PlatformOptionValues } from "@querent/contract";
import type { JsonBody } from "./vendor.ts";

export interface OptionPlaces {
  /** The request with a system text. */
  readonly system: (body: JsonBody, text: string) => JsonBody;
  /** The request with an option, in a place of the vendor's own. A member that is missing has none. */
  readonly native?: NativePlaces;
  /** The members of a location that `native.location` places. */
  readonly location?: readonly LocationPart[];
  /** How many domains `native.domains` places; a function of the request if that depends on it. */
  readonly domains?: DomainLimits | ((body: JsonBody) => DomainLimits | null);
  /** Where the vendor documents the places; null: it has none. */
  readonly page: string | null;
  readonly checked: string;
  /** The vendor's own page could not be read on that day: these rest on what others document of it. */
  readonly unconfirmed?: readonly AskedAsMember[];
}

type DomainLimits = NonNullable<PlatformOptionValues["domains"]>;

export type NativePlaces = {
  readonly [Member in Exclude<AskedAsMember, "persona" | "model">]?: (
    body: JsonBody,
    value: NonNullable<AskedAs[Member]>,
    now: Date,
  ) => JsonBody;
};

const checked = "2026-11-22";
const checkedLater = "2026-11-29";

const systemMessage: OptionPlaces["system"] = (body, text) => ({
  ...body,
  messages: [{ role: "system", content: text }, ...list(body["messages"])],
});
const systemInput: OptionPlaces["system"] = (body, text) => ({
  ...body,
  input: [{ role: "system", content: [{ type: "input_text", text }] }, ...list(body["input"])],
});
const chatOnly: OptionPlaces = { system: systemMessage, page: null, checked };
const responsesOnly: OptionPlaces = { system: systemInput, page: null, checked };

/** `user_location`, as OpenAI and Anthropic take it: a place without coordinates. */
const approximate = (body: JsonBody, location: JsonBody) =>
  inSearch(body, { user_location: { type: "approximate", ...location } });

export const optionPlaces: Readonly<Record<string, OptionPlaces>> = {
  openai: {
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
    checked: checkedLater,
  },
  anthropic: {
    system: (body, text) => ({ ...body, system: text }),
    native: {
      country: (body, country) => approximate(body, { country }),
      location: (body, { city, region }) => approximate(body, defined({ city, region })),
      domains: (body, { allow = [], deny = [] }) =>
        inSearch(body, allow.length > 0 ? { allowed_domains: allow } : { blocked_domains: deny }),
    },
    location: ["city", "region"],
    domains: { allowMax: 100, denyMax: 100, together: false },
    page: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool",
    checked,
  },
  gemini: {
    system: (body, text) => ({ ...body, systemInstruction: { parts: [{ text }] } }),
    native: {
      // A start requires an end.
      since: (body, since, now) =>
        changeTools(body, (tool) => {
          const endTime = now.toISOString();
          const search = tool["googleSearch"];
          if (!isObject(search)) return tool;
          const timeRangeFilter = { startTime: `${since}T00:00:00Z`, endTime };
          return { ...tool, googleSearch: { ...search, timeRangeFilter } };
        }),
    },
    page: "https://docs.cloud.google.com/nodejs/docs/reference/generativelanguage/latest/generativelanguage/protos.google.ai.generativelanguage.v1beta.tool.igooglesearch",
    checked,
  },
  perplexity: {
    system: (body, text) => ({ ...body, instructions: text }),
    native: {
      country: (body, country) => inAgentSearch(body, { user_location: { country } }),
      location: (body, location) => inAgentSearch(body, { user_location: defined(location) }),
      domains: (body, { allow = [], deny = [] }) =>
        inAgentSearch(body, {
          filters: { search_domain_filter: allow.length > 0 ? allow : deny.map((domain) => `-${domain}`) },
        }),
      since: (body, since) =>
        inAgentSearch(body, { filters: { search_after_date_filter: monthDayYear(dayBefore(since)) } }),
    },
    location: ["city", "region", "latitude", "longitude"],
    domains: { allowMax: 20, denyMax: 20, together: false },
    page: "https://docs.perplexity.ai/docs/agent-api/filters",
    checked,
  },
  xai: {
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
    checked: checkedLater,
    unconfirmed: ["country", "location", "domains"],
  },
  mistral: { system: (body, text) => ({ ...body, instructions: text }), page: null, checked },
  groq: {
    system: systemMessage,
    native: {
      domains: (body, { allow = [], deny = [] }) =>
        // Only compound systems have settings for their search.
        typeof body["model"] === "string" && body["model"].includes("compound") && body["compound_custom"] === undefined
          ? {
              ...body,
              search_settings: allow.length > 0 ? { include_domains: allow } : { exclude_domains: deny },
            }
          : body,
    },
    domains: { allowMax: 100, denyMax: 100, together: false },
    page: "https://console.groq.com/docs/web-search",
    checked,
    unconfirmed: ["domains"],
  },
  deepseek: {
    // Without search, it is asked by chat completions.
    system: (body, text) => (body["tools"] === undefined ? systemMessage(body, text) : { ...body, system: text }),
    page: null,
    checked,
  },
  qwen: responsesOnly,
  kimi: chatOnly,
  glm: {
    system: systemMessage,
    native: {
      domains: (body, { allow = [] }) =>
        changeTools(body, (tool) => {
          const search = tool["web_search"];
          if (!isObject(search)) return tool;
          return { ...tool, web_search: { ...search, search_domain_filter: allow[0] ?? "" } };
        }),
    },
    domains: { allowMax: 1, denyMax: 0, together: false },
    page: "https://docs.z.ai/api-reference/llm/chat-completion",
    checked,
    unconfirmed: ["domains"],
  },
  doubao: responsesOnly,
  openrouter: {
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
    checked: checkedLater,
  },
  "openai-compatible": chatOnly,
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
  const search = list(tools).find((tool) => isObject(tool) && tool["type"] === "openrouter:web_search");
  const parameters = isObject(search) ? search["parameters"] : undefined;
  const engine = isObject(parameters) ? parameters["engine"] : undefined;
  return typeof engine === "string" ? engine : "auto";
}

/** Adds to the vendor's web search tool, and to the objects in it. */
function inSearch(body: JsonBody, change: JsonBody): JsonBody {
  return changeTools(body, (tool) => (isWebSearch(tool) ? merge(tool, change) : tool));
}

/** A preset brings its own search; the tool is given to it only to be configured. */
function inAgentSearch(body: JsonBody, change: JsonBody): JsonBody {
  if (body["max_tool_calls"] === 0 || (body["preset"] === undefined && body["tools"] === undefined)) return body;
  return inSearch({ ...body, tools: body["tools"] ?? [{ type: "web_search" }] }, change);
}

function inParameters(body: JsonBody, parameters: JsonBody): JsonBody {
  return changeTools(body, (tool) => (tool["type"] === "openrouter:web_search" ? merge(tool, { parameters }) : tool));
}

function changeTools(body: JsonBody, change: (tool: JsonBody) => JsonBody): JsonBody {
  const { tools } = body;
  if (!Array.isArray(tools)) return body;
  return { ...body, tools: list(tools).map((tool) => (isObject(tool) ? change(tool) : tool)) };
}

function withoutTool(body: JsonBody, type: string): JsonBody {
  const { tools } = body;
  if (!Array.isArray(tools)) return body;
  return { ...body, tools: list(tools).filter((tool) => !isObject(tool) || tool["type"] !== type) };
}

function merge(object: JsonBody, change: JsonBody): JsonBody {
  const merged = Object.entries(change).map(([name, value]) => {
    const former = object[name];
    return [name, isObject(former) && isObject(value) ? merge(former, value) : value] as const;
  });
  return { ...object, ...Object.fromEntries(merged) };
}

const isWebSearch = ({ type }: JsonBody) => typeof type === "string" && type.startsWith("web_search");

type Json = JsonBody[string];
const isObject = (value: Json | undefined): value is JsonBody =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

function defined(members: Readonly<Record<string, string | number | undefined>>): JsonBody {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The filter excludes its own day. */
function dayBefore(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}

function monthDayYear(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${month}/${day}/${year}`;
}
