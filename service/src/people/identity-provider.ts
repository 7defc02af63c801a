/** One identity provider, asked by OpenID Connect: the authorization code flow with PKCE, state and nonce, and the end of sessions. */
import { createHash } from "node:crypto";
import type { MemberRole } from "@querent/contract";
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from "jose";
import type { ClientAuth, Configuration } from "openid-client";
import type { ClientKey } from "./client-key.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";

/** Who says who somebody is, and as what they become members by it. */
export interface IdentitySource {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** The domains of the e-mail addresses that it may state; `*` for all. */
  readonly domains: readonly string[];
  /** Who becomes a member of which account by signing in. */
  readonly members: readonly MemberRule[];
}

/** What an operator configures of a provider. */
export interface ProviderSettings extends IdentitySource {
  readonly issuer: string;
  readonly clientId: string;
  /** Null, and no key: a public client. */
  readonly clientSecret: string | null;
  /** Signs what proves the client, instead of a secret. */
  readonly clientKey: ClientKey | null;
  /** Beside `openid`, `email` and `profile`. */
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  /** The provider only states e-mail addresses that are its own, and does not say `email_verified`. */
  readonly emailIsVerified: boolean;
}

export interface MemberRule {
  /** The account's name. */
  readonly account: string;
  /** Null: everybody whom the provider signs in. */
  readonly group: string | null;
  readonly role: MemberRole;
  /** The names of the projects to which the membership is limited. Null: it is one of the whole account. */
  readonly projects: readonly string[] | null;
}

/** Whom a provider has signed in. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailIsVerified: boolean;
  readonly name: string | null;
  readonly groups: readonly string[];
  readonly providerSession: string | null;
  readonly idToken: string;
}

/** What a browser began a sign-in with: the provider's answer has to belong to it. */
export interface AttemptSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Whose logins a provider ends. */
export interface EndedSession {
  readonly issuer: string;
  readonly subject: string | null;
  readonly providerSession: string | null;
  /** Identifies the token, which is accepted once. */
  readonly tokenId: string;
  readonly expiresAt: Date;
}

/** The provider did not answer, or not as a provider: nobody's fault who signs in. */
export class ProviderAway extends Error {
  constructor(cause: unknown) {
    super(describeCause(cause), { cause });
    this.name = "ProviderAway";
  }
}

/** The provider's answer is refused: by the provider itself, or because it does not belong to this sign-in or is not the provider's. */
export class ProviderRefused extends Error {
  constructor(cause: unknown) {
    super(describeCause(cause), { cause });
    this.name = "ProviderRefused";
  }
}

/** How far the provider's clock may be off. */
export const skewSeconds = 60;
/** How long what the provider published about itself is used before it is read again. */
const metadataMs = 3_600_000;
/** Without `none`, and without those for which the client's secret would be the key. */
export const signatureAlgorithms: readonly string[] = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA"],
];
export const groupsMax = 1000;
/** So long after it was issued a logout token is accepted. */
const logoutSeconds = 600;
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** Loaded with the first use: services without providers never need them. */
const libraries = async () => {
  const [client, jose] = await Promise.all([import("openid-client"), import("jose")]);
  return { client, jose };
};

interface Loaded {
  readonly configuration: Configuration;
  readonly readAt: number;
  /** For tokens that came from the provider itself: an unknown key makes it read the keys again at once. */
  readonly keys: JWTVerifyGetKey;
  /** For tokens that anybody may have sent: the keys are read again twice a minute at most. */
  readonly keysForStrangers: JWTVerifyGetKey;
}

export class IdentityProvider {
  readonly settings: ProviderSettings;
  readonly #fetch: GuardedFetch;
  #loaded: Promise<Loaded> | undefined;

  constructor(settings: ProviderSettings, fetch: GuardedFetch) {
    this.settings = settings;
    this.#fetch = fetch;
  }

