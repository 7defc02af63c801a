/** A developer's program that takes what is forwarded to it. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Hook extends AsyncDisposable {
  readonly url: string;
  readonly received: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
  status: number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A developer's program: plain HTTP on this machine. */
export async function startHook(): Promise<Hook> {
  let server: Server | null = null;
  let port = 0;
  const hook: Hook = {
    get url() {
      return `http://127.0.0.1:${port}/hook`;
    },
    received: [],
    status: 204,
    async start() {
      const starting = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
          hook.received.push({ headers: request.headers, body: Buffer.concat(chunks) });
          response.writeHead(hook.status).end();
        });
      });
      starting.listen(port, "127.0.0.1");
      await once(starting, "listening");
      port = (starting.address() as AddressInfo).port;
      server = starting;
    },
    async stop() {
      const stopping = server;
      if (stopping === null) return;
      server = null;
      stopping.close();
      stopping.closeAllConnections();
      await once(stopping, "close");
    },
    [Symbol.asyncDispose]: () => hook.stop(),
  };
  await hook.start();
  return hook;
}

export const taskOf = (body: Buffer) => (JSON.parse(body.toString()) as { task: { taskId: string } }).task.taskId;
