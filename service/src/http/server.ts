import Fastify, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server as TcpServer, Socket } from "node:net";
import { v7 } from "uuid";
import { ProblemError } from "../api/problem-error.ts";
import type { Caller, Route } from "../api/route.ts";
import { addRoute, type ConcurrencyLimits, type RouteDeps } from "./add-route.ts";
import { addAuthorization } from "./authorization.ts";
import { answerClientError, headerBytesMax, requireReadable } from "./client-error.ts";
import { documentationPages } from "./documentation.ts";
import { sendProblem, toProblem, type HttpEvent } from "./problem.ts";
import { addMcp, type McpDeps } from "./mcp.ts";
import { RateLimit } from "./rate-limit.ts";
import { addressTest } from "../kernel/address-ranges.ts";
import type { Tracer, Span } from "../kernel/trace.ts";
import { within } from "../kernel/within.ts";
import FindMyWay from "find-my-way";
import type { BuiltConsole, ConsoleFile } from "@querent/console";
import { negotiate } from "../api/negotiate.ts";
import { sendCompressed } from "./compressed.ts";

export interface HttpServerDeps {
  readonly routes: readonly Route[];
  readonly authenticate: (token: string) => Promise<Caller | null>;
  /** Finds who is signed in with the secret of a login. */
  readonly authenticateLogin: RouteDeps["authenticateLogin"];
  /** Refuses a login that a proxy began, unless the proxy states the same person in this request. */
  readonly requireStated?: RouteDeps["requireStated"];
  /** Finds whose connection the token of an assistant is of. */
  readonly authenticateConnection?: RouteDeps["authenticateConnection"];
  /** Refuses what goes beyond the projects of a caller. */
  readonly requireProject: RouteDeps["requireProject"];
  /** Runs the handler of a request with its entry in the audit log. None: there is no log. */
  readonly audited?: RouteDeps["audited"];
  /** Whether pages of the service may use access tokens; yes by default. */
  readonly consoleTokens?: boolean;
  /** The public address of the service; null if it is not set. */
  readonly publicUrl: string | null;
  readonly version: string;
  /** The maximum of requests per minute of one account to this process; 0: no limit. */
  readonly requestsPerMinute: number;
  /** The maximum of requests per minute of one account to this process that cost no points and store, delete or compute something; 0: no limit. */
  readonly freeRequestsPerMinute?: number;
  /** Throws if the account stores too much for this many bytes more. None: there is no quota. */
  readonly requireRoom?: RouteDeps["requireRoom"];
  /** The maximum of requests per minute for public pages from one address to this process; 0: no limit. */
  readonly pageRequestsPerMinute: number;
  /** The maximum of requests per minute with a wrong token from one address to this process; 0: no limit. */
  readonly wrongTokensPerMinute: number;
  /** The maximum of requests per minute to sign in from one address to this process; 0: no limit. Each costs a slow hash. */
  readonly signInsPerMinute?: number;
  /** Proxies whose `X-Forwarded-For` is trusted, as addresses and ranges. */
  readonly trustedProxies?: readonly string[];
  /** How long receiving a request, including its body, may take; a minute by default. */
  readonly requestTimeoutMs?: number;
  /** How long requests that are under way when the server closes may take before their connections are closed; 5 s by default. */
  readonly drainMs?: number;
  /** The maximum of open connections; any others are closed when they are accepted. None: no limit. */
  readonly connectionsMax?: number;
  /** The maximum of values in a submission's body. */
  readonly bodyValuesMax?: number;
  /** Answers assistants. Null: there is no such endpoint. */
  readonly mcp?: McpDeps | null;
  readonly concurrency: ConcurrencyLimits;
  readonly log: (event: HttpEvent) => void;
  /** Traces requests; null if this process traces nothing. */
  readonly tracer?: Tracer | null;
  readonly observe: (request: { operation: string; status: number; seconds: number }) => void;
}

