/** The operator's proxies, through which pages see a visitor from a country. */
import { isIPv6, Socket } from "node:net";
import { EgressFault, type EgressGuard } from "../egress/index.ts";

/** An HTTP proxy that opens tunnels (`CONNECT`). */
export interface CountryProxy {
  readonly hostname: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`; null: none. */
  readonly authorization: string | null;
}

const tunnelMs = 15_000;
const headBytesMax = 16 * 1024;

/**
 * A connection to `target` through the proxy. The target's name is resolved and checked here as for a direct connection, and the
 * proxy is asked for the checked address, so it gets no name that could lead it elsewhere. The proxy's own address is the
 * operator's, and may be private.
 */
export async function connectThrough(
  proxy: CountryProxy,
  guard: EgressGuard,
  target: { readonly hostname: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const [address = ""] = await guard.resolveGuarded(target.hostname, signal);
  const authority = `${isIPv6(address) ? `[${address}]` : address}:${target.port}`;
  const either = AbortSignal.any([signal, AbortSignal.timeout(tunnelMs)]);
  const socket = new Socket();
  const abort = () => socket.destroy(new EgressFault("timeout", "The proxy of the country did not answer in time."));
  either.addEventListener("abort", abort, { once: true });
  try {
    await opened(socket, proxy);
    socket.write(
      `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${
        proxy.authorization === null ? "" : `Proxy-Authorization: ${proxy.authorization}\r\n`
      }\r\n`,
    );
    const status = await statusOf(socket);
    if (status !== 200)
      throw new EgressFault("connect", `The proxy of the country refused the connection (${status}).`);
    either.throwIfAborted();
    return socket;
  } catch (error) {
    socket.destroy();
    throw error instanceof EgressFault
      ? error
      : new EgressFault("connect", "The proxy of the country could not be reached.", error);
  } finally {
    either.removeEventListener("abort", abort);
  }
}

function opened(socket: Socket, { hostname, port }: CountryProxy): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.setNoDelay(true).setKeepAlive(true, 60_000);
    socket.once("error", reject).connect({ host: hostname, port }, () => {
      socket.off("error", reject);
      resolve();
    });
  });
}

/** Reads the response's head, and leaves what follows it in the socket. */
function statusOf(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = Buffer.alloc(0);
    const end = (error: Error | null, status = 0) => {
      socket.off("readable", read).off("error", end).off("close", closed);
      if (error === null) resolve(status);
      else reject(error);
    };
    const closed = () => end(new Error("The proxy closed the connection."));
    const read = () => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) {
        head = Buffer.concat([head, chunk]);
        const at = head.indexOf("\r\n\r\n");
        if (at >= 0) {
          const rest = head.subarray(at + 4);
          const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head.toString("latin1"))?.[1] ?? 0);
          end(null, status);
          if (rest.length > 0) socket.unshift(rest);
          return;
        }
        if (head.length > headBytesMax) return end(new Error("The proxy's response is too long."));
      }
    };
    socket.on("readable", read).on("error", end).on("close", closed);
  });
}
