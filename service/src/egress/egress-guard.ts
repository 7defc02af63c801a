/**
 * Guards every connection to an address that clients or web pages choose: webhooks when they are set, tested and called, and
 * pages in a browser. Nothing is sent to a peer unless its address is public or the operator allows it.
 *
 * Names are resolved here, every resulting address is checked, the connection is made to the checked address, and the peer's
 * address is checked again before the TLS handshake. HTTP clients skip their lookup hook for IP literals; here literals are
 * treated like names. No message reveals what a name resolved to.
 */
import { promises as dns } from "node:dns";
import { readFileSync } from "node:fs";
import { isIPv4, isIPv6, Socket, isIP } from "node:net";
import { createSecureContext, connect as connectTls, getCACertificates, type TLSSocket } from "node:tls";
import { ProblemError } from "../api/problem-error.ts";
import { isAddressAllowed, parseAllowedRanges } from "./addresses.ts";
import { readFile } from "node:fs/promises";

export interface EgressOptions {
  /** Address ranges that are allowed although not public. */
  allow?: string;
  /** The name of the variable for `allow`, for messages. */
  allowVariable?: string;
  /** Refused addresses although public or allowed: the service's own ports. */
  refuse?: (address: string, port: number) => boolean;
  /** `QUERENT_EGRESS_CA`: a PEM file of authorities trusted in addition to the built-in ones. */
  caFile?: string;
  dnsTimeoutMs?: number;
  /** TCP and TLS together. */
  connectTimeoutMs?: number;
  /** Creates a resolver for each lookup; c-ares by default. */
  createResolver?: () => NameResolver;
  hostsFile?: string;
}

export interface NameResolver {
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  cancel(): void;
}

export type AddressCheck = { ok: true; url: URL; origin: string } | { ok: false; detail: string };

const urlLengthMax = 2048;
const otherFamilyMs = 500;

export class EgressGuard {
  readonly #options: Required<Pick<EgressOptions, "dnsTimeoutMs" | "connectTimeoutMs" | "createResolver" | "refuse">>;
  readonly #hosts: HostsFile;
  readonly #allowed;
  readonly #secureContext;

