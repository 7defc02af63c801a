/**
 * What the requests of several vendors have in common: the forms of APIs that others have taken over, and how an option is added to a
 * request that is complete without it.
 */
import { string, type JsonObject } from "../body/json.ts";
import type { Effort, FollowUp, JsonBody, ModelQuestion, NextRequest, OptionPlaces, VendorRequest } from "../vendor.ts";

/** A chat completion, with the vendor's own switches. */
export function chatRequest({ model, text }: ModelQuestion, switches: JsonBody = {}): VendorRequest {
  return { path: "/chat/completions", body: { model, messages: [{ role: "user", content: text }], ...switches } };
}

/** `thinking: {type}`, as DeepSeek, Zhipu, Moonshot and Volcengine have it; nothing for the vendor's default. */
export function thinkingSwitch(effort: Effort): JsonBody {
  if (effort === "default") return {};
  return { thinking: { type: effort === "none" ? "disabled" : "enabled" } };
}

/** A request of the Responses API: `switches` after the input, and the tools if there are any. */
export function responsesRequest(
  { model, text }: ModelQuestion,
  tools: readonly JsonBody[],
  switches: JsonBody = {},
): VendorRequest {
  return {
    path: "/responses",
    body: {
      model,
      input: [{ role: "user", content: [{ type: "input_text", text }] }],
      ...switches,
      ...(tools.length === 0 ? {} : { tools, tool_choice: "auto" }),
    },
  };
}

export const webSearch: JsonBody = { type: "web_search" };

/** The next turn of a conversation: the same request, with messages added. */
export function nextTurn(
  { url, body }: { readonly url: string; readonly body: JsonObject },
  messages: readonly unknown[],
): NextRequest {
  const before: unknown = body["messages"];
  return {
    method: "POST",
    url,
    body: { ...body, messages: [...(Array.isArray(before) ? (before as unknown[]) : []), ...messages] },
    delayMs: 0,
    poll: false,
  };
}

/** Background mode of the Responses API, as OpenAI and Perplexity have it: `GET /responses/{id}` until it is neither queued nor in progress. */
export function pollResponses(baseUrl: string, seconds: number): FollowUp {
  return (_sent, received) => {
    const id = string(received["id"]);
    const running = received["status"] === "queued" || received["status"] === "in_progress";
    return running && id !== "" ? poll(`${baseUrl}/responses/${encodeURIComponent(id)}`, seconds) : null;
  };
}

/** Where such a run is canceled. */
export function cancelResponse(baseUrl: string): (received: JsonObject) => string | null {
  return (received) => {
    const id = string(received["id"]);
    return id === "" ? null : `${baseUrl}/responses/${encodeURIComponent(id)}/cancel`;
  };
}

function poll(url: string, seconds: number): NextRequest {
  return { method: "GET", url, body: null, delayMs: seconds * 1000, poll: true };
}

export const systemMessage: OptionPlaces["system"] = (body, text) => ({
  ...body,
  messages: [{ role: "system", content: text }, ...listIn(body["messages"])],
});

export const systemInput: OptionPlaces["system"] = (body, text) => ({
  ...body,
  input: [{ role: "system", content: [{ type: "input_text", text }] }, ...listIn(body["input"])],
});

/** `user_location`, as OpenAI and Anthropic take it: a place without coordinates. */
export const approximate = (body: JsonBody, location: JsonBody) =>
  inSearch(body, { user_location: { type: "approximate", ...location } });

/** Adds to the vendor's web search tool, and to the objects in it. */
export function inSearch(body: JsonBody, change: JsonBody): JsonBody {
  return changeTools(body, (tool) => (isWebSearch(tool) ? merge(tool, change) : tool));
}

export function changeTools(body: JsonBody, change: (tool: JsonBody) => JsonBody): JsonBody {
  const { tools } = body;
  if (!Array.isArray(tools)) return body;
  return { ...body, tools: listIn(tools).map((tool) => (isBody(tool) ? change(tool) : tool)) };
}

export function merge(object: JsonBody, change: JsonBody): JsonBody {
  const merged = Object.entries(change).map(([name, value]) => {
    const former = object[name];
    return [name, isBody(former) && isBody(value) ? merge(former, value) : value] as const;
  });
  return { ...object, ...Object.fromEntries(merged) };
}

const isWebSearch = ({ type }: JsonBody) => typeof type === "string" && type.startsWith("web_search");

type Json = JsonBody[string];

export const isBody = (value: Json | undefined): value is JsonBody =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const listIn = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

export function defined(members: Readonly<Record<string, string | number | undefined>>): JsonBody {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
