/** docs/reference/api.md#get-an-overview-of-the-account and docs/reference/api.md#get-usage-by-day-platform-and-token. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Overview, TokenRecord, UsageDays, UsageRecord } from "@querent/contract";
import { parse } from "csv-parse/sync";
import { readOverview } from "../../src/statistics/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { databaseUrl } from "../harness/database.ts";
import { countPages } from "../harness/pages.ts";
import { invalidAt, refused, startTestService } from "../harness/service.ts";

const service = await startTestService();

test("the overview tells what is under way, and what ended in the period, of the own account alone", async () => {
  const account = await service.account();
  const bystander = await service.account();
  await bystander.answerTo("Not yours");
  await account.answerTo("Why?");
  await account.answerTo("Why? delay=300ms");
  await account.answerTo("fail=platform_refused");
  const running = await account.ask("delay=10m");
  const later = await account.ask("Later?", { notBefore: "2999-01-01T00:00:00Z" });
  await account.call("POST", `/v1/tasks/${await account.ask("delay=10m")}/cancellation`);
  for (const period of ["24h", "7d", "30d"] as const) {
    const { body } = await account.get<Overview>(`/v1/overview?period=${period}`);
    const { completed, failed, canceled, successRate, chargedPoints, p50Seconds, p95Seconds } = body.current;
    assert.deepEqual(
      { completed, failed, canceled, successRate, chargedPoints },
      { completed: 2, failed: 1, canceled: 1, successRate: 2 / 3, chargedPoints: 2 },
    );
    assert.ok(p50Seconds !== null && p95Seconds !== null && p50Seconds <= p95Seconds && p95Seconds <= 4);
    assert.equal(body.before.completed + body.before.failed, 0);
    assert.equal(body.before.successRate, null);
    assert.deepEqual(
      [body.series.length, body.seriesBefore.length, body.bucketSeconds],
      { "24h": [24, 24, 3600], "7d": [28, 28, 21_600], "30d": [30, 30, 86_400] }[period],
    );
    assert.equal(body.series.at(-1)?.completed, 2);
    assert.equal(body.series.at(0)?.start, body.current.from);
    assert.equal(body.seriesBefore.at(0)?.start, body.before.from);
    assert.equal(body.before.to, body.current.from);
    assert.equal(body.pending.total, 2);
  }
  const { body } = await account.get<Overview>("/v1/overview");
  assert.equal(body.period, "24h");
  const oldest = Date.parse(body.pending.oldest ?? "") - Date.parse((await account.task(running)).createdAt);
  assert.ok(Math.abs(oldest) < 1000, "the one that runs is the oldest that does not wait for a time");
  assert.equal((await account.task(later)).state, "pending");
  assert.deepEqual(body.webhook, {
    status: "unset",
    suspendedAt: null,
    suspendedReason: null,
    lastSuccessAt: null,
    failuresSinceSuccess: 0,
    pendingDeliveries: 0,
    failedDeliveries: 0,
  });
});

test("deliveries that wait together are counted one by one", async () => {
  const account = await service.account();
  await service.database.query(
    `insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, state, next_attempt_at)
     values ($1, $2, $4, 'https://hooks.example', true, 'held', now()), ($3::uuid, array[$3::uuid], $4, 'https://hooks.example', true, 'held', now())`,
    [newId(), [newId(), newId(), newId()], newId(), account.accountId],
  );
  const { body } = await account.get<Overview>("/v1/overview");
  assert.equal(body.webhook.pendingDeliveries, 4);
});

test("what ended longer ago stands in the period before, and beyond it nowhere", async () => {
  const account = await service.account();
  await account.answerTo("Why?");
  const at = (days: number) =>
    readOverview(service.database, account.accountId, "7d", new Date(Date.now() + days * 86_400_000));
  const counts = async (days: number) => {
    const { current, before } = await at(days);
    return [current.completed, before.completed];
  };
  assert.deepEqual(await counts(0), [1, 0]);
  assert.deepEqual(await counts(8), [0, 1]);
  assert.deepEqual(await counts(15), [0, 0]);
});

test("the overview needs the scope usage:read, and knows three periods", async () => {
  const account = await service.account({ scopes: ["tasks:read"] });
  refused(await account.get("/v1/overview"), "scope_missing");
  refused(await account.get("/v1/usage/days"), "scope_missing");
  invalidAt(await (await service.account()).get("/v1/overview?period=1y"), { "?period": "not_allowed" });
});

test("usage is told by day, platform and token, and adds up to what was charged", async () => {
  const account = await service.account();
  const nightly = await account.withToken({ name: "nightly" });
  await account.answerTo("Why?");
  await nightly.answerTo("Why?", { platformCode: "sample" });
  await nightly.answerTo("fail=platform_auth");
  const { body } = await account.get<UsageDays>("/v1/usage/days");
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(
    new Set(
      body.days.map((day) =>
        [day.day, day.platformCode, day.tokenName, day.completed, day.failed, day.chargedPoints].join(),
      ),
    ),
    new Set([`${today},simulator,,1,0,1`, `${today},sample,nightly,1,0,2`, `${today},simulator,nightly,0,1,0`]),
  );
  assert.ok(body.days.some(({ tokenId }) => tokenId === nightly.tokenId));
  const past = await account.get<UsageDays>("/v1/usage/days?from=2001-01-01&to=2001-01-31");
  assert.deepEqual(past.body, { from: "2001-01-01", to: "2001-01-31", days: [] });
});

test("usage comes as CSV, where no token's name is a formula to a spreadsheet", async () => {
  const account = await service.account();
  const hostile = await account.withToken({ name: '=HYPERLINK("https://evil.example","x"),\r\n<script>' });
  await hostile.answerTo("Why?");
  const answer = await account.get("/v1/usage/days", { accept: "text/csv" });
  assert.match(answer.headers["content-type"] ?? "", /^text\/csv/);
  const [row, ...others] = parse(answer.text, { columns: true }) as Record<string, string>[];
  assert.deepEqual(others, []);
  assert.deepEqual(
    [row?.["tokenName"], row?.["completed"]],
    [`'=HYPERLINK("https://evil.example","x"),\r\n<script>`, "1"],
  );
});

test("days that are none, that run backwards, or that are too many are refused", async () => {
  const account = await service.account();
  invalidAt(await account.get("/v1/usage/days?from=2026-02-30"), { "?from": "malformed" });
  invalidAt(await account.get("/v1/usage/days?from=%00&to=x"), { "?from": "malformed", "?to": "malformed" });
  for (const range of [
    "from=2026-02-02&to=2026-02-01",
    "from=0001-01-01&to=2026-01-01",
    "from=2026-01-01&to=2026-04-03",
  ])
    invalidAt(await account.get(`/v1/usage/days?${range}`), { "?from": "out_of_range" });
  assert.equal((await account.get("/v1/usage/days?from=2026-01-01&to=2026-04-02")).status, 200);
});

test("usage tells what the token that asks may do", async () => {
  const account = await service.account();
  const reader = await account.withToken({ scopes: ["usage:read"] });
  const { token } = (await reader.get<UsageRecord>("/v1/usage")).body;
  assert.deepEqual(token, { tokenId: reader.tokenId, scopes: ["usage:read"] });
});

test("a million ended tasks: the overview reads sums by the hour, and of a long queue no more than its ends", async (t) => {
  const account = await service.account();
  const tokens: TokenRecord[] = [];
  for (let n = 0; n < 5; n++) tokens.push({ tokenId: newId() } as TokenRecord);
  // What 60 days of a million tasks leave behind, over five platforms and five tokens; and a long queue.
  await service.database.query(
    `insert into usage_hours (account_id, hour, platform, token_id, completed, charged_points, seconds_5)
     select $1, date_trunc('hour', now(), 'UTC') - n * interval '1 hour', 'p' || p, t, 28, 56, 28
     from generate_series(0, 1439) n, generate_series(1, 5) p, unnest($2::uuid[]) t`,
    [account.accountId, tokens.map(({ tokenId }) => tokenId)],
  );
  await service.database.query("update accounts set unfinished_tasks = 100000 where id = $1", [account.accountId]);
  // The planner's picture of the queue is that of an empty one, and stays so.
  await service.database.query("alter table dispatch set (autovacuum_enabled = off)");
  await service.database.query("analyze dispatch");
  await service.database.query(
    `insert into dispatch (task_id, account_id, platform, state, rank, run_at, run_timeout_s)
     select gen_random_uuid(), $1, 'openai', 'queued', 4, now(), 60 from generate_series(1, 100000)`,
    [account.accountId],
  );
  await service.database.query("update platforms set running_max = 0 where code = 'openai'");
  await service.database.query("analyze usage_hours");
  const { body } = await account.get<Overview>("/v1/overview?period=30d");
  assert.equal(body.pending.total, 100_000);
  assert.ok(body.current.completed > 450_000);
  const { rows: connected } = await service.database.query<{ name: string }>("select current_database() as name");
  const { database, pagesOf, close } = await countPages(databaseUrl(connected[0]?.name ?? ""));
  const read = () => pagesOf(() => readOverview(database, account.accountId, "30d", new Date()));
  // The least of three: what the service reads meanwhile is counted too.
  const pages = Math.min(await read(), await read(), await read());
  await close();
  t.diagnostic(`${pages} pages`);
  // About 1,600, of sums; the queue has as many again.
  assert.ok(pages < 2000, `${pages} pages`);
  await service.database.query("delete from dispatch where account_id = $1", [account.accountId]);
});
