/** A certified identity provider on 127.0.0.1, with TLS, whose answers a test can falsify. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK, type JWTPayload } from "jose";
import { Provider, type Configuration } from "oidc-provider";
import { Agent, request } from "undici";
import { testCertificate } from "../harness/receiver.ts";

export interface ProviderPerson {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[] | string;
}

export interface TestProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly caFile: string;
  /** Its settings, as its entry in a file of providers has them. */
  readonly entry: string;
  /** The environment of a service whose file of providers has this one alone. `members`: who becomes a member of what, as in the file. */
  environment(members: readonly string[]): Record<string, string>;
  /** The persons by their subject. */
  readonly persons: Map<string, ProviderPerson>;
  /** Falsifies what an ID token says, before it is signed; null: the token as the provider made it. */
  falsify: ((claims: JWTPayload) => JWTPayload) | null;
  /** Signs falsified tokens with another key, or in another way. */
  sign: ((claims: JWTPayload, kid: string) => Promise<string>) | null;
  /** Answers instead of the provider; false: the provider answers. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The paths of requests so far. */
  readonly requests: string[];
  /** From now on the provider signs with another key, and publishes no other. */
  rotate(): Promise<void>;
  /** A logout token like the provider's, with these claims changed. */
  logoutToken(claims: JWTPayload, header?: { typ?: string; alg?: string }): Promise<string>;
  /** A browser at the provider. */
  browser(): ProviderBrowser;
  close(): Promise<void>;
}

export interface ProviderBrowser {
  /** Signs a person in at an address of the provider; returns the address to which the provider sends the browser back. */
  signIn(address: string, subject: string): Promise<URL>;
  /** Follows the provider's own pages from an address, with a form where there is one. */
  signOut(address: string): Promise<void>;
}

const kidOf = () => randomBytes(8).toString("hex");

