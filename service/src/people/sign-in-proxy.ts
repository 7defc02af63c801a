/** A proxy in front of the service that has signed people in already, and states in each request who it is. */
import type { JWTPayload, JWTVerifyGetKey } from "jose";
import type { Peer } from "../api/route.ts";
import { addressTest, type AddressTest } from "../kernel/address-ranges.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";
import {
  faultOf,
  groupsMax,
  groupsOf,
  ProviderRefused,
  signatureAlgorithms,
  skewSeconds,
  type Identity,
  type IdentitySource,
} from "./identity-provider.ts";
import { proxyId } from "./login.ts";
import { readEmail } from "./person.ts";

export interface ProxySettings extends IdentitySource {
  /** Where requests of the proxy come from, as addresses and ranges. */
  readonly addresses: readonly string[];
  readonly states: StatedInHeaders | StatedInToken;
  /** Where browsers end their session at the proxy: an address, or a path at the service's own. Null: nowhere. */
  readonly signOutAddress: string | null;
}

/** In headers that anybody else could write as well: the address of the proxy is all that they are believed for. */
export interface StatedInHeaders {
  readonly kind: "headers";
  /** In lower case, as the others. */
  readonly email: string;
  readonly name: string | null;
  readonly groups: string | null;
  readonly groupsSeparator: string;
}

/** In a header with a token that the proxy has signed. */
export interface StatedInToken {
  readonly kind: "token";
  readonly header: string;
  readonly issuer: string;
  readonly audience: string;
  /** Where the proxy publishes its keys. */
  readonly keys: string;
  readonly groupsClaim: string;
}

/** What a request says by way of the proxy: whom, nobody, or nothing, because it came in another way. */
export type ProxyStatement =
  | { readonly by: "proxy"; readonly identity: Identity | null }
  | { readonly by: "another"; readonly hasHeader: boolean };

/** The issuer of identities that are e-mail addresses in headers. Those of tokens are addresses. */
const headerIssuer = "proxy";
const emailLengthMax = 254;
const nameLengthMax = 400;
const groupLengthMax = 200;
/** For keys that have changed: they are read again twice a minute at most. */
const cooldownMs = 30_000;

const refuse = (why: string) => new ProviderRefused(new Error(why));

export class SignInProxy {
  readonly settings: ProxySettings;
  readonly #fetch: GuardedFetch;
  readonly #isNamed: AddressTest;
  #keys: Promise<JWTVerifyGetKey> | undefined;

  constructor(settings: Omit<ProxySettings, "id">, fetch: GuardedFetch) {
    this.settings = { ...settings, id: proxyId };
    this.#fetch = fetch;
    this.#isNamed = addressTest(settings.addresses);
  }

  /** Whether a request came by way of the proxy and states somebody. Nothing of it is believed yet. */
  states(peer: Peer): boolean {
    return this.#isNamed(peer.address) && this.#hasHeader(peer);
  }

  /** Throws `ProviderRefused` if what the proxy states can't be understood in one way alone, or is not signed by it. */
  async read(peer: Peer): Promise<ProxyStatement> {
    const hasHeader = this.#hasHeader(peer);
    if (!this.#isNamed(peer.address)) return { by: "another", hasHeader };
    if (!hasHeader) return { by: "proxy", identity: null };
    const { states } = this.settings;
    const identity = states.kind === "headers" ? readHeaders(states, peer) : await this.#readToken(states, peer);
    return { by: "proxy", identity };
  }

  /** What is wrong with the settings, as far as that can be known without a request; empty if nothing is. */
  async examine(): Promise<string[]> {
    const { states } = this.settings;
    if (states.kind === "headers") return [];
    try {
      const response = await this.#fetch(states.keys, { method: "GET", headers: {} });
      const { keys } = (await response.json()) as { keys?: unknown[] };
      if (Array.isArray(keys) && keys.length > 0) return [];
      return [`It publishes no keys at ${states.keys}. Compare \`keys\` with the proxy's documentation.`];
    } catch (error) {
      return [`Its keys cannot be read: ${error instanceof Error ? error.message : String(error)}`];
    }
  }

  #hasHeader({ headers }: Peer): boolean {
    const { states } = this.settings;
    const sent = headers[states.kind === "headers" ? states.email : states.header];
    return sent !== undefined && sent.some((value) => value.trim() !== "");
  }

