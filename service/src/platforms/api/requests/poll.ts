/** Background runs: one request starts the run, others ask for its state, so that no connection stays open for half an hour. */
import { string, type JsonObject } from "../body/json.ts";
import type { FollowUp, NextRequest } from "./follow-up.ts";

/** OpenAI's background mode of the Responses API: `GET /responses/{id}` until it is neither queued nor in progress. */
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

/** Perplexity's stored requests: `GET {the URL of the POST}/{id}` until it is completed or failed. */
export function pollStored(url: string, seconds: number): FollowUp {
  return (_sent, received) => {
    const id = string(received["id"]);
    const running = received["status"] === "CREATED" || received["status"] === "IN_PROGRESS";
    return running && id !== "" ? poll(`${url}/${encodeURIComponent(id)}`, seconds) : null;
  };
}

function poll(url: string, seconds: number): NextRequest {
  return { method: "GET", url, body: null, delayMs: seconds * 1000, poll: true };
}
