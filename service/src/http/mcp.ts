/** The endpoint for assistants: the Model Context Protocol over Streamable HTTP, without sessions. */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AccountSemaphore } from "../api/account-semaphore.ts";
import { acceptance, negotiate } from "../api/negotiate.ts";
import type { Caller } from "../api/route.ts";
import { acquire, identify, noted, untilReplied, type RouteDeps } from "./add-route.ts";
import { bearerToken } from "./authentication.ts";
import { parseJsonBody, requireJson } from "./body.ts";
import { IncomingMessage } from "node:http";

/** What answers a request. `fetch` reaches the operations of this server. */
type McpHandler = (
  request: Request,
  body: unknown,
  access: {
    readonly caller: Caller;
    /** Whether the answer is a stream of events instead of JSON. */
    readonly streams: boolean;
    readonly token: string;
    readonly fetch: typeof globalThis.fetch;
  },
) => Promise<Response>;

export interface McpDeps {
  readonly handle: McpHandler;
  /** The origins of the service itself. Other web pages are refused, since a browser may have been led to this address (DNS rebinding). */
  readonly origins: () => readonly string[];
  /** Limits the requests of one account that are in progress. */
  readonly inProgress: AccountSemaphore;
}

/** A question has at most 10,000 characters, each of which may take 12 bytes in JSON. */
const bodyBytesMax = 160 * 1024;

/** Adds `POST /mcp`. There is nothing to GET or DELETE there, because there are no sessions. */
export function addMcp(app: FastifyInstance, mcp: McpDeps, deps: RouteDeps): void {
  app.route({
    method: "POST",
    url: "/mcp",
    bodyLimit: bodyBytesMax,
    config: { operation: "mcp", address: "/mcp" },
    onRequest: noted(deps, async (request, reply) => {
      request.caller = null;
      const { origin } = request.headers;
      if (origin !== undefined && !mcp.origins().includes(origin)) {
        await refuse(reply, 403, -32000, "Requests of web pages are accepted from the service's own origin only.");
        return;
      }
      request.caller = await identify(request, reply, deps);
      requireJson(request);
      if (negotiate(request.headers.accept, mcpTypes) === null) {
        await refuse(
          reply,
          406,
          -32000,
          `Answers are sent as ${mcpTypes.join(" or ")}, and the request accepts neither.`,
        );
        return;
      }
      await acquire(mcp.inProgress, request.caller.accountId, reply);
    }),
    handler: noted(deps, async (request, reply) => {
      const body = await parseJsonBody(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
      const { caller } = request;
      if (caller === null) throw new Error("a request for /mcp was not authenticated");
      const response = await mcp.handle(webRequest(request, untilReplied(reply, deps.unanswered)), body, {
        caller,
        streams: streamsTo(request.headers.accept),
        token: bearerToken(request.headers.authorization),
        fetch: injectFetch(app, request.ip),
      });
      reply.code(response.status);
      for (const [name, value] of response.headers) reply.header(name, value);
      return reply.send(response.body === null ? undefined : Readable.fromWeb(response.body as never));
    }),
  });
}

/** The request without its body, and without the token, which the tools' own requests carry. */
function webRequest({ headers, method }: FastifyRequest, signal: AbortSignal): Request {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === "authorization" ? [] : [[name, [value].flat().join(", ")]],
  );
  return new Request("http://querent.internal/mcp", { method, headers: kept, signal });
}

/** Answers can be sent as either. */
const mcpTypes = ["application/json", "text/event-stream"] as const;

/**
 * A client that names both gets a stream, which keeps its connection alive, unless it prefers JSON; one that accepts anything gets JSON.
 */
function streamsTo(accept: string | undefined): boolean {
  const [json, stream] = mcpTypes.map((type) => acceptance(accept, type));
  if (json === undefined || stream === undefined || stream.quality === 0) return false;
  return stream.quality > json.quality || (stream.quality === json.quality && stream.isNamed);
}

/** An error of JSON-RPC to a request whose id is not known. */
const refuse = (reply: FastifyReply, status: number, code: number, message: string) =>
  reply.code(status).send({ jsonrpc: "2.0", id: null, error: { code, message } });

/**
 * A `fetch` whose requests reach this server's own operations without the network, as requests of a client at `remoteAddress`: with
 * the same authentication, limits, checks, log and metrics.
 */
function injectFetch(app: FastifyInstance, remoteAddress: string): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const { pathname, search, host } = new URL(input instanceof Request ? input.url : input);
    const { signal } = init;
    const reply = await app.inject({
      method: (init.method ?? "GET") as "GET",
      url: pathname + search,
      headers: { ...Object.fromEntries(new Headers(init.headers)), host },
      ...(typeof init.body === "string" ? { payload: init.body } : {}),
      remoteAddress,
      Request: InjectedRequest,
      payloadAsStream: true,
      ...(signal ? { signal } : {}),
    });
    const headers = Object.entries(reply.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, [value].flat().join(", ")]],
    );
    const isEmpty = [204, 205, 304].includes(reply.statusCode);
    const body = isEmpty ? null : (Readable.toWeb(reply.stream()) as ReadableStream<Uint8Array>);
    return new Response(body, { status: reply.statusCode, headers });
  };
}

/** The server refuses headers that were sent twice, and looks for them where only requests of the network have them. */
class InjectedRequest extends IncomingMessage {}
Object.defineProperty(InjectedRequest.prototype, "headersDistinct", {
  get(this: IncomingMessage): NodeJS.Dict<string[]> {
    return Object.fromEntries(
      Object.entries(this.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat()]])),
    );
  },
});
