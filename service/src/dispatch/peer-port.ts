import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { randomBytes } from "node:crypto";
import { isSameSecret } from "../kernel/same-secret.ts";

/** Where other nodes reach this one. The key is only in the database: who has it may read the nodes' table. */
export interface PeerAddress {
  readonly url: string;
  readonly key: string;
}

/** What a node says of itself to another: with `spare`, it asks that its work is not taken over for the length of a lease. */
export interface PeerCall extends PeerAddress {
  readonly nodeId: string;
  readonly spare: boolean;
}

/** `nodeId`: empty without a lease. `renewedMsAgo`: the age of the node's last renewal; null if there was none. */
export interface PeerReply {
  readonly nodeId: string;
  readonly renewedMsAgo: number | null;
}

export interface PeerPortOptions {
  /** The address under which other machines reach this process; by default the first of this machine that is not loopback. */
  readonly host?: string | null;
  /** By default a free one. */
  readonly port?: number | null;
}

const bodyBytesMax = 2048;

/** The port on which a node replies to the other nodes while the database is silent. It reveals no more than `PeerReply`. */
export class PeerPort {
  readonly #options: PeerPortOptions;
  readonly #onCall: (call: PeerCall) => PeerReply;
  readonly #key = randomBytes(24).toString("base64url");
  #server: Server | undefined;

  constructor(options: PeerPortOptions, onCall: (call: PeerCall) => PeerReply) {
    this.#options = options;
    this.#onCall = onCall;
  }

  /** A configured host may be the address of a port mapping, and none of this machine's: then it listens on every interface. */
  async start(): Promise<PeerAddress> {
    const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
      this.#reply(request).then(
        ({ status, body }) =>
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
        () => response.writeHead(400).end(),
      );
    });
    const host = this.#options.host ?? ownAddress();
    this.#server = server.listen(this.#options.port ?? 0, (this.#options.host ?? null) === null ? host : undefined);
    await once(server, "listening");
    server.unref();
    const { port } = server.address() as AddressInfo;
    return { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, key: this.#key };
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async #reply(request: IncomingMessage): Promise<{ status: number; body: PeerReply | null }> {
    if (!isSameSecret(request.headers.authorization ?? "", `Bearer ${this.#key}`)) return { status: 401, body: null };
    if (!(Number(request.headers["content-length"]) <= bodyBytesMax)) return { status: 413, body: null };
    const call: unknown = JSON.parse(await text(request));
    return isPeerCall(call) ? { status: 200, body: this.#onCall(call) } : { status: 400, body: null };
  }
}

function isPeerCall(value: unknown): value is PeerCall {
  if (typeof value !== "object" || value === null) return false;
  const { nodeId, url, key, spare } = value as Record<string, unknown>;
  return [nodeId, url, key].every((member) => typeof member === "string") && typeof spare === "boolean";
}

/** The address of the machine's first interface that is not loopback, IPv4 before IPv6; loopback if it has no other. */
function ownAddress(): string {
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith("fe80:"));
  return (outer.find(({ family }) => family === "IPv4") ?? outer[0])?.address ?? "127.0.0.1";
}
