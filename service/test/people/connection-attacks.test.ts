/** What hostile clients, pages and thieves of codes and tokens try against connecting assistants. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import type { ConnectionList, ConnectionRequest } from "@querent/contract";
import { request } from "undici";
import { forgetConnections } from "../../src/people/index.ts";
import { testCertificate } from "../harness/receiver.ts";
import { refused, startTestService, type TestService } from "../harness/service.ts";
import {
  callback,
  decide,
  exchange,
  listTools,
  newChallenge,
  openRequest,
  post,
  register,
  requestAddress,
  signInAssistant,
  visit,
} from "./assistant.ts";
import { joinAs, openBrowser, type TestPerson } from "./browser.ts";

const { key, cert, caFile } = await testCertificate();
/** The server of a client's description, on an address that the operator has allowed. */
let describeClient: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
const descriptions = createServer({ key, cert }, (request, response) => describeClient(request, response));
descriptions.listen(0, "127.0.0.1");
await once(descriptions, "listening");
descriptions.unref();
const host = `localhost:${(descriptions.address() as AddressInfo).port}`;

const service = await startTestService({
  environment: {
    QUERENT_MCP: "ask",
    QUERENT_EGRESS_CA: caFile,
    QUERENT_SIGN_IN_EGRESS_ALLOW: "127.0.0.1/32",
  },
});
const { accountId } = await service.account();

/** Connects a client by hand up to its code. */
async function codeFor(person: TestPerson, { scopes }: { scopes?: readonly string[] } = {}) {
  const [clientId, pair] = [await register(service), newChallenge()];
  const asked = await openRequest(person, requestAddress(service, clientId, pair));
  const answer = await decide(person, asked, scopes ?? asked.allowed);
  return { clientId, pair, code: answer.searchParams.get("code") ?? assert.fail(String(answer)) };
}

