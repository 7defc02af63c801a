/**
 * One request and its repeats. What may be repeated when nobody knows whether it arrived is said by each call; what the
 * service says it has not accepted may always be. Every attempt has its own time, and every failure, a late one too, comes
 * out of the promise that the caller holds.
 */
import { jittered, retryAfterMs, sleep } from "./backoff.ts";
import {
  ConflictError,
  ConnectionError,
  QuerentError,
  RateLimitedError,
  refusal,
  RequestTimeoutError,
  UnavailableError,
  UnexpectedReplyError,
  type ErrorContext,
} from "./errors.ts";
import { readBytes } from "./read-body.ts";
import type { Problem } from "./wire.ts";

export interface ClientOptions {
  /** The service's address, such as `https://querent.example.com`. */
  readonly url: string;
  readonly token: string | (() => string | Promise<string>);
  /** Repeats of a request at most; 0 means none. 4 by default. */
  readonly maxRetries?: number;
  /** What one attempt may take, answer included. 30 seconds by default. */
  readonly timeoutMs?: number;
  /** A `Retry-After` beyond this is not waited for: the error comes at once. 60 seconds by default. */
  readonly retryAfterMsMax?: number;
  /** The largest answer that is read. 64 MiB by default. */
  readonly responseBytesMax?: number;
  readonly fetch?: typeof globalThis.fetch;
  /** Sent with every request, such as a `User-Agent`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** From 0 up to 1, for the spread of repeats. */
  readonly random?: () => number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  readonly maxRetries?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface Call extends CallOptions {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** JSON text: the same bytes on every attempt. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  /** `always`: doing it twice is doing it once. `refused`: only when the service says that it has done nothing. */
  readonly repeat: "always" | "refused";
}

export interface Reply<Body> {
  readonly body: Body;
  readonly headers: Headers;
}

/** An answer that is still coming. `abort` ends it, and makes the reading fail with `reason`. */
export interface OpenReply {
  readonly response: Response;
  readonly abort: (reason: Error) => void;
}

const backoff = { firstMs: 500, mostMs: 20_000 };
const problemBytesMax = 1024 * 1024;

export class Transport {
  readonly #options: Required<Omit<ClientOptions, "fetch">>;
  readonly #fetch: typeof globalThis.fetch;
  readonly #base: string;

  constructor(options: ClientOptions) {
    const base = parseAddress(options.url);
    this.#base = `${base.origin}${base.pathname.replace(/\/+$/, "")}`;
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#options = {
      url: options.url,
      token: options.token,
      // Not `||`: zero means zero.
      maxRetries: wholeNumber("maxRetries", options.maxRetries ?? 4),
      timeoutMs: positive("timeoutMs", options.timeoutMs ?? 30_000),
      retryAfterMsMax: options.retryAfterMsMax ?? 60_000,
      responseBytesMax: options.responseBytesMax ?? 64 * 1024 * 1024,
      headers: options.headers ?? {},
      random: options.random ?? Math.random,
    };
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
    return this.#repeated(call, async ({ response }) => {
      const type = response.headers.get("content-type") ?? "";
      const text = new TextDecoder().decode(await readBytes(response, this.#options.responseBytesMax));
      if (!/^application\/json\b/i.test(type)) throw notOurs(response, text);
      return { body: parseJson<Body>(text, response), headers: response.headers };
    });
  }

  /** An answer to be read bit by bit. The attempt's time is for its beginning; whoever reads minds the rest. */
  async open(call: Call): Promise<OpenReply> {
    return this.#repeated(call, (reply) => Promise.resolve(reply));
  }

