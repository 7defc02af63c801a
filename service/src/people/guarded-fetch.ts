/** Requests to identity providers, and for the descriptions of assistants: to checked addresses alone, within a time and a size, and never redirected. */
import { request } from "undici";
import { guardedAgent, type EgressGuard } from "../egress/index.ts";

const timeoutMs = 10_000;
/** Keys and settings of the largest providers take a tenth of it. */
const usualBytesMax = 512 * 1024;

/** What `openid-client` and `jose` ask with. */
export type GuardedFetch = (
  url: string,
  init: {
    readonly method?: string;
    readonly headers?: Headers | Readonly<Record<string, string>> | undefined;
    readonly body?: unknown;
    readonly signal?: AbortSignal | undefined;
  },
) => Promise<Response>;

export function guardedFetch(guard: EgressGuard, { bytesMax = usualBytesMax } = {}): GuardedFetch {
  return async (url, { method = "GET", headers = {}, body = null, signal }) => {
    const address = guard.checkAddress(url);
    if (!address.ok) throw new Error(`${url.slice(0, 200)}: ${address.detail}`);
    // A connection for each request: there are few, and none is left open when the service stops.
    const dispatcher = guardedAgent(guard, signal);
    try {
      const deadline = AbortSignal.timeout(timeoutMs);
      const reply = await request(address.url, {
        dispatcher,
        method: method as "GET" | "POST",
        headers: headers instanceof Headers ? Object.fromEntries(headers) : headers,
        body: body === null || body === undefined ? null : textOf(body),
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of reply.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > bytesMax) throw new Error(`The response has more than ${bytesMax} bytes.`);
        chunks.push(chunk);
      }
      const received = new Headers();
      for (const [name, value] of Object.entries(reply.headers))
        if (value !== undefined) received.set(name, [value].flat().join(", "));
      const isEmpty = [204, 205, 304].includes(reply.statusCode);
      return new Response(isEmpty ? null : Buffer.concat(chunks), { status: reply.statusCode, headers: received });
    } finally {
      await dispatcher.destroy();
    }
  };
}

/** Both libraries send forms, or nothing. */
function textOf(body: unknown): string {
  if (typeof body === "string") return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new TypeError("A request to an identity provider has a body that is no form.");
}
