import { METHODS } from "node:http";
import { Closed, type Operation, type ProblemItem } from "@querent/contract";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { v7 } from "uuid";
import { isTransient } from "../db/index.ts";
import { readIdempotencyKey } from "../api/idempotency-key.ts";
import { ProblemError, unauthorized } from "../api/problem-error.ts";
import type { Caller, Route, RouteRequest } from "../api/route.ts";
import { compileCheck, type Check } from "../kernel/validate.ts";
import { bearerToken, requireScope } from "./authentication.ts";
import { Places } from "../api/places.ts";
import { mayBeLarge, largeBodyBytes, parseJsonBody, requireFewValues, requireJson } from "./body.ts";
import { answerClientError, headerBytesMax, requireReadable } from "./client-error.ts";
import { consolePages } from "./console.ts";
import { documentationPages } from "./documentation.ts";
import { sendProblem } from "./problem.ts";
import { RateLimit } from "./rate-limit.ts";

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
  readonly places: HttpPlaces;
  readonly log: (event: HttpEvent) => void;
  readonly observe: (request: { operation: string; status: number; seconds: number }) => void;
}

/** Operations that read as many rows as their filters ask for. */
const lists: ReadonlySet<string> = new Set([
  "listTasks",
  "listBatches",
  "listDeliveries",
  "getOverview",
  "getUsage",
  "getUsageDays",
  "getLedger",
]);

/** What accounts share of this process. */
export interface HttpPlaces {
  /** Large bodies that are read, parsed and answered. */
  readonly largeBodies: Places;
  /** Requests that may read many rows. */
  readonly lists: Places;
}

/** Values that a submission's body may hold, unless it is said. */
const bodyValuesMax = 32_000;

export type HttpEvent =
  | {
      readonly event: "http.request";
      readonly requestId: string;
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly ms: number;
    }
  | { readonly event: "http.fault"; readonly requestId: string; readonly error: unknown };

/** Every method that HTTP parsers know, but CONNECT, which asks for a tunnel. */
const methods = METHODS.filter((method) => method !== "CONNECT");

/** The HTTP server: every operation of the contract, and the pages that explain it. Not listening yet. */
export async function createHttpServer(deps: HttpServerDeps): Promise<FastifyInstance> {
  const requestTimeoutMs = deps.requestTimeoutMs ?? 60_000;
  const app = Fastify({
    genReqId: () => v7(),
    logger: false,
    trustProxy:
      deps.trustedProxies === undefined || deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies],
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
      // Node would answer by itself, without a problem: `requireReadable` asks instead.
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
  if (deps.connectionsMax !== undefined) app.server.maxConnections = deps.connectionsMax;
  const waiting = new Set<AbortController>();
  app.addHook("preClose", async () => {
    for (const controller of waiting) controller.abort(new Error("the service stops"));
  });
  // Node answers 417 to expectations that it does not know; they may as well be left unmet (RFC 9110, 10.1.1).
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  for (const method of methods)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  const allowed = rememberMethods(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

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
    deps.observe({ operation, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
    const { open, address } = request.routeOptions.config;
    // Of pages that anybody opens who has their address, the address is a secret.
    const path = open === true ? (address ?? "") : (request.url.split("?", 1)[0] ?? "");
    deps.log({
      event: "http.request",
      requestId: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    });
  });
  app.setErrorHandler((error, request, reply) => {
    // A connection that is closed on a client that still writes is reset, and the answer is lost with it. So what the
    // client sends is read to its end, and thrown away; the time for a request bounds that too.
    reply.removeHeader("connection");
    request.raw.resume();
    return sendProblem(reply, request, asProblem(error, request, deps.log));
  });
  app.setNotFoundHandler((request, reply) => sendProblem(reply, request, nothingHere()));

  const limits = {
    account: new RateLimit("account", deps.requestsPerMinute),
    address: new RateLimit("address", deps.pageRequestsPerMinute),
    wrongTokens: new RateLimit("address", deps.wrongTokensPerMinute, "missing or wrong tokens"),
  };
  for (const route of deps.routes) addRoute(app, route, deps, limits, waiting);
  await documentationPages(app, deps.version);
  consolePages(app);
  refuseOtherMethods(app, allowed);
  return app;
}

declare module "fastify" {
  interface FastifyContextConfig {
    operation?: string;
    open?: true;
    /** The operation's path, as the contract has it. */
    address?: string;
  }
  interface FastifyRequest {
    caller: Caller | null;
    idempotencyKey: string | null;
  }
}

function addRoute(
  app: FastifyInstance,
  route: Route,
  deps: HttpServerDeps,
  limits: { readonly account: RateLimit; readonly address: RateLimit; readonly wrongTokens: RateLimit },
  waiting: Set<AbortController>,
): void {
  const { operation } = route;
  const checks = compileChecks(operation);
  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ":$1"),
    bodyLimit: operation.body?.bytesMax ?? 16 * 1024,
    config: {
      operation: operation.id,
      address: operation.path,
      ...(operation.open === true ? { open: operation.open } : {}),
    },
    // Before the body is read: who asks, may they, and are they within their rate.
    onRequest: async (request, reply) => {
      request.caller = null;
      request.idempotencyKey = null;
      if (operation.open === true) await limits.address.take(request.ip, reply);
      if (operation.scope === null) return;
      const caller = await deps.authenticate(bearerToken(request.headers.authorization));
      if (caller === null) {
        // Counted after the token was looked up, so that right tokens from the same address, such as a proxy's, are never held up.
        await limits.wrongTokens.take(request.ip, reply);
        throw unauthorized();
      }
      request.caller = caller;
      await limits.account.take(caller.accountId, reply);
      requireScope(caller, operation.scope);
      if (needsIdempotencyKey(operation))
        request.idempotencyKey = readIdempotencyKey(request.raw.headersDistinct["idempotency-key"]);
      // A body that may be left out is small: whether one came is seen once it was read.
      if (operation.body?.required === true) requireJson(request);
      if (lists.has(operation.id)) await takePlace(deps.places.lists, caller.accountId, reply);
      if (takesLargeBodies(operation) && mayBeLarge(request))
        await takePlace(deps.places.largeBodies, caller.accountId, reply);
    },
    handler: async (request, reply) => {
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const input: RouteRequest<Operation> = {
        caller: request.caller ?? (null as never),
        headers: request.headers as Record<string, string | undefined>,
        params: checkedParams(checks.params, lowerUuids(request.params)) as never,
        query: checkedQuery(checks.query, checks.readQuery(request.query)) as never,
        body: (await readBody(request, operation, checks.body, rawBody, deps.bodyValuesMax)) as never,
        rawBody,
        idempotencyKey: request.idempotencyKey,
        requestId: request.id,
        signal: untilAnswered(reply, waiting),
      };
      return send(reply, await route.handle(input));
    },
  });
}

