/** One platform, one replay server, one question: the whole way but the engine. */
import {
  apiPlatform,
  completeUpstream,
  type ApiPlatform,
  type ApiStep,
  type UpstreamChange,
} from "../../../src/platforms/api/index.ts";
import type { Outcome, Platform, PlatformQuestion } from "../../../src/platforms/index.ts";

export const key = "sk-test-0123456789abcdef";
export const observedAt = new Date("2026-11-21T09:30:00Z");

/** A platform of the vendor `api` whose only upstream is at `url`. */
export function platformAt(
  api: string,
  url: string,
  change: UpstreamChange = {},
  onStep?: (step: ApiStep) => void,
): ApiPlatform {
  return apiPlatform({
    code: api,
    name: api,
    // As at the vendor itself, whose search is enabled.
    upstreams: [
      completeUpstream(api, {
        url,
        search: completeUpstream(api).search || change.searchBody !== undefined,
        keyVariable: "TEST_KEY",
        pollSeconds: 0.01,
        ...change,
      }),
    ],
    returns: null,
    environment: { TEST_KEY: key },
    clock: { now: () => observedAt },
    onStep,
  });
}

export function question(text: string, deepAnalysis: boolean): PlatformQuestion {
  return { taskId: "task-1", text, options: { deepAnalysis, output: "answer", resultFormat: "json" }, attempt: 1 };
}

export function ask(
  platform: Platform,
  { deep = false, text = "How fine should I grind?", signal = new AbortController().signal } = {},
): Promise<Outcome> {
  return platform.ask(question(text, deep), { signal });
}
