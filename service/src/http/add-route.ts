import { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Operation } from "@querent/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AccountSemaphore } from "../api/account-semaphore.ts";
import { readIdempotencyKey } from "../api/idempotency-key.ts";
import { ProblemError, unauthorized } from "../api/problem-error.ts";
import {
  isConnectionToken,
  type Caller,
  type Peer,
  type Route,
  type RouteReply,
  type RouteRequest,
} from "../api/route.ts";
import type { ProjectGuard } from "../projects/index.ts";
import {
  attemptSecret,
  bearerToken,
  browserCookies,
  loginSecret,
  requireOwnPage,
  requireScope,
  type LoginCookies,
} from "./authentication.ts";
import { mayBeLarge, requireJson } from "./body.ts";
import { checkedParams, checkedQuery, compileChecks, readBody, takesLargeBodies } from "./operation-checks.ts";
import type { RateLimit } from "./rate-limit.ts";
import { ClientGone } from "./problem.ts";

export interface RouteDeps {
  readonly authenticate: (token: string) => Promise<Caller | null>;
  /** Finds who is signed in with the secret of a login. */
  readonly authenticateLogin: (secret: string) => Promise<Caller | null>;
  /** Refuses a login that a proxy began, unless the proxy states the same person in this request. None: there is no such proxy. */
  readonly requireStated?:
    | ((caller: Caller, request: { peer: Peer; address: string; requestId: string }) => Promise<void>)
    | undefined;
  /** Finds whose connection a token is of. None: assistants are not connected by signing in. */
  readonly authenticateConnection?: ((token: string) => Promise<Caller | null>) | undefined;
  readonly cookies: LoginCookies;
  /** Whether pages of the service may use access tokens; yes by default. */
  readonly consoleTokens?: boolean;
  /** Refuses what goes beyond the projects of a caller. */
  readonly requireProject: ProjectGuard;
  /** Runs the handler of a request with its entry in the audit log. None: there is no log. */
  readonly audited?: AuditRequests | undefined;
  /** The maximum of values in a submission's body. */
  readonly bodyValuesMax?: number;
  readonly concurrency: ConcurrencyLimits;
  readonly rates: {
    readonly account: RateLimit;
    readonly free: RateLimit;
    readonly address: RateLimit;
    readonly wrongTokens: RateLimit;
    readonly signIns: RateLimit;
  };
  /** Throws if the account stores too much for a request with a body of this size. */
  readonly requireRoom?:
    | ((accountId: string, what: { readonly stores: "free" | "tasks"; readonly bytes: number }) => Promise<void>)
    | undefined;
  /** Requests without a reply, which are aborted when the server stops. */
  readonly unanswered: Set<AbortController>;
  /** What requests do, also those whose clients have disconnected meanwhile: the server's close waits for it. */
  readonly underWay: Set<Promise<unknown>>;
}

type AuditRequests = (
  request: {
    readonly operation: Operation;
    readonly caller: Caller | null;
    readonly params: Readonly<Record<string, string>>;
    readonly address: string;
    readonly requestId: string;
  },
  work: () => Promise<RouteReply>,
) => Promise<RouteReply>;

/** Limits of the accounts' concurrent requests of a kind in this process. */
export interface ConcurrencyLimits {
  /** Large bodies: from before reading one until the reply. */
  readonly largeBodies: AccountSemaphore;
  /** Requests of operations with `isList`. */
  readonly lists: AccountSemaphore;
  /** Requests that cost no points and store, delete or compute something. */
  readonly free?: AccountSemaphore;
}

declare module "fastify" {
  interface FastifyContextConfig {
    operation?: string;
    open?: true;
    /** The operation's path, as in the contract. */
    address?: string;
  }
  interface FastifyRequest {
    caller: Caller | null;
    idempotencyKey: string | null;
    /** Releases the place of a list. Null for other operations. */
    releaseList: (() => void) | null;
  }
}

