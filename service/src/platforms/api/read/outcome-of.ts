/** Converts a body to an outcome. Pure: the same function parses a new response and a stored one. */
import type { FailureCode } from "@querent/contract";
import { isStatedError, statedStatus } from "../body/stated-error.ts";
import { isReported, type Consumption } from "../../../kernel/consumption.ts";
import type { Outcome, RawAnswer, ReturnedField } from "../../platform.ts";
import type { ChatExtras } from "./chat.ts";
import { classifyError } from "./classify-error.ts";
import { readAnswer, type Read } from "./read-answer.ts";
import type { Reading } from "./reading.ts";
import type { Headers } from "./retry-after.ts";

export interface ReceivedAnswer {
  readonly raw: RawAnswer;
  readonly status: number;
  readonly headers: Headers;
  readonly observedAt: Date;
  /** The URL of the source, as in `provenance`. */
  readonly endpoint: string | null;
}

const unreadable: Readonly<Record<Extract<Read, { kind: "unreadable" }>["what"], string>> = {
  empty: "The platform sent an empty response.",
  "a web page": "The platform sent a web page instead of an answer.",
  "broken JSON": "The platform sent broken JSON: part of its answer is missing or damaged.",
  "no JSON": "The platform sent a response that is not JSON.",
  "an unknown form": "The platform sent JSON in an unknown form.",
};

export function outcomeOf(received: ReceivedAnswer, extras: ChatExtras): Outcome {
  const steps = outcomeSteps(received, extras);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps, between which a process can do something else. */
export function* outcomeSteps(received: ReceivedAnswer, extras: ChatExtras): Generator<void, Outcome> {
  const read = readAnswer(received.raw.body, extras, received.observedAt);
  if (read.kind === "read") yield* read.reading.writing();
  const outcome = judge(received, read);
  const consumption = read.kind === "read" ? consumptionOf(read.reading) : null;
  // The platform charges for what it generated, usable or not.
  const failed = outcome.kind === "retryable" || outcome.kind === "permanent";
  return failed && consumption !== null ? { ...outcome, consumption } : outcome;
}

/** What the turns of an answer consumed that failed later. */
export function consumptionIn(body: string, extras: ChatExtras): Consumption | null {
  const read = readAnswer(body, extras, new Date(0));
  return read.kind === "read" ? consumptionOf(read.reading) : null;
}

function judge({ raw, status, headers, observedAt, endpoint }: ReceivedAnswer, read: Read): Outcome {
  if (status === 403 && read.kind === "unreadable" && ["a web page", "no JSON"].includes(read.what)) {
    return {
      kind: "retryable",
      code: "platform_unavailable",
      stage: "platform",
      message: "A firewall or content delivery network in front of the platform blocked the request.",
      platformStatus: status,
    };
  }
  if (status < 200 || status >= 300) {
    return classifyError({ status, headers, error: errorIn(read) }, observedAt);
  }
  if (read.kind === "unreadable") {
    const { document } = read;
    if (document["code"] !== undefined || statedStatus(document) !== null || isStatedError(document))
      return classifyError({ status, headers, error: document }, observedAt);
    return bad("retryable", unreadable[read.what], status);
  }
  const { reading } = read;
  const { ending } = reading;
  const empty = reading.markdown.trim() === "" && reading.cards.length === 0;
  switch (ending.kind) {
    case "failed":
      return classifyError({ status, headers, error: ending.error }, observedAt);
    case "refused":
      return fault("permanent", "platform_refused", refusalOf(ending.reason, ending.explanation), status);
    case "filtered":
      if (empty) return fault("permanent", "platform_refused", refusalOf(ending.reason), status);
      break;
    case "unfinished":
      return bad("retryable", breakOf(ending.reason ?? ""), status);
    case "cut":
      if (empty) return bad("permanent", "The platform reached its limit of length before it had answered.", status);
      break;
    case "complete":
      if (empty) return bad("retryable", "The platform gave an empty answer.", status);
  }
  const truncatedBy = { complete: null, cut: "length_limit", filtered: "content_filter" } as const;
  return {
    kind: "answered",
    answer: {
      parts: [{ type: "markdown", markdown: reading.markdown }, ...reading.cards],
      sources: reading.sources,
      reasoning: reading.reasoning.length === 0 ? null : reading.reasoning.map((text) => ({ text })),
      search: reading.search.length === 0 ? null : reading.search,
      pageHtml: null,
      modelVersion: reading.modelVersion,
      observedAt,
      endpoint,
      region: null,
      truncatedBy: truncatedBy[ending.kind],
      unreadable: noField,
    },
    raw,
    consumption: consumptionOf(reading),
  };
}

const noField: readonly ReturnedField[] = [];

function consumptionOf({ consumption }: Reading): Consumption | null {
  return isReported(consumption) ? consumption : null;
}

function errorIn(read: Read): unknown {
  if (read.kind === "unreadable") return read.document;
  return read.reading.ending.kind === "failed" ? read.reading.ending.error : null;
}

function breakOf(reason: string): string {
  const message = "The platform's answer breaks off before its end.";
  return /^[A-Za-z][\w.-]{0,63}$/u.test(reason) ? `${message} It says \`${reason}\`.` : message;
}

const explanationCharsMax = 500;

/** "The platform declined to answer (cyber): It asks for an exploit." */
function refusalOf(reason: string, explanation = ""): string {
  const text = explanation.replace(/[\s\p{Cc}]+/gu, " ").trim();
  const shown = (text.length > explanationCharsMax ? `${text.slice(0, explanationCharsMax)}…` : text).toWellFormed();
  return `The platform declined to answer (${word(reason)})${shown === "" ? "." : `: ${shown}`}`;
}

function word(reason: string): string {
  return /^[A-Za-z][\w.-]{0,63}$/u.test(reason) ? reason : "content";
}

function bad(kind: "retryable" | "permanent", message: string, platformStatus: number): Outcome {
  return { kind, code: "platform_bad_response", stage: "parse", message, platformStatus };
}

function fault(kind: "permanent", code: FailureCode, message: string, platformStatus: number): Outcome {
  return { kind, code, stage: "platform", message, platformStatus };
}
