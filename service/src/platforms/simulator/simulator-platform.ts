import { setTimeout as sleep } from "node:timers/promises";
import type { FailureCode, FailureStage } from "@querent/contract";
import { systemClock, type Clock } from "../../kernel/clock.ts";
import { effectiveOptions } from "../option-support.ts";
import type {
  AskContext,
  Outcome,
  Platform,
  PlatformQuestion,
  PlatformAnswer,
  RawAnswer,
  ReturnedField,
} from "../platform.ts";
import { noDirectives, readDirectives, type Directives } from "./directives.ts";
import { simulatedAnswer, simulatorOptions } from "./simulated-answer.ts";

/**
 * A platform that follows the directives in the question, for tests and measurements. `docs/simulator.md` describes them. Their
 * order: throttle, delay, fail, answer.
 */
export function simulatorPlatform({ clock = systemClock }: { readonly clock?: Clock } = {}): Platform {
  const throttled = new BoundedSet(throttledTasksMax);
  return {
    code: "simulator",
    name: "Simulator",
    kind: "sample",
    returns: {
      sources: true,
      products: true,
      videos: true,
      media: true,
      reasoningProcess: true,
      searchProcess: true,
      pageHtml: true,
    },
    outputs: ["answer"],
    resultFormats: ["json"],
    options: simulatorOptions,
    missing: null,

    async ask(question, { signal }) {
      if (signal.aborted) return { kind: "canceled" };
      const directives = readDirectives(question.text);
      if (directives === noDirectives) return answered(question, noDirectives, clock);
      if ("malformed" in directives) {
        return {
          kind: "permanent",
          code: "platform_refused",
          stage: "platform",
          message: directives.malformed,
          platformStatus: 400,
        };
      }
      // A throttled question uses up no attempt, so the attempt's number alone does not show whether it was throttled before.
      if (directives.throttleMs !== null && question.attempt === 1 && throttled.add(question.taskId)) {
        return { kind: "throttled", retryAfterMs: directives.throttleMs, platformStatus: 429 };
      }
      if (!(await waited(directives.delayMs, signal))) return { kind: "canceled" };
      const { fail } = directives;
      if (fail !== null && question.attempt <= (fail.attempts ?? Number.POSITIVE_INFINITY)) return failed(fail.code);
      return answered(question, directives, clock);
    },

    reread: (raw, _question, observedAt) => readWhole(raw, observedAt),
  };
}

function answered(question: PlatformQuestion, directives: Directives, clock: Clock): Outcome {
  const effective = effectiveOptions(simulatorOptions, question.options);
  const answer = { ...simulatedAnswer(question, directives, clock.now()), effective };
  return directives.unread.length === 0
    ? { kind: "answered", answer, raw: null, consumption: null }
    : { kind: "answered", answer: halfRead(answer, directives.unread), raw: rawOf(answer), consumption: null };
}

async function waited(delayMs: number, signal: AskContext["signal"]): Promise<boolean> {
  if (delayMs > 0) {
    try {
      await sleep(delayMs, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
  return !signal.aborted;
}

interface Failing {
  readonly kind: "retryable" | "permanent";
  readonly stage: FailureStage;
  readonly platformStatus: number | null;
}

/** How each code fails. Transient failures are retried; the others would fail again in the same way. */
const failings: Readonly<Record<FailureCode, Failing>> = {
  platform_unavailable: { kind: "retryable", stage: "platform", platformStatus: 503 },
  platform_timeout: { kind: "retryable", stage: "platform", platformStatus: 504 },
  platform_rate_limited: { kind: "retryable", stage: "platform", platformStatus: 429 },
  platform_bad_response: { kind: "retryable", stage: "parse", platformStatus: 200 },
  platform_auth: { kind: "permanent", stage: "platform", platformStatus: 401 },
  platform_human_check: { kind: "permanent", stage: "platform", platformStatus: 403 },
  platform_refused: { kind: "permanent", stage: "platform", platformStatus: 200 },
  platform_not_configured: { kind: "permanent", stage: "platform", platformStatus: null },
  output_unavailable: { kind: "permanent", stage: "artifact", platformStatus: null },
  run_timeout: { kind: "permanent", stage: "platform", platformStatus: null },
  start_deadline_passed: { kind: "permanent", stage: "queue", platformStatus: null },
  internal: { kind: "permanent", stage: "platform", platformStatus: null },
};

function failed(code: FailureCode): Outcome {
  return { ...failings[code], code, message: `The simulator failed with ${code}, as the question told it to.` };
}

/** Throttled tasks that are remembered: 100,000 ids take about 10 MB. */
const throttledTasksMax = 100_000;

/** Removes the oldest element when it is full. */
class BoundedSet {
  readonly #values = new Set<string>();
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  /** False if `value` was present already. */
  add(value: string): boolean {
    if (this.#values.has(value)) return false;
    this.#values.add(value);
    if (this.#values.size > this.#sizeMax) {
      const [oldest] = this.#values;
      if (oldest !== undefined) this.#values.delete(oldest);
    }
    return true;
  }
}

// `unread=sources` in a question: the first parsing of the answer leaves out its sources, and a later one does not. So an
// integration can test `parse_failed`, and a new `revision` when the operator reparses the stored answers.

/** The result of the first parsing. */
function halfRead(answer: PlatformAnswer, unread: readonly ReturnedField[]): PlatformAnswer {
  const lost = new Set(unread);
  return {
    ...answer,
    parts: answer.parts.filter(({ type }) => type === "markdown" || !lost.has(fieldOf[type])),
    sources: lost.has("sources") ? [] : answer.sources,
    reasoning: lost.has("reasoningProcess") ? null : answer.reasoning,
    search: lost.has("searchProcess") ? null : answer.search,
    pageHtml: lost.has("pageHtml") ? null : answer.pageHtml,
    // What the answer did not contain was not lost.
    unreadable: unread.filter((field) => has(answer, field)),
  };
}

function has(answer: PlatformAnswer, field: ReturnedField): boolean {
  switch (field) {
    case "sources":
      return answer.sources.length > 0;
    case "reasoningProcess":
      return answer.reasoning !== null;
    case "searchProcess":
      return answer.search !== null;
    case "pageHtml":
      return answer.pageHtml !== null;
    case "products":
    case "videos":
    case "media":
      return answer.parts.some(({ type }) => type !== "markdown" && fieldOf[type] === field);
  }
}

const fieldOf = { product: "products", video: "videos", media: "media" } as const;

const mediaType = "application/vnd.querent.simulated+json";

/** The whole answer as the simulator's original bytes. */
const rawOf = (answer: PlatformAnswer): RawAnswer => ({ mediaType, body: JSON.stringify(answer) });

/** The result of a later parsing: everything. */
function readWhole(raw: RawAnswer, observedAt: Date): Outcome {
  if (raw.mediaType !== mediaType) {
    const message = "The stored response is not from the simulator.";
    return { kind: "permanent", code: "platform_bad_response", stage: "parse", message, platformStatus: null };
  }
  // Only written by `rawOf`.
  const answer = JSON.parse(raw.body) as Omit<PlatformAnswer, "observedAt">;
  return { kind: "answered", answer: { ...answer, observedAt }, raw, consumption: null };
}
