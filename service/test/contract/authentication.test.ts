/** docs/reference/errors.md#unauthorized and docs/reference/errors.md#scope_missing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, scopes, withIncluded } from "@querent/contract";
import { revokeToken } from "../../src/accounts/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { refused, startTestService } from "../harness/service.ts";

const service = await startTestService();
const path = (template: string) => template.replace(/\{\w+\}/g, newId());

for (const operation of api.operations) {
  const { scope } = operation;
  if (operation.login !== undefined) {
    const isRequired = operation.login === "required";
    test(`${operation.id} ${isRequired ? "answers 401 to a token: it needs a login" : "is for pages of the service"}`, async () => {
      const account = await service.account();
      const answer = await account.call(operation.method, path(operation.path));
      refused(answer, isRequired ? "unauthorized" : "foreign_request");
    });
    continue;
  }
  if (scope === null) {
    test(`${operation.id} needs no token`, async () => {
      // What is opened by its own address is not found by another, token or not.
      // One with a body first asks for it.
      const expected = operation.body?.required === true ? 400 : operation.params === undefined ? 200 : 404;
      assert.equal((await service.call(operation.method, path(operation.path))).status, expected);
    });
    continue;
  }
  test(`${operation.id} answers 401 to a request without a Bearer token`, async () => {
    const answer = await service.call(operation.method, path(operation.path));
    refused(answer, "unauthorized");
    assert.match(answer.headers["www-authenticate"] ?? "", /^Bearer realm=/);
  });
  test(`${operation.id} answers 403 to a token without ${scope}, and names it`, async () => {
    const account = await service.account({ scopes: scopes.filter((other) => !withIncluded([other]).includes(scope)) });
    const answer = await account.call(operation.method, path(operation.path));
    assert.ok(refused(answer, "scope_missing").detail.includes(scope));
    assert.match(answer.headers["www-authenticate"] ?? "", /error="insufficient_scope"/);
  });
}

test("a missing, unknown, revoked or expired token, and another scheme, are answered the same", async () => {
  const account = await service.account();
  const revoked = await account.withToken({});
  await revokeToken(service.database, revoked.tokenId);
  const expired = await account.withToken({ expiresAt: new Date(Date.now() - 1000) });
  const details = new Set<string>();
  for (const authorization of [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    `Bearer qrt_${"a".repeat(43)}`,
    `Bearer ${revoked.token}`,
    `Bearer ${expired.token}`,
    `Basic ${account.token}`,
    account.token,
    `Bearer ${account.token}x`,
    `Bearer ${account.token} x`,
    "Bearer ' or 1=1",
    `Bearer ${"a".repeat(5000)}`,
  ]) {
    // prettier-ignore
    const answer = await service.call("GET", "/v1/webhook", authorization === undefined ? {} : { headers: { authorization } });
    details.add(refused(answer, "unauthorized").detail);
  }
  assert.equal(details.size, 1);
});

test("the scheme's name may be in any case", async () => {
  const account = await service.account();
  const headers = { authorization: `bearer ${account.token}` };
  assert.equal((await service.call("GET", "/v1/webhook", { headers })).status, 200);
});

test("a revocation holds at once", async () => {
  const account = await service.account();
  const token = await account.withToken({});
  assert.equal((await token.get("/v1/webhook")).status, 200);
  await revokeToken(service.database, token.tokenId);
  refused(await token.get("/v1/webhook"), "unauthorized");
  assert.equal((await account.get("/v1/webhook")).status, 200);
});

test("a token works until it expires", async () => {
  const account = await service.account();
  const token = await account.withToken({ expiresAt: new Date(Date.now() + 3_600_000) });
  assert.equal((await token.get("/v1/webhook")).status, 200);
});

test("a token's text is stored as its SHA-256 only, and its last use is recorded", async () => {
  const account = await service.account();
  await account.get("/v1/webhook");
  const { rows } = await service.database.query<{ row: string; last_used_at: Date | null }>(
    "select t::text as row, last_used_at from access_tokens t where account_id = $1",
    [account.accountId],
  );
  assert.ok(!rows[0]?.row.includes(account.token.slice(8)));
  assert.notEqual(rows[0]?.last_used_at, null);
  assert.match(account.token, /^qrt_[A-Za-z0-9_-]{43}$/);
});

test("a token reaches its own account alone", async () => {
  const [account, other] = [await service.account(), await service.account()];
  const record = await other.answerTo("Why?", { clientReference: "theirs" });
  for (const address of [
    `/v1/tasks/${record.taskId}`,
    `/v1/batches/${record.batchId}`,
    `/v1/batches/${record.batchId}/results`,
  ])
    refused(await account.get(address), "not_found");
  for (const address of [`/v1/tasks/${record.taskId}/cancellation`, `/v1/batches/${record.batchId}/cancellation`])
    refused(await account.call("POST", address), "not_found");
  for (const query of ["", `?batchId=${record.batchId}`, "?clientReference=theirs"])
    assert.deepEqual((await account.get<{ tasks: unknown[] }>(`/v1/tasks${query}`)).body.tasks, []);
});
