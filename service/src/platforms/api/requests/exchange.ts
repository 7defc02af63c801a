/**
 * All requests and responses of one question. Some responses require another request: the state of a background run, the next
 * turn of a conversation. Responses are stored as received, without keys.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../kernel/clock.ts";
import { assemble } from "../body/assemble.ts";
import { isObject, parsedObject, type JsonObject } from "../body/json.ts";
import { readBody } from "../body/read-body.ts";
import { classifyError } from "../read/classify-error.ts";
import type { FollowUp, NextRequest } from "../vendor.ts";
import { send, type SendEnd, type Sent } from "./send.ts";
import type { UpstreamPace } from "./upstream-pace.ts";
import type { Outcome } from "../../platform.ts";

/** Ends with the last response, or with the first request that gets none. */
export async function exchange(
  request: Pick<Sent, "url" | "headers"> & { readonly body: JsonObject },
  options: ExchangeOptions,
): Promise<Exchanged> {
  const turns = new Turns(request, options);
  const end = await turns.run(request.body);
  if (end.kind === "aborted") await turns.cancel();
  return { end, body: turns.body, steps: turns.steps };
}

export interface ExchangeOptions {
  readonly secrets: readonly string[];
  readonly followUp: FollowUp | null;
  /** The URL that tells the platform, if the question is given up, that its run is no longer needed. */
  readonly cancelUrl: ((received: JsonObject) => string | null) | null;
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
  readonly signal: AbortSignal;
  /** Polls keep to it. */
  readonly pace: UpstreamPace;
  readonly clock: Clock;
}

export interface Exchanged {
  /** How the last request ended. */
  readonly end: SendEnd;
  /** The platform's answer: a body, or a JSON list of the bodies if it took several turns, of which a stream is a string. */
  readonly body: string;
  readonly steps: readonly Step[];
}

export interface Step {
  /** Without keys. */
  readonly sent: Sent;
  /** Without keys. */
  readonly end: SendEnd;
  readonly durationMs: number;
}

/** The maximum of turns of one question, not counting polls and tools that are run in between. */
const turnsMax = 12;
/** The number of consecutive failed polls after which the run is given up. */
const pollFailuresMax = 5;
const cancelTimeoutMs = 2_000;

class Turns {
  readonly steps: Step[] = [];
  /** The bodies of the answer: one for each turn. */
  readonly #answers: string[] = [];
  readonly #url: string;
  readonly #headers: Sent["headers"];
  readonly #options: ExchangeOptions;
  /** Where the run that is in progress at the platform can be canceled. */
  #cancelUrl: string | null = null;

  constructor({ url, headers }: Pick<Sent, "url" | "headers">, options: ExchangeOptions) {
    this.#url = url;
    this.#headers = headers;
    this.#options = options;
  }