  async #repeated<Value>(call: Call, read: (reply: OpenReply) => Promise<Value>): Promise<Value> {
    const retriesMax = wholeNumber("maxRetries", call.maxRetries ?? this.#options.maxRetries);
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(call, read);
      } catch (error) {
        call.signal?.throwIfAborted();
        const delayMs = attempt < retriesMax ? this.#delayAfter(error, call, attempt) : null;
        if (delayMs === null) throw error;
        await sleep(delayMs, call.signal);
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
      const response = await this.#fetch(this.#address(call), {
        method: call.method,
        headers: await this.#headers(call),
        ...(call.body === undefined ? {} : { body: call.body }),
        signal: call.signal === undefined ? own.signal : AbortSignal.any([own.signal, call.signal]),
        // A redirect would send the token elsewhere, and turn a POST into a GET.
        redirect: "manual",
      });
      if (!response.ok) throw await this.#refused(call, response);
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
    return `${this.#base}${path}${text === "" ? "" : `?${text}`}`;
  }

  async #headers(call: Call): Promise<Record<string, string>> {
    const { token, headers } = this.#options;
    return {
      accept: "application/json",
      ...headers,
      authorization: `Bearer ${typeof token === "string" ? token : await token()}`,
      ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      ...(call.idempotencyKey === undefined ? {} : { "idempotency-key": call.idempotencyKey }),
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
        `${this.#base} redirects${target === null ? "" : ` to ${target}`}. Give the client the final address as \`url\`.`,
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
    return new ConnectionError(`No answer from ${this.#base}: ${causeText(cause)}`, {
      cause,
      idempotencyKey: call.idempotencyKey ?? null,
    });
  }

  /** How long to wait before the next attempt; null: there is none. */
  #delayAfter(error: unknown, call: Call, attempt: number): number | null {
    const { random, retryAfterMsMax } = this.#options;
    if (!(error instanceof QuerentError) || !mayRepeat(error, call)) return null;
    const spread = jittered(attempt, backoff, random);
    const asked = error instanceof RateLimitedError || error instanceof UnavailableError ? error.retryAfterMs : null;
    if (asked === null) return spread;
    return asked > retryAfterMsMax ? null : asked + Math.min(spread, 1_000);
  }
}

function mayRepeat(error: QuerentError, call: Call): boolean {
  if (error instanceof RateLimitedError) return true;
  if (error instanceof ConflictError) return error.code === "idempotency_key_in_use";
  if (error instanceof UnavailableError) {
    // Full for minutes, not for moments: whoever submits many waits for it, see submit-all.ts.
    if (error.code === "queue_full") return false;
    return call.repeat === "always" || error.code === "unavailable";
  }
  return call.repeat === "always" && (error instanceof ConnectionError || error instanceof RequestTimeoutError);
}

function problemIn(text: string): Problem | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem =
      typeof value === "object" && value !== null && "code" in value && "title" in value && "detail" in value;
    return isProblem ? (value as Problem) : null;
  } catch {
    return null;
  }
}

function parseJson<Body>(text: string, response: Response): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    throw notOurs(response, text);
  }
}

function notOurs(response: Response, text: string, context: ErrorContext = {}): UnexpectedReplyError {
  const beginning = text.slice(0, 200).replaceAll(/\s+/g, " ").trim();
  return new UnexpectedReplyError(
    `What answered is not a Querent service: status ${response.status}, ${response.headers.get("content-type") ?? "no type"}, "${beginning}"`,
    { status: response.status, ...context },
  );
}

/** The words of the innermost cause: what fetch throws says "fetch failed" and no more. */
function causeText(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth++) inner = inner.cause;
  if (!(inner instanceof Error)) return String(inner);
  return inner.message === "" && "code" in inner ? String(inner.code) : inner.message;
}

function parseAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError(`The service's address must be http: or https:, not "${text}".`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new TypeError("The service's address must have no user name, password, query or fragment.");
  return url;
}

function wholeNumber(name: string, value: number): number {
  if (!Number.isInteger(value) || value < 0) throw new TypeError(`${name} must be a whole number, 0 or more.`);
  return value;
}

function positive(name: string, value: number): number {
  if (!(value > 0 && value <= 2 ** 31 - 1)) throw new TypeError(`${name} must be more than 0, and less than 25 days.`);
  return value;
}
