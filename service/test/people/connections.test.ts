/** docs/how-to/assistants.md: an assistant is connected by signing in, from nothing but the address, and its connection ended. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { UnauthorizedError } from "@modelcontextprotocol/client";
import { assistantScopes, type AuditPage, type ConnectionList } from "@querent/contract";
import { toolTable } from "../../../mcp/src/tool-table.ts";
import { refused, startTestService } from "../harness/service.ts";
import {
  callback,
  decide,
  exchange,
  listTools,
  newAssistant,
  newChallenge,
  openRequest,
  post,
  register,
  requestAddress,
  signInAssistant,
  useAssistant,
} from "./assistant.ts";
import { joinAs } from "./browser.ts";

const service = await startTestService({ environment: { QUERENT_MCP: "ask" } });
const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });

test("what assistants can be given are the scopes of the tools", () => {
  const ofTools = new Set(Object.values(toolTable).map(({ scope }) => scope));
  assert.deepEqual(new Set<string>(assistantScopes), ofTools);
});

suite("an assistant that is connected by signing in", () => {
  test("the official client connects from nothing but the address, and its person’s account is asked", async () => {
    const account = await service.account();
    const person = await joinAs(service, account.accountId, "editor");
    const assistant = await signInAssistant(service, person);
    assert.match(assistant.kept?.access_token ?? "", /^qrc_[\w-]{43}$/);
    assert.ok(assistant.kept?.refresh_token);
    await using used = await useAssistant(service, assistant);
    const { tools } = await used.client.listTools();
    assert.ok(tools.some(({ name }) => name === "ask"));
    const answer = await used.client.callTool({
      name: "ask",
      arguments: { question: "Why?", platforms: ["simulator"], waitSeconds: 1 },
    });
    assert.notEqual(answer.isError, true, JSON.stringify(answer));
    assert.equal((await service.counts(account.accountId))["tasks"], 1);

    const { body } = await person.call<ConnectionList>("GET", "/v1/login/connections");
    assert.equal(body.connections.length, 1);
    const { client, scopes, redirectHost, lastUsedAt } = body.connections[0] ?? assert.fail();
    assert.deepEqual([client, redirectHost], [{ name: "Test assistant", host: null }, "127.0.0.1"]);
    assert.deepEqual(scopes, assistantScopes);
    assert.notEqual(lastUsedAt, null);
  });

  test("a request without a token is told where to sign in, and both documents say how", async () => {
    const reply = await listTools(service, {});
    assert.equal(reply.status, 401);
    const header = reply.headers.get("www-authenticate") ?? "";
    assert.match(header, /^Bearer realm="querent", scope="tasks:read reports:read tasks:write", resource_metadata="/);
    const resourceAddress = /resource_metadata="([^"]+)"/.exec(header)?.[1] ?? "";
    for (const address of [resourceAddress, `${service.address}/.well-known/oauth-protected-resource`]) {
      const document = (await (await fetch(address)).json()) as Record<string, unknown>;
      assert.equal(document["resource"], `${service.address}/mcp`);
      assert.deepEqual(document["authorization_servers"], [service.address]);
    }
    const server = await fetch(`${service.address}/.well-known/oauth-authorization-server`);
    assert.equal(server.headers.get("access-control-allow-origin"), "*");
    assert.deepEqual(await server.json(), {
      issuer: service.address,
      authorization_endpoint: `${service.address}/oauth/authorize`,
      token_endpoint: `${service.address}/oauth/token`,
      registration_endpoint: `${service.address}/oauth/register`,
      revocation_endpoint: `${service.address}/oauth/revoke`,
      code_challenge_methods_supported: ["S256"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      scopes_supported: [...assistantScopes],
    });
    const wrong = await listTools(service, bearer("qrc_wrong"));
    assert.equal(wrong.status, 401);
    assert.match(wrong.headers.get("www-authenticate") ?? "", /error="invalid_token"/);
  });

  test("a person who refuses gives nothing, and the client is told", async () => {
    const { accountId } = await service.account();
    const person = await joinAs(service, accountId, "viewer");
    const clientId = await register(service);
    const asked = await openRequest(person, requestAddress(service, clientId, newChallenge()));
    const answer = await decide(person, asked, []);
    assert.equal(answer.origin + answer.pathname, callback);
    const { error, iss, state, code } = Object.fromEntries(answer.searchParams);
    assert.deepEqual([error, iss, state, code], ["access_denied", service.address, "state of the client", undefined]);
    const { body } = await person.call<ConnectionList>("GET", "/v1/login/connections");
    assert.deepEqual(body.connections, []);
  });

  test("its end takes effect at once: the token, the refresh and the code are refused", async () => {
    const { accountId } = await service.account();
    const owner = await joinAs(service, accountId, "owner");
    const person = await joinAs(service, accountId, "viewer");
    const assistant = await signInAssistant(service, person);
    await using used = await useAssistant(service, assistant);
    await used.client.listTools();
    const { body } = await owner.call<ConnectionList>("GET", "/v1/connections");
    const [connection] = body.connections;
    assert.equal(connection?.email, person.email);
    const path = `/v1/connections/${connection?.connectionId}`;
    refused(await person.call("DELETE", path, { body: {} }), "scope_missing");
    assert.equal((await owner.call("DELETE", path, { body: {} })).status, 204);
    refused(await owner.call("DELETE", path, { body: {} }), "not_found");
    assert.equal((await listTools(service, bearer(assistant.kept?.access_token))).status, 401);
    const refresh = await post(service, "/oauth/token", {
      grant_type: "refresh_token",
      refresh_token: assistant.kept?.refresh_token ?? "",
      client_id: assistant.client?.client_id ?? "",
    });
    assert.deepEqual([refresh.status, refresh.body["error"]], [400, "invalid_grant"]);
    // The official client tries to refresh, and then asks the person again.
    await assert.rejects(used.client.listTools(), UnauthorizedError);

    const audit = await owner.call<AuditPage>("GET", "/v1/audit");
    const told = audit.body.entries.filter(({ target }) => target?.type === "connection");
    assert.deepEqual(
      told.map(({ operation, actor }) => [operation, actor.name]),
      [
        ["endConnection", owner.email],
        ["decideConnectionRequest", person.email],
      ],
    );
  });

  test("a role that shrinks takes from what was given, and a member who is removed has no assistant left", async () => {
    const { accountId } = await service.account();
    const owner = await joinAs(service, accountId, "owner");
    const person = await joinAs(service, accountId, "editor");
    const assistant = await signInAssistant(service, person);
    const token = assistant.kept?.access_token;
    const toolNames = async () => {
      const reply = (await (await listTools(service, bearer(token))).json()) as {
        result: { tools: { name: string }[] };
      };
      return reply.result.tools.map(({ name }) => name);
    };
    assert.ok((await toolNames()).includes("ask"));
    const member = `/v1/members/${person.state.memberId}`;
    const changed = await owner.call("PUT", member, { body: { role: "viewer" } });
    assert.equal(changed.status, 200, changed.text);
    assert.ok(!(await toolNames()).includes("ask"));
    await owner.call("PUT", member, { body: { role: "client", projects: [accountId] } });
    assert.deepEqual(await toolNames(), ["panels", "figures", "changes", "compare", "pairs", "searches", "prices"]);
    await owner.call("DELETE", member, { body: {} });
    assert.equal((await listTools(service, bearer(token))).status, 401);
    const { rowCount } = await service.database.query("select from connections where account_id = $1", [accountId]);
    assert.equal(rowCount, 0);
  });

  test("what the person has not given is asked for once a tool needs it", async () => {
    const { accountId } = await service.account();
    const person = await joinAs(service, accountId, "editor");
    const assistant = await signInAssistant(service, person, newAssistant(), ["tasks:read", "reports:read"]);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ask", arguments: {} } };
    const reply = await listTools(service, bearer(assistant.kept?.access_token), call);
    assert.equal(reply.status, 403);
    assert.match(
      reply.headers.get("www-authenticate") ?? "",
      /error="insufficient_scope", scope="tasks:read reports:read tasks:write", resource_metadata="/,
    );
    // Connecting again, the client takes the place of what it was.
    await using used = await useAssistant(service, assistant);
    await assert.rejects(
      used.client.callTool({ name: "ask", arguments: { question: "Why?", platforms: ["simulator"] } }),
      UnauthorizedError,
    );
    const opened = assistant.opened ?? assert.fail();
    assert.equal(opened.searchParams.get("scope"), "tasks:read reports:read tasks:write");
    await decide(person, await openRequest(person, opened.href), ["tasks:read", "reports:read", "tasks:write"]);
    const { body } = await person.call<ConnectionList>("GET", "/v1/login/connections");
    assert.deepEqual(
      body.connections.map(({ scopes }) => scopes.length),
      [3],
    );
  });

  test("its token is for /mcp alone, and tokens of the account are accepted there as ever", async () => {
    const account = await service.account();
    const person = await joinAs(service, account.accountId, "owner");
    const { kept } = await signInAssistant(service, person);
    for (const path of ["/v1/tasks", "/v1/login", "/v1/connections", "/v1/tokens"])
      refused(await service.call("GET", path, { headers: bearer(kept?.access_token) }), "unauthorized");
    assert.equal((await listTools(service, bearer(account.token))).status, 200);
  });

  test("a refresh token is used once: its second use ends the connection, and the audit log says why", async () => {
    const { accountId } = await service.account();
    const owner = await joinAs(service, accountId, "owner");
    const { kept, client } = await signInAssistant(service, owner);
    const refresh = (token: unknown) =>
      post(service, "/oauth/token", {
        grant_type: "refresh_token",
        refresh_token: String(token),
        client_id: client?.client_id ?? "",
      });
    const second = await refresh(kept?.refresh_token);
    assert.equal(second.status, 200, JSON.stringify(second.body));
    assert.equal((await listTools(service, bearer(second.body["access_token"]))).status, 200);
    const stolen = await refresh(kept?.refresh_token);
    assert.equal(stolen.body["error"], "invalid_grant");
    assert.equal((await listTools(service, bearer(second.body["access_token"]))).status, 401);
    assert.equal((await refresh(second.body["refresh_token"])).body["error"], "invalid_grant");
    const { body } = await owner.call<AuditPage>("GET", "/v1/audit");
    const [entry] = body.entries.filter(({ operation }) => operation === "endConnection");
    assert.deepEqual(
      [entry?.actor.kind, entry?.after],
      ["system", { reason: "a code or a refresh token was used twice" }],
    );
  });

  test("of exchanges of one code at the same moment, at most one succeeds, and none fails otherwise", async () => {
    const { accountId } = await service.account();
    const person = await joinAs(service, accountId, "viewer");
    const [clientId, pair] = [await register(service), newChallenge()];
    const asked = await openRequest(person, requestAddress(service, clientId, pair));
    const code = (await decide(person, asked, asked.allowed)).searchParams.get("code") ?? "";
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => exchange(service, { client_id: clientId, code, code_verifier: pair.verifier })),
    );
    assert.ok(replies.filter(({ status }) => status === 200).length <= 1);
    assert.ok(replies.every(({ status, body }) => status === 200 || body["error"] === "invalid_grant"));
  });
});