/** The HTTP server: every operation of the contract, and the pages that explain it. Not listening yet. */
export async function createHttpServer(deps: HttpServerDeps): Promise<FastifyInstance> {
  const app = fastify(deps);
  if (deps.connectionsMax !== undefined) {
    app.server.maxConnections = deps.connectionsMax;
    limitAddresses(app.server, Math.ceil(deps.connectionsMax / 2), deps.trustedProxies ?? []);
  }
  const unanswered = new Set<AbortController>();
  const underWay = new Set<Promise<unknown>>();
  const endConnections = trackConnections(app.server);
  const { drainMs = 5000 } = deps;
  app.addHook("preClose", async () => {
    for (const controller of unanswered) controller.abort(stopping());
    endConnections(drainMs);
  });
  // A request whose client has disconnected goes on without a connection, and what it uses is closed next.
  app.addHook("onClose", async () => {
    await within(settled(underWay), drainMs);
  });
  // Node replies with 417 to unknown expectations, but they may also be ignored (RFC 9110, 10.1.1).
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  knowPaths(app, routerOptions);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  if (deps.tracer) traceRequests(app, deps.tracer);
  addHooks(app, deps);

  const rates = {
    account: new RateLimit("account", deps.requestsPerMinute),
    free: new RateLimit(
      "account-free",
      deps.freeRequestsPerMinute ?? 0,
      "requests that cost no points and store, delete or compute something",
    ),
    address: new RateLimit("address", deps.pageRequestsPerMinute),
    wrongTokens: new RateLimit("address", deps.wrongTokensPerMinute, "missing or wrong tokens"),
    signIns: new RateLimit("address", deps.signInsPerMinute ?? 0, "requests to sign in"),
  };
  const cookies = { publicOrigin: deps.publicUrl === null ? null : new URL(deps.publicUrl).origin };
  const routeDeps = { ...deps, rates, cookies, unanswered, underWay };
  for (const route of deps.routes) addRoute(app, route, routeDeps);
  if (deps.mcp) addMcp(app, deps.mcp, routeDeps);
  if (deps.mcp?.authorization) {
    const limit = new RateLimit("address", deps.signInsPerMinute ?? 0, "requests to connect assistants");
    addAuthorization(app, deps.mcp.authorization, { ...routeDeps, limit });
  }
  documentationPages(app, deps.version);
  consolePages(app);
  return app;
}

const stopping = () =>
  new ProblemError(
    "unavailable",
    "The service is stopping, and did not complete this request. Send it again in a moment.",
    {
      headers: { "retry-after": "2" },
    },
  );

/** Resolves once all of it has ended, also what is added meanwhile. */
async function settled(work: ReadonlySet<Promise<unknown>>): Promise<void> {
  while (work.size > 0) await Promise.allSettled(work);
}

const asksForStream = ({ headers }: IncomingMessage) => /\btext\/event-stream\b/i.test(headers.accept ?? "");

/** Resolves once the whole request has come, or its connection is gone. */
async function received(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  await new Promise<void>((resolve) => {
    request.once("end", resolve);
    request.once("close", resolve);
  });
}

const routerOptions = { maxParamLength: 200, ignoreTrailingSlash: false };

function fastify({ trustedProxies = [], requestTimeoutMs = 60_000 }: HttpServerDeps): FastifyInstance {
  return Fastify({
    genReqId: () => v7(),
    logger: false,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    bodyLimit: 64 * 1024,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: 75_000,
    forceCloseConnections: "idle",
    routerOptions,
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(requestTimeoutMs, 10_000),
      // Node's own reply would not be a problem document: `requireReadable` checks it instead.
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      void sendProblem(
        reply,
        request,
        new ProblemError("malformed_request", "The address could not be read.", { cause: error }),
      );
    },
  });
}

