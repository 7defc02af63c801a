/** How long to retry requests while the service is unavailable, for example during a restart. */
export interface OutageOptions {
  /** The maximum time from the first failure of a request. */
  readonly maxMs: number;
  /** Whether to wait also before this client has received a response: the service may be starting, or the URL may be wrong. */
  readonly fromStart?: boolean;
  /** Called before each wait. */
  readonly onWait?: (error: Error, waitMs: number) => void;
  /** Called when a response is received after a wait. */
  readonly onBack?: () => void;
}

/** The options of a client. */
export interface ClientOptions {
  /** The URL of the service, such as `https://querent.example.com`. */
  readonly url: string;
  readonly token: string | (() => string | Promise<string>);
  /** The maximum number of retries of a request. 0 means none. Default: 4. */
  readonly maxRetries?: number;
  /** Retries requests beyond `maxRetries` while the service is unavailable, if they can be retried safely. Default: off. */
  readonly outage?: OutageOptions;
  /** The timeout of one attempt, including its response. Default: 30 seconds. */
  readonly timeoutMs?: number;
  /** If `Retry-After` is longer than this, the error is thrown immediately. Default: 60 seconds. */
  readonly retryAfterMsMax?: number;
  /** The maximum size of a response. Default: 64 MiB. */
  readonly responseBytesMax?: number;
  readonly fetch?: typeof globalThis.fetch;
  /** Sent with every request, such as a `User-Agent`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A random number from 0 to 1, for the jitter of retries. */
  readonly random?: () => number;
}

/** The complete options. Invalid values are an error when the client is created, not when it is used. */
export function readOptions(options: ClientOptions) {
  const address = parseAddress(options.url);
  return {
    base: `${address.origin}${address.pathname.replace(/\/+$/, "")}`,
    token: options.token,
    // `||` would not do, because zero is a valid value.
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
    throw new TypeError(`The URL of the service must start with http: or https:, not "${text}".`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new TypeError("The URL of the service must not contain a user name, password, query or fragment.");
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
