/** docs/reference/api.md#tokens. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { IssuedToken, TokenList, TokenRecord } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { invalidAt, refused, startTestService } from "../harness/service.ts";

const service = await startTestService();
const request = { name: "nightly survey", scopes: ["tasks:read"] };

test("a token is issued, shown once, works, is listed without its text, and is refused from its revocation on", async () => {
  const account = await service.account();
  const answer = await account.call<IssuedToken>("POST", "/v1/tokens", { body: request });
  assert.deepEqual([answer.status, answer.headers["cache-control"]], [201, "no-store"]);
  const { token, record } = answer.body;
  assert.match(token, /^qrt_[A-Za-z0-9_-]{43}$/);
  const asIssued = (path: string) => service.call("GET", path, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await asIssued("/v1/tasks")).status, 200);
  refused(await asIssued("/v1/usage"), "scope_missing");

  const listed = await account.get<TokenList>("/v1/tokens");
  assert.ok(!listed.text.includes(token));
  const found = listed.body.tokens.find(({ tokenId }) => tokenId === record.tokenId);
  assert.deepEqual(
    [found?.name, found?.scopes, found?.expiresAt, found?.revokedAt, found?.lastUsedAt === null],
    ["nightly survey", ["tasks:read"], null, null, false],
  );
  const revoke = () => account.call<TokenRecord>("POST", `/v1/tokens/${record.tokenId}/revocation`);
  const revoked = await revoke();
  assert.notEqual(revoked.body.revokedAt, null);
  refused(await asIssued("/v1/tasks"), "unauthorized");
  assert.deepEqual((await revoke()).body, revoked.body, "revoking again changes nothing");
  const after = (await account.get<TokenList>("/v1/tokens")).body.tokens;
  assert.equal(after.at(-1)?.tokenId, record.tokenId, "those that are revoked come last");
});

test("a token is refused from its expiry on", async () => {
  const account = await service.account();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await account.call<IssuedToken>("POST", "/v1/tokens", { body: { ...request, expiresAt } });
  assert.equal(body.record.expiresAt, expiresAt);
  await service.database.query("update access_tokens set expires_at = now() where id = $1", [body.record.tokenId]);
  refused(
    await service.call("GET", "/v1/tasks", { headers: { authorization: `Bearer ${body.token}` } }),
    "unauthorized",
  );
});

test("only the scope admin issues and revokes; only usage:read lists", async () => {
  const account = await service.account();
  const user = await account.withToken({ scopes: ["tasks:write", "tasks:read", "webhook:manage", "usage:read"] });
  refused(await user.call("POST", "/v1/tokens", { body: request }), "scope_missing");
  refused(await user.call("POST", `/v1/tokens/${user.tokenId}/revocation`), "scope_missing");
  assert.equal((await user.get("/v1/tokens")).status, 200);
  refused(await (await account.withToken({ scopes: ["admin"] })).get("/v1/tokens"), "scope_missing");
});

test("another account's token is neither listed nor revoked, and is answered like one that is not there", async () => {
  const [mine, other] = [await service.account(), await service.account()];
  const theirs = await other.withToken({});
  refused(await mine.call("POST", `/v1/tokens/${theirs.tokenId}/revocation`), "not_found");
  refused(await mine.call("POST", `/v1/tokens/${newId()}/revocation`), "not_found");
  refused(await mine.call("POST", "/v1/tokens/nonsense/revocation"), "not_found");
  assert.equal((await theirs.get("/v1/usage")).status, 200);
  const { tokens } = (await mine.get<TokenList>("/v1/tokens")).body;
  assert.ok(!tokens.some(({ tokenId }) => tokenId === theirs.tokenId));
});

test("what is no token's description is refused with its places, and issues nothing", async () => {
  const account = await service.account();
  const issue = (body: unknown) => account.call("POST", "/v1/tokens", { body });
  const before = (await account.get("/v1/tokens")).text;
  invalidAt(await issue({}), { "/name": "required", "/scopes": "required" });
  invalidAt(await issue({ ...request, name: "" }), { "/name": "too_short" });
  invalidAt(await issue({ ...request, name: "x".repeat(101) }), { "/name": "too_long" });
  invalidAt(await issue({ ...request, name: "a\0b" }), { "/name": "unstorable_text" });
  invalidAt(await issue({ ...request, scopes: [] }), { "/scopes": "too_few" });
  invalidAt(await issue({ ...request, scopes: ["root"] }), { "/scopes/0": "not_allowed" });
  invalidAt(await issue({ ...request, scope: "admin" }), { "/scope": "unknown_field" });
  invalidAt(await issue({ ...request, expiresAt: "tomorrow" }), { "/expiresAt": "malformed" });
  invalidAt(await issue({ ...request, expiresAt: "2001-01-01T00:00:00Z" }), { "/expiresAt": "not_allowed" });
  assert.equal((await issue({ ...request, scopes: ["tasks:read", "tasks:read"] })).status, 422);
  refused(await issue("{"), "malformed_json");
  assert.equal((await account.get("/v1/tokens")).text, before);
});

test("every change is logged with the token that made it, and never with a token's text", async () => {
  const account = await service.account();
  const admin = await account.withToken({});
  const { body } = await admin.call<IssuedToken>("POST", "/v1/tokens", { body: request });
  await admin.call("POST", `/v1/tokens/${body.record.tokenId}/revocation`);
  await admin.call("POST", `/v1/tokens/${body.record.tokenId}/revocation`);
  const by = { tokenId: admin.tokenId, accountId: account.accountId, personId: null };
  const { accountId } = account;
  const { tokenId } = body.record;
  assert.deepEqual(
    service.events.filter((event) => "by" in event && event.by.tokenId === admin.tokenId),
    [
      { event: "token.issued", tokenId, accountId, scopes: ["tasks:read"], by },
      { event: "token.revoked", tokenId, accountId, by },
    ],
  );
  assert.ok(!JSON.stringify(service.events).includes(body.token));
});