/** The hooks for every request, whatever its path. */
function addHooks(app: FastifyInstance, { log, observe }: HttpServerDeps): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    reply.header("x-content-type-options", "nosniff");
    reply.header("referrer-policy", "no-referrer");
    requireReadable(request.raw);
    // Before the body is read.
    if (request.knownPath?.has(request.method) !== true) throw noRoute(request.knownPath);
  });
  app.addHook("onResponse", async (request, reply) => {
    const operation = request.knownPath?.get(request.method)?.operation ?? "none";
    observe({ operation, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
    // The URL of a page without a token is a secret, with any method.
    const { open, address } = request.knownPath?.values().next().value ?? {};
    const path = open === true ? (address ?? "") : (request.url.split("?", 1)[0] ?? "");
    log({
      event: "http.request",
      requestId: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  });
  app.setErrorHandler(async (error, request, reply) => {
    // Closing a connection while the client still sends resets it, and the reply is lost. So the rest of the request is read
    // and discarded, within the request's time limit.
    reply.removeHeader("connection");
    request.raw.resume();
    const problem = toProblem(error, request, log);
    if (asksForStream(request.raw)) {
      // A client that wants more streams than it may have keeps no connections instead. The next try can wait for a new one.
      await received(request.raw);
      reply.header("connection", "close");
    }
    return sendProblem(reply, request, problem);
  });
  app.setNotFoundHandler((request, reply) => sendProblem(reply, request, noRoute(request.knownPath)));
}

/**
 * Returns a function that ends the connections of a server that closes: those without a request at once, the others with their
 * replies, and all of them after `drainMs`. Node closes only connections that have had a request and wait for the next one. A browser
 * opens some that it may never use, and one of them would keep the server open for as long as its client likes.
 */
export function trackConnections(server: TcpServer): (drainMs: number) => void {
  /** How many replies each connection waits for. */
  const pending = new Map<Socket, number>();
  let isClosing = false;
  server.on("connection", (socket: Socket) => {
    pending.set(socket, 0);
    socket.once("close", () => pending.delete(socket));
    if (isClosing) socket.destroy();
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    pending.set(socket, (pending.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (pending.get(socket) ?? 1) - 1;
      if (pending.has(socket)) pending.set(socket, left);
      if (isClosing && left === 0) socket.destroySoon();
    });
  });
  return (drainMs) => {
    isClosing = true;
    for (const [socket, replies] of pending) if (replies === 0) socket.destroy();
    const timer = setTimeout(() => {
      for (const socket of pending.keys()) socket.destroy();
    }, drainMs);
    server.once("close", () => clearTimeout(timer));
  };
}

/**
 * Limits the open connections of one address: without a token, one machine could otherwise hold all of them. Those above the limit
 * are closed when they are accepted. This machine's own addresses and trusted proxies, behind which are many visitors, have no limit.
 */
export function limitAddresses(server: TcpServer, max: number, trustedProxies: readonly string[]): void {
  const isExempt = addressTest(["127.0.0.0/8", "::1/128", ...trustedProxies]);
  const counts = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isExempt(address)) return;
    const count = (counts.get(address) ?? 0) + 1;
    if (count > max) {
      socket.destroy();
      return;
    }
    counts.set(address, count);
    socket.once("close", () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
  });
}

declare module "fastify" {
  interface FastifyRequest {
    /** The span of a traced request. */
    span?: Span;
  }
}

/** Operations that machines call every few seconds. */
const untraced: ReadonlySet<string> = new Set(["getHealth", "getReadiness", "getMetrics"]);

/** A span for each request for an operation, below the client's if the request has a `traceparent`. */
function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { operation, address } = request.knownPath?.get(request.method) ?? {};
    if (operation === undefined || address === undefined || untraced.has(operation)) return done();
    const { traceparent } = request.headers;
    // The path as in the contract: the real one may contain a secret.
    const span = tracer.start(`${request.method} ${address}`, {
      kind: "server",
      parent: typeof traceparent === "string" ? traceparent : null,
      attributes: {
        "http.request.method": request.method,
        "http.route": address,
        "querent.operation": operation,
        "querent.request.id": request.id,
      },
    });
    request.span = span;
    return tracer.within(span, done);
  });
  app.addHook("onResponse", async (request, { statusCode }) => {
    request.span?.set({
      "http.response.status_code": statusCode,
      "querent.account.id": request.caller?.accountId ?? null,
    });
    request.span?.end({ error: statusCode >= 500 ? String(statusCode) : null });
  });
}

