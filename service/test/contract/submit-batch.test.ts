/** docs/reference/api.md#submit-a-batch-of-questions. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { SubmissionAccepted } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { invalidAt, item, refused, startTestService } from "../harness/service.ts";

const service = await startTestService();
const small = await startTestService({ environment: { QUERENT_MAX_BATCH_ITEMS: "3" } });

test("202: each list item gets its own taskId", async () => {
  const account = await service.account();
  const { tasks } = await account.submit([item("A?"), item("B?")]);
  assert.equal((await account.ended(tasks[0]?.taskId ?? "")).question, "A?");
  assert.equal((await account.ended(tasks[1]?.taskId ?? "")).question, "B?");
});

test("202: the request is one JSON list, also of 1,000 items", async () => {
  const account = await service.account();
  const accepted = await account.submit(Array.from({ length: 1000 }, (_, index) => item(`Question ${index}?`)));
  assert.equal(accepted.acceptedCount, 1000);
  assert.equal(accepted.estimatedPoints, 1000);
});

test("202: a retry with the same key and bytes gets the first answer, marked as replayed, and nothing is done twice", async () => {
  const account = await service.account();
  const headers = { "idempotency-key": newId() };
  const first = await account.post([item()], headers);
  assert.equal(first.headers["idempotent-replayed"], undefined);
  const [task] = first.body.tasks;
  await account.ended(task?.taskId ?? "");
  const before = await service.counts(account.accountId);
  const again = await account.post([item()], headers);
  assert.equal(again.status, 202);
  assert.equal(again.text, first.text);
  assert.equal(again.headers["idempotent-replayed"], "true");
  assert.deepEqual(await service.counts(account.accountId), before);
});

test("202: retries at the same moment make one batch: each gets the first answer or 409 with Retry-After", async () => {
  const account = await service.account();
  const headers = { "idempotency-key": newId() };
  const answers = await Promise.all(Array.from({ length: 10 }, () => account.post([item()], headers)));
  const batches = new Set(answers.filter(({ status }) => status === 202).map(({ body }) => body.batchId));
  assert.equal(batches.size, 1);
  for (const answer of answers) if (answer.status !== 202) refused(answer, "idempotency_key_in_use");
  const { rows } = await service.database.query("select 1 from batches where account_id = $1", [account.accountId]);
  assert.equal(rows.length, 1);
});

test("202: a new submission uses a new key", async () => {
  const account = await service.account();
  const one = await account.submit([item()]);
  const other = await account.submit([item()]);
  assert.notEqual(one.batchId, other.batchId);
});

test("202: a quoted key is the same key as the bare one", async () => {
  const account = await service.account();
  const first = await account.post([item()], { "idempotency-key": "key-1" });
  const again = await account.post([item()], { "idempotency-key": '"key-1"' });
  assert.equal(again.text, first.text);
});

test("202: a key belongs to its account: another account's is another key", async () => {
  const [one, other] = [await service.account(), await service.account()];
  const first = await one.submit([item()], "shared");
  const second = await other.submit([item("Another body?")], "shared");
  assert.notEqual(first.batchId, second.batchId);
});

test("202: a key of 255 printable characters is taken, bare or quoted, with escapes", async () => {
  const account = await service.account();
  await account.submit([item()], "k".repeat(255));
  const quoted = await account.post([item()], { "idempotency-key": `"${'\\"'.repeat(2)}${"q".repeat(253)}"` });
  assert.equal(quoted.status, 202);
});

test("202: a charset of utf-8 may be named in the content type", async () => {
  const account = await service.account();
  for (const type of ["application/json; charset=utf-8", 'application/json;charset="UTF-8"', "APPLICATION/JSON"])
    assert.equal((await account.post([item()], { "content-type": type })).status, 202);
});

test("400 malformed_json: what is not JSON, and an empty body", async () => {
  const account = await service.account();
  for (const body of ["", "{", "[1,]", "nul", "[{}]x", "[01]", "['a']", "NaN"])
    refused(await account.post(body), "malformed_json");
});

test("400 malformed_json: bytes that are not UTF-8", async () => {
  const account = await service.account();
  refused(await account.post(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])), "malformed_json");
  refused(await account.post(Buffer.from(JSON.stringify([item()]), "utf16le")), "malformed_json");
});

test("400 idempotency_key_missing: no key, or an empty one", async () => {
  const account = await service.account();
  refused(await account.call("POST", "/v1/tasks/batch", { body: [item()] }), "idempotency_key_missing");
  refused(await account.post([item()], { "idempotency-key": "" }), "idempotency_key_missing");
});

for (const [name, key] of Object.entries({
  "longer than 255 characters": "k".repeat(256),
  "not ASCII": "clé",
  "quoted and empty": '""',
  "with a quotation mark that does not end": '"abc',
  "with a quotation mark inside that is not escaped": '"a"b"',
})) {
  test(`400 idempotency_key_malformed: a key ${name}`, async () => {
    const account = await service.account();
    refused(await account.post([item()], { "idempotency-key": key }), "idempotency_key_malformed");
  });
}

test("400: the key is checked before the body", async () => {
  const account = await service.account();
  refused(await account.call("POST", "/v1/tasks/batch", { body: "not json" }), "idempotency_key_missing");
});

test("401 unauthorized: without a token", async () => {
  refused(await service.call("POST", "/v1/tasks/batch", { body: [item()] }), "unauthorized");
});

test("402 points_short: a batch that the balance can't hold is refused whole, with the shortfall", async () => {
  const account = await service.account({ points: 2 });
  const before = await service.counts(account.accountId);
  const problem = refused(await account.post([item(), item(), item(), item()]), "points_short");
  assert.match(problem.detail, /\b2 short\b/);
  assert.deepEqual(await service.counts(account.accountId), before);
  assert.equal((await account.submit([item(), item()])).acceptedCount, 2);
});

test("403 scope_missing: a token without tasks:write", async () => {
  const account = await service.account({ scopes: ["tasks:read"] });
  assert.match(refused(await account.post([item()]), "scope_missing").detail, /tasks:write/);
});

test("405 method_not_allowed, with Allow", async () => {
  const account = await service.account();
  for (const method of ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]) {
    const answer = await account.call(method, "/v1/tasks/batch");
    refused(answer, "method_not_allowed");
    assert.equal(answer.headers["allow"], "POST");
  }
});

test("409 idempotency_key_in_use: the same key is being processed", async () => {
  const account = await service.account();
  // What a request under way holds until its commit.
  await service.database.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`${account.accountId} tasks/batch held`]);
    const answer = await account.post([item()], { "idempotency-key": "held" });
    refused(answer, "idempotency_key_in_use");
    assert.equal(answer.headers["retry-after"], "1");
  });
  assert.equal((await account.submit([item()], "held")).acceptedCount, 1);
});

test("413 payload_too_large: a body above 16 MiB", async () => {
  const account = await service.account();
  refused(await account.post(Buffer.alloc(16 * 1024 * 1024 + 1, " ")), "payload_too_large");
});

test("415 unsupported_media_type: a body that is not declared as JSON in UTF-8", async () => {
  const account = await service.account();
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/jsonp",
    "application/json; charset=utf-16",
    "multipart/form-data; boundary=x",
    "application/problem+json",
  ])
    refused(await account.post([item()], { "content-type": type }), "unsupported_media_type");
});

test("415 unsupported_media_type: a body with Content-Encoding", async () => {
  const account = await service.account();
  refused(await account.post([item()], { "content-encoding": "gzip" }), "unsupported_media_type");
});

test("422 validation_failed: the body is a list, not empty, and of 1,000 items at most", async () => {
  const account = await service.account();
  for (const body of [{}, item(), "text", 1, true, null])
    invalidAt(await account.post(JSON.stringify(body)), { "": "wrong_type" });
  invalidAt(await account.post([]), { "": "too_few" });
  invalidAt(await account.post(Array.from({ length: 1001 }, () => item())), { "": "too_many" });
});

test("422 validation_failed: the number of items is the operator's to set", async () => {
  const account = await small.account();
  assert.equal((await account.submit([item(), item(), item()])).acceptedCount, 3);
  invalidAt(await account.post([item(), item(), item(), item()]), { "": "too_many" });
});

test("422 validation_failed: a refusal lists every bad item with a JSON Pointer, and accepts nothing, the good ones included", async () => {
  const account = await service.account();
  const before = await service.counts(account.accountId);
  const answer = await account.post([item(), item(""), item(), { ...item(), priority: 99 }]);
  invalidAt(answer, { "/1/question": "too_short", "/3/priority": "out_of_range" });
  assert.deepEqual(await service.counts(account.accountId), before);
});

test("422 validation_failed: the first 100 places are listed", async () => {
  const account = await service.account();
  const problem = refused(await account.post(Array.from({ length: 200 }, () => item(""))), "validation_failed");
  assert.equal(problem.errors?.length, 100);
});

test("422 idempotency_key_reused: a known key with a different body", async () => {
  const account = await service.account();
  await account.submit([item("One?")], "used");
  refused(await account.post([item("Other?")], { "idempotency-key": "used" }), "idempotency_key_reused");
  refused(await account.post([item("One?"), item("One?")], { "idempotency-key": "used" }), "idempotency_key_reused");
  refused(
    await account.post([item("One?", { options: { deepAnalysis: true } })], { "idempotency-key": "used" }),
    "idempotency_key_reused",
  );
  refused(await account.post("[1e999]", { "idempotency-key": "used" }), "idempotency_key_reused");
});

test("202: a repeat that means the same gets the first answer, however it is written", async () => {
  const account = await service.account();
  const headers = { "idempotency-key": "written" };
  const first = await account.post(
    '[{"question":"Why é?","platformCode":"simulator","options":{},"tags":["a","b"],"runTimeoutSeconds":30}]',
    headers,
  );
  assert.equal(first.status, 202, first.text);
  for (const same of [
    '[{"question":"Why é?","platformCode":"simulator","options":{},"tags":["a","b"],"runTimeoutSeconds":30}]',
    ' [ { "tags": ["a", "b"], "runTimeoutSeconds": 3.0e1,\n"platformCode": "simulator", "question": "Why \\u00e9?" } ] ',
    '\uFEFF[{"question":"Why é?","platformCode":"simulator","options":null,"webhookUrl":null,"clientReference":null,"tags":["a","b"],"runTimeoutSeconds":30,"priority":5}]',
    '[{"question":"Why é?","platformCode":"simulator","options":{"output":"answer","deepAnalysis":false,"resultFormat":"json"},"tags":["a","b"],"runTimeoutSeconds":30}]',
  ]) {
    const again = await account.post(same, headers);
    assert.equal(again.text, first.text, same);
    assert.equal(again.headers["idempotent-replayed"], "true");
  }
  for (const other of [
    '[{"question":"Why é?","platformCode":"simulator","tags":["b","a"],"runTimeoutSeconds":30}]',
    '[{"question":"Why é? ","platformCode":"simulator","tags":["a","b"],"runTimeoutSeconds":30}]',
    '[{"question":"Why é?","platformCode":"simulator","tags":["a","b"],"runTimeoutSeconds":31}]',
  ])
    refused(await account.post(other, headers), "idempotency_key_reused");
});

test("202: a key that was stored by the digest of its bytes, as version 0.1.0 did, is replayed for the same bytes", async () => {
  const account = await service.account();
  const body = '[{"question":"Old?",  "platformCode":"simulator","options":{}}]';
  const first = await account.post(body, { "idempotency-key": "old" });
  await service.database.query("update idempotency_keys set fingerprint = $2 where account_id = $1", [
    account.accountId,
    createHash("sha256").update(body).digest(),
  ]);
  assert.equal((await account.post(body, { "idempotency-key": "old" })).text, first.text);
  refused(await account.post([item("New?")], { "idempotency-key": "old" }), "idempotency_key_reused");
});

test("a refused request does not use its key up", async () => {
  const account = await service.account({ points: 1 });
  const headers = { "idempotency-key": "again" };
  invalidAt(await account.post([item("")], headers), { "/0/question": "too_short" });
  refused(await account.post([item(), item()], headers), "points_short");
  refused(await account.post("[", headers), "malformed_json");
  const accepted = await account.post([item()], headers);
  assert.equal(accepted.status, 202);
  assert.equal(accepted.headers["idempotent-replayed"], undefined);
});

test("503 queue_full: an account with as many unfinished tasks as it may have", async () => {
  const account = await service.account();
  await service.database.query("update accounts set unfinished_max = 2 where id = $1", [account.accountId]);
  const later = item("Later?", { notBefore: "2999-01-01T00:00:00Z" });
  await account.submit([later, later]);
  const before = await service.counts(account.accountId);
  refused(await account.post([item()]), "queue_full");
  assert.deepEqual(await service.counts(account.accountId), before);
});

test("the submit call does not wait for the answer", async () => {
  const account = await service.account();
  const accepted: SubmissionAccepted = await account.submit([item("delay=30m")]);
  assert.equal(accepted.tasks[0]?.state, "pending");
  await account.call("POST", `/v1/batches/${accepted.batchId}/cancellation`);
});
