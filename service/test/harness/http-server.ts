import type { FastifyInstance } from "fastify";
import { AccountSemaphore } from "../../src/api/account-semaphore.ts";
import { createHttpServer } from "../../src/http/index.ts";

/** The HTTP server alone, without routes, accounts or a database. Not listening yet. */
export function bareHttpServer(requestTimeoutMs: number): Promise<FastifyInstance> {
  const one = { perAccount: 1, inAll: 1, waitMs: 0, waitingMax: 0 };
  return createHttpServer({
    routes: [],
    authenticate: async () => null,
    authenticateLogin: async () => null,
    requireProject: async () => undefined,
    publicUrl: null,
    version: "0",
    requestsPerMinute: 0,
    pageRequestsPerMinute: 0,
    wrongTokensPerMinute: 0,
    concurrency: {
      largeBodies: new AccountSemaphore({ what: "large bodies", ...one }),
      lists: new AccountSemaphore({ what: "lists", ...one }),
    },
    requestTimeoutMs,
    log: () => undefined,
    observe: () => undefined,
  });
}