export async function startProvider(options: {
  /** The address by which browsers know the service. */
  readonly publicUrl: string;
  readonly providerId: string;
  /** Where the service listens, for the provider's own requests. */
  readonly serviceAddress: () => string;
  readonly settings?: Configuration;
  /** The public keys with which the client proves itself, instead of a secret, and its entry's `clientKey`. */
  readonly clientKey?: { readonly keys: JWK[]; readonly entry: string };
}): Promise<TestProvider> {
  const { key, cert, caFile } = await testCertificate();
  const { publicUrl, providerId } = options;
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer({ key, cert }, (incoming, response) => {
    provider.requests.push(incoming.url ?? "");
    if (!provider.intercept(incoming, response)) handle(incoming, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
  const clientId = "querent";
  const clientSecret = randomBytes(24).toString("base64url");
  const dispatcher = new Agent({ connect: { ca: cert } });
  const folder = mkdtempSync(join(tmpdir(), "querent-providers-"));
  const entry = `
    name: Company
    issuer: ${issuer}
    clientId: ${clientId}
    ${options.clientKey === undefined ? "clientSecretVariable: COMPANY_SECRET" : `clientSecretVariable: null\n    clientKey: ${options.clientKey.entry}`}
    scopes: [groups]
    domains: [example.com]`;
  const subjects = new Map<string, string>();
  let signing: { jwk: JWK; kid: string };

  const begin = async () => {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    const kid = kidOf();
    signing = { jwk: { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" }, kid };
    const made = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          ...(options.clientKey === undefined
            ? { client_secret: clientSecret }
            : { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: options.clientKey.keys } }),
          redirect_uris: [`${publicUrl}/console/sign-in/${providerId}`],
          post_logout_redirect_uris: [`${publicUrl}/console`],
          backchannel_logout_uri: `${publicUrl}/v1/login/providers/${providerId}/logout`,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [signing.jwk] },
      cookies: { keys: ["a key of the tests"] },
      claims: { email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
      scopes: ["openid", "email", "profile", "groups"],
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, subject) => ({
        accountId: subject,
        claims: () => ({ sub: subject, ...(provider.persons.get(subject) as object) }),
      }),
      loadExistingGrant: async (context) => {
        const grant = new made.Grant({
          clientId: context.oidc.client?.clientId ?? "",
          accountId: context.oidc.session?.accountId ?? "",
        });
        grant.addOIDCScope("openid email profile groups");
        await grant.save();
        return grant;
      },
      pkce: { required: () => true },
      // The address by which browsers know the service leads nowhere in a test.
      // The provider's own way refuses addresses of this machine.
      fetch: (input, { method, headers, body }: RequestInit = {}) =>
        fetch(
          (input instanceof Request ? input.url : new URL(input).href).replace(publicUrl, options.serviceAddress()),
          {
            ...(method === undefined ? {} : { method }),
            ...(headers === undefined ? {} : { headers }),
            ...(body === undefined ? {} : { body }),
          },
        ),
      ...options.settings,
    });
    const callback = made.callback();
    handle = (incoming, response) => {
      const uid = /^\/interaction\/([^/?]+)/.exec(incoming.url ?? "")?.[1];
      if (uid !== undefined) {
        const accountId = subjects.get(incoming.headers["x-test-browser"] as string) ?? "";
        void made.interactionFinished(incoming, response, { login: { accountId } });
        return;
      }
      if (incoming.url === "/token" && provider.falsify !== null) rewriteToken(response);
      void callback(incoming, response);
    };
  };

  /** Replaces the ID token in the provider's reply by one that says something else. */
  const rewriteToken = (response: ServerResponse) => {
    const end = response.end.bind(response);
    response.end = ((chunk: string | Buffer) => {
      const rewrite = async () => {
        const body = JSON.parse(String(chunk)) as { id_token?: string };
        if (body.id_token !== undefined) {
          const claims = JSON.parse(
            Buffer.from(body.id_token.split(".")[1] ?? "", "base64url").toString(),
          ) as JWTPayload;
          body.id_token = await signed(provider.falsify?.(claims) ?? claims);
        }
        const text = JSON.stringify(body);
        response.setHeader("content-length", Buffer.byteLength(text));
        end(text);
      };
      void rewrite();
      return response;
    }) as typeof response.end;
  };

  const signed = async (claims: JWTPayload, header: { typ?: string; alg?: string } = {}) => {
    if (provider.sign !== null) return provider.sign(claims, signing.kid);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: "RS256", kid: signing.kid, ...header })
      .sign(await importJWK(signing.jwk, "RS256"));
  };

  const provider: TestProvider = {
    issuer,
    clientId,
    clientSecret,
    caFile,
    entry,
    environment(members) {
      const file = join(folder, "providers.yaml");
      const list = members.map((member) => `\n      - ${member}`).join("");
      writeFileSync(file, `providers:\n  ${providerId}:${entry}\n    members:${list}\n`);
      return {
        QUERENT_PUBLIC_URL: publicUrl,
        QUERENT_SIGN_IN_PROVIDERS: file,
        QUERENT_SIGN_IN_EGRESS_ALLOW: "127.0.0.0/8",
        QUERENT_EGRESS_CA: caFile,
        COMPANY_SECRET: clientSecret,
      };
    },
    persons: new Map(),
    falsify: null,
    sign: null,
    intercept: () => false,
    requests: [],
    rotate: begin,
    logoutToken: (claims, header) => {
      const now = Math.floor(Date.now() / 1000);
      return signed(
        {
          iss: issuer,
          aud: clientId,
          iat: now,
          exp: now + 120,
          jti: randomBytes(12).toString("hex"),
          events: { "http://schemas.openid.net/event/backchannel-logout": {} },
          ...claims,
        },
        { typ: "logout+jwt", ...header },
      );
    },
    browser() {
      const id = randomBytes(8).toString("hex");
      const jar = new Map<string, string>();
      const get = async (address: string, form?: Readonly<Record<string, string>>) => {
        const response = await request(address, {
          dispatcher,
          method: form === undefined ? "GET" : "POST",
          headers: {
            "x-test-browser": id,
            cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
            ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
          },
          body: form === undefined ? null : new URLSearchParams(form).toString(),
        });
        for (const cookie of [response.headers["set-cookie"] ?? []].flat()) {
          const [pair = ""] = cookie.split(";");
          jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
        }
        return {
          status: response.statusCode,
          location: response.headers["location"],
          text: await response.body.text(),
        };
      };
      return {
        async signIn(address, subject) {
          subjects.set(id, subject);
          let at = new URL(address);
          for (let steps = 0; steps < 10 && at.origin === issuer; steps++) {
            const { status, location, text } = await get(at.href);
            assert.ok(location !== undefined, `${status} ${text.slice(0, 500)}`);
            at = new URL(String(location), at);
          }
          return at;
        },
        async signOut(address) {
          const { text } = await get(address);
          const action = /action="([^"]+)"/.exec(text)?.[1] ?? "";
          const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? "";
          const { status } = await get(action, { xsrf, logout: "yes" });
          assert.ok(status < 400, text);
        },
      };
    },
    async close() {
      rmSync(folder, { recursive: true });
      server.closeAllConnections();
      await Promise.all([dispatcher.close(), new Promise((resolve) => server.close(resolve))]);
    },
  };
  await begin();
  return provider;
}
