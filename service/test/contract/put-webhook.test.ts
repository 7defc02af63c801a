/** docs/reference/api.md#set-the-accounts-webhook-endpoint. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { WebhookRecord } from "@querent/contract";
import { invalidAt, refused, startTestService, type TestAccount } from "../harness/service.ts";

const service = await startTestService();
/** A public address, as a literal: no name is looked up. */
const url = "https://93.184.215.14/hook?a=1#f";
const put = (account: TestAccount, body: unknown) => account.call<WebhookRecord>("PUT", "/v1/webhook", { body });

test("200: sets the account default notification address and returns the record", async () => {
  const account = await service.account();
  const { status, body } = await put(account, { url });
  assert.equal(status, 200);
  assert.equal(body.url, url);
  assert.equal(body.status, "active");
  assert.deepEqual((await account.get("/v1/webhook")).body, body);
});

test("200: setting the address leaves the secret as it is", async () => {
  const account = await service.account();
  const before = (await account.get<WebhookRecord>("/v1/webhook")).body;
  const { body } = await put(account, { url });
  assert.equal(body.signingSecret, before.signingSecret);
  assert.equal(body.secretVersion, before.secretVersion);
});

test("200: the record that GET gave can be sent back: its read-only members are ignored", async () => {
  const account = await service.account();
  const { body: before } = await account.get<WebhookRecord>("/v1/webhook");
  const { status, body } = await put(account, { ...before, url, signingSecret: "mine", secretVersion: 7 });
  assert.equal(status, 200);
  assert.deepEqual(body, { ...before, url, status: "active" });
});

test("200: null unsets it", async () => {
  const account = await service.account();
  await put(account, { url });
  const { body } = await put(account, { url: null });
  assert.equal(body.url, null);
  assert.equal(body.status, "unset");
});

test("200: it is this account's address alone", async () => {
  const [account, other] = [await service.account(), await service.account()];
  await put(account, { url });
  assert.equal((await other.get<WebhookRecord>("/v1/webhook")).body.url, null);
});

test("400 malformed_json: an empty body, and what is not JSON", async () => {
  const account = await service.account();
  for (const body of ["", "{", '{"url":}']) refused(await put(account, body), "malformed_json");
  refused(await account.call("PUT", "/v1/webhook"), "malformed_json");
});

test("401 unauthorized, 403 scope_missing", async () => {
  refused(await service.call("PUT", "/v1/webhook", { body: { url } }), "unauthorized");
  refused(await put(await service.account({ scopes: ["tasks:write"] }), { url }), "scope_missing");
});

test("413 payload_too_large: a body above 16 KiB", async () => {
  const account = await service.account();
  refused(await put(account, { url: `https://example.com/${"a".repeat(17_000)}` }), "payload_too_large");
});

test("415 unsupported_media_type", async () => {
  const account = await service.account();
  const headers = { "content-type": "text/plain" };
  refused(await account.call("PUT", "/v1/webhook", { body: "{}", headers }), "unsupported_media_type");
});

test("422 validation_failed: HTTPS only", async () => {
  const account = await service.account();
  for (const bad of ["http://example.com/", "", "example.com", "https://user@example.com/", "ftp://example.com/"])
    invalidAt(await put(account, { url: bad }), { "/url": "malformed" });
});

test("422 validation_failed: url is required, a string or null, and no member is unknown", async () => {
  const account = await service.account();
  invalidAt(await put(account, {}), { "/url": "required" });
  for (const bad of [1, true, [], {}]) invalidAt(await put(account, { url: bad }), { "/url": "wrong_type" });
  const problem = invalidAt(await put(account, { url, adress: "x" }), { "/adress": "unknown_field" });
  assert.equal(problem.errors?.[0]?.detail, "There is no member `adress` here.");
  for (const bad of ["null", "[]", '"https://example.com/"', "1"])
    invalidAt(await put(account, bad), { "": "wrong_type" });
});

test("422 validation_failed: an address that is not a public host's, and the former one stays", async () => {
  const account = await service.account();
  await put(account, { url });
  for (const bad of [
    "https://127.0.0.1/",
    "https://localhost/",
    "https://10.0.0.1/",
    "https://[::1]/",
    "https://169.254.169.254/latest",
  ])
    invalidAt(await put(account, { url: bad }), { "/url": "address_not_allowed" });
  assert.equal((await account.get<WebhookRecord>("/v1/webhook")).body.url, url);
});