/** Takes a place of the account's until the request is answered, or its client has gone. */
async function takePlace(places: Places, accountId: string, reply: FastifyReply): Promise<void> {
  const gone = new AbortController();
  const whenClosed = () => gone.abort(new ClientGone());
  reply.raw.once("close", whenClosed);
  const giveBack = await places.take(accountId, gone.signal);
  if (gone.signal.aborted) giveBack();
  else reply.raw.once("close", giveBack);
}

async function send(
  reply: FastifyReply,
  { status, headers, body }: Awaited<ReturnType<Route["handle"]>>,
): Promise<FastifyReply> {
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  if (body === undefined) return reply.send();
  if (typeof body === "string" || Buffer.isBuffer(body)) return reply.send(body);
  if ("pipe" in body) {
    // Also when its bytes were never wanted, as those of the answer to HEAD.
    reply.raw.once("close", () => body.destroy());
    return reply.send(body);
  }
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
}

interface OperationChecks {
  readonly params: Check | null;
  /** Null: parameters are of no consequence. */
  readonly query: Check | null;
  /** Null: the handler judges the body. */
  readonly body: Check | null;
  /** Query values are text; those that the schema says are numbers are read as such when they look it. */
  readonly readQuery: (query: unknown) => unknown;
}

function compileChecks(operation: Operation): OperationChecks {
  const inPath = (path: string) => `?${path.slice(1)}`;
  const inQuery = { pointer: inPath, noun: "parameter" };
  const integers = Object.entries(operation.query?.properties ?? {}).flatMap(([name, schema]) =>
    "type" in schema && schema.type === "integer" ? [name] : [],
  );
  return {
    params: operation.params === undefined ? null : compileCheck(operation.params, { pointer: inPath }),
    // What was not understood must not be passed over: a misspelt filter would act on everything. Only what anybody may open, who was
    // given the address or probes the service, can carry parameters of others.
    query: operation.scope === null ? null : compileCheck(operation.query ?? Closed({}), inQuery),
    // A submission's items are judged by the tasks, one by one: they know more than the schema.
    body:
      operation.body !== undefined && "items" in operation.body.schema
        ? null
        : compileCheck(operation.body?.schema ?? Closed({})),
    readQuery: (query) => {
      const read: Record<string, unknown> = { ...(query as object) };
      for (const name of integers) {
        const text = read[name];
        if (typeof text === "string" && /^-?\d{1,15}$/.test(text)) read[name] = Number(text);
      }
      return read;
    },
  };
}

