/** Responses that are parsed without a request, as a stored one is. */
import assert from "node:assert/strict";
import type { Consumption } from "../../../src/kernel/consumption.ts";
import type { PlatformAnswer, Outcome } from "../../../src/platforms/index.ts";
import { observedAt, platformAt, question } from "./ask-api.ts";

export function readText(body: string, api: string): Outcome {
  const mediaType = `application/json; api=${api}`;
  return platformAt(api, "http://127.0.0.1:9").reread({ mediaType, body }, question("?", false), observedAt);
}

/** Several turns are stored as a list. */
export function read(api: string, ...documents: unknown[]): Outcome {
  return readText(JSON.stringify(documents.length === 1 ? documents[0] : documents), api);
}

export function answerOf(
  outcome: Outcome,
): PlatformAnswer & { readonly consumption: Consumption | null; readonly text: string } {
  assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
  const text = outcome.answer.parts.map((part) => (part.type === "markdown" ? part.markdown : "")).join("");
  return { ...outcome.answer, consumption: outcome.consumption, text };
}

/** `answered`, `answered length_limit`, `retryable platform_bad_response`, `throttled`. */
export function told(outcome: Outcome): string {
  if (outcome.kind === "answered") return `answered ${outcome.answer.truncatedBy ?? ""}`.trim();
  return "code" in outcome ? `${outcome.kind} ${outcome.code}` : outcome.kind;
}
