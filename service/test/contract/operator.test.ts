/** docs/reference/api.md#operator. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type {
  AccountPage,
  AccountRecord,
  Engine,
  IssuedToken,
  LedgerPage,
  QueueRecord,
  SessionList,
  TokenList,
} from "@querent/contract";
import { configureLimiters } from "../../src/dispatch/index.ts";
import { keepSession } from "../../src/sessions/index.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { invalidAt, item, refused, startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const service = await startTestService();
const operator = await service.account();
const limitsOf = (platform: string) => `/v1/admin/platforms/${platform}/limits`;
const queueOf = async (platform: string) => {
  const { queues } = (await operator.get<Engine>("/v1/admin/engine")).body;
  return queues.find(({ platformCode }) => platformCode === platform);
};
const create = (body: unknown) => operator.call<AccountRecord>("POST", "/v1/admin/accounts", { body });

test("nothing below /v1/admin answers a token without the scope admin", async () => {
  const user = await operator.withToken({ scopes: ["tasks:write", "tasks:read", "webhook:manage", "usage:read"] });
  const { accountId } = operator;
  const calls: [string, string, unknown?][] = [
    ["GET", "/v1/admin/engine"],
    ["PUT", limitsOf("simulator"), { runningMax: 1, rate: null }],
    ["DELETE", limitsOf("simulator")],
    ["GET", "/v1/admin/accounts"],
    ["GET", "/v1/admin/sessions"],
    ["PUT", "/v1/admin/platforms/kimi-web/sessions/x", { cookies: [], origins: [] }],
    ["DELETE", "/v1/admin/platforms/kimi-web/sessions/x"],
    ["POST", "/v1/admin/platforms/kimi-web/sessions/x/resumption"],
    ["POST", "/v1/admin/sign-ins", { platformCode: "kimi-web", name: "x" }],
    ["GET", `/v1/admin/sign-ins/${newId()}`],
    ["POST", `/v1/admin/sign-ins/${newId()}/input`, { events: [{ type: "text", text: "x" }] }],
    ["POST", `/v1/admin/sign-ins/${newId()}/session`],
    ["DELETE", `/v1/admin/sign-ins/${newId()}`],
    ["POST", "/v1/admin/accounts", { name: "x" }],
    ["PUT", `/v1/admin/accounts/${accountId}/limits`, { unfinishedMax: 1 }],
    ["POST", `/v1/admin/accounts/${accountId}/grants`, { points: 1 }],
    ["GET", `/v1/admin/accounts/${accountId}/tokens`],
    ["POST", `/v1/admin/accounts/${accountId}/tokens`, { name: "x", scopes: ["admin"] }],
    ["POST", `/v1/admin/tokens/${user.tokenId}/revocation`],
  ];
  for (const [method, path, body] of calls)
    refused(await user.call(method, path, body === undefined ? {} : { body }), "scope_missing");
});

test("an account is made, found by a part of its name, given points and a token, and then asks", async () => {
  const name = `Blue Harbour ${newId()}`;
  const made = await create({ name, points: 5 });
  assert.equal(made.status, 201);
  assert.deepEqual(made.body.balance, { available: 5, held: 0, captured: 0, granted: 5 });
  const { accountId } = made.body;
  refused(await create({ name, points: 5 }), "state_conflict");

  const found = (await operator.get<AccountPage>(`/v1/admin/accounts?text=${encodeURIComponent(name.toUpperCase())}`))
    .body;
  assert.deepEqual(found, { accounts: [made.body], nextCursor: null });
  const granted = await operator.call<AccountRecord>("POST", `/v1/admin/accounts/${accountId}/grants`, {
    body: { points: 7, note: "invoice 1042" },
  });
  assert.deepEqual([granted.status, granted.body.balance.available], [201, 12]);

  const { token, record } = (
    await operator.call<IssuedToken>("POST", `/v1/admin/accounts/${accountId}/tokens`, {
      body: { name: "first", scopes: ["tasks:write", "usage:read"] },
    })
  ).body;
  const headers = { authorization: `Bearer ${token}` };
  const submitted = await service.call("POST", "/v1/tasks/batch", {
    body: [item()],
    headers: { ...headers, "idempotency-key": "k" },
  });
  assert.equal(submitted.status, 202);
  const ledger = await service.call<LedgerPage>("GET", "/v1/usage/ledger?kind=grant", { headers });
  assert.deepEqual(
    ledger.body.entries.map(({ points, note }) => [points, note]),
    [
      [7, "invoice 1042"],
      [5, "at the account's creation"],
    ],
  );
  const listed = await operator.get<TokenList>(`/v1/admin/accounts/${accountId}/tokens`);
  assert.deepEqual(
    listed.body.tokens.map(({ tokenId }) => tokenId),
    [record.tokenId],
  );
  await operator.call("POST", `/v1/admin/tokens/${record.tokenId}/revocation`);
  refused(await service.call("GET", "/v1/usage", { headers }), "unauthorized");
});

test("an account's unfinished tasks are bounded by what the operator sets, from the next submission on", async () => {
  const account = await service.account();
  const path = `/v1/admin/accounts/${account.accountId}/limits`;
  const changed = await operator.call<AccountRecord>("PUT", path, { body: { unfinishedMax: 1 } });
  assert.equal(changed.body.unfinishedMax, 1);
  refused(await account.post([item(), item()]), "queue_full");
  assert.equal((await account.post([item()])).status, 202);
  for (const unfinishedMax of [0, -1, 1.5, 1e12])
    assert.equal((await operator.call("PUT", path, { body: { unfinishedMax } })).status, 422);
  refused(
    await operator.call("PUT", `/v1/admin/accounts/${newId()}/limits`, { body: { unfinishedMax: 1 } }),
    "not_found",
  );
});

test("accounts come in pages, the newest first", async () => {
  const part = newId();
  for (const n of [1, 2, 3]) await create({ name: `Page ${part} ${n}` });
  const page = async (more: string) =>
    (await operator.get<AccountPage>(`/v1/admin/accounts?text=${part}&limit=2${more}`)).body;
  const first = await page("");
  const second = await page(`&cursor=${first.nextCursor}`);
  assert.deepEqual(
    [...first.accounts, ...second.accounts].map(({ name }) => name.at(-1)),
    ["3", "2", "1"],
  );
  assert.equal(second.nextCursor, null);
  invalidAt(await operator.get("/v1/admin/accounts?cursor=x"), { "?cursor": "malformed" });
  invalidAt(await operator.get("/v1/admin/accounts?text=%00"), { "?text": "unstorable_text" });
});

test("names, points and ids that can't be are refused, and change nothing", async () => {
  const granted = async () =>
    (await operator.get<AccountPage>("/v1/admin/accounts?limit=200")).body.accounts.map(({ name, balance }) => [
      name,
      balance.granted,
    ]);
  const before = await granted();
  for (const name of ["", " x", "<script>alert(1)</script>", "a\0", "x".repeat(101), "a\nb", "=1+1"])
    assert.equal((await create({ name })).status, 422, JSON.stringify(name));
  for (const points of [-1, 0.5, 1e12, "5"]) invalidAtPoints(await create({ name: "Fine", points }));
  const grant = (accountId: string, body: unknown) =>
    operator.call("POST", `/v1/admin/accounts/${accountId}/grants`, { body });
  invalidAt(await grant(operator.accountId, { points: 0 }), { "/points": "out_of_range" });
  invalidAt(await grant(operator.accountId, { points: 1, note: "" }), { "/note": "too_short" });
  refused(await grant(operator.accountId, { points: 999_999_999_999 }), "state_conflict");
  refused(await grant(newId(), { points: 1 }), "not_found");
  refused(await operator.get(`/v1/admin/accounts/${newId()}/tokens`), "not_found");
  assert.deepEqual(await granted(), before);
  function invalidAtPoints(answer: Awaited<ReturnType<typeof create>>) {
    assert.equal(refused(answer, "validation_failed").errors?.[0]?.pointer, "/points");
  }
});

test("limits change live: a platform that is stopped starts nothing, and goes on when it may again", async () => {
  const account = await service.account();
  const stopped = await operator.call<QueueRecord>("PUT", limitsOf("sample"), { body: { runningMax: 0, rate: null } });
  assert.deepEqual(stopped.body.limits, { runningMax: 0, rate: null });
  assert.deepEqual(stopped.body.configuredLimits, { runningMax: 250, rate: null });
  assert.notEqual(stopped.body.override, null);
  const taskId = await account.ask("Why?", { platformCode: "sample" });
  const waiting = await queueOf("sample");
  assert.deepEqual([waiting?.queued, waiting?.running], [1, 0]);
  const age = Date.parse(waiting?.oldestQueuedAt ?? "") - Date.parse((await account.task(taskId)).createdAt);
  assert.ok(Math.abs(age) < 1000);
  const restored = await operator.call<QueueRecord>("DELETE", limitsOf("sample"));
  assert.deepEqual([restored.body.limits.runningMax, restored.body.override], [250, null]);
  assert.equal((await account.ended(taskId)).state, "completed");
});

test("limits that were set live hold through a restart, until they are removed", async () => {
  const limits = { runningMax: 3, rate: { perSecond: 3, burst: 2 } };
  await operator.call("PUT", limitsOf("openai"), { body: limits });
  const configured = { code: "openai", runningMax: 50, rate: null, attemptsMax: 3, breakerAfter: 10 };
  // What every process does as it starts.
  await configureLimiters(service.database, [configured]);
  assert.deepEqual((await queueOf("openai"))?.limits, limits);
  await operator.call("DELETE", limitsOf("openai"));
  await operator.call("DELETE", limitsOf("openai"));
  assert.deepEqual((await queueOf("openai"))?.limits, { runningMax: 50, rate: null });
  await configureLimiters(service.database, [{ ...configured, runningMax: 60 }]);
  assert.deepEqual((await queueOf("openai"))?.limits, { runningMax: 60, rate: null });
});

test("limits that can't be, and platforms that are not there, are refused", async () => {
  const put = (platform: string, body: unknown) => operator.call("PUT", limitsOf(platform), { body });
  invalidAt(await put("sample", {}), { "/runningMax": "required", "/rate": "required" });
  invalidAt(await put("sample", { runningMax: -1, rate: null }), { "/runningMax": "out_of_range" });
  invalidAt(await put("sample", { runningMax: 1, rate: null, attempts: 1 }), { "/attempts": "unknown_field" });
  for (const rate of [
    { perSecond: 0, burst: 1 },
    { perSecond: 1e-300, burst: 1 },
    { perSecond: 1e300, burst: 1 },
    { perSecond: 1 },
    { perSecond: 1, burst: 0 },
    5,
    "x",
  ])
    assert.equal((await put("sample", { runningMax: 1, rate })).status, 422, JSON.stringify(rate));
  // The slowest and the fastest that can be.
  for (const perSecond of [0.01, 1_000_000]) {
    const limits = { runningMax: 1_000_000, rate: { perSecond, burst: 10_000 } };
    const { body } = await operator.call<QueueRecord>("PUT", limitsOf("groq"), { body: limits });
    assert.deepEqual(body.limits, limits);
  }
  await operator.call("DELETE", limitsOf("groq"));
  for (const platform of ["nowhere", "%00", "..%2F..", "x".repeat(65)]) {
    const answer = await put(platform, { runningMax: 1, rate: null });
    assert.ok([404, 422].includes(answer.status), `${platform} ${answer.status}`);
    assert.ok([404, 422].includes((await operator.call("DELETE", limitsOf(platform))).status), platform);
  }
});

test("nodes are shown with their leases and what they run, and queues with what waits and what holds them", async () => {
  const account = await service.account();
  await account.ask("delay=10m");
  await account.ask("Later?", { notBefore: "2999-01-01T00:00:00Z" });
  await until("the task runs", async () => ((await queueOf("simulator"))?.running ?? 0) > 0);
  await service.database.query(
    "update platforms set held_until = now() + interval '1 minute', failures_in_row = 2 where code = 'openai'",
  );
  const { nodes, queues } = (await operator.get<Engine>("/v1/admin/engine")).body;
  assert.deepEqual(
    nodes.map(({ alive, running }) => [alive, running > 0]),
    [[true, true]],
  );
  const simulator = queues.find(({ platformCode }) => platformCode === "simulator");
  assert.ok((simulator?.waiting ?? 0) >= 1);
  const held = queues.find(({ platformCode }) => platformCode === "openai");
  assert.ok(Date.parse(held?.heldUntil ?? "") > Date.now());
  assert.deepEqual(held?.breaker, { opensAfter: 10, failuresInRow: 2, openUntil: null });
  assert.equal(held?.configured, false);
});

test("the accounts that use the most are shown with what each of them uses", async () => {
  const [busy, reader] = [await service.account(), await service.account()];
  await busy.submit(Array.from({ length: 3 }, (_, n) => item(`${n} delay=10m`)));
  const gone = new AbortController();
  const stream = await fetch(`${service.address}/v1/events`, {
    headers: { authorization: `Bearer ${reader.token}`, accept: "text/event-stream" },
    signal: gone.signal,
  });
  assert.equal(stream.status, 200);
  const uses = async () => {
    const { accounts } = (await operator.get<Engine>("/v1/admin/engine")).body;
    const of = (accountId: string) => accounts.find((account) => account.accountId === accountId);
    return [of(busy.accountId), of(reader.accountId)] as const;
  };
  await until("the tasks to run", async () => (await uses())[0]?.running === 3);
  const [busyUse, readerUse] = await uses();
  assert.equal(busyUse?.eventStreams, 0);
  assert.deepEqual([readerUse?.running, readerUse?.eventStreams, readerUse?.deliveries], [0, 1, 0]);
  gone.abort();
  await until("the stream to be closed", async () => (await uses())[1] === undefined);
});

test("every change is logged with the token that made it", async () => {
  const admin = await operator.withToken({});
  const { accountId } = (await create({ name: `Logged ${newId()}` })).body;
  await admin.call("POST", `/v1/admin/accounts/${accountId}/grants`, { body: { points: 3 } });
  await admin.call("PUT", `/v1/admin/accounts/${accountId}/limits`, { body: { unfinishedMax: 9 } });
  const limits = { runningMax: 7, rate: null };
  await admin.call("PUT", limitsOf("gemini"), { body: limits });
  await admin.call("DELETE", limitsOf("gemini"));
  const by = { tokenId: admin.tokenId, accountId: operator.accountId, personId: null };
  assert.deepEqual(
    service.events.filter((event) => "by" in event && event.by.tokenId === admin.tokenId),
    [
      { event: "account.granted", accountId, points: 3, by },
      { event: "account.limits_changed", accountId, unfinishedMax: 9, by },
      { event: "platform.limits_changed", platform: "gemini", limits, by },
      { event: "platform.limits_restored", platform: "gemini", limits: { runningMax: 50, rate: null }, by },
    ],
  );
});

test("the sessions of web platforms are listed with their state, and without their contents", async () => {
  const text = JSON.stringify({ cookies: [{ name: "login", value: "secret", domain: "a" }], origins: [] });
  for (const name of ["first", "second", "third"])
    await keepSession(service.database, new MasterKey(randomBytes(32)), { platform: "kimi-web", name, text });
  await service.database.query(
    `update platform_sessions set signed_out_at = now(), signed_out_why = 'The page says so.',
                                  human_check_at = case name when 'third' then now() end where name <> 'first'`,
  );
  const { body } = await operator.get<SessionList>("/v1/admin/sessions");
  assert.deepEqual(
    body.sessions.map(({ name, state, signedOutWhy }) => [name, state, signedOutWhy]),
    [
      ["first", "ready", null],
      ["second", "signed_out", "The page says so."],
      ["third", "needs_person", "The page says so."],
    ],
  );
  assert.ok(!JSON.stringify(body).includes("secret"));
  const metrics = (await operator.get("/metrics")).text;
  for (const state of ["signed_out", "needs_person"])
    assert.ok(metrics.includes(`querent_platform_sessions{platform="kimi-web",state="${state}"} 1`));
});