  /** Where the browser is sent to sign in. */
  async authorizationAddress(secrets: AttemptSecrets, redirectAddress: string): Promise<string> {
    const { client } = await libraries();
    const { configuration } = await this.#load();
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectAddress,
      scope: [...new Set(["openid", "email", "profile", ...this.settings.scopes])].join(" "),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: createHash("sha256").update(secrets.verifier).digest("base64url"),
      code_challenge_method: "S256",
    }).href;
  }

  /** Redeems the code with which the provider sent the browser back. `response` is the query of that address. */
  async identify(secrets: AttemptSecrets, redirectAddress: string, response: string): Promise<Identity> {
    const { client, jose } = await libraries();
    const { configuration, keys } = await this.#load();
    const address = new URL(redirectAddress);
    address.search = response;
    try {
      const tokens = await client.authorizationCodeGrant(configuration, address, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      });
      const idToken = tokens.id_token ?? "";
      // The library relies on TLS for the signature of a token that came from the provider itself. It is checked as well.
      const { payload } = await jose.jwtVerify(idToken, keys, this.#rules(configuration));
      const subject = payload.sub ?? "";
      const own = this.#claimsOf(payload);
      const asksGroups = this.settings.members.some((rule) => rule.group !== null);
      const isComplete = own.email !== null && own.emailIsVerified && (own.groups !== null || !asksGroups);
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = this.#claimsOf(
        isComplete || !hasMore ? {} : await client.fetchUserInfo(configuration, tokens.access_token, subject),
      );
      // Whether an address is verified is said of the address beside it.
      const { email, emailIsVerified } = own.email === null || (own.saysNothing && more.email !== null) ? more : own;
      const session = payload["sid"];
      return {
        email,
        emailIsVerified,
        name: own.name ?? more.name,
        groups: own.groups ?? more.groups ?? [],
        issuer: configuration.serverMetadata().issuer,
        subject,
        providerSession: typeof session === "string" ? session : null,
        idToken,
      };
    } catch (error) {
      throw await faultOf(error);
    }
  }

  /** Where the browser is sent to end the session at the provider, too; null if the provider has no such address. */
  async signOutAddress(idToken: string | null, returnAddress: string): Promise<string | null> {
    const { client } = await libraries();
    const { configuration } = await this.#load();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    return client.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: returnAddress,
      ...(idToken === null ? {} : { id_token_hint: idToken }),
    }).href;
  }

  /** Whose logins end by a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). Throws if it is none of the provider's. */
  async readLogoutToken(token: string): Promise<EndedSession> {
    const { jose } = await libraries();
    const { configuration, keysForStrangers } = await this.#load();
    let payload: JWTPayload;
    try {
      ({ payload } = await jose.jwtVerify(token, keysForStrangers, {
        ...this.#rules(configuration),
        requiredClaims: ["iat", "jti"],
        maxTokenAge: logoutSeconds,
      }));
    } catch (error) {
      throw await faultOf(error);
    }
    const { events, nonce, sid, sub } = payload;
    const isLogout = typeof events === "object" && events !== null && logoutEvent in events;
    const [subject, providerSession] = [sub, sid].map((value) => (typeof value === "string" ? value : null));
    if (!isLogout || nonce !== undefined || (subject === null && providerSession === null))
      throw new ProviderRefused(new Error("It is no logout token."));
    return {
      issuer: configuration.serverMetadata().issuer,
      subject: subject ?? null,
      providerSession: providerSession ?? null,
      tokenId: payload.jti ?? "",
      expiresAt: new Date(((payload.iat ?? 0) + logoutSeconds + skewSeconds) * 1000),
    };
  }

  /** What is wrong with the provider's settings, as far as that can be known without a person; empty if nothing is. */
  async examine(redirectAddress: string): Promise<string[]> {
    const { client } = await libraries();
    let loaded: Loaded;
    try {
      loaded = await this.#load();
    } catch (error) {
      return [
        `It does not answer as an OpenID Connect provider: ${describeCause(error)} Compare \`issuer\` with the member of that name at ${this.settings.issuer.replace(/\/$/, "")}/.well-known/openid-configuration, character by character.`,
      ];
    }
    const faults: string[] = [];
    const metadata = loaded.configuration.serverMetadata();
    if (metadata.authorization_endpoint?.startsWith("https://") !== true)
      faults.push("It names no `authorization_endpoint` with https.");
    if (metadata.code_challenge_methods_supported?.includes("S256") === false)
      faults.push("It does not support PKCE with S256.");
    try {
      const response = await this.#fetch(metadata.jwks_uri ?? "", { method: "GET", headers: {} });
      const set = (await response.json()) as { keys?: unknown[] };
      if (!Array.isArray(set.keys) || set.keys.length === 0) faults.push("It publishes no keys at its `jwks_uri`.");
    } catch (error) {
      faults.push(`Its keys cannot be read: ${describeCause(error)}`);
    }
    try {
      // A code that no provider has issued: the answer tells whether the client is known.
      await client.genericGrantRequest(loaded.configuration, "authorization_code", {
        code: "querent-doctor",
        redirect_uri: redirectAddress,
        code_verifier: "querent-doctor-".repeat(3),
      });
    } catch (error) {
      const code = error instanceof client.ResponseBodyError ? error.error : null;
      const isRefused =
        code === "invalid_client" ||
        code === "unauthorized_client" ||
        error instanceof client.WWWAuthenticateChallengeError;
      if (isRefused)
        faults.push(
          this.settings.clientKey === null
            ? "It does not accept `clientId` with this secret. Copy both again from the provider's page."
            : "It does not accept `clientId` with this key. Compare the public key, its id and its algorithm at the provider.",
        );
    }
    return faults;
  }

  #rules(configuration: Configuration): JWTVerifyOptions {
    return {
      issuer: configuration.serverMetadata().issuer,
      audience: this.settings.clientId,
      clockTolerance: skewSeconds,
      algorithms: [...signatureAlgorithms],
    };
  }

  #claimsOf(claims: Readonly<Record<string, unknown>>) {
    const { email, name, email_verified: verified } = claims;
    return {
      email: typeof email === "string" ? email : null,
      emailIsVerified: verified === true || (this.settings.emailIsVerified && verified !== false),
      /** Not whether the address is verified, and the operator does not say so either. */
      saysNothing: verified === undefined && !this.settings.emailIsVerified,
      name: typeof name === "string" ? name : null,
      groups: groupsOf(claims[this.settings.groupsClaim]),
    };
  }

  /** While the provider is away, what was read before goes on being used. */
  async #load(): Promise<Loaded> {
    const former = await this.#loaded?.catch(() => undefined);
    if (former !== undefined && performance.now() - former.readAt < metadataMs) return former;
    const reading = this.#read();
    this.#loaded = reading;
    try {
      return await reading;
    } catch (error) {
      if (this.#loaded === reading) this.#loaded = former === undefined ? undefined : Promise.resolve(former);
      if (former !== undefined) return former;
      throw new ProviderAway(error);
    }
  }

  async #read(): Promise<Loaded> {
    const { client, jose } = await libraries();
    const { issuer, clientId, clientSecret, clientKey } = this.settings;
    const ask = this.#fetch;
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      {
        ...(clientSecret === null ? {} : { client_secret: clientSecret }),
        [client.clockTolerance]: skewSeconds,
      },
      // Chosen once it is known what the provider supports.
      (...parts) => authentication(...parts),
      { [client.customFetch]: ask, timeout: 10 },
    );
    const metadata = configuration.serverMetadata();
    const supported = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authentication: ClientAuth =
      clientKey !== null
        ? await keyAuthentication(clientKey, metadata.token_endpoint)
        : clientSecret === null
          ? client.None()
          : supported.includes("client_secret_post")
            ? client.ClientSecretPost(clientSecret)
            : client.ClientSecretBasic(clientSecret);
    if (metadata.jwks_uri === undefined) throw new Error("The provider names no `jwks_uri`.");
    const keysAt = new URL(metadata.jwks_uri);
    const keySet = (cooldownDuration: number) =>
      jose.createRemoteJWKSet(keysAt, { cooldownDuration, timeoutDuration: 10_000, [jose.customFetch]: ask });
    return { configuration, readAt: performance.now(), keys: keySet(0), keysForStrangers: keySet(30_000) };
  }
}

