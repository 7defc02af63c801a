/** The authorization server of `/mcp` (OAuth 2.1), by `oidc-provider`: how an assistant gets a token of the person who signs in. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  assistantScopes,
  type AssistantScope,
  type ConnectionDecision,
  type ConnectionRequest,
} from "@querent/contract";
import type {
  Adapter,
  Client,
  Configuration,
  Interaction,
  InteractionResults,
  KoaContextWithOIDC,
  Provider,
} from "oidc-provider";
import { ProblemError } from "../api/problem-error.ts";
import type { Caller, SignedIn } from "../api/route.ts";
import { secretPrefixes } from "../kernel/secret-prefixes.ts";
import type { Database } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";
import { clientHostOf, redirectOf, registeredClient, shownName } from "./assistant-client.ts";
import { recordAdapter } from "./authorization-records.ts";
import { addConnection, allowedScopes, endConnection, recordHash } from "./connection.ts";
import { errorPage } from "./error-page.ts";
import type { GuardedFetch } from "./guarded-fetch.ts";

type Library = typeof import("oidc-provider");
type PersonCaller = Caller & { readonly person: SignedIn };

export interface AuthorizationServerDeps {
  readonly database: Database;
  /** Asks for clients' descriptions, at checked addresses alone. */
  readonly fetch: GuardedFetch;
  /** What assistants can be given. */
  readonly scopes: readonly AssistantScope[];
  /** Does what is not the request of a person, such as ending a connection whose token was stolen, with its entry in the audit log. */
  readonly audited: (work: () => Promise<void>) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Where the browser goes to decide, below the origin. */
const decisionPath = "/console/connect";

/** Descriptions of clients that are asked for at the same time. */
const fetchesMax = 16;
const descriptionBytesMax = 8 * 1024;
/** Longer states, names of resources and the like are refused. */
const queryLengthMax = 4000;

export const authorizationPaths = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
} as const;

/**
 * One server for each origin at which the service is reached, which is the issuer. All processes have the same, and keep nothing but the
 * descriptions of clients that they have just read.
 */
export class AuthorizationServer {
  readonly #deps: AuthorizationServerDeps;
  readonly #providers = new Map<string, Provider>();
  #library: Promise<Library> | undefined;
  #fetches = 0;

  constructor(deps: AuthorizationServerDeps) {
    this.#deps = deps;
  }

  get scopes(): readonly AssistantScope[] {
    return this.#deps.scopes;
  }

  /** Answers a request to one of the server's own addresses. `issuer` is an origin of the service. */
  async handle(issuer: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if ((request.url?.length ?? 0) > queryLengthMax) {
      response.writeHead(414, { "content-length": 0 }).end();
      return;
    }
    const provider = await this.#providerOf(issuer);
    // The library makes its addresses from these, and nothing that a client sends decides about them.
    const { host, protocol } = new URL(issuer);
    request.headers.host = host;
    request.headers["x-forwarded-host"] = host;
    request.headers["x-forwarded-proto"] = protocol.slice(0, -1);
    await provider.callback()(request, response);
  }

  /** The request that the browser has begun last. */
  async read(caller: PersonCaller, cookies: string | undefined): Promise<ConnectionRequest> {
    const { interaction, client, params } = await this.#find(cookies);
    const { scope, redirectUri } = params;
    const requested = this.#requested(scope);
    const allowed = await this.#allowed(caller);
    return {
      requestId: requestIdOf(interaction),
      client: { name: nameOf(client), host: clientHostOf(client.clientId) },
      redirect: redirectOf(redirectUri),
      accountId: caller.accountId,
      accountName: caller.accountName,
      requested: [...requested],
      allowed: requested.filter((each) => allowed.includes(each)),
      expiresAt: new Date((interaction.exp ?? 0) * 1000).toISOString(),
    };
  }

