/** What costs no points has an end: an account stores so much of it, and sends so many such requests a minute. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, storageKindNames, type AccountPage, type AccountRecord } from "@querent/contract";
import { item, refused, startTestService, type ServiceAnswer } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import {
  createPanel,
  disagreements,
  entity,
  hardToCompress,
  importLines,
  kindOf,
  line,
  panel,
  storageOf,
} from "./stored-things.ts";

const service = await startTestService({
  environment: { QUERENT_STORAGE_ROWS_PER_ACCOUNT: "1000", QUERENT_STORAGE_MIB_PER_ACCOUNT: "1" },
});
const { database } = service;

test("imports end at the quota of bytes, with a problem that says so, and go on once some of them are deleted", async () => {
  const account = await service.account({ points: 0 });
  await database.query("update accounts set storage_rows_max = 1e9 where id = $1", [account.accountId]);
  const content = (n: number) => hardToCompress(n, 4000);
  let answer: ServiceAnswer<unknown> | null = null;
  for (let part = 0; part < 100; part++) {
    const parts = Array.from({ length: 10 }, (_, nth) => line(part * 10 + nth, content(part * 10 + nth)));
    answer = await importLines(account, `part ${part}`, parts);
    if (answer.status !== 200) break;
  }
  assert.ok(answer);
  refused(answer, "storage_quota_exceeded");
  const full = await storageOf(account);
  assert.ok(full.bytes.held <= full.bytes.quota, `${full.bytes.held} of ${full.bytes.quota}`);
  assert.ok(full.bytes.held > full.bytes.quota / 2);
  const { rows } = await database.query<{ n: number }>(
    "select count(*)::int as n from observations where account_id = $1",
    [account.accountId],
  );
  assert.equal(kindOf(full, "imports").rows, (rows[0]?.n ?? 0) * 2 + (rows[0]?.n ?? 0) / 10);

  // A neighbour is not concerned, and what stores nothing is answered.
  assert.equal((await importLines(await service.account({ points: 0 }), "n", [line(1)])).status, 200);
  assert.equal((await account.get("/v1/observations")).status, 200);

  assert.equal((await account.call("DELETE", "/v1/observations?platformCode=chatgpt")).status, 200);
  assert.equal(
    kindOf(await storageOf(account), "imports").rows,
    (rows[0]?.n ?? 0) / 10,
    "the imports' own rows remain",
  );
  assert.equal((await importLines(account, "again", [line(1)])).status, 200);
});

test("panels, entities and names of imports end at the quota of rows, together", async () => {
  const account = await service.account({ points: 0 });
  await database.query("update accounts set storage_rows_max = 15 where id = $1", [account.accountId]);
  const panels: string[] = [];
  for (let nth = 0; nth < 3; nth++) panels.push((await createPanel(account, `panel ${nth}`)).body.panelId);
  for (let nth = 0; nth < 3; nth++)
    assert.equal((await account.call("POST", "/v1/entities", { body: entity(`Brand ${nth}`) })).status, 201);
  for (let nth = 0; nth < 3; nth++) assert.equal((await importLines(account, `one ${nth}`, [line(nth)])).status, 200);
  refused(await importLines(account, "one more", [line(9)]), "storage_quota_exceeded");
  refused(await createPanel(account, "one more"), "storage_quota_exceeded");
  refused(
    await account.call("PUT", `/v1/panels/${panels[0]}`, {
      body: panel("panel 0", { prompts: [{ text: "Other?" }] }),
    }),
    "storage_quota_exceeded",
  );
  refused(
    await account.call("PUT", "/v1/entities", { body: { entities: [entity("Brand 9")] } }),
    "storage_quota_exceeded",
  );
  assert.equal((await account.call("DELETE", `/v1/panels/${panels[0]}`)).status, 204);
  assert.equal((await createPanel(account, "in its place")).status, 201);
  refused(await createPanel(account, "one more"), "storage_quota_exceeded");
});

test("what a full account has paid for is accepted, ends and is kept", async () => {
  const account = await service.account({ points: 100 });
  await createPanel(account, "the only one");
  await database.query("update accounts set storage_rows_max = 1, storage_bytes_max = 1 where id = $1", [
    account.accountId,
  ]);
  refused(await createPanel(account, "one more"), "storage_quota_exceeded");
  const record = await account.answerTo("Why?");
  assert.equal(record.state, "completed");
  assert.notEqual(record.content, null);
});

test("tasks that are canceled again and again end at the quota, and a repeated submission is still answered", async () => {
  const account = await service.account({ points: 1000 });
  await database.query("update accounts set storage_rows_max = 20 where id = $1", [account.accountId]);
  const first = await account.submit(
    Array.from({ length: 20 }, () => item("delay=1h")),
    "first",
  );
  // Accepted, so it ends in its own way although the account is full by then.
  const running = await account.ask("delay=2s");
  assert.equal((await account.call("POST", `/v1/batches/${first.batchId}/cancellation`)).status, 200);
  assert.equal(kindOf(await storageOf(account), "uncharged_tasks").rows, 20);
  assert.deepEqual(await disagreements(database, account.accountId, ["uncharged_tasks"]), []);
  let last: ServiceAnswer<unknown> | null = null;
  await until("submissions to be refused", async () => {
    const answer = await account.post([item("delay=1h")]);
    last = answer;
    return answer.status === 403;
  });
  assert.ok(last);
  refused(last, "storage_quota_exceeded");
  const again = await account.post(
    Array.from({ length: 20 }, () => item("delay=1h")),
    { "idempotency-key": "first" },
  );
  assert.equal(again.status, 202);
  assert.equal(again.headers["idempotent-replayed"], "true");
  assert.equal((await account.ended(running)).state, "completed");
});

test("files of results stop new tasks once they have reached their quota", async () => {
  const account = await service.account({ points: 100 });
  await account.answerTo("Why?");
  await database.query("update accounts set artifact_bytes_max = 0 where id = $1", [account.accountId]);
  await until("submissions to be refused", async () => (await account.post([item()])).status === 403);
});

test("a schedule of a full account asks nothing, says why, and keeps a bounded number of such runs", async () => {
  const account = await service.account({ points: 100 });
  const { panelId } = (
    await createPanel(account, "every minute", { schedule: { cron: "* * * * *", timeZone: "UTC", paused: true } })
  ).body;
  await database.query(
    `insert into panel_runs (account_id, panel_id, id, revision, slot, state, cell_count, task_count, points, problem, created_at)
     select $1, $2, uuidv7(), 1, '2026-01-01'::timestamptz + n * interval '1 minute', 'refused', 0, 0, 0, '{}', now()
       from generate_series(1, 1200) n`,
    [account.accountId, panelId],
  );
  await database.query("update accounts set storage_rows_max = 0 where id = $1", [account.accountId]);
  await database.query(
    "update panels set next_slot = date_trunc('minute', now()), due_at = now() where account_id = $1 and id = $2",
    [account.accountId, panelId],
  );
  const runs = async () =>
    (
      await database.query<{ n: number; code: string | null }>(
        `select count(*)::int as n, max(problem->>'code') as code from panel_runs where account_id = $1 and panel_id = $2`,
        [account.accountId, panelId],
      )
    ).rows[0];
  await until("the refusal", async () => (await runs())?.code === "storage_quota_exceeded");
  assert.equal((await runs())?.n, 1000);
});

test("operators see who stores the most, and set an account's quota", async () => {
  const operator = await service.account();
  const large = await service.account({ points: 0 });
  await database.query("update accounts set storage_bytes_max = 1e12 where id = $1", [large.accountId]);
  const text = hardToCompress(0, 200_000);
  for (let nth = 0; nth < 12; nth++)
    assert.equal((await importLines(large, `n ${nth}`, [line(nth, text)])).status, 200);
  const listed: AccountRecord[] = [];
  let cursor: string | null = null;
  do {
    const page: ServiceAnswer<AccountPage> = await operator.get<AccountPage>(
      `/v1/admin/accounts?orderBy=size&limit=3${cursor === null ? "" : `&cursor=${cursor}`}`,
    );
    assert.equal(page.status, 200);
    listed.push(...page.body.accounts);
    cursor = page.body.nextCursor;
  } while (cursor !== null);
  assert.equal(listed[0]?.accountId, large.accountId);
  assert.deepEqual(
    listed.map(({ storage }) => storage.totalBytes),
    listed.map(({ storage }) => storage.totalBytes).toSorted((a, b) => b - a),
  );
  const { rows } = await database.query<{ n: number }>("select count(*)::int as n from accounts");
  assert.equal(new Set(listed.map(({ accountId }) => accountId)).size, rows[0]?.n);

  const limits = `/v1/admin/accounts/${large.accountId}/limits`;
  const set = await operator.call<AccountRecord>("PUT", limits, {
    body: { unfinishedMax: 5, storageRowsMax: 3, storageBytesMax: null },
  });
  assert.equal(set.status, 200);
  assert.equal(set.body.storage.storageRowsMax, 3);
  assert.equal(set.body.storage.storageBytesMax, null);
  refused(await importLines(large, "more", [line(100)]), "storage_quota_exceeded");
  const kept = await operator.call<AccountRecord>("PUT", limits, { body: { unfinishedMax: 6 } });
  assert.equal(kept.body.storage.storageRowsMax, 3, "absent: unchanged");
});

test("an operation that stores something names the problem, and so does no other", () => {
  for (const operation of api.operations)
    assert.equal(operation.problems.includes("storage_quota_exceeded"), operation.stores !== undefined, operation.id);
  assert.ok(storageKindNames.length > 0);
});
