/** docs/reference/api.md#webhookrecord. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { WebhookRecord } from "@querent/contract";
import { startTestService } from "../harness/service.ts";

const service = await startTestService();

test("url is null when unset, and the signing secret is readable all the same", async () => {
  const account = await service.account();
  const { body } = await account.get<WebhookRecord>("/v1/webhook");
  assert.equal(body.url, null);
  assert.match(body.signingSecret, /^whsec_[A-Za-z0-9_-]{43}$/);
  assert.equal(body.secretVersion, 1);
  assert.equal(body.status, "unset");
  assert.equal(body.suspendedAt, null);
  assert.equal(body.lastSuccessAt, null);
});

test("each account has a secret of its own, from its creation", async () => {
  const [one, other] = await Promise.all([service.account(), service.account()]);
  const secrets = await Promise.all([one, other].map((account) => account.get<WebhookRecord>("/v1/webhook")));
  assert.notEqual(secrets[0]?.body.signingSecret, secrets[1]?.body.signingSecret);
});

test("the secret stays the same between readings, and no cache may keep it", async () => {
  const account = await service.account();
  const first = await account.get<WebhookRecord>("/v1/webhook");
  const second = await account.get<WebhookRecord>("/v1/webhook");
  assert.equal(first.body.signingSecret, second.body.signingSecret);
  assert.equal(first.headers["cache-control"], "no-store");
});

test("the secret is not stored in readable form", async () => {
  const account = await service.account();
  const { body } = await account.get<WebhookRecord>("/v1/webhook");
  const { rows } = await service.database.query<{ ciphertext: Buffer }>(
    "select ciphertext from signing_secrets where account_id = $1",
    [account.accountId],
  );
  assert.ok(rows.every(({ ciphertext }) => !ciphertext.includes(body.signingSecret)));
});
