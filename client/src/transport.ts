/**
 * Sends a request and retries it. Each call specifies whether it can be retried if it is unknown whether it arrived. Requests
 * that the service states to have rejected without effect can always be retried. Each attempt has its own timeout. All errors
 * reject the promise of the caller.
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
  /** Replaces the client's timeout. */
  readonly maxRetries?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface Call extends CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** JSON, which is sent unchanged on every attempt. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  /** The `ETag` of an earlier response. The result is null if the resource still matches it. */
  readonly etag?: string | undefined;
  readonly repeat: Repeat;
  /** The time, by `performance.now()`, after which no retry starts. */
  readonly deadline?: number;
}

export interface HttpReply<Body> {
  readonly body: Body;
  /** The unchanged JSON, which may contain numbers that JavaScript cannot represent. */
  readonly text: string;
  readonly headers: Headers;
}

/** A streamed response. `abort` ends it, and makes reading fail with `reason`. */
export interface OpenReply {
  readonly response: Response;
  readonly abort: (reason: Error) => void;
}

const problemBytesMax = 1024 * 1024;

export class Transport {
  readonly #options: ReturnType<typeof readOptions>;
  /** The service has responded to this client before. */
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

  /** Returns a JSON response. Its type is that of the contract, which the service's tests verify. */
  async json<Body>(call: Call): Promise<HttpReply<Body>> {
    return this.#repeated(call, ({ response }) => this.#read<Body>(response));
  }

  /** Returns a JSON response, or null if the resource still matches the `etag` of the call. */
  async unlessChanged<Body>(call: Call): Promise<HttpReply<Body> | null> {
    return this.#repeated(call, async ({ response }) => (response.status === 304 ? null : this.#read<Body>(response)));
  }

  /** Calls an operation whose response has no body. */
  async empty(call: Call): Promise<void> {
    await this.#repeated(call, ({ response }) => readBytes(response, 0));
  }

  /** Returns a response of another type as text. */
  async text(call: Call, type: string): Promise<string> {
    return new TextDecoder().decode(await this.bytes(call, type));
  }

  /** Returns a response of another type as bytes. */
  async bytes(call: Call, type: string): Promise<Uint8Array<ArrayBuffer>> {
    return this.#repeated({ ...call, headers: { ...call.headers, accept: type } }, async ({ response }) => {
      const bytes = await readBytes(response, this.#options.responseBytesMax);
      if (response.headers.get("content-type")?.startsWith(type) !== true)
        throw notOurs(response, new TextDecoder().decode(bytes));
      return bytes;
    });
  }

  async #read<Body>(response: Response): Promise<HttpReply<Body>> {
    const type = response.headers.get("content-type") ?? "";
    const text = new TextDecoder().decode(await readBytes(response, this.#options.responseBytesMax));
    if (!/^application\/json\b/i.test(type)) throw notOurs(response, text);
    return { body: parseJson(text, response) as Body, text, headers: response.headers };
  }

  /** Returns a streamed response. The timeout applies until its headers are received. The caller handles the rest. */
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
        // The time for an outage has passed, so there are no more retries.
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
    const late = new RequestTimeoutError(`No complete response within ${timeoutMs} ms: ${call.method} ${call.path}`, {
      idempotencyKey: call.idempotencyKey ?? null,
    });
    const timer = setTimeout(() => own.abort(late), timeoutMs);
    try {
      const response = await this.#options.fetch(this.#address(call), {
        method: call.method,
        headers: await this.#headers(call),
        ...(call.body === undefined ? {} : { body: call.body }),
        signal: call.signal === undefined ? own.signal : AbortSignal.any([own.signal, call.signal]),
        // A redirect would send the token to another server, and turn a POST into a GET.
        redirect: "manual",
      });
      // A 502 is from a proxy and not from the service.
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
    // Browsers hide the target of a redirect, and show status 0.
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      const target = response.headers.get("location");
      return new UnexpectedReplyError(
        `${this.#options.base} redirects${target === null ? "" : ` to ${target}`}. Pass the final URL as \`url\` to the client.`,
        context,
      );
    }
    const text = new TextDecoder().decode(await readBytes(response, problemBytesMax));
    const problem = problemIn(text);
    // A proxy's page for 502 means that the service is unavailable. Any other page is not from the service.
    if (problem === null && response.status < 500 && response.status !== 429) return notOurs(response, text, context);
    return refusal(response.status, { ...context, problem });
  }

  #unreached(call: Call, cause: unknown): ConnectionError {
    return new ConnectionError(`No response from ${this.#options.base}: ${causeText(cause)}`, {
      cause,
      idempotencyKey: call.idempotencyKey ?? null,
    });
  }
}
