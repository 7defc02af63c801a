import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { CommandError } from "./command-error.ts";
import type { Config } from "./config.ts";

/** The variables that configure a server's address, for the error. */
interface Names {
  readonly host: string;
  readonly port: string;
}

const apiNames: Names = { host: "QUERENT_HOST", port: "QUERENT_PORT" };

/** Opens the server's port. If that fails, the server is closed, and the error says what the operator can do. */
export async function listen(
  server: FastifyInstance,
  { host, port }: Pick<Config, "host" | "port">,
  names: Names = apiNames,
): Promise<{ readonly port: number; readonly url: string }> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    throw explained(error, { host, port }, names);
  }
  // The address of a server that listens on a port is an object; it is a string only for Unix sockets.
  const bound = server.server.address() as AddressInfo;
  return { port: bound.port, url: urlOf(bound, host) };
}

/** Throws what `listen` would throw now. It is asked before anything is created whose only copy a failed start would lose, such as the first token. */
export async function checkAddress({ host, port }: Pick<Config, "host" | "port">): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (error) {
    throw explained(error, { host, port }, apiNames);
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
}

function explained(error: unknown, { host, port }: Pick<Config, "host" | "port">, names: Names): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : reasons[code]?.(names);
  return reason === undefined ? error : new CommandError(`Can't listen on ${host} port ${port}: ${reason}.`);
}

const reasons: Readonly<Record<string, (names: Names) => string>> = {
  EADDRINUSE: ({ port }) => `something else listens there. Set ${port} to another port; 0 picks a free one`,
  EACCES: ({ port }) => `this user may not. Set ${port} to a port from 1024 on`,
  EADDRNOTAVAIL: ({ host }) => `this machine has no such address. Set ${host}`,
  ENOTFOUND: ({ host }) => `the name is not known. Set ${host}`,
};

function urlOf({ address, port, family }: AddressInfo, host: string): string {
  const any = address === "0.0.0.0" || address === "::";
  const name = any ? "localhost" : family === "IPv6" ? `[${address}]` : host === "localhost" ? host : address;
  return `http://${name}:${port}`;
}
