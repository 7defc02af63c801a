import Fastify, { type FastifyInstance } from "fastify";
import { v7 } from "uuid";
import { ProblemError } from "../api/problem-error.ts";
import type { Caller, Route } from "../api/route.ts";
import { addRoute, type ConcurrencyLimits } from "./add-route.ts";
import { answerClientError, headerBytesMax, requireReadable } from "./client-error.ts";
import { consolePages } from "./console.ts";
import { documentationPages } from "./documentation.ts";
import type { HttpEvent } from "./http-event.ts";
import { methods, refuseOtherMethods, rememberMethods } from "./methods.ts";
import { sendProblem } from "./problem.ts";
import { RateLimit } from "./rate-limit.ts";
import { toProblem } from "./to-problem.ts";

export interface HttpServerDeps {
  readonly routes: readonly Route[];
  readonly authenticate: (token: string) => Promise<Caller | null>;
  readonly version: string;
  /** Requests a minute that one account may send to this process; 0: any number. */
  readonly requestsPerMinute: number;
  /** Requests a minute for public pages that one address may send to this process; 0: any number. */
  readonly pageRequestsPerMinute: number;
  /** Requests with a wrong token a minute that one address may send to this process before it is told to wait; 0: any number. */
  readonly wrongTokensPerMinute: number;
  /** Proxies whose `X-Forwarded-For` says where a request comes from, as addresses and ranges. */
  readonly trustedProxies?: readonly string[];
  /** How long a request, body and all, may take to arrive; a minute by default. */
  readonly requestTimeoutMs?: number;
  /** Connections that are open at once; those beyond are closed as they come. None: any number. */
  readonly connectionsMax?: number;
  /** Values that a submission's body may hold. */
  readonly bodyValuesMax?: number;
  readonly concurrency: ConcurrencyLimits;
  readonly log: (event: HttpEvent) => void;
  readonly observe: (request: { operation: string; status: number; seconds: number }) => void;
}

/** The HTTP server: every operation of the contract, and the pages that explain it. Not listening yet. */
export async function createHttpServer(deps: HttpServerDeps): Promise<FastifyInstance> {
  const app = fastify(deps);
  if (deps.connectionsMax !== undefined) app.server.maxConnections = deps.connectionsMax;
  const unanswered = new Set<AbortController>();
  app.addHook("preClose", async () => {
    for (const controller of unanswered) controller.abort(new Error("the service stops"));
  });
  // Node replies 417 to expectations that it does not know; they may as well be left unmet (RFC 9110, 10.1.1).
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  for (const method of methods)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  const allowed = rememberMethods(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  addHooks(app, deps);

  const rates = {
    account: new RateLimit("account", deps.requestsPerMinute),
    address: new RateLimit("address", deps.pageRequestsPerMinute),
    wrongTokens: new RateLimit("address", deps.wrongTokensPerMinute, "missing or wrong tokens"),
  };
  for (const route of deps.routes) addRoute(app, route, { ...deps, rates, unanswered });
  await documentationPages(app, deps.version);
  consolePages(app);
  refuseOtherMethods(app, allowed);
  return app;
}

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
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(requestTimeoutMs, 10_000),
      // Node would reply by itself, without a problem: `requireReadable` checks it instead.
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

/** What holds for every request, whatever its address. */
function addHooks(app: FastifyInstance, { log, observe }: HttpServerDeps): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    reply.header("x-content-type-options", "nosniff");
    reply.header("referrer-policy", "no-referrer");
    requireReadable(request.raw);
    // Before a body is read that nobody wants.
    if (request.is404) throw nothingHere();
  });
  app.addHook("onResponse", async (request, reply) => {
    const operation = request.routeOptions.config.operation ?? "none";
    observe({ operation, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
    const { open, address } = request.routeOptions.config;
    // The address of a page that needs no token is a secret.
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
  app.setErrorHandler((error, request, reply) => {
    // Closing a connection on which the client still writes resets it, and the reply is lost. So what the client sends is read to its
    // end and thrown away; the time limit of a request bounds that too.
    reply.removeHeader("connection");
    request.raw.resume();
    return sendProblem(reply, request, toProblem(error, request, log));
  });
  app.setNotFoundHandler((request, reply) => sendProblem(reply, request, nothingHere()));
}

const nothingHere = () => new ProblemError("not_found", "There is nothing at this address.");
