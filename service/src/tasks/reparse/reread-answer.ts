import { isDeepStrictEqual } from "node:util";
import type { FailureCode, StoredResult } from "@querent/contract";
import { composeResult, withArtifacts } from "../../answers/index.ts";
import type { Outcome, Platform } from "../../platforms/index.ts";
import { optionsOf } from "../options-of.ts";
import type { StoredAnswer } from "./stored-answers.ts";

/** The outcome of parsing a stored answer again. */
export type Reread =
  | { readonly kind: "changed"; readonly result: StoredResult }
  | { readonly kind: "equal" }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly message: string };

/** A platform that can parse its stored answers. */
export type RereadingPlatform = Platform & Required<Pick<Platform, "reread">>;

/**
 * Parses a stored answer with the current code, and reports whether the result differs. Sends no request to a platform.
 * Whatever belongs to the run and not to the parsing is kept: when the answer was observed, where it came from, and the
 * artifacts made from it.
 */
export async function rereadAnswer(platform: RereadingPlatform, stored: StoredAnswer): Promise<Reread> {
  const options = optionsOf(stored);
  const former = stored.result;
  const observedAt =
    former.observedAt === null ? (stored.completed_at ?? stored.created_at) : new Date(former.observedAt);
  let outcome: Outcome;
  let composed: StoredResult;
  try {
    const question = { taskId: stored.id, text: stored.question, options, attempt: 1 };
    outcome = await platform.reread(stored.raw, question, observedAt);
    if (outcome.kind !== "answered") return failed(outcome);
    composed = composeResult(outcome.answer, platform, options);
  } catch (error) {
    // A parser that throws does not support this answer. The others are still parsed.
    return { kind: "failed", code: "internal", message: error instanceof Error ? error.message : String(error) };
  }
  const { screenshotUrl, shareUrl, provenance, effective, evidence } = former;
  const { effective: _unknown, ...parsed } = composed;
  const kept = withArtifacts(parsed, {
    ...(screenshotUrl === null ? {} : { screenshotUrl }),
    ...(shareUrl === null ? {} : { shareUrl }),
  });
  const result: StoredResult = {
    ...kept,
    observedAt: former.observedAt,
    provenance,
    ...(effective === undefined ? {} : { effective }),
    ...(evidence === undefined ? {} : { evidence }),
  };
  return isDeepStrictEqual(result, former) ? { kind: "equal" } : { kind: "changed", result };
}

function failed(outcome: Exclude<Outcome, { kind: "answered" }>): Reread {
  switch (outcome.kind) {
    case "retryable":
    case "permanent":
      return { kind: "failed", code: outcome.code, message: outcome.message };
    case "throttled":
      return { kind: "failed", code: "platform_rate_limited", message: "The stored answer is a rate limit response." };
    case "lost":
    case "canceled":
      return { kind: "failed", code: "internal", message: "The reading was canceled." };
  }
}