  /** Carries out the decision; returns where the browser goes with it. */
  async decide(caller: PersonCaller, cookies: string | undefined, decision: ConnectionDecision): Promise<string> {
    const { interaction, client, params } = await this.#find(cookies);
    if (decision.requestId !== requestIdOf(interaction))
      throw new ProblemError(
        "state_conflict",
        "Another assistant has asked to be connected in this browser since. Nothing was done: look at its request, and begin this one again in the assistant.",
      );
    if (decision.accountId !== caller.accountId)
      throw new ProblemError(
        "state_conflict",
        "You have gone to another account since. Nothing was done: reload the page, and decide for the account that it shows.",
      );
    if (interaction.result !== undefined)
      throw new ProblemError("state_conflict", "This request was decided before. Begin again in the assistant.");
    const { scopes } = decision;
    if (scopes.length === 0) {
      await finish(interaction, { error: "access_denied", error_description: "the person has refused" });
      return interaction.returnTo;
    }
    const allowed = await this.#allowed(caller);
    const requested = this.#requested(params.scope);
    const given = requested.filter((scope) => scopes.includes(scope));
    const beyond = scopes.filter(
      (scope) => !(given as readonly string[]).includes(scope) || !allowed.includes(scope as AssistantScope),
    );
    if (beyond.length > 0)
      throw new ProblemError(
        "scope_missing",
        `An assistant can have what it asks for and your role allows: not ${beyond.map((scope) => `\`${scope}\``).join(", ")}.`,
      );
    const { accountId, person } = caller;
    const connectionId = newId();
    await this.#deps.database.transaction((tx) =>
      addConnection(tx, {
        ...{ id: connectionId, accountId, personId: person.personId, clientId: client.clientId, scopes: given },
        clientName: nameOf(client),
        isRegistered: clientHostOf(client.clientId) === null,
        redirectUri: params.redirectUri,
        resource: params.resource,
      }),
    );
    await finish(interaction, { login: { accountId: person.memberId }, consent: { grantId: connectionId } });
    return interaction.returnTo;
  }

  #requested(scope: string | undefined): readonly AssistantScope[] {
    const { scopes } = this.#deps;
    // A client that asks for nothing of what there is gets what there is.
    const named = scopes.filter((each) => scope?.split(" ").includes(each));
    return named.length > 0 ? named : scopes;
  }

  async #allowed({ person }: PersonCaller): Promise<readonly AssistantScope[]> {
    // Index: the primary key. The role, and not what an operator may do besides.
    const { rows } = await this.#deps.database.query<{ role: string; project_ids: string[] | null }>(
      "select role, project_ids from members where id = $1",
      [person.memberId],
    );
    const [member] = rows;
    return member === undefined ? [] : allowedScopes(member.role, member.project_ids);
  }

  /** The request of the browser's cookie, with its client. */
  async #find(cookies: string | undefined) {
    const secrets = (cookies ?? "").split(";").flatMap((pair) => {
      const [, secret] = /^\s*(?:__Host-)?querent-connect=([A-Za-z0-9_-]{43})\s*$/.exec(pair) ?? [];
      return secret === undefined ? [] : [secret];
    });
    for (const secret of secrets) {
      const stored = await this.#records("Interaction").find(secret);
      if (!stored?.returnTo) continue;
      // Its issuer is the origin to which it returns.
      const provider = await this.#providerOf(new URL(stored.returnTo).origin);
      const found = await provider.Interaction.find(secret);
      if (found === undefined) continue;
      const { client_id: clientId, scope, redirect_uri: redirectUri, resource } = found.params;
      const client = typeof clientId === "string" ? await provider.Client.find(clientId) : undefined;
      if (client === undefined || typeof redirectUri !== "string" || typeof resource !== "string") continue;
      const params = { scope: typeof scope === "string" ? scope : undefined, redirectUri, resource };
      return { interaction: found, client, params };
    }
    throw new ProblemError(
      "not_found",
      "No assistant asks to be connected in this browser, or its request has expired. Begin again in the assistant.",
    );
  }

  async #providerOf(issuer: string): Promise<Provider> {
    const library = await (this.#library ??= import("oidc-provider"));
    const known = this.#providers.get(issuer);
    if (known !== undefined) return known;
    const made = this.#make(library, issuer);
    this.#providers.set(issuer, made);
    return made;
  }

  #make(library: Library, issuer: string): Provider {
    const provider = new library.Provider(issuer, this.#configuration(library, issuer));
    // Behind a proxy, by the headers that `handle` has set.
    provider.proxy = true;
    // A method of the library's models that its types leave out.
    const tokens = provider.AccessToken.prototype as unknown as { generateTokenId(): string };
    const generate = tokens.generateTokenId;
    tokens.generateTokenId = function () {
      return `${secretPrefixes.connection}${generate.call(this)}`;
    };
    provider.use(async (ctx, next) => {
      await next();
      const { route } = ctx["oidc"] as KoaContextWithOIDC["oidc"];
      if (route === "discovery") ctx.body = withoutOpenId(ctx.body as object, this.#deps.scopes);
    });
    provider.on("server_error", (_ctx, error) => this.#deps.onFault(error));
    return provider;
  }

  #configuration(library: Library, issuer: string): Configuration {
    const { errors, interactionPolicy } = library;
    const { database } = this.#deps;
    const resource = `${issuer}/mcp`;
    const isSecure = issuer.startsWith("https:");
    const cookieName = (name: string) => (isSecure ? `__Host-${name}` : name);
    return {
      adapter: (kind) => this.#records(kind, library),
      routes: { ...authorizationPaths, jwks: "/oauth/jwks", end_session: "/oauth/end" },
      // No ID token is ever signed: there is no scope `openid`.
      jwks: { keys: [generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })] },
      scopes: [],
      claims: {},
      responseTypes: ["code"],
      clientAuthMethods: ["none"],
      clientDefaults: {
        application_type: "native",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        id_token_signed_response_alg: "EdDSA",
      },
      allowOmittingSingleRegisteredRedirectUri: true,
      // The browser's part of a request. It also goes to the operations with which the person decides.
      cookies: {
        names: {
          interaction: cookieName("querent-connect"),
          resume: "querent-connect-resume",
          session: cookieName("querent-connect-session"),
        },
        short: { path: "/", httpOnly: true, sameSite: "lax", signed: false, secure: isSecure },
        long: { path: "/", httpOnly: true, sameSite: "lax", signed: false, secure: isSecure },
      },
      ttl: {
        Interaction: 30 * minute,
        Session: 30 * minute,
        AuthorizationCode: minute,
        AccessToken: hour,
        RefreshToken: 90 * day,
        Grant: 365 * day,
      },
      interactions: { url: () => decisionPath, policy: policyOf(interactionPolicy) },
      findAccount: async (_ctx, memberId) => {
        const { rowCount } = await database.query("select from members where id = $1", [memberId]);
        return rowCount === 0 ? undefined : { accountId: memberId, claims: async () => ({ sub: memberId }) };
      },
      loadExistingGrant: async ({ oidc }) => {
        const id = oidc.result?.consent?.grantId;
        return id === undefined ? undefined : oidc.provider.Grant.find(id);
      },
      expiresWithSession: async () => false,
      issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
      rotateRefreshToken: true,
      revokeGrantPolicy: () => true,
      clientBasedCORS: (_ctx, origin, client) =>
        (client.redirectUris ?? []).some((address) => URL.parse(address)?.origin === origin),
      renderError: (ctx, { error }) => errorPage(ctx, error),
      fetch: (url, init) => this.#fetch(url instanceof Request ? url.url : url.toString(), init),
      fetchResponseBodyLimits: { "client_id metadata document": descriptionBytesMax },
      pkce: { required: () => true },
      features: {
        devInteractions: { enabled: false },
        userinfo: { enabled: false },
        rpInitiatedLogout: { enabled: false },
        pushedAuthorizationRequests: { enabled: false },
        dPoP: { enabled: false },
        revocation: {
          enabled: true,
          allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
        },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => resource,
          useGrantedResource: () => true,
          getResourceServerInfo: (_ctx, indicator) => {
            if (URL.parse(indicator)?.href !== resource)
              throw new errors.InvalidTarget(`the only resource of this server is ${resource}`);
            return { scope: assistantScopes.join(" "), accessTokenFormat: "opaque" };
          },
        },
        registration: {
          enabled: true,
          issueRegistrationAccessToken: false,
          // Called before the library reads what was sent.
          idFactory: ({ oidc }) => {
            const kept = registeredClient(oidc.body ?? {});
            if (typeof kept === "string") throw new errors.InvalidClientMetadata(kept);
            Object.assign(oidc, { body: { ...kept } });
            return randomBytes(16).toString("base64url");
          },
        },
        clientIdMetadataDocument: {
          enabled: true,
          ack: "draft-02",
          allowFetch: () => this.#fetches < fetchesMax,
          cacheDuration: { min: minute, max: day },
        },
      },
    };
  }

  /** `library` is needed to consume and to end. */
  #records(kind: string, library?: Library): Adapter {
    const { database, audited } = this.#deps;
    return recordAdapter(kind, {
      database,
      usedMeanwhile: () =>
        library === undefined
          ? new Error("a record was used twice")
          : new library.errors.InvalidGrant("it was used twice, or its connection has ended, at the same moment"),
      end: (connectionId) =>
        audited(async () => {
          const isRevoked = library?.Provider.ctx?.oidc.route === "revocation";
          const reason = isRevoked ? "the client has ended it" : "a code or a refresh token was used twice";
          await database.transaction(async (tx) => {
            await endConnection(tx, { connectionId }, reason);
          });
        }),
    });
  }

  async #fetch(url: string, init: RequestInit | undefined): Promise<Response> {
    this.#fetches += 1;
    try {
      const { method = "GET", headers, signal } = init ?? {};
      return await this.#deps.fetch(url, {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(signal ? { signal } : {}),
      });
    } finally {
      this.#fetches -= 1;
    }
  }
}

/** Each request is put to the person: nothing of an earlier one counts. */
function policyOf({ Prompt, Check }: Library["interactionPolicy"]) {
  const decided = new Check("undecided", "a person has to decide", ({ oidc }: KoaContextWithOIDC) =>
    oidc.result?.consent?.grantId === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  return [
    new Prompt({ name: "consent", requestable: true }, decided),
    new Prompt({ name: "login", requestable: true }),
  ];
}

async function finish(interaction: Interaction, result: InteractionResults): Promise<void> {
  interaction.result = result;
  await interaction.persist();
}

/** Tells requests apart without revealing the secret of the browser's cookie. */
const requestIdOf = ({ jti }: Interaction) => recordHash(jti).toString("base64url");

/** What a client calls itself; its host if it has no name that can be shown. */
const nameOf = ({ clientName, clientId }: Client) => {
  const name = shownName(clientName ?? "");
  return name === "" ? (clientHostOf(clientId) ?? "?") : name;
};

/** The metadata of a server that signs nobody in at other services. */
function withoutOpenId(metadata: object, scopes: readonly string[]): object {
  const openId =
    /^(jwks_uri|subject_types|id_token|claim|acr_values|userinfo|end_session|request_parameter|request_uri|dpop|response_modes)/;
  const kept = Object.entries(metadata).filter(([name]) => !openId.test(name));
  return { ...Object.fromEntries(kept), response_modes_supported: ["query"], scopes_supported: [...scopes] };
}
