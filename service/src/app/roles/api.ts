import { promisify } from "node:util";
import { authenticator, requireRoom, type StorageQuota } from "../../accounts/index.ts";
import type { Database } from "../../db/index.ts";
import { createHttpServer, type HttpServerDeps } from "../../http/index.ts";
import type { SignIns } from "../../signin/index.ts";
import type { Service } from "../../runtime/service.ts";
import { connectionsFor, type RequestLimits } from "../account-limits.ts";
import { apiRoutes } from "../api-routes.ts";
import { closing } from "../closing.ts";
import { listen } from "../listen.ts";
import { mcpDeps } from "../mcp.ts";
import type { Parts } from "../parts.ts";
import { version } from "../version.ts";
import type { WakeUps } from "../wake-ups.ts";
import type { Worker } from "./worker.ts";

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
    trustedProxies: config.trustedProxies,
    connectionsMax: connectionsFor(config.connectionsMax),
    bodyValuesMax: config.batchItemsMax * itemValuesMax + 1,
    concurrency: limits,
    log,
    tracer,
    observe: ({ operation, status, seconds }) =>
      metrics.observe("querent_http_request_seconds", { operation, status }, seconds),
    authenticate: authenticator(database),
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
