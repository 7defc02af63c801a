/**
 * One request and its repeats. What may be repeated when nobody knows whether it arrived is said by each call; what the
 * service says it has not accepted may always be. Every attempt has its own time, and every failure, a late one too, comes
 * out of the promise that the caller holds.
 */
import { retryAfterMs, sleep } from "./backoff.ts";
import {
  ConnectionError,
  QuerentError,
  refusal,
  RequestTimeoutError,
  UnexpectedReplyError,
  type ErrorContext,
} from "./errors.ts";
import { positive, readOptions, wholeNumber, type ClientOptions } from "./options.ts";
import { readBytes } from "./read-body.ts";
import { outageWaitMs, repeatAfterMs, type Repeat } from "./repeat.ts";
import { causeText, notOurs, parseJson, problemIn } from "./replies.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  readonly maxRetries?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface Call extends CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** JSON text: the same bytes on every attempt. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  /** What is there already, as the `ETag` that came with it: `unlessChanged` answers null when that is still so. */
  readonly etag?: string | undefined;
  readonly repeat: Repeat;
  /** By `performance.now()`: no repeat begins after it. */
  readonly deadline?: number;
}

export interface Reply<Body> {
  readonly body: Body;
  /** The JSON as it came: it may hold numbers that JavaScript can't. */
  readonly text: string;
  readonly headers: Headers;
}

/** An answer that is still coming. `abort` ends it, and makes the reading fail with `reason`. */
export interface OpenReply {
  readonly response: Response;
  readonly abort: (reason: Error) => void;
}

const problemBytesMax = 1024 * 1024;

export class Transport {
  readonly #options: ReturnType<typeof readOptions>;
  /** The service has replied to this client before. */
  #hasReplied = false;

  constructor(options: ClientOptions) {
    this.#options = readOptions(options);
  }

  get maxRetries(): number {
    return this.#options.maxRetries;
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  get random(): () => number {
    return this.#options.random;
  }

  /** A JSON answer. The type is the contract's word, which the service holds its answers against. */
  async json<Body>(call: Call): Promise<Reply<Body>> {
    return this.#repeated(call, ({ response }) => this.#read<Body>(response));
  }

  /** The same, or null when nothing has changed since the call's `etag`. */
  async unlessChanged<Body>(call: Call): Promise<Reply<Body> | null> {
    return this.#repeated(call, async ({ response }) => (response.status === 304 ? null : this.#read<Body>(response)));
  }

  /** An answer of another type, whole. */
  async text(call: Call, type: string): Promise<string> {
    return new TextDecoder().decode(await this.bytes(call, type));
  }

  /** An answer of another type, whole, as bytes. */
  async bytes(call: Call, type: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.#repeated({ ...call, headers: { ...call.headers, accept: type } }, async ({ response }) => {
      const bytes = await readBytes(response, this.#options.responseBytesMax);
      if (response.headers.get("content-type")?.startsWith(type) !== true)
        throw notOurs(response, new TextDecoder().decode(bytes));
      return bytes;
    });
  }

