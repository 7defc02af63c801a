/** docs/reference/api.md#read-the-webhook-settings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { WebhookRecord } from "@querent/contract";
import { refused, startTestService } from "../harness/service.ts";

const service = await startTestService();

test("200: when no address is configured, url is null and signingSecret is still returned", async () => {
  const account = await service.account();
  const { status, body } = await account.get<WebhookRecord>("/v1/webhook");
  assert.equal(status, 200);
  assert.equal(body.url, null);
  assert.ok(body.signingSecret.length > 40);
});

test("401 unauthorized: without a token", async () => {
  refused(await service.call("GET", "/v1/webhook"), "unauthorized");
});

test("403 scope_missing: a token without webhook:manage reads no secret", async () => {
  const account = await service.account({ scopes: ["tasks:write", "tasks:read", "usage:read", "admin"] });
  const answer = await account.get("/v1/webhook");
  refused(answer, "scope_missing");
  assert.doesNotMatch(answer.text, /whsec_/);
});

test("405 method_not_allowed: it is read with GET and set with PUT", async () => {
  const account = await service.account();
  const answer = await account.call("POST", "/v1/webhook", { body: {} });
  refused(answer, "method_not_allowed");
  assert.equal(answer.headers["allow"], "GET, HEAD, PUT");
});
