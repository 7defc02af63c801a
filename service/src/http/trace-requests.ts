import type { FastifyInstance } from "fastify";
import type { Span, Tracer } from "../kernel/trace.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The span of a traced request. */
    span?: Span;
  }
}

/** Operations that machines call every few seconds. */
const untraced: ReadonlySet<string> = new Set(["getHealth", "getReadiness", "getMetrics"]);

/** A span for each request for an operation, below the client's if the request has a `traceparent`. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
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
