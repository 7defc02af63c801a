import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface CuttingProxy extends AsyncDisposable {
  readonly address: string;
  /** Answers whose path begins with this end in the middle of their body; null: none. */
  cutsAt: string | null;
  readonly cuts: () => number;
}

/** Stands before the service, and ends connections when it is told to. */
export async function startCuttingProxy(service: string): Promise<CuttingProxy> {
  let cuts = 0;
  const server = createServer((asked, answer) => void forward(asked, answer).catch(() => answer.destroy()));
  await once(server.listen(0, "127.0.0.1"), "listening");

  async function forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const onward = request(service + asked.url, { method: asked.method, headers: asked.headers, agent: false });
    asked.pipe(onward);
    const [reply] = (await once(onward, "response")) as [IncomingMessage];
    const body = await buffer(reply);
    const isCut = proxy.cutsAt !== null && asked.url?.startsWith(proxy.cutsAt) === true && body.length > 1;
    const { "transfer-encoding": _, ...headers } = reply.headers;
    answer.writeHead(reply.statusCode ?? 502, { ...headers, "content-length": body.length });
    if (!isCut) return void answer.end(body);
    cuts++;
    answer.write(body.subarray(0, body.length >> 1), () => answer.destroy());
  }

  const proxy: CuttingProxy = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutsAt: null,
    cuts: () => cuts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}
