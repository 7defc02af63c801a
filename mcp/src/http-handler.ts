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
  readonly onError: (error: Error) => void;
}

/** Shorter than the time after which proxies usually give up. */
const waitSecondsMax = 50;

/**
 * Answers MCP requests over HTTP, each by itself: there are no sessions, and nothing is kept between requests. `body` is the request's,
 * parsed.
 */
export function httpHandler({ version, mayAsk, onError }: HttpHandlerOptions) {
  return async (request: Request, body: unknown, { querent, scopes }: McpAccess): Promise<Response> => {
    const tools = { querent, allows: (scope: string) => scopes.includes(scope), mayAsk, waitSecondsMax };
    const handler = createMcpHandler(() => createServer(tools, version), {
      responseMode: "json",
      keepAliveMs: 0,
      onerror: onError,
    });
    return handler.fetch(request, { parsedBody: body });
  };
}
