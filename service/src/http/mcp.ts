/** The endpoint for assistants: the Model Context Protocol over Streamable HTTP, without sessions. */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AccountSemaphore } from "../api/account-semaphore.ts";
import { acceptance, negotiate } from "../api/negotiate.ts";
import { ProblemError } from "../api/problem-error.ts";
import { isConnectionToken, type Caller } from "../api/route.ts";
import { acquire, identify, InjectedRequest, noted, untilReplied, type RouteDeps } from "./add-route.ts";
import { bearerToken } from "./authentication.ts";
import { parseJsonBody, requireJson } from "./body.ts";
import { challenge, issuerOf, preflight, type AuthorizationDeps } from "./authorization.ts";

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
  /** Which scope the request of a connected assistant needs, of those that the person has not given it but could. */
  readonly missingScope: (body: unknown, caller: Caller) => Promise<string | null>;
  /** Where assistants are connected by signing in; null: they need an access token. */
  readonly authorization: AuthorizationDeps | null;
}

/** A question has at most 10,000 characters, each of which may take 12 bytes in JSON. */
const bodyBytesMax = 160 * 1024;

/** Adds `POST /mcp`. There is nothing to GET or DELETE there, because there are no sessions. */
export function addMcp(app: FastifyInstance, mcp: McpDeps, deps: RouteDeps): void {
  const { authorization } = mcp;
  if (authorization !== null) addPreflight(app);
  app.route({
    method: "POST",
    url: "/mcp",
    bodyLimit: bodyBytesMax,
    config: { operation: "mcp", address: "/mcp" },
    onRequest: noted(deps, async (request, reply) => {
      request.caller = null;
      const { origin } = request.headers;
      const isForeign = origin !== undefined && !mcp.origins().includes(origin);
      const pages = authorization === null ? null : foreignPages(request);
      if (isForeign && pages === null) {
        await refuse(reply, 403, -32000, "Requests of web pages are accepted from the service's own origin only.");
        return;
      }
      if (isForeign && pages !== null) reply.headers(pages);
      request.caller = await identify(request, reply, deps).catch((error: unknown) => {
        throw authorization === null ? error : withChallenge(error, request, authorization);
      });
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
      const missing = caller.connection === undefined ? null : await mcp.missingScope(body, caller);
      if (missing !== null && authorization !== null)
        throw new ProblemError(
          "scope_missing",
          `The person who connected this assistant has not given it the scope \`${missing}\`. Ask for it by connecting again.`,
          {
            headers: {
              "www-authenticate": challenge(
                issuerOf(request, authorization),
                [...caller.scopes, missing],
                "insufficient_scope",
              ),
            },
          },
        );
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

/**
 * Pages of other origins may send requests with the token of a connection, or with none, which leads them to one. A page that was led to
 * this address (DNS rebinding) has no such token; others' are not taken from pages. Null: the request is refused.
 */
function foreignPages({ headers: { authorization, origin } }: FastifyRequest): Record<string, string> | null {
  if (authorization !== undefined && !isConnectionToken(bearerToken(authorization))) return null;
  return {
    "access-control-allow-origin": origin ?? "*",
    "access-control-expose-headers": "www-authenticate",
    vary: "Origin",
  };
}

function addPreflight(app: FastifyInstance): void {
  app.options("/mcp", { config: { operation: "mcp", address: "/mcp" } }, async ({ headers }, reply) =>
    reply
      .code(204)
      .headers({ "access-control-allow-origin": headers.origin ?? "*", vary: "Origin", ...preflight("POST") })
      .send(),
  );
}

/** The error of a missing or wrong token, with the way to a right one. */
function withChallenge(error: unknown, request: FastifyRequest, authorization: AuthorizationDeps): unknown {
  if (!(error instanceof ProblemError) || error.code !== "unauthorized") return error;
  const invalid = request.headers.authorization === undefined ? undefined : "invalid_token";
  return new ProblemError("unauthorized", error.message, {
    headers: { "www-authenticate": challenge(issuerOf(request, authorization), authorization.scopes, invalid) },
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
