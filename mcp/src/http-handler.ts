import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Querent } from "@querent/client";
import { createServer } from "./create-server.ts";

/** Whose request it is, after the service has authenticated it. */
export interface McpAccess {
  /** A client with the token of the request. */
  readonly querent: Querent;
  readonly scopes: readonly string[];
}

export interface HttpHandlerOptions {
  readonly version: string;
  readonly mayAsk: boolean;
}

/** Shorter than the time after which proxies usually give up. */
const waitSecondsMax = 50;

/**
 * Answers MCP requests over HTTP, each by itself: there are no sessions, and nothing is kept between requests. `body` is the request's,
 * parsed.
 */
export function httpHandler({ version, mayAsk }: HttpHandlerOptions) {
  return async (request: Request, body: unknown, { querent, scopes }: McpAccess): Promise<Response> => {
    const tools = { querent, allows: (scope: string) => scopes.includes(scope), mayAsk, waitSecondsMax };
    const id = idOfSubscription(body);
    if (id !== null) {
      const error = { code: -32601, message: "The tools never change, so there is nothing to subscribe to." };
      return Response.json({ jsonrpc: "2.0", id, error }, { status: 404 });
    }
    return createMcpHandler(() => createServer(tools, version)).fetch(request, { parsedBody: body });
  };
}

/** A subscription would keep its connection open for ever. Null: it is none. */
function idOfSubscription(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("method" in body) || !("id" in body)) return null;
  return body.method === "subscriptions/listen" ? body.id : null;
}
