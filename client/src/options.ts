/** How long to go on repeating a request while the service is away, such as during a restart. */
export interface OutageOptions {
  /** From the first failure of a request on. */
  readonly maxMs: number;
  /** Also before this client has had a reply: the service may just be starting, or the address may be wrong. */
  readonly fromStart?: boolean;
  /** Called before each wait. */
  readonly onWait?: (error: Error, waitMs: number) => void;
  /** Called when a reply has come after a wait. */
  readonly onBack?: () => void;
}

/** What a client is made with, and the defaults. */
export interface ClientOptions {
  /** The service's address, such as `https://querent.example.com`. */
  readonly url: string;
  readonly token: string | (() => string | Promise<string>);
  /** Repeats of a request at most; 0 means none. 4 by default. */
  readonly maxRetries?: number;
  /** Requests that may be repeated are repeated beyond `maxRetries` while the service is away. Not by default. */
  readonly outage?: OutageOptions;
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

/** Complete, and checked: what can't be right is an error when the client is made, not when it is used. */
export function readOptions(options: ClientOptions) {
  const address = parseAddress(options.url);
  return {
    base: `${address.origin}${address.pathname.replace(/\/+$/, "")}`,
    token: options.token,
    // Not `||`: zero means zero.
    maxRetries: wholeNumber("maxRetries", options.maxRetries ?? 4),
    outage: options.outage ?? null,
    timeoutMs: positive("timeoutMs", options.timeoutMs ?? 30_000),
    retryAfterMsMax: options.retryAfterMsMax ?? 60_000,
    responseBytesMax: options.responseBytesMax ?? 64 * 1024 * 1024,
    fetch: options.fetch ?? ((input: string, init: RequestInit) => globalThis.fetch(input, init)),
    headers: options.headers ?? {},
    random: options.random ?? Math.random,
  };
}

function parseAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError(`The service's address must be http: or https:, not "${text}".`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new TypeError("The service's address must have no user name, password, query or fragment.");
  return url;
}

export function wholeNumber(name: string, value: number): number {
  if (!Number.isInteger(value) || value < 0) throw new TypeError(`${name} must be a whole number, 0 or more.`);
  return value;
}

export function positive(name: string, value: number): number {
  if (!(value > 0 && value <= 2 ** 31 - 1)) throw new TypeError(`${name} must be more than 0, and less than 25 days.`);
  return value;
}