suite("where a browser is sent", () => {
  test("to no address but those that the client has registered, exactly, except for the port of a loopback", async () => {
    const clientId = await register(service, { redirect_uris: [callback, "https://client.example/back?a=1"] });
    const person = await joinAs(service, accountId, "viewer");
    for (const redirect of [
      "https://evil.example/callback",
      "http://127.0.0.1:33418/callback/",
      "http://127.0.0.1:33418/callback?next=https://evil.example",
      "http://127.0.0.1:33418/callback/../evil",
      "http://127.0.0.1:33418/CALLBACK",
      "http://127.0.0.1:33418@evil.example/callback",
      "http://127.0.0.1.evil.example:33418/callback",
      "http://localhost:33418/callback",
      "https://client.example/back",
      "https://client.example/back?a=1&b=2",
      "https://client.example/back?a=1#x",
      "https://client.example:8443/back?a=1",
      "https://client.example.evil.example/back?a=1",
      "javascript:alert(1)",
      "//evil.example",
      "/console",
      "",
    ]) {
      const reply = await visit(person, requestAddress(service, clientId, newChallenge(), { redirect_uri: redirect }));
      assert.equal(reply.status, 400, redirect);
      assert.equal(reply.headers.get("location"), null, redirect);
      assert.match(reply.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
      const page = await reply.text();
      assert.ok(
        redirect === "" || redirect === "/console" || !page.includes(redirect),
        "what was sent is not in the page",
      );
    }
    const other = requestAddress(service, clientId, newChallenge(), {
      redirect_uri: "http://127.0.0.1:50000/callback",
    });
    assert.equal((await openRequest(person, other)).redirect.kind, "device");
  });

  test("clients that would be sent to scripts, files or plain hosts cannot register", async () => {
    for (const redirect of [
      "javascript:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "blob:https://a.example/x",
      "http://client.example/back",
      "https://client.example/back#x",
      "not an address",
      "https://localhost/back",
      `https://client.example/${"x".repeat(500)}`,
      7,
    ]) {
      const { status } = await post(service, "/oauth/register", JSON.stringify({ redirect_uris: [redirect] }));
      assert.equal(status, 400, String(redirect));
    }
    for (const body of [
      "[]",
      "null",
      "{}",
      "{",
      '"x"',
      '{"redirect_uris":[]}',
      '{"redirect_uris":"https://a.example"}',
    ])
      assert.equal((await post(service, "/oauth/register", body)).status, 400, body);
    const many = { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://client.example/${at}`) };
    assert.equal((await post(service, "/oauth/register", JSON.stringify(many))).status, 400);
  });

  test("the header Host decides about no address that is given out", async () => {
    for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"]) {
      const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
      const { body } = await request(`${service.address}${path}`, { headers });
      const text = await body.text();
      assert.ok(text.includes(service.address) && !text.includes("evil"), text);
    }
    const { headers } = await request(`${service.address}/mcp`, { method: "POST", headers: { host: "evil.example" } });
    assert.ok(!String(headers["www-authenticate"]).includes("evil"));
  });
});

suite("codes and tokens", () => {
  test("a code works once: its second use ends the connection", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const { clientId, code, pair } = await codeFor(person);
    const first = await exchange(service, { client_id: clientId, code, code_verifier: pair.verifier });
    assert.equal(first.status, 200);
    const again = await exchange(service, { client_id: clientId, code, code_verifier: pair.verifier });
    assert.equal(again.body["error"], "invalid_grant");
    const reply = await listTools(service, { authorization: `Bearer ${String(first.body["access_token"])}` });
    assert.equal(reply.status, 401);
  });

  test("a request without PKCE, or with `plain`, is refused, and so is a wrong verifier", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const clientId = await register(service);
    for (const changed of [
      { code_challenge: null, code_challenge_method: null },
      { code_challenge_method: "plain" },
      { code_challenge_method: null },
      { code_challenge: "short" },
    ]) {
      const reply = await visit(person, requestAddress(service, clientId, newChallenge(), changed));
      const { searchParams, origin } = new URL(reply.headers.get("location") ?? "");
      assert.equal(origin, new URL(callback).origin);
      assert.deepEqual([searchParams.get("error"), searchParams.get("code")], ["invalid_request", null]);
      assert.equal(searchParams.get("iss"), service.address);
    }
    const { code, ...made } = await codeFor(person);
    for (const members of [{}, { code_verifier: newChallenge().verifier }, { code_verifier: made.pair.challenge }]) {
      const { status } = await exchange(service, { client_id: made.clientId, code, ...members });
      assert.equal(status, 400);
    }
  });

  test("a code is for its client, its address and its resource alone", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const { clientId, code, pair } = await codeFor(person);
    const members = { code, code_verifier: pair.verifier };
    const other = await register(service);
    const errorOf = async (changed: Record<string, string>) =>
      (await exchange(service, { ...members, client_id: clientId, ...changed })).body["error"];
    assert.equal(await errorOf({ client_id: other }), "invalid_grant");
    assert.equal(await errorOf({ client_id: "unknown" }), "invalid_client");
    assert.equal(await errorOf({ redirect_uri: "http://127.0.0.1:1/callback" }), "invalid_grant");
    assert.ok(
      ["invalid_target", "invalid_grant"].includes(String(await errorOf({ resource: "https://evil.example/mcp" }))),
    );
  });

  test("no token is made for the resource of another host", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const clientId = await register(service);
    for (const resource of ["https://evil.example/mcp", `${service.address}/v1`, `${service.address}/mcp/../v1`, "x"]) {
      const reply = await visit(person, requestAddress(service, clientId, newChallenge(), { resource }));
      assert.equal(new URL(reply.headers.get("location") ?? "").searchParams.get("error"), "invalid_target", resource);
    }
  });

  test("the database has no secret of a code, a token or a request in clear", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const assistant = await signInAssistant(service, person);
    const { code } = await codeFor(person);
    const cookies = [...person.cookie.matchAll(/querent-connect[^=]*=([\w-]{43})/g)].map(([, secret]) => secret);
    const secrets = [assistant.kept?.access_token, assistant.kept?.refresh_token, code, ...cookies];
    assert.ok(secrets.length > 3);
    const { rows } = await service.database.query<{ row: string }>(
      "select r::text as row from authorization_records r union all select c::text from connections c union all select a::text from assistant_clients a",
    );
    for (const secret of secrets)
      assert.ok(secret !== undefined && rows.every(({ row }) => !row.includes(secret.replace("qrc_", ""))), secret);
  });

  test("a token is refused in pages of other origins unless it is that of a connection, and a preflight allows no login", async () => {
    const account = await service.account();
    const person = await joinAs(service, account.accountId, "viewer");
    const { kept } = await signInAssistant(service, person);
    const origin = "https://inspector.example";
    const of = (token: string) => listTools(service, { origin, authorization: `Bearer ${token}` });
    assert.equal((await of(account.token)).status, 403);
    const reply = await of(kept?.access_token ?? "");
    assert.deepEqual([reply.status, reply.headers.get("access-control-allow-origin")], [200, origin]);
    assert.equal(reply.headers.get("access-control-allow-credentials"), null);
    const asked = await fetch(`${service.address}/mcp`, { method: "OPTIONS", headers: { origin } });
    assert.deepEqual([asked.status, asked.headers.get("access-control-allow-methods")], [204, "POST"]);
    assert.equal(asked.headers.get("access-control-allow-credentials"), null);
  });
});

