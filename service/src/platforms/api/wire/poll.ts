/** Background runs: begun with one request, asked after with others, so that no connection has to hold for half an hour. */
import { string, type JsonObject } from "../body/json.ts";
import type { Follow, FollowUp } from "./exchange.ts";

/** OpenAI's background mode of the Responses API: `GET /responses/{id}` until it is neither queued nor in progress. */
export function pollResponses(baseUrl: string, seconds: number): Follow {
  return (_sent, received) => {
    const id = string(received["id"]);
    const goesOn = received["status"] === "queued" || received["status"] === "in_progress";
    return goesOn && id !== "" ? poll(`${baseUrl}/responses/${encodeURIComponent(id)}`, seconds) : null;
  };
}

/** Where such a run is canceled. */
export function cancelResponse(baseUrl: string): (received: JsonObject) => string | null {
  return (received) => {
    const id = string(received["id"]);
    return id === "" ? null : `${baseUrl}/responses/${encodeURIComponent(id)}/cancel`;
  };
}

/** Perplexity's stored requests: `GET {where it was posted}/{id}` until it is completed or failed. */
export function pollStored(url: string, seconds: number): Follow {
  return (_sent, received) => {
    const id = string(received["id"]);
    const goesOn = received["status"] === "CREATED" || received["status"] === "IN_PROGRESS";
    return goesOn && id !== "" ? poll(`${url}/${encodeURIComponent(id)}`, seconds) : null;
  };
}

function poll(url: string, seconds: number): FollowUp {
  return { method: "GET", url, body: null, delayMs: seconds * 1000, poll: true };
}
