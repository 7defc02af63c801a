import { object, objects, string, type JsonObject } from "../body/json.ts";
import { chatRequest, thinkingSwitch, nextTurn, systemMessage } from "../requests/forms.ts";
import type { Effort, FollowUp, JsonBody, Vendor } from "../vendor.ts";

/**
 * Chat completions with the official tool `moonshot/web-search:latest`: the model calls it, each call is run by another request
 * to Kimi, and the model continues with the results, which only it can read.
 */
export const kimi: Vendor = {
  code: "kimi",
  order: 10,
  name: "Moonshot Kimi",
  defaults: {
    url: "https://api.moonshot.ai/v1",
    keyVariable: "MOONSHOT_API_KEY",
    model: "kimi-k3",
    thinking: { normal: "low", deep: "high" },
  },
  keyPage: "https://platform.moonshot.ai/console/api-keys",
  returns: ["sources", "reasoningProcess", "searchProcess"],
  whenSearching: ["sources", "searchProcess"],
  searches: true,
  request(question) {
    const { model, upstream, effort } = question;
    return chatRequest(question, {
      ...thinkingOf(model, effort),
      ...(upstream.search ? { tools: [searchTool] } : {}),
    });
  },
  followUp: ({ upstream }) => (upstream.search ? runSearches(`${upstream.url}/formulas/${formula}/fibers`) : null),
  extras: {},
  documentation: {
    path: "/chat/completions",
    model: "kimi-k3",
    search: "web_search",
    page: "https://platform.kimi.ai/docs/guide/use-official-tools",
    checked: "2026-11-22",
    unconfirmed: ["model"],
  },
  options: { system: systemMessage, page: null, checked: "2026-11-22" },
};

const formula = "moonshot/web-search:latest";

/** As `GET /formulas/moonshot/web-search:latest/tools` describes it. */
const searchTool: JsonBody = {
  type: "function",
  function: {
    name: "web_search",
    description: "Search the web for information",
    parameters: {
      type: "object",
      properties: { query: { type: "string", description: "What to search for" } },
      required: ["query"],
    },
  },
};

/** K3 always thinks, and has levels. The models before it have a switch. */
function thinkingOf(model: string, effort: Effort): JsonBody {
  if (!/^kimi-k(?:[3-9]|\d{2,})/u.test(model)) return thinkingSwitch(effort === "low" ? "none" : effort);
  if (effort === "default") return {};
  return { reasoning_effort: effort === "none" || effort === "low" ? "low" : "high" };
}

/** The searches of one answer. With all of them used up, the model must answer. */
const searchesMax = 8;

interface Turn {
  readonly url: string;
  readonly body: JsonObject;
  readonly message: JsonObject;
  readonly calls: readonly JsonObject[];
  readonly results: JsonObject[];
}

/** Runs the calls of each turn one after the other, and then continues with the next turn. */
function runSearches(fibersUrl: string): FollowUp {
  let turn: Turn | null = null;
  let searches = 0;
  return (sent, received) => {
    if (turn !== null) turn = withResult(turn, received);
    else if (searches < searchesMax) turn = turnOf(sent, received);
    if (turn === null) return null;
    turn.results.push(...builtInResults(turn));
    const call = turn.calls[turn.results.length];
    if (call !== undefined) {
      searches += 1;
      const { name, arguments: given } = object(call["function"]);
      const body = { name: string(name), arguments: string(given) };
      return { method: "POST", url: fibersUrl, body, delayMs: 0, poll: false };
    }
    const { url, body, message, results } = turn;
    turn = null;
    const last = searches >= searchesMax ? { tool_choice: "none" } : {};
    return nextTurn({ url, body: { ...body, ...last } }, [message, ...results]);
  };
}

/** The vendor's former tool, `$web_search`, which settings may still name, runs when the model is given its arguments back. */
function builtInResults({ calls, results }: Turn): JsonObject[] {
  const rest = calls.slice(results.length);
  const others = rest.findIndex((call) => !string(object(call["function"])["name"]).startsWith("$"));
  return rest.slice(0, others < 0 ? rest.length : others).map((call) => {
    const { name, arguments: given } = object(call["function"]);
    return { role: "tool", tool_call_id: call["id"], name, content: string(given) };
  });
}

function turnOf({ url, body }: { url: string; body: JsonObject }, received: JsonObject): Turn | null {
  const choice = objects(received["choices"])[0] ?? {};
  const message = object(choice["message"]);
  const calls = objects(message["tool_calls"]).slice(0, searchesMax);
  return choice["finish_reason"] !== "tool_calls" || calls.length === 0
    ? null
    : { url, body, message: { role: "assistant", content: "", ...message, tool_calls: calls }, calls, results: [] };
}

/** The next turn; null if the search failed, because an answer without it would not be the one that was asked for. */
function withResult(turn: Turn, received: JsonObject): Turn | null {
  const context = object(received["context"]);
  const content = string(context["encrypted_output"]) || string(context["output"]);
  if (content === "") return null;
  turn.results.push({ role: "tool", tool_call_id: turn.calls[turn.results.length]?.["id"], content });
  return turn;
}