suite("the decision", () => {
  test("nothing beyond the role, or beyond what was asked for, can be given", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const clientId = await register(service);
    const scope = "tasks:read tasks:write admin openid offline_access";
    const asked = await openRequest(person, requestAddress(service, clientId, newChallenge(), { scope }));
    assert.deepEqual([asked.requested, asked.allowed], [["tasks:read", "tasks:write"], ["tasks:read"]]);
    for (const scopes of [["tasks:write"], ["reports:read"], ["admin"], ["tasks:read", "access:manage"]]) {
      const body = { requestId: asked.requestId, accountId, scopes };
      refused(await person.call("POST", "/v1/connection-request/decision", { body }), "scope_missing");
    }
    const answer = await decide(person, asked, ["tasks:read"]);
    assert.ok(answer.searchParams.get("code"));
  });

  test("is the browser’s that has begun the request: a link that somebody sends gets them nothing", async () => {
    const [attacker, victim] = [await joinAs(service, accountId, "viewer"), await joinAs(service, accountId, "owner")];
    const clientId = await register(service);
    const asked = await openRequest(attacker, requestAddress(service, clientId, newChallenge()));
    // The page that the attacker sends has nothing to decide in the victim's browser.
    refused(await victim.call("GET", "/v1/connection-request"), "not_found");
    const body = { requestId: asked.requestId, accountId, scopes: asked.requested };
    refused(await victim.call("POST", "/v1/connection-request/decision", { body }), "not_found");
    // A page that makes the victim's browser begin a request cannot decide it.
    await openRequest(victim, requestAddress(service, clientId, newChallenge()));
    const own = (await victim.call<ConnectionRequest>("GET", "/v1/connection-request")).body;
    for (const headers of [
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      { "sec-fetch-site": "same-origin", "x-querent-login": "0" },
    ]) {
      const answer = await victim.call<{ code: string }>("POST", "/v1/connection-request/decision", {
        headers,
        body: { requestId: own.requestId, accountId, scopes: ["tasks:read"] },
      });
      assert.ok(["foreign_request", "unauthorized"].includes(answer.body.code), answer.text);
    }
    const page = await fetch(`${service.address}/console/connect`);
    assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  });

  test("is for the request and the account that the page has shown, and counts once", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const clientId = await register(service);
    const first = await openRequest(person, requestAddress(service, clientId, newChallenge()));
    const second = await openRequest(person, requestAddress(service, clientId, newChallenge()));
    const path = "/v1/connection-request/decision";
    const of = (requestId: string, account = accountId) => ({
      body: { requestId, accountId: account, scopes: ["tasks:read"] },
    });
    refused(await person.call("POST", path, of(first.requestId)), "state_conflict");
    const { accountId: foreign } = await service.account();
    refused(await person.call("POST", path, of(second.requestId, foreign)), "state_conflict");
    const decided = await person.call<{ address: string }>("POST", path, of(second.requestId));
    assert.equal(decided.status, 200);
    refused(await person.call("POST", path, of(second.requestId)), "state_conflict");
    // Another browser that knows the address gets no code.
    const stranger = await visit(openBrowser(service), decided.body.address);
    assert.deepEqual([stranger.status, stranger.headers.get("location")], [400, null]);
    assert.ok(
      new URL((await visit(person, decided.body.address)).headers.get("location") ?? "").searchParams.get("code"),
    );
    assert.equal((await visit(person, decided.body.address)).status, 400, "the address works once");
  });

  test("cannot be skipped: not by `prompt=none`, and not because the person has connected the client before", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const { clientId } = await codeFor(person);
    const silent = await visit(person, requestAddress(service, clientId, newChallenge(), { prompt: "none" }));
    const answer = new URL(silent.headers.get("location") ?? "");
    assert.deepEqual([answer.searchParams.get("code"), answer.searchParams.has("error")], [null, true]);
    const asked = await openRequest(person, requestAddress(service, clientId, newChallenge()));
    assert.equal(asked.client.host, null);
  });

  test("a connection of another person, or of another account, cannot be ended", async () => {
    const [person, colleague] = [
      await joinAs(service, accountId, "viewer"),
      await joinAs(service, accountId, "viewer"),
    ];
    const elsewhere = await joinAs(service, (await service.account()).accountId, "owner");
    await signInAssistant(service, person);
    const { body } = await person.call<ConnectionList>("GET", "/v1/login/connections");
    const id = body.connections[0]?.connectionId ?? assert.fail();
    refused(await colleague.call("DELETE", `/v1/login/connections/${id}`, { body: {} }), "not_found");
    refused(await elsewhere.call("DELETE", `/v1/connections/${id}`, { body: {} }), "not_found");
    assert.equal((await person.call("DELETE", `/v1/login/connections/${id}`, { body: {} })).status, 204);
  });
});

