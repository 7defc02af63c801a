/** How long to retry requests while the service is unavailable, for example during a restart. */
export interface OutageOptions {
  /** The maximum time from the first failure of a request. */
  readonly maxMs: number;
  /** Also wait before this client has received a response: the service may be starting, or the URL may be wrong. */
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
export declare function readOptions(options: ClientOptions): {
  base: string;
  token: string | (() => string | Promise<string>);
  maxRetries: number;
  outage: OutageOptions | null;
  timeoutMs: number;
  retryAfterMsMax: number;
  responseBytesMax: number;
  fetch: (input: string, init: RequestInit) => Promise<Response>;
  headers: Readonly<Record<string, string>>;
  random: () => number;
};
export declare function wholeNumber(name: string, value: number): number;
export declare function positive(name: string, value: number): number;
