import { promisify } from "node:util";
import { authenticator, requireRoom, type StorageQuota } from "../../accounts/index.ts";
import { auditRequests } from "../../audit/index.ts";
import type { Database } from "../../db/index.ts";
import { createHttpServer, type HttpServerDeps, type McpDeps } from "../../http/index.ts";
import { projectOfEntity } from "../../observations/index.ts";
import { projectOfPanel, projectOfTask } from "../../panels/index.ts";
import { authorizationPaths, connectionAuthenticator, loginAuthenticator } from "../../people/index.ts";
import { projectGuard } from "../../projects/index.ts";
import type { SignIns } from "../../signin/index.ts";
import { firstTaskOf } from "../../tasks/index.ts";
import { closing, type Service } from "../../runtime/service.ts";
import { connectionsFor, type RequestLimits } from "../account-limits.ts";
import { apiRoutes } from "../api-routes.ts";
import { listen } from "../listen.ts";
import type { Parts } from "../parts.ts";
import { version } from "../version.ts";
import type { WakeUps } from "../wake-ups.ts";
import type { Worker } from "./worker.ts";
import { AccountSemaphore } from "../../api/account-semaphore.ts";

export interface Api {
  /** Started once the port is open, and answers requests from then on. */
  readonly port: Service;
  /** Stopped once no request is in progress and none is accepted. */
  readonly requests: Service;
  /** Connections that are open. */
  connections(): Promise<number>;
}

interface ApiDeps {
  /** That of this process, if it has the role. */
  readonly worker: Worker | null;
  readonly wakeUps: WakeUps;
  readonly limits: RequestLimits;
  readonly signIns: SignIns;
}

/**
 * The values of an item: itself, its members and theirs are 24. One with unknown members is still parsed, so that the error can
 * name them.
 */
const itemValuesMax = 32;

/** The role `api`: answers requests. */
export async function apiRole(parts: Parts, { worker, wakeUps, limits, signIns }: ApiDeps): Promise<Api> {
  const { config, database, log, metrics, ownAddress, tracer } = parts;
  let stopping = false;
  const server = await createHttpServer({
    version,
    requestsPerMinute: config.requestsPerMinute,
    freeRequestsPerMinute: config.freeRequestsPerMinute,
    requireRoom: roomFor(database, parts.storageQuota),
    pageRequestsPerMinute: config.pageRequestsPerMinute,
    wrongTokensPerMinute: config.wrongTokensPerMinute,
    signInsPerMinute: config.signInsPerMinute,
    trustedProxies: config.trustedProxies,
    connectionsMax: connectionsFor(config.connectionsMax),
    bodyValuesMax: config.batchItemsMax * itemValuesMax + 1,
    concurrency: limits,
    log,
    tracer,
    observe: ({ operation, status, seconds }) =>
      metrics.observe("querent_http_request_seconds", { operation, status }, seconds),
    authenticate: authenticator(parts.lists.identities),
    authenticateLogin: loginAuthenticator(parts.lists.identities, parts.loginLimits),
    requireStated: (caller, request) => parts.singleSignOn.requireStated(caller, request),
    authenticateConnection:
      parts.authorizationServer === null ? undefined : connectionAuthenticator(parts.lists.identities),
    requireProject: projectGuard(database, {
      panel: (accountId, id) => projectOfPanel(database, accountId, id),
      entity: (accountId, id) => projectOfEntity(database, accountId, id),
      task: (accountId, id) => projectOfTask(database, accountId, id),
      batch: async (accountId, id) => {
        const taskId = await firstTaskOf(database, accountId, id);
        return taskId === null ? null : projectOfTask(database, accountId, taskId);
      },
    }),
    audited: auditRequests(database),
    publicUrl: config.publicUrl,
    consoleTokens: config.consoleTokens === "on",
    mcp: mcpDeps(parts),
    routes: apiRoutes(parts, { worker, wakeUps, limits, signIns, isStopping: () => stopping }),
  });
  return {
    port: {
      async start() {
        Object.assign(ownAddress, await listen(server, config));
      },
      stop: () => server.close(),
    },
    requests: closing(async () => {
      stopping = true;
      await server.close();
    }),
    connections: () => promisify(server.server.getConnections.bind(server.server))(),
  };
}

/** For so long an account that may submit tasks is not looked at again: submissions are frequent, and their bodies are bounded. */
const roomMs = 2_000;
const rememberedMax = 10_000;

/** Checks what an account stores, for each request that stores something. */
function roomFor(database: Database, quota: StorageQuota): HttpServerDeps["requireRoom"] {
  const until = new Map<string, number>();
  return async (accountId, what) => {
    if (what.stores === "tasks" && (until.get(accountId) ?? 0) > performance.now()) return;
    await requireRoom(database, accountId, what, quota);
    if (what.stores !== "tasks") return;
    if (until.size >= rememberedMax) until.clear();
    until.set(accountId, performance.now() + roomMs);
  };
}

/** What answers assistants at `/mcp`; null if the operator has switched it off. */
function mcpDeps({ config, ownAddress, authorizationServer }: Parts): McpDeps | null {
  if (config.mcp === "off") return null;
  const origins = () => originsOf(config.publicUrl, ownAddress.url);
  const mayAsk = config.mcp === "ask";
  // Loaded with the first request: it takes a third of a second.
  const loaded = once(async () => {
    const [{ httpHandler, scopesOfCalls }, { Querent }] = await Promise.all([
      import("@querent/mcp"),
      import("@querent/client"),
    ]);
    return { answer: httpHandler({ version, mayAsk }), scopesOfCalls, Querent };
  });
  return {
    handle: async (request, body, { caller, streams, token, fetch }) => {
      const { answer, Querent } = await loaded();
      // The address is never used: `fetch` stays in this process.
      const querent = new Querent({ url: "http://127.0.0.1", token, fetch, maxRetries: 0 });
      // A connected assistant sees what the person could give it: it asks for what it lacks once it needs it.
      return answer(request, body, { querent, scopes: caller.connection?.allowed ?? caller.scopes, streams });
    },
    origins,
    missingScope: async (body, { scopes, connection }) => {
      const { scopesOfCalls } = await loaded();
      const missing = scopesOfCalls(body).filter((scope) => !(scopes as readonly string[]).includes(scope));
      return connection?.allowed.find((scope) => missing.includes(scope)) ?? null;
    },
    authorization:
      authorizationServer === null
        ? null
        : {
            origins,
            scopes: authorizationServer.scopes,
            paths: authorizationPaths,
            handle: (...request) => authorizationServer.handle(...request),
          },
    inProgress: new AccountSemaphore({
      what: "requests of assistants",
      perAccount: 16,
      inAll: 128,
      waitMs: 10_000,
      waitingMax: 100,
    }),
  };
}

function once<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => (loading ??= load());
}

/** The service's own address by its public name, and by those of this machine. */
function originsOf(publicUrl: string | null, ownUrl: string | null): string[] {
  const own = ownUrl === null ? [] : [ownUrl, ...["localhost", "127.0.0.1"].map((name) => withHost(ownUrl, name))];
  return [...(publicUrl === null ? [] : [publicUrl]), ...own].map((url) => new URL(url).origin);
}

function withHost(url: string, host: string): string {
  const changed = new URL(url);
  changed.hostname = host;
  return changed.href;
}
