/** docs/reference/api.md#list-the-platforms, docs/reference/api.md#usage and docs/reference/api.md#service. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { api, type LedgerPage, type PlatformList, type UsageRecord } from "@querent/contract";
import { invalidAt, item, refused, startTestService } from "../harness/service.ts";

const service = await startTestService();

test("every platform is listed with what it returns, its prices and its health, and takes tasks", async () => {
  const account = await service.account();
  await account.submit([item("Later?", { notBefore: "2999-01-01T00:00:00Z" })]);
  const { platforms } = (await account.get<PlatformList>("/v1/platforms")).body;
  // Those that ask elsewhere are listed too, and wait for their keys.
  assert.ok(platforms.some(({ platformCode, kind }) => platformCode === "openai" && kind === "api"));
  for (const { platformCode, configured } of platforms)
    assert.equal(configured, ["sample", "simulator"].includes(platformCode), platformCode);
  const simulator = platforms.find((platform) => platform.platformCode === "simulator");
  assert.equal(simulator?.price.base, 1);
  assert.equal(simulator?.health.queued, 1);
  assert.equal((await account.answerTo("Why?", { platformCode: "sample" })).state, "completed");
});

test("usage tells the balance, and tasks and points by day and platform", async () => {
  const account = await service.account({ points: 100 });
  await account.answerTo("Why?");
  await account.answerTo("fail=platform_auth");
  await account.ask("Later?", { notBefore: "2999-01-01T00:00:00Z" });
  const { body } = await account.get<UsageRecord>("/v1/usage");
  assert.deepEqual(body.balance, { available: 98, held: 1, captured: 1, granted: 100 });
  assert.equal(
    body.days.reduce((sum, day) => sum + day.chargedPoints, 0),
    1,
  );
  assert.equal(
    body.days.reduce((sum, day) => sum + day.completed + day.failed, 0),
    2,
  );
  const past = await account.get<UsageRecord>("/v1/usage?from=2001-01-01T00:00:00Z&to=2001-02-01T00:00:00Z");
  assert.deepEqual(past.body.days, []);
  invalidAt(await account.get("/v1/usage?from=yesterday&until=x"), { "?from": "malformed", "?until": "unknown_field" });
});

test("the ledger has a line for each movement of points, newest first, and adds up to the balance", async () => {
  const account = await service.account({ points: 100 });
  const done = await account.answerTo("Why?");
  const failed = await account.answerTo("fail=platform_auth");
  const { entries, nextCursor } = (await account.get<LedgerPage>("/v1/usage/ledger")).body;
  assert.deepEqual(
    entries.map(({ kind, points, taskId }) => [kind, points, taskId]),
    [
      ["release", 1, failed.taskId],
      ["hold", 1, null],
      ["capture", 1, done.taskId],
      ["hold", 1, null],
      ["grant", 100, null],
    ],
  );
  assert.equal(nextCursor, null);
});

test("the ledger is filtered by kind, task, batch and time, and read in pages", async () => {
  const account = await service.account({ points: 100 });
  const done = await account.answerTo("Why?");
  const ledger = async (query: string) => (await account.get<LedgerPage>(`/v1/usage/ledger?${query}`)).body;
  assert.deepEqual(
    (await ledger("kind=grant")).entries.map(({ points }) => points),
    [100],
  );
  assert.equal((await ledger(`taskId=${done.taskId}`)).entries.length, 1);
  assert.equal((await ledger(`batchId=${done.batchId}`)).entries.length, 2);
  assert.equal((await ledger("to=2001-01-01T00:00:00Z")).entries.length, 0);
  assert.equal((await ledger("from=2001-01-01T00:00:00Z")).entries.length, 3);
  const first = await ledger("limit=2");
  const second = await ledger(`limit=2&cursor=${first.nextCursor}`);
  assert.deepEqual([first.entries.length, second.entries.length, second.nextCursor], [2, 1, null]);
  assert.equal(new Set([...first.entries, ...second.entries].map(({ entryId }) => entryId)).size, 3);
});

test("the ledger comes as CSV on Accept: text/csv", async () => {
  const account = await service.account({ points: 5 });
  const { text } = await account.get("/v1/usage/ledger", { accept: "text/csv" });
  assert.match(text, /^entryId,kind,points,batchId,taskId,note,createdAt\r\n\d+,grant,5,,,at the account's creation,/);
});

test("the OpenAPI document is valid OpenAPI 3.1, by somebody else's validator", async () => {
  const { body } = await service.call<Record<string, unknown>>("GET", "/openapi.json");
  const result = await new Validator().validate(structuredClone(body));
  assert.deepEqual(result, { valid: true });
  assert.equal(body["openapi"], "3.1.0");
  assert.ok(Object.hasOwn(body["webhooks"] as object, "taskFinished"));
});

test("the OpenAPI document has every operation that the service answers, with an id of its own", async () => {
  const { body } = await service.call<{ paths: Record<string, Record<string, { operationId: string }>> }>(
    "GET",
    "/openapi.json",
  );
  const documented = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  );
  const operations = api.operations.map(({ id, method, path }) => `${id} ${method} ${path}`);
  assert.deepEqual(documented.toSorted(), operations.toSorted());
  assert.equal(new Set(api.operations.map(({ id }) => id)).size, api.operations.length);
});

test("every reference in the OpenAPI document resolves", async () => {
  const { text, body } = await service.call<{ components: { schemas: object } }>("GET", "/openapi.json");
  const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? "");
  assert.ok(names.length > 20);
  for (const name of names) assert.ok(Object.hasOwn(body.components.schemas, name), name);
});

test("the reference is a page of the service, with nothing from anywhere else", async () => {
  const page = await service.call("GET", "/docs");
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /https?:\/\//);
  assert.match(page.headers["content-security-policy"] ?? "", /default-src 'none'/);
  for (const [, script] of page.text.matchAll(/src="([^"]+)"/g))
    assert.equal((await service.call("GET", script ?? "")).status, 200);
});

test("the probes answer without a token", async () => {
  assert.equal((await service.call<{ status: string }>("GET", "/healthz")).body.status, "ok");
  assert.equal((await service.call<{ status: string }>("GET", "/readyz")).body.status, "ready");
});

test("metrics need the scope admin, and count requests and tasks", async () => {
  const account = await service.account();
  await account.answerTo("Why?");
  const { text, headers } = await account.get("/metrics");
  assert.match(headers["content-type"] ?? "", /^text\/plain; version=0\.0\.4/);
  assert.match(text, /^querent_http_request_seconds_count\{operation="submitBatch",status="202"\} [1-9]/m);
  assert.match(text, /^querent_tasks_ended_total\{platform="simulator",state="completed",code=""\} [1-9]/m);
  refused(await service.call("GET", "/metrics"), "unauthorized");
});

test("/llms.txt tells language models what the service does, and every address in it answers", async () => {
  const { text, headers } = await service.call("GET", "/llms.txt");
  assert.equal(headers["content-type"], "text/plain; charset=utf-8");
  assert.match(text, /^# Querent\n\n> /);
  const links = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path = ""]) => path);
  assert.deepEqual(links, ["/openapi.json", "/docs", "/problems", "/console"]);
  for (const path of links.slice(0, 3)) assert.equal((await service.call("GET", path)).status, 200, path);
  const items = JSON.parse(/`(\[\{.*\}\])`/.exec(text)?.[1] ?? "") as object[];
  const account = await service.account();
  assert.equal((await account.submit(items)).acceptedCount, 1);
  for (const [, method = "", path = ""] of text.matchAll(/`(GET|POST|PUT) (\/v1[^`]*)`/g))
    assert.ok(
      api.operations.some((operation) => operation.method === method && operation.path === path),
      path,
    );
});