function checkedParams(check: Check | null, value: unknown): unknown {
  // A malformed id names nothing that exists.
  const errors = check?.(value) ?? [];
  if (errors.length > 0 && errors.every((error) => error.pointer.endsWith("_id")))
    throw new ProblemError("not_found", "There is nothing with this id.");
  return refuseInvalid(errors, value);
}

function checkedQuery(check: Check | null, value: unknown): unknown {
  return refuseInvalid(check?.(value) ?? [], check === null ? {} : value);
}

function refuseInvalid(errors: readonly ProblemItem[], value: unknown): unknown {
  if (errors.length === 0) return value;
  const what = errors.length === 1 ? "A parameter is" : `${errors.length} parameters are`;
  throw new ProblemError("validation_failed", `${what} not valid. Nothing was done.`, { errors });
}

async function readBody(
  request: FastifyRequest,
  operation: Operation,
  check: Check | null,
  rawBody: Buffer,
  valuesMax: number | undefined,
): Promise<unknown> {
  if (operation.body?.required !== true) {
    // Whatever an empty body was declared as: many clients declare a form, and send nothing.
    if (operation.method === "GET" || rawBody.length === 0) return operation.body === undefined ? undefined : {};
    requireJson(request);
  }
  if (takesLargeBodies(operation)) await requireFewValues(rawBody, valuesMax ?? bodyValuesMax);
  const body = (await parseJsonBody(rawBody)) ?? (operation.body?.required === true ? null : {});
  const errors = check === null ? [] : check(body);
  if (errors.length > 0) {
    throw new ProblemError(
      "validation_failed",
      operation.body === undefined
        ? "This operation takes no body, so what the body asks for would be left undone. Nothing was done."
        : "The body is not valid. Nothing was done.",
      { errors },
    );
  }
  return body;
}

const takesLargeBodies = (operation: Operation) => (operation.body?.bytesMax ?? 0) > largeBodyBytes;

const needsIdempotencyKey = (operation: Operation) => operation.headers?.required?.includes("idempotency-key") === true;

const nothingHere = () => new ProblemError("not_found", "There is nothing at this address.");

/** UUIDs are written in lower case; one that was sent in upper case is the same id. */
function lowerUuids(params: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params as Record<string, string>).map(([name, value]) => [
      name,
      name.endsWith("_id") ? value.toLowerCase() : value,
    ]),
  );
}

/** Aborts when the client hangs up before it was answered, or when the server stops. */
function untilAnswered(reply: FastifyReply, waiting: Set<AbortController>): AbortSignal {
  const controller = new AbortController();
  waiting.add(controller);
  reply.raw.once("close", () => {
    waiting.delete(controller);
    if (!reply.raw.writableFinished) controller.abort(new ClientGone());
  });
  return controller.signal;
}

/** Keeps the methods of every address as routes are added. */
function rememberMethods(app: FastifyInstance): Map<string, Set<string>> {
  const allowed = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ method, url }) => {
    const known = allowed.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    allowed.set(url, known);
  });
  return allowed;
}

/** Every address answers methods it does not take with 405 and the list of those it takes. */
function refuseOtherMethods(app: FastifyInstance, allowed: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, known] of [...allowed]) {
    const allow = [...known].sort().join(", ");
    app.route({
      method: methods.filter((method) => !known.has(method)),
      url,
      // Before the body is read.
      onRequest: async () => {
        throw new ProblemError("method_not_allowed", `This address takes ${allow}.`, { headers: { allow } });
      },
      handler: async () => undefined,
    });
  }
}

class ClientGone extends Error {
  override readonly message = "the client has gone";
}

const isCutOff = (code: unknown) => code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE" || code === "EPIPE";

function asProblem(error: unknown, request: FastifyRequest, log: HttpServerDeps["log"]): ProblemError {
  if (error instanceof ProblemError) return error;
  const code = (error as { code?: unknown } | null)?.code;
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new ProblemError(
        "payload_too_large",
        `The body is larger than the ${request.routeOptions.bodyLimit} bytes that this operation takes.`,
      );
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new ProblemError("unsupported_media_type", "Send `Content-Type: application/json`.");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
      return new ProblemError("malformed_request", "The body's length is not the one announced.");
  }
  // Nobody is there to be answered, and nothing is at fault.
  if (error instanceof ClientGone || (request.raw.socket.destroyed && isCutOff(code)))
    return new ProblemError("malformed_request", "The client hung up before it was answered.");
  log({ event: "http.fault", requestId: request.id, error });
  if (isTransient(error)) {
    return new ProblemError("unavailable", "The database is away. Nothing was accepted; try again.", {
      headers: { "retry-after": "2" },
    });
  }
  return new ProblemError("internal", "The service failed. The operator finds the cause by the request id.");
}