suite("clients that publish a description", () => {
  const clientId = `https://${host}/client.json`;
  const described = (changed: object = {}) => ({
    client_id: clientId,
    client_name: "Published client",
    redirect_uris: [callback],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...changed,
  });
  const answering =
    (body: string, status = 200, headers: Record<string, string> = {}) =>
    (_request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    };
  const ask = (id: string) =>
    fetch(requestAddress(service, id, newChallenge()), { redirect: "manual" }).then(async (reply) => {
      await reply.body?.cancel();
      return reply.status;
    });

  test("are known by the host that publishes it", async () => {
    describeClient = answering(JSON.stringify(described()));
    const person = await joinAs(service, accountId, "viewer");
    const asked = await openRequest(person, requestAddress(service, clientId, newChallenge()));
    assert.deepEqual(asked.client, { name: "Published client", host: "localhost" });
    const answer = await decide(person, asked, asked.allowed);
    assert.ok(answer.searchParams.get("code"));
  });

  test("are refused if the description is another’s, too large, moved, late or none", async () => {
    let at = 0;
    const fresh = () => `https://${host}/${++at}.json`;
    const refusedWith = async (handler: typeof describeClient, id = fresh()) => {
      describeClient = handler;
      assert.equal(await ask(id), 400, id);
    };
    await refusedWith(answering(JSON.stringify(described())));
    const large = fresh();
    await refusedWith(answering(JSON.stringify(described({ client_id: large, pad: "x".repeat(9000) }))), large);
    const endless = fresh();
    await refusedWith((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => void (response.destroyed || response.write("x".repeat(65_536), more));
      more();
    }, endless);
    const moved = fresh();
    await refusedWith(answering("", 302, { location: clientId }), moved);
    await refusedWith(answering("not JSON"));
    await refusedWith(answering("[]"));
    await refusedWith(answering("", 404));
    const secret = fresh();
    await refusedWith(answering(JSON.stringify(described({ client_id: secret, client_secret: "x" }))), secret);
    const plain = fresh();
    const unsafe = described({ client_id: plain, redirect_uris: ["http://client.example/back"] });
    await refusedWith(answering(JSON.stringify(unsafe)), plain);
    // It never answers: the library gives up after two and a half seconds.
    await refusedWith(() => undefined);
    descriptions.closeAllConnections();
  });

  test("are never looked for on addresses of this network, whatever their names say", async () => {
    let requests = 0;
    describeClient = (_request, response) => {
      requests += 1;
      response.end("{}");
    };
    const [, port] = host.split(":");
    for (const id of [
      "https://127.0.0.2/client.json",
      "https://[::1]/client.json",
      "https://169.254.169.254/latest/meta-data",
      "https://10.0.0.1/client.json",
      "https://192.168.1.1/client.json",
      "https://0.0.0.0/client.json",
      "https://2130706433/client.json",
      "https://0x7f.1/client.json",
      "https://[::ffff:127.0.0.1]/client.json",
      `https://127.0.0.1:${Number(port) + 1}/client.json`,
      `https://user:secret@${host}/client.json`,
      `http://${host}/client.json`,
      `https://${host}/a/../client.json`,
      `https://${host}/client.json#x`,
      "file:///etc/passwd",
      "ftp://127.0.0.1/client.json",
    ])
      assert.equal(await ask(id), 400, id);
    assert.equal(requests, 0);
  });
});

