import { once } from "node:events";
import { Readable } from "node:stream";
import type { Querent } from "@querent/client";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { createServer } from "./create-server.ts";
import { withoutNulls } from "./messages.ts";

const waitSecondsMax = 600;

/** Serves the tools over standard input and output until the client closes it. The service checks the token's scopes. */
export async function serveStandardStreams(querent: Querent, version: string, signal: AbortSignal): Promise<void> {
  const tools = { querent, allows: () => true, mayAsk: true, waitSecondsMax };
  const input = Readable.from(messagesOf(process.stdin.setEncoding("utf8")), { objectMode: false });
  const handle = serveStdio(() => createServer(tools, version), { transport: new StdioServerTransport(input) });
  // The client ends the session by closing standard input.
  await Promise.race([once(input, "end"), once(signal, "abort")]);
  await handle.close();
}

/** Lines of one message each. Those of a batch, which the library does not read, are answered one by one. */
async function* messagesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let line = "";
  let isLong = false;
  for await (const chunk of chunks) {
    const [first = "", ...others] = chunk.split("\n");
    line += first;
    for (const next of others) {
      yield isLong ? `${line}\n` : messagesIn(line).join("");
      [line, isLong] = [next, false];
    }
    if (line.length <= lineCharsMax) continue;
    // The library refuses messages that are too long.
    yield line;
    [line, isLong] = ["", true];
  }
  if (line !== "") yield line;
}

/** Longer lines are passed on as they come. */
const lineCharsMax = 1_000_000;

function messagesIn(line: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [`${line}\n`];
  }
  return [value].flat().map((message) => `${JSON.stringify(withoutNulls(message))}\n`);
}