/** Adds one operation of the contract to the server: who may call it, how often, and with what. */
export function addRoute(app: FastifyInstance, route: Route, deps: RouteDeps): void {
  const { operation } = route;
  const { concurrency, rates } = deps;
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
    // Before the body is read: authentication, authorization, and the rate limit.
    onRequest: noted(deps, async (request, reply) => {
      request.caller = null;
      request.idempotencyKey = null;
      request.releaseList = null;
      if (operation.open === true) await rates.address.take(request.ip, reply);
      if (operation.login === "begins") {
        requireOwnPage(request, deps.cookies);
        await rates.signIns.take(request.ip, reply);
        if (operation.body !== undefined) requireJson(request, operation.body.type);
      }
      if (operation.scope === null && operation.login !== "required") return;
      const caller = await identifyAny(request, reply, deps);
      request.caller = caller;
      if (caller.person?.needsFactor === true && operation.withoutFactor !== true) throw factorMissing();
      if (operation.scope !== null) requireScope(caller, operation.scope);
      else if (caller.person === null || caller.connection !== undefined) throw notSignedIn();
      if (operation.free !== undefined) await rates.free.take(caller.accountId, reply);
      if (needsIdempotencyKey(operation))
        request.idempotencyKey = readIdempotencyKey(request.raw.headersDistinct["idempotency-key"]);
      // An optional body is small: its presence is checked once it has been read.
      if (operation.body?.required === true) requireJson(request, operation.body.type);
      if (operation.isList === true) request.releaseList = await acquire(concurrency.lists, caller.accountId, reply);
      if (takesLargeBodies(operation) && mayBeLarge(request))
        await acquire(concurrency.largeBodies, caller.accountId, reply);
    }),
    handler: noted(deps, async (request, reply) => {
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      // Once the body has arrived: one that hangs keeps no other waiting.
      if (operation.free === true && request.caller !== null && concurrency.free !== undefined)
        await acquire(concurrency.free, request.caller.accountId, reply);
      // Before the body is parsed: what a full account sends costs nothing more.
      const full = await whyFull(operation, request, rawBody.length, deps);
      if (full !== null && operation.stores === "free") throw full;
      const params = checkedParams(checks.params, request.params) as Record<string, string>;
      const query = checkedQuery(checks, request.query) as Record<string, unknown>;
      if (request.caller !== null) await deps.requireProject({ operation, caller: request.caller, params, query });
      const input: RouteRequest<Operation> = {
        caller: request.caller ?? (null as never),
        headers: request.headers as Record<string, string | undefined>,
        params,
        query,
        body: (await readBody(request, operation, checks.body, rawBody, deps.bodyValuesMax)) as never,
        rawBody,
        idempotencyKey: request.idempotencyKey,
        requestId: request.id,
        address: request.ip,
        peer: peerOf(request),
        traceParent: request.span?.traceParent ?? null,
        full,
        attempt: operation.login !== undefined ? attemptSecret(request, deps.cookies) : null,
        signal: untilReplied(reply, deps.unanswered),
      };
      const handle = () => route.handle(input);
      const { caller, address, requestId } = input;
      const replied =
        deps.audited === undefined
          ? await handle()
          : await deps.audited({ operation, caller, params, address, requestId }, handle);
      // What is sent for as long as its client reads it takes its turn for each statement instead.
      if (isStream(replied.body)) request.releaseList?.();
      const cookies = browserCookies(replied, request, deps.cookies);
      if (cookies.length > 0) reply.header("set-cookie", cookies);
      // Caches keep no reply to a token by themselves, but one to a cookie.
      if ((request.caller?.person ?? null) !== null) reply.header("cache-control", "private, no-cache");
      return send(reply, replied);
    }),
  });
}

/** Null: the account may store more, or the operation stores nothing. */
async function whyFull(
  { stores }: Operation,
  { caller }: FastifyRequest,
  bytes: number,
  { requireRoom }: RouteDeps,
): Promise<ProblemError | null> {
  if (stores === undefined || caller === null || requireRoom === undefined) return null;
  try {
    await requireRoom(caller.accountId, { stores, bytes });
    return null;
  } catch (error) {
    if (error instanceof ProblemError && error.code === "storage_quota_exceeded") return error;
    throw error;
  }
}

type Work<Result> = (request: FastifyRequest, reply: FastifyReply) => Promise<Result>;

/** Work that is noted as under way until it ends. */
export function noted<Result>({ underWay }: Pick<RouteDeps, "underWay">, work: Work<Result>): Work<Result> {
  return (request, reply) => {
    const done = work(request, reply);
    underWay.add(done);
    const end = () => underWay.delete(done);
    done.then(end, end);
    return done;
  };
}

/** The caller by the request's token. Counts the request towards the rate limit of its account. */
export async function identify(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticate, authenticateConnection, rates }: Pick<RouteDeps, "authenticate" | "authenticateConnection" | "rates">,
): Promise<Caller> {
  const token = bearerToken(request.headers.authorization);
  const isOfConnection = isConnectionToken(token);
  // It is for `/mcp` (RFC 8707), and for what the service asks itself to answer a request there.
  if (isOfConnection && !isForAssistants(request))
    throw new ProblemError(
      "unauthorized",
      "This token is that of an assistant, which works at `/mcp` alone. Programs use an access token: `Authorization: Bearer qrt_...`.",
    );
  const caller = await (isOfConnection ? (authenticateConnection?.(token) ?? null) : authenticate(token));
  if (caller === null) {
    // Counted only after the token has been looked up, so that valid tokens from the same address, such as a proxy's, are
    // never throttled.
    await rates.wrongTokens.take(request.ip, reply);
    throw unauthorized();
  }
  await rates.account.take(caller.accountId, reply);
  return caller;
}

