/** Lists are looked through in steps of bounded time, and an account has so many of them under way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeliveryPage, LedgerPage } from "@querent/contract";
import { scanPage } from "../../src/api/scan-page.ts";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { endTasks } from "../webhooks/fixture.ts";

// No notifier: addresses that don't exist are not sent to.
const service = await startTestService({ environment: { QUERENT_LISTS_PER_ACCOUNT: "1" }, roles: ["api"] });

test("a scan that finds nothing ends when its time is over, and goes on from there", async () => {
  const steps: number[] = [];
  const slow = async ({ before, rowsMax }: { before: number | null; rowsMax: number }) => {
    steps.push(rowsMax);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { rows: [], last: (before ?? 10_000_000) - rowsMax };
  };
  const { rows, next } = await scanPage<number, number>(
    { before: null, limit: 50, isWhole: false },
    (row) => row,
    slow,
  );
  assert.deepEqual(rows, []);
  assert.equal(next, 10_000_000 - steps.reduce((sum, look) => sum + look, 0));
  assert.ok(steps.length <= 3 && steps.every((rows) => rows <= 50_000), String(steps));
});

test("deliveries are found by destination, state and time however deep they lie", async () => {
  const account = await service.account();
  const [rare] = await endTasks(service.database, account.accountId, { webhookUrl: "https://rare.example.com/hook" });
  await endTasks(service.database, account.accountId, { count: 1_500, webhookUrl: "https://common.example.com/hook" });
  const find = async (query: string) => {
    const found = [];
    for (let cursor = ""; ;) {
      const { body } = await account.get<DeliveryPage>(`/v1/deliveries?limit=200&${query}${cursor}`);
      found.push(...body.deliveries);
      if (body.nextCursor === null) return found;
      cursor = `&cursor=${body.nextCursor}`;
    }
  };
  assert.deepEqual(
    (await find("destination=https://rare.example.com")).map(({ taskId }) => taskId),
    [rare],
  );
  assert.equal((await find("destination=https://common.example.com/hook")).length, 1_500);
  assert.deepEqual(await find("destination=https://nowhere.example.com"), []);
  assert.deepEqual(await find("state=failed"), []);
  assert.equal((await find("state=pending")).length, 1_501);
  assert.equal((await find(`taskId=${rare}`)).length, 1);
  assert.deepEqual(await find("createdBefore=2020-01-01T00:00:00Z"), []);
  const all = await find("");
  assert.equal(new Set(all.map(({ deliveryId }) => deliveryId)).size, 1_501);
  assert.deepEqual(
    all.map(({ deliveryId }) => deliveryId),
    all
      .map(({ deliveryId }) => deliveryId)
      .toSorted()
      .toReversed(),
  );
});

test("entries of the ledger are found by kind and time however deep they lie, as pages and as CSV", async () => {
  const account = await service.account({ points: 100 });
  await service.database.query(
    `insert into ledger (account_id, kind, points, task_id, cause_id, created_at)
     select $1, 'capture', 1, id, id, now() from (select gen_random_uuid() as id from generate_series(1, 3000)) t`,
    [account.accountId],
  );
  const find = async (query: string) => {
    const found = [];
    for (let cursor = ""; ;) {
      const { body } = await account.get<LedgerPage>(`/v1/usage/ledger?limit=1000&${query}${cursor}`);
      found.push(...body.entries);
      if (body.nextCursor === null) return found;
      cursor = `&cursor=${body.nextCursor}`;
    }
  };
  assert.deepEqual(
    (await find("kind=grant")).map(({ points }) => points),
    [100],
  );
  assert.equal((await find("kind=capture")).length, 3_000);
  assert.deepEqual(await find("kind=release"), []);
  assert.deepEqual(await find("to=2020-01-01T00:00:00Z"), []);
  assert.equal((await find("")).length, 3_001);
  const csv = await account.get("/v1/usage/ledger?kind=grant&limit=10", { accept: "text/csv" });
  assert.equal(csv.text.trim().split("\r\n").length, 2);
});

test("an account's lists wait for one another, and a neighbour's do not wait for them", async () => {
  const [account, neighbour] = [await service.account(), await service.account()];
  const ends: string[] = [];
  await service.database.transaction(async (tx) => {
    await tx.query("lock table ledger in access exclusive mode");
    const first = account.get("/v1/usage/ledger").then(() => ends.push("ledger"));
    await until("the first to be under way", async () =>
      (await account.get("/metrics")).text.includes('querent_places_taken{kind="lists"} 1'),
    );
    const second = account.get("/v1/tasks").then(() => ends.push("tasks"));
    assert.equal((await neighbour.get("/v1/tasks")).status, 200);
    assert.equal((await account.get("/v1/webhook")).status, 200, "what is no list needs no place");
    assert.deepEqual(ends, []);
    await tx.query("select 1");
    void Promise.all([first, second]);
  });
  await until("both to end", () => ends.length === 2);
  assert.deepEqual(ends, ["ledger", "tasks"]);
});

test("a client that disconnects while its token is looked up leaves no place taken", async () => {
  const account = await service.account();
  const client = new AbortController();
  await service.database.transaction(async (tx) => {
    await tx.query("lock table access_tokens in access exclusive mode");
    const abandoned = Array.from({ length: 3 }, () =>
      fetch(`${service.address}/v1/tasks`, {
        headers: { authorization: `Bearer ${account.token}` },
        signal: client.signal,
      }),
    );
    const ended = Promise.allSettled(abandoned);
    await until("the token to be looked up", async () => {
      const { rows } = await tx.query(
        "select from pg_locks where relation = 'access_tokens'::regclass and not granted",
      );
      return rows.length > 0;
    });
    client.abort();
    await ended;
  });
  assert.equal((await account.get("/v1/tasks")).status, 200);
  await until("no place to be taken", async () =>
    /querent_places_taken\{kind="lists"\} 0\n/.test((await account.get("/metrics")).text),
  );
});
