/** The official client of assistants, which signs in by the browser of a test, and the requests that an attacker writes by hand. */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { ConnectionAnswer, ConnectionRequest } from "@querent/contract";
import type { TestService } from "../harness/service.ts";
import type { TestBrowser } from "./browser.ts";

export interface Assistant extends OAuthClientProvider {
  /** Where it has sent the browser last. */
  opened: URL | undefined;
  client: StoredOAuthClientInformation | undefined;
  kept: StoredOAuthTokens | undefined;
}

export const callback = "http://127.0.0.1:33418/callback";

/** An assistant that has nothing yet. */
export function newAssistant(metadata: Partial<OAuthClientMetadata> = {}): Assistant {
  let verifier = "";
  let discovered: OAuthDiscoveryState | undefined;
  const state = randomBytes(8).toString("hex");
  const assistant: Assistant = {
    opened: undefined,
    client: undefined,
    kept: undefined,
    redirectUrl: metadata.redirect_uris?.[0] ?? callback,
    clientMetadata: { client_name: "Test assistant", redirect_uris: [callback], ...metadata },
    state: () => state,
    clientInformation: () => assistant.client,
    saveClientInformation: (client) => {
      assistant.client = client;
    },
    tokens: () => assistant.kept,
    saveTokens: (tokens) => {
      assistant.kept = tokens;
    },
    redirectToAuthorization: (address) => {
      assistant.opened = address;
    },
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (state) => {
      discovered = state;
    },
    discoveryState: () => discovered,
    invalidateCredentials: (scope) => {
      if (scope === "all" || scope === "tokens") assistant.kept = undefined;
      if (scope === "all" || scope === "client") assistant.client = undefined;
    },
  };
  return assistant;
}

const transportOf = (service: TestService, assistant: Assistant) =>
  new StreamableHTTPClientTransport(new URL(`${service.address}/mcp`), { authProvider: assistant });

/** Connects an assistant from nothing but the address: the person is asked, and gives what is asked for, or `scopes`. */
export async function signInAssistant(
  service: TestService,
  browser: TestBrowser,
  assistant = newAssistant(),
  scopes?: readonly string[],
): Promise<Assistant> {
  const transport = transportOf(service, assistant);
  await assert.rejects(new Client({ name: "test", version: "1" }).connect(transport), UnauthorizedError);
  const address = assistant.opened?.href ?? assert.fail("the assistant has opened no page");
  const asked = await openRequest(browser, address);
  await transport.finishAuth((await decide(browser, asked, scopes ?? asked.allowed)).searchParams);
  await transport.close();
  return assistant;
}

/** Uses an assistant that is connected. */
export async function useAssistant(service: TestService, assistant: Assistant) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transportOf(service, assistant));
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

/** What a browser does with an address: it keeps cookies and follows nothing. */
export async function visit(browser: TestBrowser, address: string): Promise<Response> {
  const reply = await fetch(address, { redirect: "manual", headers: { cookie: browser.cookie } });
  const jar = new Map(browser.cookie.split("; ").flatMap((pair) => (pair === "" ? [] : [[nameOf(pair), pair]])));
  for (const set of reply.headers.getSetCookie()) {
    const [pair = ""] = set.split(";", 1);
    if (/expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(nameOf(pair));
    else jar.set(nameOf(pair), pair);
  }
  browser.cookie = [...jar.values()].join("; ");
  return reply;
}

const nameOf = (pair: string) => pair.slice(0, pair.indexOf("="));

/** Opens the address to which an assistant has sent the browser; returns what the page shows to the person. */
export async function openRequest(browser: TestBrowser, address: string): Promise<ConnectionRequest> {
  const reply = await visit(browser, address);
  assert.equal(reply.status, 303, await reply.clone().text());
  assert.equal(new URL(reply.headers.get("location") ?? "", address).pathname, "/console/connect");
  const answer = await browser.call<ConnectionRequest>("GET", "/v1/connection-request");
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** Decides as the page does; returns where the browser is sent. Without scopes, the request is refused. */
export async function decide(
  browser: TestBrowser,
  { requestId, accountId }: ConnectionRequest,
  scopes: readonly string[],
): Promise<URL> {
  const body = { requestId, accountId, scopes };
  const answer = await browser.call<ConnectionAnswer>("POST", "/v1/connection-request/decision", { body });
  assert.equal(answer.status, 200, answer.text);
  const reply = await visit(browser, answer.body.address);
  assert.equal(reply.status, 303, await reply.clone().text());
  return new URL(reply.headers.get("location") ?? "");
}

// By hand, as an attacker does.

export interface Challenge {
  readonly verifier: string;
  readonly challenge: string;
}

export function newChallenge(): Challenge {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** Registers a client; returns its id. */
export async function register(service: TestService, metadata: object = {}): Promise<string> {
  const reply = await post(service, "/oauth/register", JSON.stringify({ redirect_uris: [callback], ...metadata }));
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return String(reply.body["client_id"]);
}

/** Sends a form, or JSON if it is a text. */
export async function post(
  service: TestService,
  path: string,
  body: string | Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: Readonly<Record<string, unknown>> }> {
  const reply = await fetch(`${service.address}${path}`, {
    method: "POST",
    headers: { ...(typeof body === "string" ? { "content-type": "application/json" } : {}), ...headers },
    body: typeof body === "string" ? body : new URLSearchParams(body),
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: text.startsWith("{") ? JSON.parse(text) : { text } };
}

/** The address of a request to connect. Members that are null are left out. */
export function requestAddress(
  service: TestService,
  clientId: string,
  { challenge }: Challenge,
  changed: Readonly<Record<string, string | null>> = {},
): string {
  const members: Record<string, string | null> = {
    client_id: clientId,
    response_type: "code",
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "state of the client",
    resource: `${service.address}/mcp`,
    scope: "tasks:read reports:read",
    ...changed,
  };
  const sent = Object.entries(members).flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[name, value]],
  );
  return `${service.address}/oauth/authorize?${new URLSearchParams(sent).toString()}`;
}

/** Exchanges a code. */
export const exchange = (service: TestService, members: Readonly<Record<string, string>>): ReturnType<typeof post> =>
  post(service, "/oauth/token", {
    grant_type: "authorization_code",
    redirect_uri: callback,
    resource: `${service.address}/mcp`,
    ...members,
  });

/** Asks for the tools with a token; returns the reply. */
export const listTools = (
  service: TestService,
  headers: Readonly<Record<string, string>>,
  body: unknown = { jsonrpc: "2.0", id: 1, method: "tools/list" },
): Promise<Response> =>
  fetch(`${service.address}/mcp`, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
