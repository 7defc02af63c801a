import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { answerClientError, headerBytesMax, requireReadable } from "./client-error.ts";
import { api } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route } from "../api/route.ts";

export interface ManagementServerDeps {
  readonly version: string;
  /** Why this process is not ready, in sentences for the operator; empty if it is. */
  readonly notReady: () => Promise<readonly string[]>;
  /** Why this process has not started, or null once it has. */
  readonly notStarted: () => string | null;
  /** In the Prometheus text format; null until the process has started. */
  readonly metrics: () => Promise<string | null>;
}

/** A probe and a scraper need one connection each. The rest is for several of them, and for those that leave connections open. */
const connectionsMax = 64;
/** How long a request may take to arrive. Probes send one small packet. */
const requestTimeoutMs = 5_000;
const pathLengthMax = 200;

/**
 * The server of the management port: probes and metrics of this process, without a token. It only reads, and whatever is sent to it,
 * at most one readiness check and one scrape are in progress. Not listening yet.
 */
export function createManagementServer(deps: ManagementServerDeps): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: 1,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: requestTimeoutMs,
    forceCloseConnections: true,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: pathLengthMax },
    http: {
      maxHeaderSize: headerBytesMax,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
  });
  app.server.maxConnections = connectionsMax;
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
    requireReadable(request.raw);
  });
  app.setErrorHandler((error, _request, reply) => {
    const status = (error as { statusCode?: number; status?: number }).status ?? 500;
    const why = error instanceof Error ? error.message : "The request could not be answered.";
    return send(reply, status, { status: "error", reasons: [why] });
  });
  app.setNotFoundHandler((_request, reply) =>
    send(reply, 404, {
      status: "not_found",
      reasons: ["This port has GET /healthz, /startupz, /readyz and /metrics."],
    }),
  );

  app.get("/healthz", async (_request, reply) => send(reply, 200, { status: "ok", version: deps.version }));
  app.get("/startupz", async (_request, reply) => {
    const why = deps.notStarted();
    return why === null ? send(reply, 200, { status: "started" }) : unavailable(reply, [why]);
  });
  const notReady = shared(deps.notReady);
  app.get("/readyz", async (_request, reply) => {
    const reasons = await notReady();
    return reasons.length === 0 ? send(reply, 200, { status: "ready" }) : unavailable(reply, reasons);
  });
  const metrics = shared(deps.metrics);
  app.get("/metrics", async (_request, reply) => {
    const text = await metrics();
    if (text === null) return unavailable(reply, [deps.notStarted() ?? "There are no metrics yet."]);
    return reply.code(200).type("text/plain; version=0.0.4; charset=utf-8").send(text);
  });
  return app;
}

const unavailable = (reply: FastifyReply, reasons: readonly string[]) =>
  send(reply.header("retry-after", "2"), 503, { status: "unavailable", reasons });

const send = (reply: FastifyReply, status: number, body: object) =>
  reply.code(status).type("application/json; charset=utf-8").send(JSON.stringify(body));

/** Calls that come while one is in progress share its result. */
function shared<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  return () => (running ??= work().finally(() => (running = null)));
}

export interface ProbesDeps {
  readonly version: string;
  /** Why the process cannot work, or null. */
  readonly notReady: () => Promise<string | null>;
  readonly metrics: () => Promise<string>;
}

export function probeRoutes(deps: ProbesDeps): Route[] {
  return [
    route(api.getHealth, async () => ({ status: 200, body: { status: "ok", version: deps.version } })),
    route(api.getReadiness, async () => {
      const reason = await deps.notReady();
      if (reason !== null) throw new ProblemError("unavailable", reason, { headers: { "retry-after": "2" } });
      return { status: 200, body: { status: "ready" } };
    }),
    route(api.getMetrics, async () => ({
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      body: await deps.metrics(),
    })),
  ];
}
