/** The addresses of the authorization server of `/mcp`, and what leads clients to it (RFC 8414, RFC 9728). */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { noted, type RouteDeps } from "./add-route.ts";
import type { RateLimit } from "./rate-limit.ts";

export interface AuthorizationDeps {
  /** The origins of the service itself. The first one is named to whoever asks by another. */
  readonly origins: () => readonly string[];
  /** What assistants can be given. */
  readonly scopes: readonly string[];
  readonly paths: {
    readonly authorization: string;
    readonly token: string;
    readonly registration: string;
    readonly revocation: string;
  };
  /** Answers a request for one of the paths, or for the server's metadata. */
  readonly handle: (issuer: string, request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

const resourcePath = "/.well-known/oauth-protected-resource";

/**
 * The origin that a request is for, if it is one of the service's own, and otherwise the first of those: the header `Host`, which anyone can
 * write anything into, never decides which addresses are given out.
 */
export function issuerOf(request: FastifyRequest, { origins }: Pick<AuthorizationDeps, "origins">): string {
  const own = origins();
  const asked = `${request.protocol}://${request.host}`;
  return own.find((origin) => origin === asked) ?? own[0] ?? asked;
}

/** The members of a `WWW-Authenticate` header that lead a client to the authorization server. */
export const challenge = (issuer: string, scopes: readonly string[], error?: string) =>
  [
    'Bearer realm="querent"',
    ...(error === undefined ? [] : [`error="${error}"`]),
    `scope="${scopes.join(" ")}"`,
    `resource_metadata="${issuer}${resourcePath}/mcp"`,
  ].join(", ");

export function addAuthorization(
  app: FastifyInstance,
  server: AuthorizationDeps,
  {
    limit,
    ...deps
  }: Pick<RouteDeps, "rates" | "underWay"> & {
    /** Of requests that need no login and are stored: to register, and to connect. */
    readonly limit: RateLimit;
  },
): void {
  for (const url of [resourcePath, `${resourcePath}/mcp`]) {
    const config = { operation: "protectedResource", address: url };
    app.get(url, { config }, async (request, reply) => {
      const issuer = issuerOf(request, server);
      return reply.headers({ ...openToAll, "cache-control": "no-store" }).send({
        resource: `${issuer}/mcp`,
        resource_name: "Querent",
        authorization_servers: [issuer],
        scopes_supported: server.scopes,
        bearer_methods_supported: ["header"],
      });
    });
    app.options(url, { config }, async (_request, reply) =>
      reply
        .code(204)
        .headers({ ...openToAll, ...preflight("GET") })
        .send(),
    );
  }

  // The library reads bodies itself, with limits of its own.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const pass = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value);
      reply.raw.setHeader("cache-control", "no-store");
      await server.handle(issuerOf(request, server), request.raw, reply.raw);
    };
    const add = (
      method: "GET" | "POST",
      url: string,
      operation: string,
      { rate = deps.rates.address, isBrowsers = false }: { rate?: RateLimit; isBrowsers?: boolean } = {},
    ) => {
      // The last part of an address may be a secret, which the log leaves out.
      const config = { operation, address: url, open: true } as const;
      const onRequest = noted(deps, (request: FastifyRequest, reply: FastifyReply) => rate.take(request.ip, reply));
      scope.route({ method, url, config, onRequest, handler: noted(deps, pass) });
      if (!isBrowsers) scope.route({ method: "OPTIONS", url, config, onRequest, handler: noted(deps, pass) });
    };
    const { authorization, token, registration, revocation } = server.paths;
    add("GET", "/.well-known/oauth-authorization-server", "authorizationServer");
    add("GET", authorization, "authorize", { rate: limit, isBrowsers: true });
    add("GET", `${authorization}/:request`, "authorize", { isBrowsers: true });
    add("POST", registration, "registerClient", { rate: limit });
    add("POST", token, "issueConnectionToken");
    add("POST", revocation, "revokeConnectionToken");
  });
}

/** Pages of any origin may read it: nothing depends on who asks. */
const openToAll = { "access-control-allow-origin": "*" };

/** What a page may send, to a browser that asks before it sends it. */
export const preflight = (method: string) => ({
  "access-control-allow-methods": method,
  "access-control-allow-headers": "*, authorization",
  "access-control-max-age": "3600",
});