// Paths and the methods that they support.

/** A path of the service: the configuration of its route for each method that it supports. */
type KnownPath = Map<string, FastifyContextConfig>;

declare module "fastify" {
  interface FastifyRequest {
    /** What its URL names, whatever the method; undefined: nothing. */
    knownPath: KnownPath | undefined;
  }
}

/**
 * Collects the paths of an app as routes are added, and finds that of each request: `GET /v1/tasks/batch` is not the task `batch`. A route
 * for each of the 34 methods of HTTP did the same, and made a start take 0.1 s longer.
 */
function knowPaths(app: FastifyInstance, options: { maxParamLength: number; ignoreTrailingSlash: boolean }): void {
  const known = new Map<string, KnownPath>();
  const router = FindMyWay(options);
  app.addHook("onRoute", ({ method, url, config = {} }) => {
    const path: KnownPath = known.get(url) ?? new Map();
    for (const one of [method].flat()) path.set(one, config);
    if (!known.has(url)) router.get(url, () => undefined, path);
    known.set(url, path);
  });
  app.decorateRequest("knownPath");
  app.addHook("onRequest", (request, _reply, done) => {
    request.knownPath = router.find("GET", request.url)?.store as KnownPath | undefined;
    done();
  });
}

/** Why a request can't be served: its path has other methods, or there is none. */
function noRoute(path: KnownPath | undefined): ProblemError {
  if (path === undefined) return new ProblemError("not_found", "No operation has this URL.");
  const allow = [...path.keys()].sort().join(", ");
  return new ProblemError("method_not_allowed", `This URL allows ${allow}.`, { headers: { allow } });
}

/** The path of the console. */
const consoleBase = "/console";

/**
 * Nothing is executed or loaded from elsewhere except images: those in an answer are loaded from where its platform hosts them,
 * and only on the reader's request. `blob:` is for an answer's stored page, in a frame without permissions, and for
 * the picture of a page, which needs the token to be read.
 */
const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob: https:",
  "frame-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const pageHeaders = {
  "content-security-policy": consolePolicy,
  "cache-control": "no-cache",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), browsing-topics=()",
};

/**
 * The console: a single page at every path below its own, and its files. Built for the first request, so that the service
 * starts quickly.
 */
function consolePages(app: FastifyInstance): void {
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const { index } = await builtConsole();
    return sendFile(request, reply.headers(pageHeaders), index);
  };
  // Browsers that open the service's address get the console; programs get the reference.
  app.get("/", (request, reply) => {
    const isBrowser = negotiate(request.headers.accept, ["application/json", "text/html"]) === "text/html";
    return reply.header("vary", "Accept").redirect(isBrowser ? consoleBase : "/docs", 302);
  });
  app.get(consoleBase, page);
  app.get(`${consoleBase}/*`, page);
  app.get<{ Params: { "*": string } }>(`${consoleBase}/assets/*`, async (request, reply) => {
    const { assets } = await builtConsole();
    const file = assets.get(`assets/${request.params["*"]}`);
    if (file === undefined) throw new ProblemError("not_found", "There is no such file.");
    return sendFile(request, reply.header("cache-control", "public, max-age=31536000, immutable"), file);
  });
}

const sendFile = (request: FastifyRequest, reply: FastifyReply, file: ConsoleFile) =>
  sendCompressed(request, reply.type(file.type), file);

let built: Promise<BuiltConsole> | undefined;

/** Built once per process. A build that failed is repeated for the next request. */
async function builtConsole(): Promise<BuiltConsole> {
  built ??= import("@querent/console").then(({ buildConsole }) => buildConsole(consoleBase));
  try {
    return await built;
  } catch (error) {
    built = undefined;
    throw error;
  }
}