/**
 * A request that the service sends to itself, without the network. The server refuses headers that were sent twice, and looks for them where
 * only requests of the network have them.
 */
export class InjectedRequest extends IncomingMessage {}
Object.defineProperty(InjectedRequest.prototype, "headersDistinct", {
  get(this: IncomingMessage): NodeJS.Dict<string[]> {
    return Object.fromEntries(
      Object.entries(this.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat()]])),
    );
  },
});

/** The service itself has no address: what it sends to itself never comes by way of a proxy. */
const peerOf = ({ raw }: FastifyRequest): Peer => ({
  address: raw instanceof InjectedRequest ? null : (raw.socket.remoteAddress ?? null),
  headers: raw.headersDistinct,
});

const isForAssistants = ({ raw, routeOptions }: FastifyRequest) =>
  routeOptions.url === "/mcp" || raw instanceof InjectedRequest;

/** The caller by the request's token or, without one, by the login of its browser. */
async function identifyAny(request: FastifyRequest, reply: FastifyReply, deps: RouteDeps): Promise<Caller> {
  const secret = request.headers.authorization === undefined ? loginSecret(request, deps.cookies) : null;
  if (secret === null) {
    if (deps.consoleTokens === false && isOwnPage(request)) throw noTokens();
    return identify(request, reply, deps);
  }
  requireOwnPage(request, deps.cookies);
  const caller = await deps.authenticateLogin(secret);
  if (caller === null) {
    await deps.rates.wrongTokens.take(request.ip, reply);
    throw notSignedIn();
  }
  await deps.requireStated?.(caller, { peer: peerOf(request), address: request.ip, requestId: request.id });
  await deps.rates.account.take(caller.accountId, reply);
  return caller;
}

/** Browsers say so, and no page can deny it. Programs send no such header. */
const isOwnPage = ({ headers }: FastifyRequest) =>
  headers.authorization !== undefined && headers["sec-fetch-site"] === "same-origin";

const noTokens = () =>
  new ProblemError("unauthorized", "The console of this service takes no access tokens. Sign in as a person.");

const factorMissing = () =>
  new ProblemError(
    "second_factor_missing",
    "The account requires a second factor, and you have signed in without one. Open the console: sign in with a passkey, or set one up.",
  );

const notSignedIn = () => new ProblemError("unauthorized", "Nobody is signed in with this request. Sign in again.");

/** Acquires the semaphore until the reply is sent, the client has disconnected, or the function that is returned is called. */
export async function acquire(
  semaphore: AccountSemaphore,
  accountId: string,
  reply: FastifyReply,
): Promise<() => void> {
  const gone = new AbortController();
  onceClosed(reply, () => gone.abort(new ClientGone()));
  const release = await semaphore.acquire(accountId, gone.signal);
  onceClosed(reply, release);
  return release;
}

/** Calls `act` when the reply has been sent or the client has disconnected, also if it did so before, such as while its token was looked up. */
function onceClosed(reply: FastifyReply, act: () => void): void {
  if (reply.raw.closed) act();
  else reply.raw.once("close", act);
}

async function send(
  reply: FastifyReply,
  { status, headers, body }: Awaited<ReturnType<Route["handle"]>>,
): Promise<FastifyReply> {
  reply.code(status);
  if (headers !== undefined) reply.headers(headers);
  if (body === undefined) return reply.send();
  if (typeof body === "string" || Buffer.isBuffer(body)) return reply.send(body);
  if (isStream(body)) {
    // Even if its bytes are never read, as in the reply to HEAD.
    onceClosed(reply, () => body.destroy());
    return reply.send(body);
  }
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
}

const isStream = (body: RouteReply["body"]): body is Readable =>
  typeof body === "object" && !Buffer.isBuffer(body) && "pipe" in body;

const needsIdempotencyKey = (operation: Operation) => operation.headers?.required?.includes("idempotency-key") === true;

/** Aborts if the client disconnects before the reply is sent, or when the server stops. */
export function untilReplied(reply: FastifyReply, unanswered: Set<AbortController>): AbortSignal {
  const controller = new AbortController();
  unanswered.add(controller);
  onceClosed(reply, () => {
    unanswered.delete(controller);
    if (!reply.raw.writableFinished) controller.abort(new ClientGone());
  });
  return controller.signal;
}
