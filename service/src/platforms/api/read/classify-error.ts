/**
 * What a platform's error means for a task. The status determines most of it; the words in the body decide where one status has
 * several meanings: 429 for a rate limit and for an account without credit, 400 for a bad request, a bad key and a question
 * that is too long.
 */
import type { FailureCode } from "@querent/contract";
import type { Outcome } from "../../platform.ts";
import { isObject, list, object, objects, string, type JsonObject } from "../body/json.ts";
import { statedStatus } from "../body/read-body.ts";
import { retryAfterMs, standard, type Headers } from "./retry-after.ts";

interface Answered {
  /** The HTTP status, or the one in the body's error. */
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body, or its `error`. */
  readonly error: unknown;
}

type Meaning =
  | "throttled"
  | "unavailable"
  | "timeout"
  | "auth"
  | "credit"
  | "too_long"
  | "too_large"
  | "filtered"
  | "unknown_model"
  | "refused"
  | "retired"
  | "moved";

export function classifyError({ status, headers, error }: Answered, now: Date): Outcome {
  const about = describe(error);
  const meaning = meaningOf(status, about);
  // A server that is unavailable and states for how long is treated as rate limiting.
  const waitMs = meaning === "unavailable" && [429, 503, 529].includes(status) ? standard(headers, now) : null;
  if (meaning === "throttled" || waitMs !== null) {
    return { kind: "throttled", retryAfterMs: retryAfterMs(headers, about.error, now), platformStatus: status };
  }
  const { kind, code, message } = meanings[meaning];
  const word = about.words.find((each) => /^[a-z][a-z0-9_.-]{2,63}$/iu.test(each));
  return {
    kind,
    code,
    stage: "platform",
    message: word === undefined ? message : `${message} It says \`${word}\`.`,
    platformStatus: status,
  };
}

/** The beginning of the message for an account without credit, which has the same code as a wrong key. */
export const noCreditMessage = "The operator's account at the platform has no credit or quota left.";

const meanings: Readonly<
  Record<Exclude<Meaning, "throttled">, { kind: "retryable" | "permanent"; code: FailureCode; message: string }>
> = {
  unavailable: { kind: "retryable", code: "platform_unavailable", message: "The platform has a fault of its own." },
  timeout: { kind: "retryable", code: "platform_timeout", message: "The platform ran out of time." },
  auth: {
    kind: "permanent",
    code: "platform_auth",
    message: "The platform does not accept the operator's key for this.",
  },
  credit: {
    kind: "permanent",
    code: "platform_auth",
    message: noCreditMessage,
  },
  too_long: {
    kind: "permanent",
    code: "platform_refused",
    message: "The question is longer than the platform's model takes.",
  },
  too_large: {
    kind: "permanent",
    code: "platform_refused",
    message:
      "The request is larger than the operator's limit of tokens per minute at the platform, so waiting cannot help.",
  },
  filtered: {
    kind: "permanent",
    code: "platform_refused",
    message: "The platform's content filter stopped the question or the answer.",
  },
  unknown_model: {
    kind: "permanent",
    code: "platform_not_configured",
    message: "The platform does not have the model or the address that the operator's settings name.",
  },
  retired: {
    kind: "permanent",
    code: "platform_not_configured",
    message:
      "The platform has retired the model or the address that the operator's settings name. They have to name its successor.",
  },
  refused: { kind: "permanent", code: "platform_refused", message: "The platform refused the request." },
  moved: {
    kind: "permanent",
    code: "platform_not_configured",
    message:
      "The platform's address leads to another one, which is not followed. The operator's settings have to name it.",
  },
};

interface About {
  readonly error: JsonObject;
  /** Machine words: codes, types, statuses. */
  readonly words: readonly string[];
  readonly message: string;
  /** The status of HTTP that it states itself. */
  readonly statedStatus: number | null;
}

/** Vendors put it in `error`, in the body itself, in a list, in `errors`, or in another vendor's nested body. */
function describe(value: unknown): About {
  const whole = Array.isArray(value) ? object(value[0]) : object(value);
  const body = "error" in whole ? whole : { ...whole, ...objects(whole["errors"])[0] };
  const inner = body["error"];
  const error: JsonObject = isObject(inner)
    ? inner
    : typeof inner === "string"
      ? { ...body, message: string(body["message"]) || inner }
      : body;
  const detail = error["detail"] ?? body["detail"];
  const message =
    string(error["message"]) ||
    string(error["error_message"]) ||
    string(error["msg"]) ||
    (typeof detail === "string" ? detail : string(objects(detail)[0]?.["msg"]));
  const words = [
    ...[error["code"], error["type"], error["status"], error["param"], body["code"], body["type"]].map(word),
    ...objects(error["details"]).flatMap(({ reason }) => word(reason)),
    ...list(error["error_codes"]).map(word),
    string(object(error["metadata"])["error_type"]),
  ].filter((text) => text !== "" && text !== "error" && text !== "object");
  return { error, words, message: message.slice(0, 2000), statedStatus: statedStatus(error, body) };
}

