/**
 * The only network access of a page. Each context has a proxy of its own, which knows what that context may reach, resolves
 * each name once, checks the address, and connects to exactly that address. Redirects, WebSockets, workers and everything else
 * in a page use it too, and a name that changes its address in between gains nothing. It ends with its context, and so do all
 * its connections. Inspecting requests inside the browser instead would miss WebSockets and names that change.
 */
import { once } from "node:events";
import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { EgressFault, type EgressGuard } from "../egress/index.ts";
import { isSameSecret } from "../kernel/same-secret.ts";
import { connectThrough, type CountryProxy } from "./country-proxy.ts";

export interface EgressProxyOptions {
  readonly guard: EgressGuard;
  readonly reach: Reach;
  /** The proxy behind this one; null: connections leave from this machine. */
  readonly onward: CountryProxy | null;
  /** The address to listen on. */
  readonly host: string;
  /** Required from the browser if others could connect too; null: only this machine can. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
}

/** A page's connection without traffic for this time is closed. */
const silentMs = 5 * 60_000;
const connectionsMax = 200;
const refusalsKept = 50;
/** Hop-by-hop headers (RFC 9110, 7.6.1), and the proxy's own. */
const hopHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export class EgressProxy implements AsyncDisposable {
  readonly #options: EgressProxyOptions;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #sockets = new Set<Duplex>();
  readonly #ended = new AbortController();
  readonly #refused = new Map<string, string>();

  private constructor(options: EgressProxyOptions) {
    this.#options = options;
    // A connection for each request. One that is kept may be closed by its server just as the next request is sent, on a busy
    // machine seconds after the agreed time, and whether the server has acted on that request is not known then.
    this.#agent = new Agent({ keepAlive: false, maxSockets: 32 });
    // The agent's default would resolve and connect without checks.
    this.#agent.createConnection = (target, done) => {
      this.#connect(target.host ?? "", Number(target.port ?? 80)).then(
        (socket) => done?.(null, socket),
        (error: Error) => done?.(error, undefined as never),
      );
      return undefined;
    };
    // The browser's own connections are kept until the context ends.
    const limits = { maxHeaderSize: 256 * 1024, requestTimeout: 0, keepAliveTimeout: 0 };
    this.#server = createServer(limits, (incoming, outgoing) => this.#forward(incoming, outgoing));
    this.#server.maxConnections = connectionsMax;
    this.#server.on("connection", (socket) => this.#keep(socket));
    this.#server.on("connect", (incoming, socket, head) => void this.#tunnel(incoming, socket, head));
    this.#server.on("clientError", (_error, socket) => socket.destroy());
  }

  static async start(options: EgressProxyOptions): Promise<EgressProxy> {
    const proxy = new EgressProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once("error", reject).listen(0, options.host, resolve);
    });
    return proxy;
  }

  get address(): string {
    const { address, port, family } = this.#server.address() as AddressInfo;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  }

  /** Refused hosts with the reason, for authors of recipes. */
  get refused(): ReadonlyMap<string, string> {
    return this.#refused;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    this.#agent.destroy();
    await closed;
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const url = URL.parse(incoming.url ?? "");
    if (!this.#isCaller(incoming)) return refuse(outgoing, 407, { "proxy-authenticate": 'Basic realm="Querent"' });
    if (url === null || url.protocol !== "http:") return refuse(outgoing, 400);
    const headers = incoming.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 && !hopHeaders.has(name.toLowerCase()) ? [name, all[index + 1] ?? ""] : [],
    );
    const onward = request({
      agent: this.#agent,
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? 80 : Number(url.port),
      method: incoming.method ?? "GET",
      path: `${url.pathname}${url.search}`,
      headers,
      setHost: false,
      timeout: silentMs,
    });
    onward.once("timeout", () => onward.destroy());
    onward.once("response", (answer) => {
      const kept = answer.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 && !hopHeaders.has(name.toLowerCase()) ? [name, all[index + 1] ?? ""] : [],
      );
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      // Sends the headers of an event stream before its first event.
      outgoing.flushHeaders();
      answer.pipe(outgoing);
      answer.once("error", () => outgoing.destroy());
    });
    onward.once("error", (error) => (outgoing.headersSent ? outgoing.destroy() : refuse(outgoing, statusOf(error))));
    incoming.pipe(onward);
    outgoing.once("close", () => onward.destroy());
  }

  async #tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    if (!this.#isCaller(incoming)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="Querent"\r\n\r\n');
      return;
    }
    const [, host = "", port = ""] = /^\[?([^\]]*?)\]?:(\d{1,5})$/.exec(incoming.url ?? "") ?? [];
    try {
      const onward = await this.#connect(host, Number(port));
      onward.setTimeout(silentMs, () => onward.destroy());
      onward.on("error", () => socket.destroy()).once("close", () => socket.destroy());
      socket.once("close", () => onward.destroy());
      if (socket.destroyed) return void onward.destroy();
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    } catch (error) {
      socket.end(`HTTP/1.1 ${statusOf(error)} Refused\r\nContent-Length: 0\r\n\r\n`);
    }
  }

  async #connect(host: string, port: number): Promise<Socket> {
    if (host === "" || !(port > 0 && port < 65_536)) throw new EgressFault("address", "The address is not valid.");
    const asked = host.includes(":") ? `[${host}]` : host;
    const served = servedPort(this.#options.reach, asked, port);
    if (served !== null) return this.#keep(await connectHere(served, this.#ended.signal));
    if (!mayReach(this.#options.reach, asked, port)) {
      this.#note(`${asked}:${port}`, "not among the hosts that the recipe allows");
      throw new EgressFault("address", "The page may not reach this host.");
    }
    try {
      const { guard, onward } = this.#options;
      const target = { hostname: asked, port };
      const { signal } = this.#ended;
      const socket = await (onward === null
        ? guard.connectTcp(target, signal)
        : connectThrough(onward, guard, target, signal));
      return this.#keep(socket);
    } catch (error) {
      if (error instanceof EgressFault) this.#note(`${asked}:${port}`, error.message);
      throw error;
    }
  }

  #keep<Kept extends Duplex>(socket: Kept): Kept {
    if (this.#ended.signal.aborted) socket.destroy();
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    return socket;
  }

  #note(where: string, why: string): void {
    if (this.#refused.size < refusalsKept) this.#refused.set(where, why);
  }

  #isCaller(incoming: IncomingMessage): boolean {
    const { credentials } = this.#options;
    if (credentials === null) return true;
    const wanted = `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`;
    return isSameSecret(incoming.headers["proxy-authorization"] ?? "", wanted);
  }
}

