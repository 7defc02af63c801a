/** Paths and the methods that they support. */
import type { FastifyContextConfig, FastifyInstance } from "fastify";
import FindMyWay from "find-my-way";
import { ProblemError } from "../api/problem-error.ts";

/** A path of the service: the configuration of its route for each method that it supports. */
type KnownPath = Map<string, FastifyContextConfig>;

declare module "fastify" {
  interface FastifyRequest {
    /** What its URL names, whatever the method; undefined: nothing. */
    knownPath: KnownPath | undefined;
  }
}

/**
 * Collects the paths of an app as routes are added, and finds that of each request: `GET /v1/tasks/batch` is not the task `batch`. A route
 * for each of the 34 methods of HTTP did the same, and made a start take 0.1 s longer.
 */
export function knowPaths(
  app: FastifyInstance,
  options: { maxParamLength: number; ignoreTrailingSlash: boolean },
): void {
  const known = new Map<string, KnownPath>();
  const router = FindMyWay(options);
  app.addHook("onRoute", ({ method, url, config = {} }) => {
    const path: KnownPath = known.get(url) ?? new Map();
    for (const one of [method].flat()) path.set(one, config);
    if (!known.has(url)) router.get(url, () => undefined, path);
    known.set(url, path);
  });
  app.decorateRequest("knownPath");
  app.addHook("onRequest", (request, _reply, done) => {
    request.knownPath = router.find("GET", request.url)?.store as KnownPath | undefined;
    done();
  });
}

/** Why a request can't be served: its path has other methods, or there is none. */
export function noRoute(path: KnownPath | undefined): ProblemError {
  if (path === undefined) return new ProblemError("not_found", "No operation has this URL.");
  const allow = [...path.keys()].sort().join(", ");
  return new ProblemError("method_not_allowed", `This URL allows ${allow}.`, { headers: { allow } });
}