suite("floods", () => {
  test("requests to register and to connect are limited by address", async () => {
    const limited = await startTestService({ environment: { QUERENT_SIGN_INS_PER_MINUTE: "3" } });
    const statuses = [];
    for (let at = 0; at < 5; at++)
      statuses.push((await post(limited, "/oauth/register", JSON.stringify({ redirect_uris: [callback] }))).status);
    assert.deepEqual(statuses, [201, 201, 201, 429, 429]);
    await limited.stop();
  });

  test("of clients that nobody connects, the newest 5,000 are kept for a day; what has expired is deleted", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const { clientId } = await codeFor(person);
    await service.database.query(
      `insert into assistant_clients (id, metadata, expires_at)
       select 'flood ' || n, '{}', now() + interval '1 day' - n * interval '1 millisecond' from generate_series(1, 6000) n`,
    );
    const newest = await register(service);
    const { rows } = await service.database.query<{ id: string }>("select id from assistant_clients");
    const ids = new Set(rows.map(({ id }) => id));
    assert.ok(ids.size <= 5100, String(ids.size));
    assert.ok(ids.has(newest) && ids.has(clientId) && !ids.has("flood 6000"));
    await service.database.query(
      "update assistant_clients set expires_at = now() - interval '1 second'; update authorization_records set expires_at = now() - interval '1 second'",
    );
    await service.database.query("update connections set created_at = now() - interval '2 hours'");
    await forgetConnections(service.database);
    for (const table of ["assistant_clients", "authorization_records", "connections"]) {
      const { rowCount } = await service.database.query(`select from ${table}`);
      assert.equal(rowCount, 0, table);
    }
  });

  test("it can be switched off: then assistants need a token, as before", async () => {
    const off: TestService = await startTestService({ environment: { QUERENT_MCP_SIGN_IN: "off" } });
    const reply = await listTools(off, {});
    assert.deepEqual([reply.status, reply.headers.get("www-authenticate")], [401, 'Bearer realm="querent"']);
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource",
      "/oauth/authorize",
    ])
      assert.equal((await fetch(`${off.address}${path}`)).status, 404);
    const person = await joinAs(off, (await off.account()).accountId, "viewer");
    refused(await person.call("GET", "/v1/connection-request"), "not_found");
    await off.stop();
  });
});