  async #read<Body>(response: Response): Promise<Reply<Body>> {
    const type = response.headers.get("content-type") ?? "";
    const text = new TextDecoder().decode(await readBytes(response, this.#options.responseBytesMax));
    if (!/^application\/json\b/i.test(type)) throw notOurs(response, text);
    return { body: parseJson(text, response) as Body, text, headers: response.headers };
  }

  /** An answer to be read bit by bit. The attempt's time is for its beginning; whoever reads minds the rest. */
  async open(call: Call): Promise<OpenReply> {
    return this.#repeated(call, (reply) => Promise.resolve(reply));
  }

  async #repeated<Value>(call: Call, read: (reply: OpenReply) => Promise<Value>): Promise<Value> {
    const retriesMax = wholeNumber("maxRetries", call.maxRetries ?? this.#options.maxRetries);
    const restUntil = (limit: number) => Math.min(limit, call.deadline ?? Infinity) - performance.now();
    let outageUntil = 0;
    for (let attempt = 0, outageAttempt = 0; ;) {
      try {
        const value = await this.#attempt(call, read);
        if (outageAttempt > 0) this.#options.outage?.onBack?.();
        return value;
      } catch (error) {
        call.signal?.throwIfAborted();
        const { outage, random } = this.#options;
        if (outage !== null && (this.#hasReplied || outage.fromStart === true)) {
          if (outageAttempt === 0) outageUntil = performance.now() + outage.maxMs;
          const waitMs = outageWaitMs(error, call.repeat, outageAttempt, { random, restMs: restUntil(outageUntil) });
          if (waitMs !== null && error instanceof Error) {
            outageAttempt++;
            outage.onWait?.(error, waitMs);
            await sleep(waitMs, call.signal);
            continue;
          }
        }
        // The time for an outage is over: more repeats would only make it longer.
        if (outageAttempt > 0 && restUntil(outageUntil) <= 0) throw error;
        const delayMs = attempt < retriesMax ? repeatAfterMs(error, call.repeat, attempt, this.#options) : null;
        if (delayMs === null || restUntil(Infinity) <= 0) throw error;
        attempt++;
        await sleep(Math.min(delayMs, restUntil(Infinity)), call.signal);
      }
    }
  }

  async #attempt<Value>(call: Call, read: (reply: OpenReply) => Promise<Value>): Promise<Value> {
    call.signal?.throwIfAborted();
    const timeoutMs = positive("timeoutMs", call.timeoutMs ?? this.#options.timeoutMs);
    const own = new AbortController();
    const late = new RequestTimeoutError(`No whole answer came within ${timeoutMs} ms: ${call.method} ${call.path}`, {
      idempotencyKey: call.idempotencyKey ?? null,
    });
    const timer = setTimeout(() => own.abort(late), timeoutMs);
    try {
      const response = await this.#options.fetch(this.#address(call), {
        method: call.method,
        headers: await this.#headers(call),
        ...(call.body === undefined ? {} : { body: call.body }),
        signal: call.signal === undefined ? own.signal : AbortSignal.any([own.signal, call.signal]),
        // A redirect would send the token elsewhere, and turn a POST into a GET.
        redirect: "manual",
      });
      // A proxy's 502 is not the service.
      if (response.status < 500) this.#hasReplied = true;
      const isUnchanged = response.status === 304 && call.etag !== undefined;
      if (!response.ok && !isUnchanged) throw await this.#refused(call, response);
      return await read({ response, abort: (reason) => own.abort(reason) });
    } catch (error) {
      if (own.signal.aborted) throw late;
      if (error instanceof QuerentError || call.signal?.aborted === true) throw error;
      throw this.#unreached(call, error);
    } finally {
      clearTimeout(timer);
    }
  }

  #address({ path, query = {} }: Call): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
    const text = parameters.toString();
    return `${this.#options.base}${path}${text === "" ? "" : `?${text}`}`;
  }

  async #headers(call: Call): Promise<Record<string, string>> {
    const { token, headers } = this.#options;
    return {
      accept: "application/json",
      ...headers,
      authorization: `Bearer ${typeof token === "string" ? token : await token()}`,
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...(call.idempotencyKey === undefined ? {} : { "idempotency-key": call.idempotencyKey }),
      ...(call.etag === undefined ? {} : { "if-none-match": call.etag }),
      ...call.headers,
    };
  }

  async #refused(call: Call, response: Response): Promise<QuerentError> {
    const context = {
      status: response.status,
      requestId: response.headers.get("x-request-id"),
      idempotencyKey: call.idempotencyKey ?? null,
      retryAfterMs: retryAfterMs(response.headers.get("retry-after")),
    } satisfies ErrorContext;
    // A browser hides where a redirect leads, and shows status 0.
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      const target = response.headers.get("location");
      return new UnexpectedReplyError(
        `${this.#options.base} redirects${target === null ? "" : ` to ${target}`}. Give the client the final address as \`url\`.`,
        context,
      );
    }
    const text = new TextDecoder().decode(await readBytes(response, problemBytesMax));
    const problem = problemIn(text);
    // A proxy's page about its own 502 is the service being away; any other page is not the service.
    if (problem === null && response.status < 500 && response.status !== 429) return notOurs(response, text, context);
    return refusal(response.status, { ...context, problem });
  }

  #unreached(call: Call, cause: unknown): ConnectionError {
    return new ConnectionError(`No answer from ${this.#options.base}: ${causeText(cause)}`, {
      cause,
      idempotencyKey: call.idempotencyKey ?? null,
    });
  }
}