  constructor(options: EgressOptions = {}) {
    const dnsTimeoutMs = options.dnsTimeoutMs ?? 4_000;
    this.#options = {
      dnsTimeoutMs,
      connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
      createResolver: options.createResolver ?? (() => new dns.Resolver({ timeout: dnsTimeoutMs / 2, tries: 2 })),
      refuse: options.refuse ?? (() => false),
    };
    this.#hosts = new HostsFile(options.hostsFile ?? "/etc/hosts");
    this.#allowed = withPrefix(options.allowVariable ?? "QUERENT_EGRESS_ALLOW", () =>
      parseAllowedRanges(options.allow ?? ""),
    );
    this.#secureContext = withPrefix("QUERENT_EGRESS_CA", () => trust(options.caFile));
  }

  /** Checks a URL without a lookup: its form, its scheme, and its host as far as possible. */
  checkAddress(value: string): AddressCheck {
    if (value.length > urlLengthMax) return refuse(`The address is longer than ${urlLengthMax} characters.`);
    const url = URL.parse(value);
    if (url === null) return refuse("The address is not an absolute URL.");
    if (url.protocol !== "https:") return refuse("The address does not begin with https://.");
    if (url.username !== "" || url.password !== "") return refuse("The address holds a user name or a password.");
    if (url.port === "0") return refuse("The address has a port that can't be connected to.");
    const literal = literalAddress(url.hostname);
    if (literal !== null) {
      if (!isAddressAllowed(literal, this.#allowed)) return refuse("The address is not one of a public host.");
    } else {
      const name = bareName(url.hostname);
      if (!isHostname(name)) return refuse("The address has no valid host name.");
      const internal = isLoopbackName(name)
        ? !this.#allowed.coversLoopback
        : isInternalName(name) && this.#allowed.isEmpty;
      if (internal) return refuse("The address is not one of a public host.");
    }
    return { ok: true, url, origin: url.origin };
  }

  /** The same, but throws the problem that the client receives. `pointer` is the position of the URL in its request. */
  requireAddress(value: string, pointer: string): { url: URL; origin: string } {
    const check = this.checkAddress(value);
    if (!check.ok) throw addressNotAllowed(pointer, check.detail);
    return check;
  }

  /**
   * For a single URL that is being set: also refuses a name that resolves to a refused address. A name that does not resolve is
   * accepted, because it may later, and is checked again for each request.
   */
  async requireResolvedAddress(
    value: string,
    pointer: string,
    signal?: AbortSignal,
  ): Promise<{ url: URL; origin: string }> {
    const address = this.requireAddress(value, pointer);
    try {
      await this.resolveGuarded(address.url.hostname, signal);
    } catch (error) {
      if (error instanceof EgressFault && error.fault === "address") {
        throw addressNotAllowed(pointer, "The address is not one of a public host.");
      }
      if (!(error instanceof EgressFault)) throw error;
    }
    return address;
  }

  /** The addresses to connect to for the host of a URL. Throws if there are none, or if any of them is refused. */
  async resolveGuarded(hostname: string, signal?: AbortSignal): Promise<string[]> {
    const literal = literalAddress(hostname);
    const found = literal === null ? await this.#lookUp(bareName(hostname), signal) : [literal];
    // `localhost` is both loopback addresses, and the operator may have allowed only one of them.
    const addresses = isLoopbackName(bareName(hostname)) ? this.#preferAllowed(found) : found;
    if (addresses.length === 0) throw new EgressFault("dns", "The host name has no address.");
    if (!addresses.every((address) => isAddressAllowed(address, this.#allowed))) {
      throw new EgressFault("address", "The host is not a public one.");
    }
    return addresses;
  }

  #preferAllowed(addresses: readonly string[]): string[] {
    const allowed = addresses.filter((address) => isAddressAllowed(address, this.#allowed));
    return allowed.length > 0 ? allowed : [...addresses];
  }

  /** A TLS connection to a host, to exactly a checked address. */
  connect(target: { hostname: string; port: number }, signal?: AbortSignal): Promise<TLSSocket> {
    return this.#connectToFirst(target, signal, (socket, either) => this.#handshake(socket, target.hostname, either));
  }

  /** The same without TLS: for a proxy, whose client does its own TLS. */
  connectTcp(target: { hostname: string; port: number }, signal?: AbortSignal): Promise<Socket> {
    return this.#connectToFirst(target, signal, (socket) => socket);
  }

  async #connectToFirst<Connection extends Socket>(
    target: { hostname: string; port: number },
    signal: AbortSignal | undefined,
    begin: (socket: Socket, signal: AbortSignal) => Connection | Promise<Connection>,
  ): Promise<Connection> {
    const addresses = await this.resolveGuarded(target.hostname, signal);
    const deadline = AbortSignal.timeout(this.#options.connectTimeoutMs);
    const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    let last: unknown;
    // One after the other, each with a share of the time, so that a dead address does not hide a live one. IPv4 first: where
    // IPv6 has no route, trying it first slows down every connection.
    const tried = [...addresses.filter(isIPv4).slice(0, 3), ...addresses.filter(isIPv6).slice(0, 3)];
    for (const [index, address] of tried.entries()) {
      const isLast = index === tried.length - 1;
      const share = isLast
        ? either
        : AbortSignal.any([either, AbortSignal.timeout(this.#options.connectTimeoutMs / 3)]);
      try {
        const socket = await this.#connectTcp(address, target.port, share);
        return await begin(socket, either);
      } catch (error) {
        last = error;
        if (
          either.aborted ||
          !(error instanceof EgressFault) ||
          (error.fault !== "connect" && error.fault !== "timeout")
        )
          break;
      }
    }
    throw last;
  }

  /** The hosts file first, as in system resolvers (c-ares' `resolve` functions do not read it), then DNS. */
  async #lookUp(name: string, signal?: AbortSignal): Promise<string[]> {
    if (!isHostname(name)) throw new EgressFault("dns", "The host name is not valid.");
    const fixed = await this.#hosts.find(name);
    if (fixed.length > 0) return fixed;
    if (isLoopbackName(name)) return ["127.0.0.1", "::1"]; // RFC 6761: never resolved by DNS
    const resolver = this.#options.createResolver();
    const { promise: stopped, resolve: stop } = Promise.withResolvers<"stopped">();
    const timer = setTimeout(stop, this.#options.dnsTimeoutMs, "stopped");
    let graceTimer: NodeJS.Timeout | undefined;
    const onAbort = () => stop("stopped");
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const found: string[] = [];
      const faults: unknown[] = [];
      const ask = (answer: Promise<string[]>) =>
        answer.then(
          (addresses) => {
            found.push(...addresses);
            // The other family may be slow, or never respond; its result is not used then.
            if (found.length > 0) graceTimer ??= setTimeout(stop, otherFamilyMs, "stopped");
          },
          (error: unknown) => void faults.push(error),
        );
      const both = Promise.all([ask(resolver.resolve4(name)), ask(resolver.resolve6(name))]);
      const ended = await Promise.race([both, stopped]);
      // A copy: a late result must not add to what is checked now.
      if (found.length > 0) return [...found];
      if (ended === "stopped") throw new EgressFault("dns", "The host name was not resolved in time.");
      throw new EgressFault("dns", "The host name could not be resolved.", faults[0]);
    } finally {
      clearTimeout(timer);
      clearTimeout(graceTimer);
      signal?.removeEventListener("abort", onAbort);
      resolver.cancel();
    }
  }

  async #connectTcp(address: string, port: number, signal: AbortSignal): Promise<Socket> {
    if (this.#options.refuse(address, port)) throw new EgressFault("address", "The host is not a public one.");
    return settleSocket(new Socket(), "connect", "connect", signal, (socket) => {
      socket.setNoDelay(true);
      socket.setKeepAlive(true, 60_000);
      socket.connect({ host: address, port });
    }).then((socket) => {
      if (socket.remoteAddress !== undefined && isAddressAllowed(socket.remoteAddress, this.#allowed)) return socket;
      socket.destroy();
      throw new EgressFault("address", "The host is not a public one.");
    });
  }

  #handshake(raw: Socket, hostname: string, signal: AbortSignal): Promise<TLSSocket> {
    const name = bareName(hostname);
    const socket = connectTls({
      socket: raw,
      // `host` is what the certificate is checked against; server name indication takes names only.
      host: literalAddress(hostname) ?? name,
      ...(literalAddress(hostname) === null && { servername: name }),
      ...(this.#secureContext !== undefined && { secureContext: this.#secureContext }),
      ALPNProtocols: ["http/1.1"],
    });
    return settleSocket(socket, "secureConnect", "tls", signal, () => undefined);
  }
}

function refuse(detail: string): AddressCheck {
  return { ok: false, detail };
}

function addressNotAllowed(pointer: string, detail: string): ProblemError {
  return new ProblemError("validation_failed", "The notification address is not allowed.", {
    errors: [{ pointer, code: "address_not_allowed", detail }],
  });
}

function trust(caFile: string | undefined) {
  if (caFile === undefined) return undefined;
  const pem = readFileSync(caFile, "utf8");
  if (!pem.includes("-----BEGIN CERTIFICATE-----")) throw new Error(`${caFile} holds no PEM certificate.`);
  return createSecureContext({ ca: [...getCACertificates("default"), pem] });
}

function withPrefix<Value>(variable: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new Error(`${variable}: ${(error as Error).message}`, { cause: error });
  }
}

// What the host of a URL says about itself.

/** The address when a URL's host is an IP literal. The URL parser has already brought every spelling into one form. */
function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/** The name without the dot that marks it as absolute. */
function bareName(hostname: string): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

function isHostname(name: string): boolean {
  return name.length <= 253 && name.split(".").every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
}

function isLoopbackName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}

/** Names that never mean a public host: single labels, and what RFC 6761, 6762, 8375 and ICANN set aside. */
function isInternalName(name: string): boolean {
  return (
    !name.includes(".") ||
    /\.(local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|onion)$/.test(name)
  );
}

/** The hosts file, cached for at most a second, because connections come in bursts. */
class HostsFile {
  readonly #file: string;
  #readAt = Number.NEGATIVE_INFINITY;
  #entries = new Map<string, string[]>();

  constructor(file: string) {
    this.#file = file;
  }

  async find(name: string): Promise<string[]> {
    if (performance.now() - this.#readAt > 1_000) {
      const text = await readFile(this.#file, "utf8").catch(() => "");
      this.#entries = new Map();
      for (const line of text.split("\n")) {
        const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
        if (isIP(address) === 0) continue;
        for (const alias of names) this.#entries.set(alias, [...(this.#entries.get(alias) ?? []), address]);
      }
      this.#readAt = performance.now();
    }
    return this.#entries.get(name) ?? [];
  }
}

/** Waits for `event`; on error or abort destroys the socket and throws. */
async function settleSocket<S extends Socket>(
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

export class EgressFault extends Error {
  readonly fault: "dns" | "address" | "connect" | "tls" | "timeout";
  constructor(fault: EgressFault["fault"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "EgressFault";
    this.fault = fault;
  }
}

/** The process itself is out of descriptors or buffers: an error on our side, not the receiver's. */
export function isOutOfSockets(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === "EMFILE" || code === "ENFILE" || code === "ENOBUFS" || code === "ENOMEM";
}
