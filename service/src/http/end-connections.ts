import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Returns a function that ends the connections of a server that closes: those without a request at once, the others with their
 * replies, and all of them after `drainMs`. Node closes only connections that have had a request and wait for the next one. A browser
 * opens some that it may never use, and one of them would keep the server open for as long as its client likes.
 */
export function trackConnections(server: Server): (drainMs: number) => void {
  /** How many replies each connection waits for. */
  const pending = new Map<Socket, number>();
  let isClosing = false;
  server.on("connection", (socket: Socket) => {
    pending.set(socket, 0);
    socket.once("close", () => pending.delete(socket));
    if (isClosing) socket.destroy();
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    pending.set(socket, (pending.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (pending.get(socket) ?? 1) - 1;
      if (pending.has(socket)) pending.set(socket, left);
      if (isClosing && left === 0) socket.destroySoon();
    });
  });
  return (drainMs) => {
    isClosing = true;
    for (const [socket, replies] of pending) if (replies === 0) socket.destroy();
    const timer = setTimeout(() => {
      for (const socket of pending.keys()) socket.destroy();
    }, drainMs);
    server.once("close", () => clearTimeout(timer));
  };
}
