import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { CommandError } from "./cli/command-error.ts";
import type { Config } from "./config.ts";

/** The variables that configure a server's address, for the error. */
interface Names {
  readonly host: string;
  readonly port: string;
}

/** Opens the server's port. If that fails, the server is closed, and the error says what the operator can do. */
export async function listen(
  server: FastifyInstance,
  { host, port }: Pick<Config, "host" | "port">,
  names: Names = { host: "QUERENT_HOST", port: "QUERENT_PORT" },
): Promise<{ readonly port: number; readonly url: string }> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    const code = (error as NodeJS.ErrnoException).code;
    const reason = code === undefined ? undefined : reasons[code]?.(names);
    if (reason === undefined) throw error;
    throw new CommandError(`Can't listen on ${host} port ${port}: ${reason}.`);
  }
  // The address of a server that listens on a port is an object; it is a string only for Unix sockets.
  const bound = server.server.address() as AddressInfo;
  return { port: bound.port, url: urlOf(bound, host) };
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