  async #readToken(states: StatedInToken, peer: Peer): Promise<Identity> {
    const token = single(peer, states.header) ?? "";
    let payload: JWTPayload;
    try {
      const { jwtVerify } = await import("jose");
      ({ payload } = await jwtVerify(token, await this.#readKeys(states), {
        issuer: states.issuer,
        audience: states.audience,
        algorithms: [...signatureAlgorithms],
        clockTolerance: skewSeconds,
        requiredClaims: ["exp", "sub"],
      }));
    } catch (error) {
      throw await faultOf(error);
    }
    const { sub: subject = "", email, email_verified: verified, name } = payload;
    if (subject === "") throw refuse("The token names nobody.");
    return {
      issuer: states.issuer,
      subject,
      email: typeof email === "string" && email.length <= emailLengthMax ? email : null,
      // The proxy lets nobody in of whom it does not know the address, and says so only if it is otherwise.
      emailIsVerified: verified !== false,
      name: typeof name === "string" ? name : null,
      groups: groupsOf(payload[states.groupsClaim]) ?? [],
      providerSession: null,
      idToken: "",
    };
  }

  async #readKeys({ keys }: StatedInToken): Promise<JWTVerifyGetKey> {
    this.#keys ??= import("jose").then(({ createRemoteJWKSet, customFetch }) =>
      createRemoteJWKSet(new URL(keys), {
        cooldownDuration: cooldownMs,
        timeoutDuration: 10_000,
        [customFetch]: this.#fetch,
      }),
    );
    return this.#keys;
  }
}

function readHeaders(states: StatedInHeaders, peer: Peer): Identity {
  const stated = single(peer, states.email) ?? "";
  // Printable ASCII without what separates values: several addresses in one header name nobody.
  const email = /^[!-~]+$/.test(stated) && !/[,;"<>()\\]/.test(stated) ? readEmail(stated) : null;
  if (email === null || stated.length > emailLengthMax)
    throw refuse(`The header ${states.email} is not one e-mail address.`);
  const name = states.name === null ? null : textOf(single(peer, states.name));
  const groups = states.groups === null ? null : textOf(single(peer, states.groups));
  return {
    issuer: headerIssuer,
    subject: email.key,
    email: email.text,
    emailIsVerified: true,
    name: name === null || name.length > nameLengthMax ? null : decodedName(name),
    groups: (groups ?? "")
      .split(states.groupsSeparator)
      .map((group) => group.trim())
      .filter((group) => group !== "" && group.length <= groupLengthMax)
      .slice(0, groupsMax),
    providerSession: null,
    idToken: "",
  };
}

/** The only value of a header. A second one is what the client itself has sent, beside that of the proxy. */
function single({ headers }: Peer, name: string): string | null {
  const [value, ...more] = headers[name] ?? [];
  if (more.length > 0) throw refuse(`The header ${name} was sent twice. The proxy has to replace what clients send.`);
  return value?.trim() ?? null;
}

/** Node reads headers as Latin-1, and proxies send UTF-8. */
function textOf(value: string | null): string | null {
  if (value === null) return null;
  const text = Buffer.from(value, "latin1").toString("utf8");
  return text.includes("\uFFFD") ? value : text;
}

/** A name in UTF-8, plain or as one encoded word (RFC 2047), as Tailscale sends it. */
function decodedName(name: string): string | null {
  const [, kind = "", encoded = ""] = /^=\?utf-8\?([bq])\?([!->@-~]*)\?=$/i.exec(name) ?? [];
  if (kind === "") return name.startsWith("=?") ? null : name;
  if (kind.toLowerCase() === "b") return Buffer.from(encoded, "base64").toString("utf8");
  const bytes = encoded
    .replaceAll("_", " ")
    .replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
