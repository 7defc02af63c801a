import type { Socket } from "node:net";
import { EgressFault, isOutOfSockets } from "./egress-fault.ts";

/** Waits for `event`; on error or abort destroys the socket and throws. */
export async function settleSocket<S extends Socket>(
  socket: S,
  event: "connect" | "secureConnect",
  fault: "connect" | "tls",
  signal: AbortSignal,
  begin: (socket: S) => void,
): Promise<S> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onReady = () => resolve();
  const onError = (error: Error) =>
    reject(isOutOfSockets(error) ? error : new EgressFault(fault, faultMessages[fault], error));
  const onClose = () => reject(new EgressFault(fault, faultMessages[fault]));
  const onAbort = () => reject(new EgressFault("timeout", "The connection was not made in time."));
  socket.once(event, onReady).once("error", onError).once("close", onClose);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    else begin(socket);
    await promise;
    return socket;
  } catch (error) {
    socket.on("error", () => undefined);
    socket.destroy();
    throw error;
  } finally {
    socket.removeListener(event, onReady).removeListener("error", onError).removeListener("close", onClose);
    signal.removeEventListener("abort", onAbort);
  }
}

const faultMessages = { connect: "The host could not be connected to.", tls: "The TLS handshake failed." };
