import { type ClientOptions } from "./options.ts";
import { type Repeat } from "./repeat.ts";
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
  /** As `performance.now()`. No retry starts after this time. */
  readonly deadline?: number;
}
export interface Reply<Body> {
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
export declare class Transport {
  #private;
  constructor(options: ClientOptions);
  get maxRetries(): number;
  get timeoutMs(): number;
  get random(): () => number;
  /** Returns a JSON response. Its type is that of the contract, which the service's tests verify. */
  json<Body>(call: Call): Promise<Reply<Body>>;
  /** Returns a JSON response, or null if the resource still matches the `etag` of the call. */
  unlessChanged<Body>(call: Call): Promise<Reply<Body> | null>;
  /** Returns a response of another type as text. */
  text(call: Call, type: string): Promise<string>;
  /** Returns a response of another type as bytes. */
  bytes(call: Call, type: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns a streamed response. The timeout applies until its headers are received. The caller handles the rest. */
  open(call: Call): Promise<OpenReply>;
}
