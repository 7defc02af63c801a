/** Background runs: one request starts the run, others ask for its state, so that no connection stays open for half an hour. */
import { string, type JsonObject } from "../body/json.ts";
import type { FollowUp, NextRequest } from "./follow-up.ts";

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
