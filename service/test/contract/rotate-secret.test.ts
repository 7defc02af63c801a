/** docs/reference/api.md#rotate-the-signing-secret. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { WebhookRecord } from "@querent/contract";
import { invalidAt, refused, startTestService, type TestAccount } from "../harness/service.ts";

const service = await startTestService();
const path = "/v1/webhook/signing-secret/rotation";
const rotate = (account: TestAccount, body?: unknown) =>
  account.call<WebhookRecord>("POST", path, body === undefined ? {} : { body });

test("200: rotates the secret, and the record has the new one with a version one higher", async () => {
  const account = await service.account();
  const before = (await account.get<WebhookRecord>("/v1/webhook")).body;
  const { status, body } = await rotate(account);
  assert.equal(status, 200);
  assert.notEqual(body.signingSecret, before.signingSecret);
  assert.match(body.signingSecret, /^whsec_[A-Za-z0-9_-]{43}$/);
  assert.equal(body.secretVersion, before.secretVersion + 1);
  assert.deepEqual((await account.get("/v1/webhook")).body, body);
});

test("200: takes no body, an empty object, or how long the secret before stays valid", async () => {
  const account = await service.account();
  for (const body of [undefined, "", {}, { previousSecretValidSeconds: 0 }, { previousSecretValidSeconds: 604_800 }])
    assert.equal((await rotate(account, body)).status, 200);
  assert.equal((await account.get<WebhookRecord>("/v1/webhook")).body.secretVersion, 6);
});

test("200: an empty body may be declared as anything; null is an absent member", async () => {
  const account = await service.account();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  for (const more of [{}, { "content-length": "0" }])
    assert.equal((await account.call("POST", path, { headers: { ...headers, ...more } })).status, 200);
  assert.equal((await account.call("POST", path, { headers, body: "" })).status, 200);
  assert.equal((await rotate(account, { previousSecretValidSeconds: null })).status, 200);
  assert.equal((await rotate(account, "null")).status, 200);
  refused(await account.call("POST", path, { headers, body: "a=b" }), "unsupported_media_type");
});

test("200: rotations at the same moment each get a version and a secret of their own", async () => {
  const account = await service.account();
  const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(account)));
  assert.deepEqual(
    answers.map(({ body }) => body.secretVersion).toSorted((a, b) => a - b),
    [2, 3, 4, 5, 6],
  );
  assert.equal(new Set(answers.map(({ body }) => body.signingSecret)).size, 5);
});

test("400 malformed_json", async () => {
  const account = await service.account();
  refused(await rotate(account, "{"), "malformed_json");
});

test("401 unauthorized, 403 scope_missing", async () => {
  refused(await service.call("POST", path), "unauthorized");
  refused(await rotate(await service.account({ scopes: ["tasks:write"] })), "scope_missing");
});

test("405 method_not_allowed", async () => {
  const account = await service.account();
  const answer = await account.get(path);
  refused(answer, "method_not_allowed");
  assert.equal(answer.headers["allow"], "POST");
});

test("413 payload_too_large, 415 unsupported_media_type", async () => {
  const account = await service.account();
  refused(await rotate(account, " ".repeat(17_000)), "payload_too_large");
  const headers = { "content-type": "text/plain" };
  refused(await account.call("POST", path, { body: "{}", headers }), "unsupported_media_type");
});

test("422 validation_failed: previousSecretValidSeconds is a whole number from 0 to 604,800", async () => {
  const account = await service.account();
  const at = "/previousSecretValidSeconds";
  for (const bad of [-1, 604_801])
    invalidAt(await rotate(account, { previousSecretValidSeconds: bad }), { [at]: "out_of_range" });
  for (const bad of [0.5, "60"])
    invalidAt(await rotate(account, { previousSecretValidSeconds: bad }), { [at]: "wrong_type" });
  for (const bad of ["[]", "7"]) invalidAt(await rotate(account, bad), { "": "wrong_type" });
  invalidAt(await rotate(account, { previousSecretValid: 1 }), { "/previousSecretValid": "unknown_field" });
  assert.equal((await account.get<WebhookRecord>("/v1/webhook")).body.secretVersion, 1);
});
