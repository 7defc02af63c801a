/**
 * One attempt: one HTTPS POST, within limits that the receiver cannot extend. Connections are kept alive and shared by all
 * requests to an origin. Each new connection is made by the guard, to an address it has checked.
 */
import type { deliveryFaults } from "@querent/contract";
import { LRUCache } from "lru-cache";
import { Agent, Client, Pool, type Dispatcher } from "undici";
import type { Clock } from "../../kernel/clock.ts";
import { readRetryAfter } from "../../kernel/retry-after.ts";
import { EgressFault, isOutOfSockets, type AddressCheck, type EgressGuard } from "../../egress/index.ts";
import { signatureHeaders, type SignedRequest } from "../signing/signature.ts";

export interface SenderOptions {
  guard: EgressGuard;
  clock: Clock;
  /** The version in `User-Agent: Querent/<version>`. */
  version: string;
  /** The total for DNS, connection, request and response. */
  totalTimeoutMs?: number;
  /** The maximum age of a connection, so that a name's new address takes effect under constant traffic. */
  connectionAgeMsMax?: number;
}

export type DeliveryFault = (typeof deliveryFaults)[number];

export type SendOutcome =
  /** A status was received. `fault`: why the rest of the response was not, which does not change what the status means. */
  | {
      kind: "replied";
      status: number;
      fault: DeliveryFault | null;
      snippet: string;
      retryAfterMs: number | null;
      durationMs: number;
      about?: AboutRecipient;
    }
  | { kind: "faulted"; fault: DeliveryFault; durationMs: number; about?: AboutRecipient }
  /** An error on our side, or a stop. Uses up no attempt. */
  | { kind: "ours"; error: unknown };

/** What an outcome of a mail, or of a message to a channel, says beyond its status. */
interface AboutRecipient {
  /** Another attempt would end in the same way. */
  readonly isFinal: boolean;
  /** It is about this recipient, and says nothing about the server. */
  readonly isOfRecipient: boolean;
}

const responseBytesMax = 64 * 1024;
const snippetBytesMax = 8 * 1024;
const headerBytesMax = 16 * 1024;

export class Sender {
  readonly #options: SenderOptions;
  readonly #agent: Agent;
  /** Makes a new connection for each request: used when a kept-alive connection turns out to be closed. */
  readonly #freshAgent: Agent;
  readonly #totalTimeoutMs: number;
  /** Results of the guard's address check, valid as long as the guard is. */
  readonly #addresses: LRUCache<string, AddressCheck>;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#totalTimeoutMs = options.totalTimeoutMs ?? 15_000;
    this.#addresses = new LRUCache({ max: 1_000, memoMethod: (url) => options.guard.checkAddress(url) });
    const shared: Agent.Options = {
      connect: ({ hostname, port }, callback) => {
        options.guard.connect({ hostname, port: port === "" ? 443 : Number(port) }).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        );
      },
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: headerBytesMax,
      // The single timer below bounds everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.#agent = new Agent({
      ...shared,
      clientTtl: options.connectionAgeMsMax ?? 60_000,
      factory: (origin, poolOptions: Pool.Options) =>
        new Pool(origin, {
          ...poolOptions,
          factory: (clientOrigin, clientOptions: Client.Options) => new KeptClient(clientOrigin, clientOptions),
        }),
    });
    this.#freshAgent = new Agent({ ...shared, pipelining: 0 });
  }

  get totalTimeoutMs(): number {
    return this.#totalTimeoutMs;
  }

  async send(request: SignedRequest, signal?: AbortSignal): Promise<SendOutcome> {
    return this.#exchange(request, headersOf(request, this.#options.version), signal);
  }

  /** The same for a service that does not verify signatures. */
  async post(
    request: { readonly url: string; readonly body: Buffer; readonly deliveryId: string },
    signal?: AbortSignal,
  ): Promise<SendOutcome> {
    return this.#exchange(request, fixedHeaders(this.#options.version, request.deliveryId), signal);
  }

  async #exchange(
    request: { readonly url: string; readonly body: SignedRequest["body"] },
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<SendOutcome> {
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    // Checked here again, not only on acceptance: the operator may have narrowed the allowed ranges since.
    const address = this.#addresses.memo(request.url);
    if (!address.ok) return { kind: "faulted", fault: "address", durationMs: durationMs() };
    const { url, origin } = address;
    return new Promise((resolve) => {
      const exchange = new Exchange(this.#options.clock, durationMs, {
        again: () => this.#freshAgent.dispatch(options, exchange),
        onEnd: (end) => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", onAbort);
          resolve(end);
        },
      });
      const timer = setTimeout(() => exchange.stop("timeout"), this.#totalTimeoutMs);
      const onAbort = () => exchange.stop("ours");
      signal?.addEventListener("abort", onAbort, { once: true });
      const options: Dispatcher.DispatchOptions = {
        origin,
        path: `${url.pathname}${url.search}`,
        method: "POST",
        headers,
        body: request.body,
      };
      if (signal?.aborted === true) return onAbort();
      try {
        this.#agent.dispatch(options, exchange);
      } catch (error) {
        exchange.end({ kind: "ours", error });
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#freshAgent.destroy()]);
  }
}

function headersOf(request: SignedRequest, version: string): Record<string, string> {
  return {
    ...fixedHeaders(version, request.deliveryId),
    ...signatureHeaders(request.signed, request),
    ...request.headers,
  };
}

/** Headers that are identical on every attempt of a delivery. */
export function fixedHeaders(version: string, deliveryId: string): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "User-Agent": `Querent/${version}`,
    "X-Service-Delivery": deliveryId,
  };
}

