/**
 * Sends a request and retries it. Each call specifies whether it can be retried if it is unknown whether it arrived. Requests
 * that the service states to have rejected without effect can always be retried. Each attempt has its own timeout. All errors
 * reject the promise of the caller.
 */
import { retryAfterMs, sleep } from "./backoff.js";
import { ConnectionError, QuerentError, refusal, RequestTimeoutError, UnexpectedReplyError } from "./errors.js";
import { positive, readOptions, wholeNumber } from "./options.js";
import { readBytes } from "./read-body.js";
import { outageWaitMs, repeatAfterMs } from "./repeat.js";
import { causeText, notOurs, parseJson, problemIn } from "./replies.js";
const problemBytesMax = 1024 * 1024;
export class Transport {
  #options;
  /** The service has responded to this client before. */
  #hasReplied = false;
  constructor(options) {
    this.#options = readOptions(options);
  }
  get maxRetries() {
    return this.#options.maxRetries;
  }
  get timeoutMs() {
    return this.#options.timeoutMs;
  }
  get random() {
    return this.#options.random;
  }
  /** Returns a JSON response. Its type is that of the contract, which the service's tests verify. */
  async json(call) {
    return this.#repeated(call, ({ response }) => this.#read(response));
  }
  /** Returns a JSON response, or null if the resource still matches the `etag` of the call. */
  async unlessChanged(call) {
    return this.#repeated(call, async ({ response }) => (response.status === 304 ? null : this.#read(response)));
  }
  /** Returns a response of another type as text. */
  async text(call, type) {
    return new TextDecoder().decode(await this.bytes(call, type));
  }
  /** Returns a response of another type as bytes. */
  async bytes(call, type) {
    return this.#repeated({ ...call, headers: { ...call.headers, accept: type } }, async ({ response }) => {
      const bytes = await readBytes(response, this.#options.responseBytesMax);
      if (response.headers.get("content-type")?.startsWith(type) !== true)
        throw notOurs(response, new TextDecoder().decode(bytes));
      return bytes;
    });
  }
  async #read(response) {
    const type = response.headers.get("content-type") ?? "";
    const text = new TextDecoder().decode(await readBytes(response, this.#options.responseBytesMax));
    if (!/^application\/json\b/i.test(type)) throw notOurs(response, text);
    return { body: parseJson(text, response), text, headers: response.headers };
  }
  /** Returns a streamed response. The timeout applies until its headers are received. The caller handles the rest. */
  async open(call) {
    return this.#repeated(call, (reply) => Promise.resolve(reply));
  }
  async #repeated(call, read) {
    const retriesMax = wholeNumber("maxRetries", call.maxRetries ?? this.#options.maxRetries);
    const restUntil = (limit) => Math.min(limit, call.deadline ?? Infinity) - performance.now();
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
  async #attempt(call, read) {
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
  #address({ path, query = {} }) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
    const text = parameters.toString();
    return `${this.#options.base}${path}${text === "" ? "" : `?${text}`}`;
  }
  async #headers(call) {
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
  async #refused(call, response) {
    const context = {
      status: response.status,
      requestId: response.headers.get("x-request-id"),
      idempotencyKey: call.idempotencyKey ?? null,
      retryAfterMs: retryAfterMs(response.headers.get("retry-after")),
    };
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
  #unreached(call, cause) {
    return new ConnectionError(`No response from ${this.#options.base}: ${causeText(cause)}`, {
      cause,
      idempotencyKey: call.idempotencyKey ?? null,
    });
  }
}
