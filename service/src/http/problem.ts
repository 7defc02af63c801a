import { problems } from "@querent/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ProblemError } from "../api/problem-error.ts";
import { isTransient } from "../db/index.ts";

/** The body of a problem response (RFC 9457). `type` is relative to the service's address and resolves to a page. */
export function problemBody(problem: ProblemError, request: { requestId: string; path: string }): string {
  return JSON.stringify({
    type: `/problems/${problem.code}`,
    title: problems[problem.code].title,
    status: problem.status,
    detail: problem.message,
    instance: request.path,
    code: problem.code,
    requestId: request.requestId,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    ...(problem.resumeAfter === undefined ? {} : { resumeAfter: problem.resumeAfter }),
  });
}

export function sendProblem(reply: FastifyReply, request: FastifyRequest, problem: ProblemError): FastifyReply {
  const path = (request.url.split("?", 1)[0] ?? "").slice(0, 2048);
  return reply
    .code(problem.status)
    .headers({ "x-request-id": request.id, ...problem.headers })
    .type("application/problem+json; charset=utf-8")
    .send(problemBody(problem, { requestId: request.id, path }));
}

/** The problem that the client receives for an error. The service's own errors are logged. */
export function toProblem(thrown: unknown, request: FastifyRequest, log: (event: HttpEvent) => void): ProblemError {
  const error = reasonOf(thrown);
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
  // There is nobody to reply to, and no error.
  if (error instanceof ClientGone || (request.raw.socket.destroyed && isCutOff(code)))
    return new ProblemError("malformed_request", "The client closed the connection before the response.");
  log({ event: "http.fault", requestId: request.id, error });
  if (isTransient(error)) {
    return new ProblemError("unavailable", "The database is unavailable. Nothing was accepted. Retry the request.", {
      headers: { "retry-after": "2" },
    });
  }
  return new ProblemError("internal", "The service failed. The operator finds the cause by the request id.");
}

/** Node's own functions, such as those that read files, wrap the reason for which they were aborted. */
function reasonOf(error: unknown): unknown {
  return error instanceof Error && error.name === "AbortError" && error.cause !== undefined ? error.cause : error;
}

/** The client closed the connection before it received a reply. */
export class ClientGone extends Error {
  override readonly message = "the client has gone";
}

const isCutOff = (code: unknown) => code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE" || code === "EPIPE";

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