/** One connection, which reports to each exchange whether an earlier one used it. */
class KeptClient extends Client {
  #used = false;

  constructor(origin: string | URL, options: Client.Options) {
    super(origin, options);
    this.on("disconnect", () => (this.#used = false));
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Exchange) handler.onKept(this.#used);
    this.#used = true;
    return super.dispatch(options, handler);
  }
}

/** Combines undici's callbacks for one request into one outcome, reported once. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #clock: Clock;
  readonly #durationMs: () => number;
  readonly #on: { again(): void; onEnd(end: SendOutcome): void };
  #ended = false;
  /** Whether the exchange uses a kept-alive connection. */
  #onKept = false;
  #receivedReply = false;
  #controller: Dispatcher.DispatchController | undefined;
  #reply: { status: number; retryAfterMs: number | null } | undefined;
  #bytes = 0;
  #chunks: Buffer[] = [];

  constructor(clock: Clock, durationMs: () => number, on: { again(): void; onEnd(end: SendOutcome): void }) {
    this.#clock = clock;
    this.#durationMs = durationMs;
    this.#on = on;
  }

  onKept(isKept: boolean): void {
    this.#onKept = isKept;
  }

  /** Ends now, and destroys the connection. A request that has not started never will. */
  stop(reason: "timeout" | "too_large" | "ours"): void {
    if (reason === "ours") this.end({ kind: "ours", error: new Error("The notifier stops.") });
    else this.#endWith(reason);
    this.#controller?.abort(new Error(reason));
  }

  end(end: SendOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#on.onEnd(end);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error("ended before it began"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#receivedReply = true;
    if (status < 200) return;
    const retryAfter = headers["retry-after"];
    this.#reply = {
      status,
      retryAfterMs: readRetryAfter([retryAfter ?? []].flat().join(", "), this.#clock.now()),
    };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A copy: the chunk is a view into the parser's memory.
    if (this.#bytes < snippetBytesMax) this.#chunks.push(Buffer.from(chunk.subarray(0, snippetBytesMax - this.#bytes)));
    this.#bytes += chunk.length;
    if (this.#bytes > responseBytesMax) this.stop("too_large");
  }

  onResponseEnd(): void {
    this.#endWith(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // A receiver may close a kept-alive connection just as the next request is on its way. This says nothing about the
    // receiver, so the request is repeated immediately on a new connection, within the same time. The delivery id is the same,
    // so the receiver drops a request that did arrive twice.
    if (this.#onKept && !this.#receivedReply && !this.#ended && isClosed(error)) {
      this.#onKept = false;
      this.#on.again();
    } else if (isOutOfSockets(error)) this.end({ kind: "ours", error });
    else this.#endWith(faultOf(error));
  }

  #endWith(fault: DeliveryFault | null): void {
    const durationMs = this.#durationMs();
    if (this.#reply === undefined) return this.end({ kind: "faulted", fault: fault ?? "malformed", durationMs });
    this.end({
      kind: "replied",
      ...this.#reply,
      fault,
      snippet: readableText(Buffer.concat(this.#chunks)),
      durationMs,
    });
  }
}

/** The peer has closed the connection. */
function isClosed(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}

function faultOf(error: Error): DeliveryFault {
  if (error instanceof EgressFault) return error.fault;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") return "too_large";
  if (error.name === "HTTPParserError" || code.startsWith("HPE_")) return "malformed";
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return "malformed";
  if (error.message === "bad upgrade" || error.message === "bad response") return "malformed";
  return "reset";
}

/**
 * Text that is safe for any log, database and terminal: U+FFFD for bytes that are not UTF-8, no control characters except tab
 * and newline.
 */
function readableText(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/[^\P{Cc}\t\n]/gu, "");
}
