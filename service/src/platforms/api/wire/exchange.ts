/**
 * Everything that goes to a platform and comes back for one question. The SDK writes the first request through `fetch`;
 * what follows from an answer (asking a background run how far it is, going on with a paused turn) is asked here. What came
 * is kept as it came, without keys, and the SDK does not see it: it would read less of it than we do, and at the same cost.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isObject, parsedObject, type JsonObject } from "../body/json.ts";
import type { Fetch } from "../vendor.ts";
import { redact, redactHeaders } from "./secrets.ts";
import { send, type SendEnd, type Sent } from "./send.ts";

export interface Step {
  /** Without keys. */
  readonly sent: Sent;
  /** Without keys. */
  readonly end: SendEnd;
  readonly durationMs: number;
}

/** The next request that an answer asks for. */
export interface FollowUp {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body: JsonObject | null;
  readonly delayMs: number;
  /** Only asks how far it is: what it brings takes the place of the answer before, and a fault of the way is tried again. */
  readonly poll: boolean;
}

/** What `fetch` throws once the answer is kept: the SDK has no more to do. */
class Kept extends Error {}

/** What to ask next after an answer with status 200; null when it is the last. */
export type Follow = (
  sent: { readonly url: string; readonly body: JsonObject },
  received: JsonObject,
) => FollowUp | null;

export interface ExchangeOptions {
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Changes the body that the SDK wrote. */
  readonly body: (written: JsonObject) => JsonObject;
  readonly follow: Follow | null;
  /** Tells the platform, when the question is given up, that nobody waits for the run any more. */
  readonly cancel: ((received: JsonObject) => string | null) | null;
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
  readonly signal: AbortSignal;
}

/** Turns that one question may take, polls apart. */
const turnsMax = 12;
/** Polls in a row that may fail before a run that goes on at the platform is given up. */
const pollFaultsMax = 5;
const cancelTimeoutMs = 2_000;

export class Exchange {
  readonly steps: Step[] = [];
  /** The bodies that make the answer: one, or one for each turn. */
  readonly #answers: string[] = [];
  readonly #options: ExchangeOptions;
  #end: SendEnd | null = null;
  /** A run that goes on at the platform, and where it is called off. */
  #running: Pick<Sent, "url" | "headers"> | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** How the last request ended; null when none was sent. */
  get end(): SendEnd | null {
    return this.#end;
  }

  /** What the platform answered: its body, or a JSON list of the bodies when it took several turns. */
  get body(): string {
    const [only] = this.#answers;
    return this.#answers.length === 1 && only !== undefined ? only : `[${this.#answers.join(",\n")}]`;
  }

  /** For the SDK: sends what it has written, and ends its work there. */
  readonly fetch: Fetch = async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = { ...Object.fromEntries(new Headers(init.headers)), ...this.#options.headers };
    const written = typeof init.body === "string" ? parsedObject(init.body) : {};
    const end = await this.#run(url, headers, this.#options.body(written));
    this.#end = end;
    if (end.kind === "aborted") await this.#callOff();
    throw new Kept();
  };

  async #run(url: string, headers: Sent["headers"], body: JsonObject): Promise<SendEnd> {
    let next: FollowUp = { method: "POST", url, body, delayMs: 0, poll: false };
    let sentBody = body;
    let pollFaults = 0;
    for (let turns = 1; ;) {
      const end = await this.#step(next, headers);
      if (next.poll && pollFaults < pollFaultsMax && isPassing(end)) {
        pollFaults += 1;
        if (!(await this.#pause(next.delayMs))) return { kind: "aborted" };
        continue;
      }
      if (end.kind !== "received") return end;
      pollFaults = 0;
      if (next.poll) this.#answers.pop();
      this.#answers.push(end.body);
      const { follow, cancel } = this.#options;
      if (follow === null || end.status !== 200) return end;
      const received = parsedObject(end.body);
      const following = follow({ url, body: sentBody }, received);
      const cancelUrl = following?.poll === true ? (cancel?.(received) ?? null) : null;
      this.#running = cancelUrl === null ? null : { url: cancelUrl, headers };
      if (following === null || (!following.poll && ++turns > turnsMax)) return end;
      next = following;
      if (!following.poll && isObject(following.body)) sentBody = following.body;
      if (!(await this.#pause(following.delayMs))) return { kind: "aborted" };
    }
  }

  async #step({ method, url, body }: FollowUp, headers: Sent["headers"]): Promise<SendEnd> {
    const { secrets, timeoutMs, bodyBytesMax, signal } = this.#options;
    const sent: Sent = { method, url, headers, body: body === null ? null : JSON.stringify(body) };
    const started = performance.now();
    const end = await send(sent, { timeoutMs, bodyBytesMax, signal });
    const shown = withoutSecrets(end, secrets);
    this.steps.push({
      sent: {
        ...sent,
        url: redact(url, secrets),
        headers: redactHeaders(headers, secrets),
        body: sent.body === null ? null : redact(sent.body, secrets),
      },
      end: shown,
      durationMs: Math.round(performance.now() - started),
    });
    return shown;
  }

  async #pause(delayMs: number): Promise<boolean> {
    try {
      await sleep(delayMs, undefined, { signal: this.#options.signal });
      return true;
    } catch {
      return false;
    }
  }

  /** Best effort: the run ends by itself too, only later and dearer. */
  async #callOff(): Promise<void> {
    if (this.#running === null) return;
    const limits = { timeoutMs: cancelTimeoutMs, bodyBytesMax: this.#options.bodyBytesMax, signal: neverAborted };
    await send({ ...this.#running, method: "POST", body: "{}" }, limits);
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

function isPassing(end: SendEnd): boolean {
  if (end.kind === "received") return end.status === 429 || end.status >= 500;
  return end.kind === "cut" || end.kind === "timeout" || end.kind === "unreachable";
}
