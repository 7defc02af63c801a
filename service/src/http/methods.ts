/** Paths and the methods that they support. */
import { METHODS } from "node:http";
import type { FastifyInstance } from "fastify";
import { ProblemError } from "../api/problem-error.ts";

/** Every method that HTTP parsers know, except CONNECT, which requests a tunnel. */
export const methods = METHODS.filter((method) => method !== "CONNECT");

/** Collects the methods of every path as routes are added. */
export function rememberMethods(app: FastifyInstance): Map<string, Set<string>> {
  const allowed = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ method, url }) => {
    const known = allowed.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    allowed.set(url, known);
  });
  return allowed;
}

/** Every path replies to unsupported methods with 405 and the list of supported ones. */
export function refuseOtherMethods(app: FastifyInstance, allowed: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, known] of [...allowed]) {
    const allow = [...known].sort().join(", ");
    app.route({
      method: methods.filter((method) => !known.has(method)),
      url,
      // Before the body is read.
      onRequest: async () => {
        throw new ProblemError("method_not_allowed", `This URL allows ${allow}.`, { headers: { allow } });
      },
      handler: async () => undefined,
    });
  }
}
