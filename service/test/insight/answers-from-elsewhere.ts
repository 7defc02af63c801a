/** Answers of a platform that this service does not ask, and the sources that become of them. */
import assert from "node:assert/strict";
import type { TestAccount } from "../harness/service.ts";
import { observations, send } from "./imported-answers.ts";

/** An address of Gemini's that hides the page that it leads to. */
export const redirect = (id: string) => `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${id}`;

export const imported = (id: string, sources: readonly object[]) => ({
  id,
  question: "q",
  platformCode: "elsewhere",
  observedAt: "2026-11-20T10:00:00Z",
  content: "x",
  sources,
});

export async function sendAnswers(account: TestAccount, answers: readonly object[], query: string): Promise<void> {
  const { status, text } = await send(account, answers, query);
  assert.equal(status, 200, text);
}

export const sourcesOf = async (account: TestAccount) =>
  (await observations(account, "")).flatMap(({ sources }) => sources);