function word(value: unknown): string {
  return typeof value === "number" ? String(value) : string(value).slice(0, 128);
}

/** First by the words, if they are clear; then by status. */
function meaningOf(status: number, { words, message, statedStatus }: About): Meaning {
  const said = words.join(" ");
  // OpenRouter and others respond with 200 and put the actual status into the error.
  const meant = status < 400 ? (statedStatus ?? status) : status;
  if (
    /insufficient_quota|exceeded_current_quota|billing|arrear|overdue|insufficient[_ ]?balance|InsufficientQuota|insufficient_credits|\b(?:1113|402)\b/iu.test(
      said,
    )
  )
    return "credit";
  if (/credit balance is too low|insufficient (?:account )?balance|payment required/iu.test(message)) return "credit";
  if (
    /context_length|context_window|input_too_long|request_too_large|prompt_too_long|string_above_max_length|\b1261\b/iu.test(
      said,
    )
  )
    return "too_long";
  if (isLargerThanLimit(message)) return "too_large";
  if (
    status < 500 &&
    /(?:prompt|input|request|content|question|message)s? (?:is|are) too (?:long|large)|maximum (?:context|prompt|input)|context (?:length|window)|token limit|exceeds? the (?:maximum|max|limit).{0,40}token|range of input length/iu.test(
      message,
    )
  )
    return "too_long";
  if (
    /content_?filter|content_?policy|moderation|safety|sensitive|data_?inspection|invalid_prompt|\b1301\b/iu.test(said)
  )
    return "filtered";
  if (isRetired(meant, message)) return "retired";
  if (
    /invalid_?api_?key|api_key_invalid|authentication|unauthori[sz]ed|permission|unauthenticated|account_?deactivated|\b100[0-4]\b/iu.test(
      said,
    )
  )
    return "auth";
  if ([400, 403].includes(meant) && /(?:api|access) key|moderation/iu.test(message))
    return /moderation|flagged/iu.test(message) ? "filtered" : "auth";
  if (/model_?not_?(?:found|exist|open)|invalid_?model|unknown_model|model_not_available|\b1211\b/iu.test(said))
    return "unknown_model";
  if (/rate_?limit|throttl|too_?many|resource_exhausted|engine_overloaded|\b130[2-5]\b/iu.test(said))
    return "throttled";
  if (/timeout|deadline/iu.test(said)) return "timeout";
  if (
    /overloaded|server_error|internal|unavailable|api_error|bad_gateway|insufficient_system_resource|network_error/iu.test(
      said,
    )
  )
    return "unavailable";
  // Within a response whose status says that all is well, the words are all there is to tell a final error from an outage.
  if (meant < 400) {
    if (/not_?found|no_such/iu.test(said)) return "unknown_model";
    if (/too_large/iu.test(said)) return "too_long";
    if (
      /invalid_?(?:request|argument|parameter|input|value|type|prompt)|bad_?request|failed_?precondition|out_of_range|unsupported|not_?supported|unprocessable|validation|unimplemented/iu.test(
        said,
      )
    )
      return "refused";
  }
  return byStatus(meant);
}

/** Perplexity says "Sonar is now the Agent API" with status 403. */
function isRetired(status: number, message: string): boolean {
  return (
    status >= 400 &&
    status < 500 &&
    status !== 429 &&
    /\b(?:is now the \w+ api|retired|sunset|decommissioned|discontinued|no longer (?:available|supported))\b/iu.test(
      message,
    ) &&
    !/\b(?:key|token|account|region|country)\b/iu.test(message)
  );
}

/** OpenAI and Groq report it as a rate limit: "Request too large for ... (TPM): Limit 30000, Requested 61337." */
function isLargerThanLimit(message: string): boolean {
  const [, limit, requested] = /limit:? (\d{1,12}),(?: used:? \d{1,12},)? requested:? (\d{1,12})/iu.exec(message) ?? [];
  return limit === undefined ? /request too large for/iu.test(message) : Number(requested) > Number(limit);
}

function byStatus(status: number): Meaning {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "credit";
  if (status === 404 || status === 405 || status === 410) return "unknown_model";
  if (status === 408 || status === 504 || status === 524) return "timeout";
  if (status === 413) return "too_long";
  if (status === 429) return "throttled";
  if (status >= 300 && status < 400) return "moved";
  if (status >= 500 || status === 409 || status === 425) return "unavailable";
  return status < 300 ? "unavailable" : "refused";
}