/** A connection to what this process serves. */
async function connectHere(port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port });
  try {
    await once(socket, "connect", { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw new EgressFault("connect", "The page that this process serves could not be reached.", error);
  }
}

/** 403 for a host that is not allowed, 502 for one that could not be reached. */
function statusOf(error: unknown): number {
  return error instanceof EgressFault && error.fault === "address" ? 403 : 502;
}

function refuse(outgoing: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  // The response has a body, because a browser shows an empty one as a network error.
  const body = status === 403 ? "This page may not reach that address." : "That address could not be reached.";
  outgoing.writeHead(status, { "content-type": "text/plain", "content-length": body.length, ...headers }).end(body);
}

/** The hosts that a context's pages may reach. Addresses that are not public are refused in any case. */
export type Reach =
  | "nothing"
  | {
      readonly hosts: readonly HostPattern[];
      /** A host that this process serves: its port 80 is this port of 127.0.0.1. No name is resolved, and no proxy of a country used. */
      readonly served?: { readonly host: string; readonly port: number };
    };

/** A host name; `*.name` for all subdomains; `*` for every host. With `:port` for one port only. */
export type HostPattern = string;

export const hostPattern = /^(\*|(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:[1-9]\d{0,4})?$/;

export function mayReach(reach: Reach, hostname: string, port: number): boolean {
  if (reach === "nothing") return false;
  const host = plainHost(hostname);
  return reach.hosts.some((pattern) => {
    const at = /:(\d+)$/.exec(pattern.replace(/^\[.*\]/, ""))?.[1];
    if (at !== undefined && Number(at) !== port) return false;
    const wanted = at === undefined ? pattern : pattern.slice(0, -at.length - 1);
    if (wanted === "*") return true;
    return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) && host.length >= wanted.length : host === wanted;
  });
}

/** The port of 127.0.0.1 that a served host stands for; null: it is another host. */
function servedPort(reach: Reach, hostname: string, port: number): number | null {
  if (reach === "nothing" || reach.served === undefined || port !== 80) return null;
  return plainHost(hostname) === reach.served.host ? reach.served.port : null;
}

const plainHost = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, "");
