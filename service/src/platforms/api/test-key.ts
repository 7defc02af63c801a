/** One real question to a vendor, to see whether a key works: what came back in one word, and in a sentence for people. */
import type { PlatformKeyTest, TaskOptions } from "@querent/contract";
import type { Outcome } from "../platform.ts";
import { apiPlatform, keyOf, type ApiPlatformOptions } from "./api-platform.ts";
import { noCreditMessage } from "./read/classify-error.ts";
import type { Upstream } from "./vendor.ts";

/** Within the time that clients and proxies wait for a reply. */
const timeoutMs = 55_000;
/** Short, and with an answer that every model knows. It searches as the platform's tasks do, so that a missing permission shows. */
const question = "What is the capital of France? Answer in one word.";
const options: TaskOptions = { deepAnalysis: false, output: "answer", resultFormat: "json" };

/** The upstream whose key a platform is set up with: the first that needs one. */
export const keyedUpstream = (upstreams: readonly Upstream[]): Upstream | undefined =>
  upstreams.find(({ keyVariable }) => keyVariable !== null) ?? upstreams[0];

/** Asks that upstream alone: a fallback would hide what the key is worth. */
export async function testKey(
  platform: Pick<ApiPlatformOptions, "code" | "name" | "upstreams" | "environment" | "clock">,
): Promise<Omit<PlatformKeyTest, "platformCode">> {
  const upstream = keyedUpstream(platform.upstreams);
  if (upstream === undefined) throw new Error(`${platform.code} has no upstream.`);
  const begun = performance.now();
  const once = apiPlatform({
    ...platform,
    upstreams: [{ ...upstream, timeoutSeconds: timeoutMs / 1000 }],
    returns: null,
  });
  const taskId = "00000000-0000-7000-8000-000000000000";
  const outcome = await once.ask(
    { taskId, text: question, options, attempt: 1 },
    { signal: AbortSignal.timeout(timeoutMs + 1_000) },
  );
  const key = keyOf(upstream, platform.environment) ?? "";
  const { result, detail } = judge(outcome);
  return {
    result,
    // The adapter removes the key from what it reads. This is the last place where it could leave.
    detail: key === "" ? detail : detail.replaceAll(key, "[redacted]"),
    status: "platformStatus" in outcome ? outcome.platformStatus : null,
    model: upstream.model,
    seconds: Math.round(performance.now() - begun) / 1000,
  };
}

type Judged = Pick<PlatformKeyTest, "result" | "detail">;

function judge(outcome: Outcome): Judged {
  switch (outcome.kind) {
    case "answered":
      return { result: "answered", detail: "The platform answered." };
    case "throttled":
      return {
        result: "rate_limited",
        detail: `The platform limits requests at the moment, and asks to wait for ${Math.ceil(outcome.retryAfterMs / 1000)} seconds.`,
      };
    case "canceled":
      return { result: "timed_out", detail: "The platform did not answer in time." };
    case "lost":
      return { result: "vendor_fault", detail: outcome.message ?? "The answer was lost." };
    default:
      return { result: resultOf(outcome), detail: outcome.message };
  }
}

function resultOf({ code, message, platformStatus }: Extract<Outcome, { code: string }>): PlatformKeyTest["result"] {
  switch (code) {
    case "platform_auth":
      return message.startsWith(noCreditMessage) ? "no_credit" : "key_refused";
    case "platform_not_configured":
      return "unknown_model";
    case "platform_timeout":
      return "timed_out";
    case "platform_unavailable":
      return platformStatus === null ? "unreachable" : "vendor_fault";
    case "platform_refused":
      return "refused";
    default:
      return "vendor_fault";
  }
}
