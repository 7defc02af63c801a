import { problems } from "@querent/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ProblemError } from "../api/problem-error.ts";

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
