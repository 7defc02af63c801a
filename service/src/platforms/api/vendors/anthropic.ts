import { nextTurn, approximate, inSearch, defined } from "../requests/forms.ts";
import type { Effort, FollowUp, JsonBody, Vendor } from "../vendor.ts";

/** The Messages API, with web search. A turn that pauses is continued. */
export const anthropic: Vendor = {
  code: "anthropic",
  order: 2,
  name: "Anthropic Claude",
  defaults: {
    url: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
    model: "claude-sonnet-5-5",
    thinking: { normal: "default", deep: "high" },
  },
  keyPage: "https://platform.claude.com/settings/keys",
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  modelsPath: "/models?limit=1000",
  keyHeader: "x-api-key",
  headers: { "anthropic-version": "2023-06-01" },
  request({ upstream, model, text, deep, effort }) {
    // The API requires a limit. For the model's maximum, some networks close the connection because of long silences.
    const outputTokensMax = deep ? 32_000 : 16_000;
    // Called by the model itself: otherwise it filters the results with code, which not every model can, and no step shows.
    const callers = ["direct"];
    const tools = [{ type: "web_search_20260318", name: "web_search", max_uses: 8, allowed_callers: callers }];
    return {
      path: "/messages",
      body: {
        model,
        max_tokens: outputTokensMax,
        ...thinkingOf(model, effort, outputTokensMax),
        messages: [{ role: "user", content: [{ type: "text", text }] }],
        ...(upstream.search ? { tools, tool_choice: { type: "auto" } } : {}),
      },
    };
  },
  followUp: () => continuePaused,
  extras: {},
  documentation: {
    path: "/messages",
    model: "claude-sonnet-5-5",
    search: "web_search_20260318",
    page: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference",
    checked: "2026-11-29",
    unconfirmed: [],
  },
  options: {
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
    checked: "2026-11-22",
  },
};

/**
 * Claude 4.6 and later decide how much to think by the effort. Earlier models take a budget of tokens, which counts as output.
 */
function thinkingOf(model: string, effort: Effort, outputTokensMax: number): JsonBody {
  if (effort === "default") return {};
  if (effort === "none") return leastThinkingOf(model);
  if (!/claude-(?:3|(?:opus|sonnet|haiku)-4(?:[-@][0-5](?!\d)|[-@]\d{8}|$))/u.test(model)) {
    return { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort } };
  }
  const modelTokensMax = /opus-4(?:[-@][01](?!\d)|[-@]\d{8}|$)/u.test(model) ? 32_000 : 64_000;
  const budget = modelTokensMax * { low: 0.1, medium: 0.3, high: 0.6 }[effort];
  return {
    max_tokens: Math.min(outputTokensMax + budget, modelTokensMax),
    thinking: { type: "enabled", budget_tokens: budget },
  };
}

/** No thinking, or the least that a model accepts: the newer ones reject `disabled`, and Haiku 5.5 does not. */
function leastThinkingOf(model: string): JsonBody {
  if (/sonnet-5[-.]5/u.test(model)) return { thinking: { type: "between_tools" } };
  if (/opus-5[-.]5|fable/u.test(model)) return { thinking: { type: "adaptive" }, output_config: { effort: "low" } };
  return { thinking: { type: "disabled" } };
}

/** `pause_turn`: the server stopped between two searches. The same request is sent again, with the turn so far. */
const continuePaused: FollowUp = (sent, received) =>
  received["stop_reason"] === "pause_turn"
    ? nextTurn(sent, [{ role: "assistant", content: received["content"] }])
    : null;