/** Proves the client by a token that it signs for each request (RFC 7523). */
async function keyAuthentication(
  { pem, id, algorithm, thumbprint }: ClientKey,
  tokenEndpoint: string | undefined,
): Promise<ClientAuth> {
  const { client, jose } = await libraries();
  const key = await jose.importPKCS8(pem, algorithm);
  return client.PrivateKeyJwt(id === null ? key : { key, kid: id }, {
    [client.modifyAssertion]: (header, payload) => {
      if (thumbprint !== null) Object.assign(header, { typ: "JWT", "x5t#S256": thumbprint });
      // Entra ID and Okta accept this audience alone, and the others do, too.
      if (tokenEndpoint !== undefined) payload["aud"] = tokenEndpoint;
    },
  });
}

/** The groups of a claim; null if it has none. */
export function groupsOf(claim: unknown): string[] | null {
  if (typeof claim === "string") return [claim];
  if (!Array.isArray(claim)) return null;
  return claim.filter((group) => typeof group === "string").slice(0, groupsMax);
}

/** Distinguishes a provider that is away from an answer that is refused. */
export async function faultOf(error: unknown): Promise<ProviderAway | ProviderRefused> {
  const { client, jose } = await libraries();
  const isRefused =
    error instanceof client.AuthorizationResponseError ||
    (error instanceof client.ResponseBodyError && error.status < 500) ||
    error instanceof client.WWWAuthenticateChallengeError ||
    (error instanceof jose.errors.JOSEError &&
      error.code !== "ERR_JWKS_TIMEOUT" &&
      error.code !== "ERR_JOSE_GENERIC") ||
    (error instanceof client.ClientError && !isTransport(error));
  return isRefused ? new ProviderRefused(error) : new ProviderAway(error);
}

/** Requests that had no usable answer: what the connection threw has no code of the library. */
const isTransport = ({ code }: { readonly code?: string | undefined }) =>
  code === undefined ||
  ["OAUTH_TIMEOUT", "OAUTH_ABORT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON"].includes(code);

/** Code and message of a fault, for operators. The messages of these libraries hold no token and no secret. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = "error" in error && typeof error.error === "string" ? error.error : null;
  const cause =
    error.cause instanceof Error && error.cause.message !== error.message ? ` (${error.cause.message})` : "";
  return `${own === null ? error.message : `${own}: ${error.message}`}${cause}`.slice(0, 500);
}