  get body(): string {
    const [only] = this.#answers;
    if (this.#answers.length === 1 && only !== undefined) return only;
    return `[${this.#answers.map((answer) => (isJson(answer) ? answer : JSON.stringify(answer))).join(",\n")}]`;
  }

  async run(body: JsonObject): Promise<SendEnd> {
    const { followUp, cancelUrl, pace, signal } = this.#options;
    let next: NextRequest = { method: "POST", url: this.#url, body, delayMs: 0, poll: false };
    let sentBody = body;
    let pollFailures = 0;
    for (let turns = 1; ;) {
      if (next.poll) await pace.pollTurn(signal);
      const end = await this.#step(next);
      if (next.poll) this.#reportThrottle(end);
      if (next.poll && pollFailures < pollFailuresMax && isTransient(end)) {
        pollFailures += 1;
        if (!(await this.#pause(next.delayMs))) return { kind: "aborted" };
        continue;
      }
      if (end.kind !== "received") return end;
      pollFailures = 0;
      if (next.poll) this.#answers.pop();
      this.#answers.push(end.body);
      if (followUp === null || end.status !== 200) return end;
      const received = documentIn(end.body);
      const following = followUp({ url: this.#url, body: sentBody }, received);
      this.#cancelUrl = following?.poll === true ? (cancelUrl?.(received) ?? null) : null;
      if (following === null || (isTurn(following, this.#url) && ++turns > turnsMax)) return end;
      // A run may take half an hour, but the upstream does answer.
      pace.answered();
      next = following;
      if (isTurn(following, this.#url) && isObject(following.body)) sentBody = following.body;
      if (!(await this.#pause(following.delayMs))) return { kind: "aborted" };
    }
  }

  /** Best effort: otherwise the run ends by itself, later and at a higher price. */
  async cancel(): Promise<void> {
    if (this.#cancelUrl === null) return;
    const { bodyBytesMax } = this.#options;
    const limits = { timeoutMs: cancelTimeoutMs, bodyBytesMax, signal: neverAborted };
    await send({ url: this.#cancelUrl, headers: this.#headers, method: "POST", body: "{}" }, limits);
  }

  #reportThrottle(end: SendEnd): void {
    if (end.kind !== "received" || end.status < 400) return;
    const { pace, clock } = this.#options;
    const { status, headers, body } = end;
    const outcome = classifyError({ status, headers, error: parsedObject(body) }, clock.now());
    if (outcome.kind === "throttled") pace.throttled(outcome.retryAfterMs);
  }

  async #step({ method, url, body }: NextRequest): Promise<SendEnd> {
    const { secrets, timeoutMs, bodyBytesMax, signal } = this.#options;
    const headers = this.#headers;
    const sent: Sent = { method, url, headers, body: body === null ? null : JSON.stringify(body) };
    const started = performance.now();
    const end = withoutSecrets(await send(sent, { timeoutMs, bodyBytesMax, signal }), secrets);
    this.steps.push({
      sent: {
        ...sent,
        url: redact(url, secrets),
        headers: redactHeaders(headers, secrets),
        body: sent.body === null ? null : redact(sent.body, secrets),
      },
      end,
      durationMs: Math.round(performance.now() - started),
    });
    return end;
  }

  async #pause(delayMs: number): Promise<boolean> {
    try {
      await sleep(delayMs, undefined, { signal: this.#options.signal });
      return true;
    } catch {
      return false;
    }
  }
}

const neverAborted = new AbortController().signal;

function withoutSecrets(end: SendEnd, secrets: readonly string[]): SendEnd {
  switch (end.kind) {
    case "received":
      return { ...end, body: redact(end.body, secrets), headers: redactHeaders(end.headers, secrets) };
    case "cut":
      return { ...end, body: redact(end.body, secrets) };
    default:
      return end;
  }
}

/**
 * What a response says, whether it was sent as one document or as a stream. Of a stream that breaks off, only which run it
 * announced: that may go on in the background.
 */
function documentIn(text: string): JsonObject {
  const body = readBody(text);
  if (body.kind === "unreadable") return {};
  const [first, ...others] = assemble(body);
  if (first === undefined || others.length > 0) return {};
  const { id, status } = first.document;
  return first.complete ? first.document : { id, status };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isTurn({ poll, url }: NextRequest, turnsUrl: string): boolean {
  return !poll && url === turnsUrl;
}

function isTransient(end: SendEnd): boolean {
  if (end.kind === "received") return end.status === 429 || end.status >= 500;
  return end.kind === "cut" || end.kind === "timeout" || end.kind === "unreachable";
}

/** Keys must not appear in anything that is stored, shown or logged. */

export const redactedMark = "[redacted]";
/** Shorter ones are not secrets (`none`, `ollama`), and removing them would remove words. */
const secretCharsMin = 8;

/**
 * The text without the secrets: in plain form, as base64, and as JSON, URLs or HTML may encode them, with each character
 * escaped or not.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) {
    if (secret.length < secretCharsMin) continue;
    const base64 = Buffer.from(secret).toString("base64").replace(/=+$/u, "");
    redacted = redacted.replaceAll(writtenForms(secret), redactedMark).replaceAll(base64, redactedMark);
  }
  return redacted;
}

/** Each character as it is, or in an escape of JSON (`\/`, `\u0041`), of an address (`%41`) or of HTML (`&#65;`, `&#x41;`). */
function writtenForms(secret: string): RegExp {
  const characters = [...secret].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    const units = [...Array(character.length).keys()].map((at) =>
      character.charCodeAt(at).toString(16).padStart(4, "0"),
    );
    const forms = [
      RegExp.escape(character),
      units.map((unit) => `\\\\u${unit}`).join(""),
      RegExp.escape(percentEncoded(character)),
      `&#0*${code};`,
      `&#x0*${code.toString(16)};`,
      ...(/["\\/]/u.test(character) ? [RegExp.escape(`\\${character}`)] : []),
    ];
    return `(?:${forms.join("|")})`;
  });
  return new RegExp(characters.join(""), "giu");
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Headers that can be shown: those with a key as their name only. */
function redactHeaders(headers: Readonly<Record<string, string>>, secrets: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /authorization|api-?key|token$|secret|cookie/iu.test(name) ? redactedMark : redact(value, secrets),
    ]),
  );
}

/** The maximum size of an answer's body in bytes. */
export const bodyBytesMax = 16 * 1024 * 1024;

/** The outcome of a request that ended without a complete answer. */
export function outcomeOfBreak(end: Exclude<SendEnd, { kind: "received" }>): Outcome {
  switch (end.kind) {
    case "aborted":
      return { kind: "canceled" };
    case "timeout":
      return {
        kind: "retryable",
        code: "platform_timeout",
        stage: "platform",
        message: "The platform did not answer in time.",
        platformStatus: null,
      };
    case "unreachable":
      return {
        kind: "retryable",
        code: "platform_unavailable",
        stage: "platform",
        message: `The platform can't be reached (${end.reason}).`,
        platformStatus: null,
      };
    case "cut":
      return {
        kind: "retryable",
        code: "platform_bad_response",
        stage: "parse",
        message: "The connection broke in the middle of the platform's answer.",
        platformStatus: end.status,
      };
    case "undecodable":
      return {
        kind: "retryable",
        code: "platform_bad_response",
        stage: "parse",
        message: "The platform's answer cannot be decoded: its encoding is unknown, or its bytes are damaged.",
        platformStatus: end.status,
      };
    case "oversize":
      return {
        kind: "permanent",
        code: "platform_bad_response",
        stage: "parse",
        message: `The platform's answer is larger than ${bodyBytesMax} bytes.`,
        platformStatus: end.status,
      };
  }
}
