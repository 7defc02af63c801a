import { once } from "node:events";
import type { Querent } from "@querent/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createServer } from "./create-server.ts";

const waitSecondsMax = 600;

/** Serves the tools over standard input and output until the client closes it. The service checks the token's scopes. */
export async function serveStandardStreams(querent: Querent, version: string, signal: AbortSignal): Promise<void> {
  const tools = { querent, allows: () => true, mayAsk: true, waitSecondsMax };
  const handle = serveStdio(() => createServer(tools, version));
  // The client ends the session by closing standard input.
  await Promise.race([once(process.stdin, "end"), once(signal, "abort")]);
  await handle.close();
}
