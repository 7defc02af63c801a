/** Requests that cost no points have a rate of their own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { api } from "@querent/contract";
import { item, refused, startTestService } from "../harness/service.ts";

const service = await startTestService({ environment: { QUERENT_FREE_REQUESTS_PER_MINUTE: "3" } });

test("requests that cost nothing are limited together, are told when to come back, and hold up nothing else", async () => {
  const account = await service.account();
  const trial = () => account.call("POST", "/v1/entities/try", { body: { text: "Which?" } });
  const quote = () => account.call("POST", "/v1/tasks/quote", { body: [item()] });
  const first = await trial();
  assert.equal(first.status, 200);
  assert.match(String(first.headers["ratelimit"]), /^"account";r=\d+;t=\d+, "account-free";r=2;t=\d+$/);
  assert.match(String(first.headers["ratelimit-policy"]), /^"account";q=\d+;w=60, "account-free";q=3;w=60$/);
  assert.equal((await quote()).status, 200);
  assert.equal((await trial()).status, 200);
  for (const answer of [await trial(), await quote()]) {
    refused(answer, "rate_limited");
    assert.ok(Number(answer.headers["retry-after"]) >= 1);
    assert.match(String(answer.headers["ratelimit"]), /"account-free";r=0;t=\d+/);
  }
  assert.equal((await account.get("/v1/entities")).status, 200, "reading");
  assert.equal((await account.post([item()])).status, 202, "what is paid for");
  assert.equal((await (await service.account()).call("POST", "/v1/tasks/quote", { body: [item()] })).status, 200);
});

test("whatever stores something without points counts towards the rate", () => {
  for (const operation of api.operations)
    if (operation.stores === "free") assert.equal(operation.free, true, operation.id);
});
