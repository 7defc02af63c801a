import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";

/**
 * A `fetch` whose requests reach this server's own operations without the network, as requests of a client at `remoteAddress`: with
 * the same authentication, limits, checks, log and metrics.
 */
export function injectFetch(app: FastifyInstance, remoteAddress: string): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const { pathname, search, host } = new URL(input instanceof Request ? input.url : input);
    const { signal } = init;
    const reply = await app.inject({
      method: (init.method ?? "GET") as "GET",
      url: pathname + search,
      headers: { ...Object.fromEntries(new Headers(init.headers)), host },
      ...(typeof init.body === "string" ? { payload: init.body } : {}),
      remoteAddress,
      Request: InjectedRequest,
      payloadAsStream: true,
      ...(signal ? { signal } : {}),
    });
    const headers = Object.entries(reply.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, [value].flat().join(", ")]],
    );
    const isEmpty = [204, 205, 304].includes(reply.statusCode);
    const body = isEmpty ? null : (Readable.toWeb(reply.stream()) as ReadableStream<Uint8Array>);
    return new Response(body, { status: reply.statusCode, headers });
  };
}

/** The server refuses headers that were sent twice, and looks for them where only requests of the network have them. */
class InjectedRequest extends IncomingMessage {}
Object.defineProperty(InjectedRequest.prototype, "headersDistinct", {
  get(this: IncomingMessage): NodeJS.Dict<string[]> {
    return Object.fromEntries(
      Object.entries(this.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat()]])),
    );
  },
});
