/** What costs no points has an end: an account stores so much of it, and sends so many such requests a minute. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  api,
  storageKindNames,
  type AccountPage,
  type AccountRecord,
  type ReportShare,
  type StorageKind,
  type StorageUse,
  type UsageRecord,
} from "@querent/contract";
import fc from "fast-check";
import { isMeasuringDue, measureAllStored, measureStored } from "../../src/accounts/index.ts";
import { item, refused, startTestService, type Answer, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const service = await startTestService({
  environment: { QUERENT_STORAGE_ROWS_PER_ACCOUNT: "1000", QUERENT_STORAGE_MIB_PER_ACCOUNT: "1" },
});
const { database } = service;
const never = new AbortController().signal;

const storageOf = async (account: TestAccount): Promise<StorageUse> =>
  (await account.get<UsageRecord>("/v1/usage")).body.storage;
const kindOf = (storage: StorageUse, kind: StorageKind) => {
  const found = storage.kinds.find((each) => each.kind === kind);
  assert.ok(found);
  return found;
};

const line = (n: number, content = "These.") =>
  JSON.stringify({
    id: `a-${n}`,
    question: "Which?",
    platformCode: "chatgpt",
    observedAt: "2026-05-24T15:56:04Z",
    content,
  });
const importLines = (account: TestAccount, name: string, lines: readonly string[]) =>
  account.call("POST", `/v1/imports?name=${encodeURIComponent(name)}`, {
    headers: { "content-type": "application/x-ndjson" },
    body: lines.join("\n"),
  });
const panel = (name: string, more: object = {}) => ({
  name,
  prompts: [{ text: `Which shoes does ${name} recommend?` }],
  platforms: ["simulator"],
  ...more,
});
const createPanel = (account: TestAccount, name: string, more: object = {}) =>
  account.call<{ panelId: string }>("POST", "/v1/panels", { body: panel(name, more) });
const entity = (name: string, more: object = {}) => ({ name, relation: "own", aliases: [{ text: name }], ...more });

function hardToCompress(seed: number, length: number): string {
  let text = "";
  for (let nth = 0; text.length < length; nth++) text += createHash("sha512").update(`${seed} ${nth}`).digest("base64");
  return text.slice(0, length);
}

/** Measures again, and says of which kinds the count had been another one. */
async function disagreements(accountId: string, kinds: readonly StorageKind[]): Promise<string[]> {
  const read = async () =>
    (
      await database.query<{ kind: StorageKind; row_count: number; bytes: number }>(
        "select kind, row_count, bytes from account_storage where account_id = $1 and kind = any($2) order by kind",
        [accountId, kinds],
      )
    ).rows;
  const counted = await read();
  await measureStored(database, accountId, kinds);
  return (await read()).flatMap((row) => {
    const before = counted.find(({ kind }) => kind === row.kind);
    const isSame = before?.row_count === row.row_count && before.bytes === row.bytes;
    return isSame
      ? []
      : [`${row.kind}: ${before?.row_count}/${before?.bytes} counted, ${row.row_count}/${row.bytes} held`];
  });
}

test("imports end at the quota of bytes, with a problem that says so, and go on once some of them are deleted", async () => {
  const account = await service.account({ points: 0 });
  await database.query("update accounts set storage_rows_max = 1e9 where id = $1", [account.accountId]);
  const content = (n: number) => hardToCompress(n, 4000);
  let answer: Answer<unknown> | null = null;
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
  assert.deepEqual(await disagreements(account.accountId, ["uncharged_tasks"]), []);
  let last: Answer<unknown> | null = null;
  await until("submissions to be refused", async () => {
    last = await account.post([item("delay=1h")]);
    return (last as Answer<unknown>).status === 403;
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

test("counts agree with the rows, whatever is stored and deleted in whatever order", async () => {
  const kinds = ["imports", "panels", "entities", "reports"] as const;
  const account = await service.account({ points: 100_000 });
  await database.query("update accounts set storage_rows_max = null, storage_bytes_max = 1e12 where id = $1", [
    account.accountId,
  ]);
  const panelIds: string[] = [];
  let name = 0;
  const commands = fc.array(
    fc.oneof(
      fc.record({
        do: fc.constant("import" as const),
        from: fc.nat(40),
        count: fc.nat(30),
        into: fc.nat(3),
        text: fc.string({ unit: "grapheme", maxLength: 3000 }),
      }),
      fc.record({ do: fc.constant("panel" as const), text: fc.string({ minLength: 1, maxLength: 500 }) }),
      fc.record({
        do: fc.constant("edit" as const),
        which: fc.nat(5),
        text: fc.string({ minLength: 1, maxLength: 500 }),
      }),
      fc.record({ do: fc.constant("entity" as const), which: fc.nat(4), note: fc.nat(3) }),
      fc.record({ do: fc.constant("share" as const), which: fc.nat(5) }),
      fc.record({
        do: fc.constant("delete" as const),
        what: fc.constantFrom("panel", "observations"),
        which: fc.nat(5),
      }),
    ),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (steps) => {
      for (const step of steps) {
        const panelId = panelIds["which" in step ? step.which % Math.max(1, panelIds.length) : 0];
        if (step.do === "import")
          await importLines(
            account,
            `import ${step.into}`,
            Array.from({ length: step.count }, (_, nth) => line(step.from + nth, step.text.replaceAll("\0", ""))),
          );
        else if (step.do === "panel") {
          const made = await createPanel(account, `panel ${name++}`, {
            prompts: [{ text: `${step.text.replaceAll("\0", "")}?` }],
          });
          if (made.status === 201) panelIds.push(made.body.panelId);
        } else if (step.do === "entity")
          await account.call("PUT", "/v1/entities", {
            body: { entities: [entity(`E ${step.which}`, { aliases: [{ text: `Alias ${step.note}` }] })] },
          });
        else if (panelId === undefined) continue;
        else if (step.do === "edit")
          await account.call("PUT", `/v1/panels/${panelId}`, {
            body: panel("edited", { prompts: [{ text: `${step.text.replaceAll("\0", "")}!` }] }),
          });
        else if (step.do === "share")
          await account.call<ReportShare>("POST", `/v1/panels/${panelId}/report/shares`, { body: { days: 1 } });
        else if (step.what === "observations") await account.call("DELETE", "/v1/observations?platformCode=chatgpt");
        else {
          await account.call("DELETE", `/v1/panels/${panelId}`);
          panelIds.splice(panelIds.indexOf(panelId), 1);
        }
      }
      assert.deepEqual(await disagreements(account.accountId, kinds), []);
    }),
    { numRuns: 12 },
  );
  const storage = await storageOf(account);
  for (const kind of kinds)
    assert.ok(kindOf(storage, kind).measuredAt !== null || kindOf(storage, kind).rows === 0, kind);
});

test("what is stored while it is measured is neither lost nor counted twice", async () => {
  const account = await service.account({ points: 0 });
  await database.query("update accounts set storage_rows_max = 1e9, storage_bytes_max = 1e12 where id = $1", [
    account.accountId,
  ]);
  let done = false;
  const measuring = (async () => {
    while (!done) await measureStored(database, account.accountId, ["imports"]);
  })();
  await Promise.all(
    Array.from({ length: 12 }, (_, part) =>
      importLines(
        account,
        `part ${part}`,
        Array.from({ length: 50 }, (_, nth) => line(part * 50 + nth)),
      ),
    ),
  );
  done = true;
  await measuring;
  assert.equal(kindOf(await storageOf(account), "imports").rows, 12 * 50 * 2 + 12);
  assert.deepEqual(await disagreements(account.accountId, ["imports"]), []);
});

test("the regular measuring finds what expired, and reports rows that nothing had counted", async () => {
  const account = await service.account({ points: 100 });
  await importLines(account, "one", [line(1), line(2), line(3)]);
  await account.answerTo("Why?");
  await measureAllStored(database, never);
  await database.query("delete from imported_answers where account_id = $1", [account.accountId]);
  await database.query(
    "insert into entity_revisions (account_id, entity_id, revision, content, created_at) values ($1, uuidv7(), 1, '{}', now())",
    [account.accountId],
  );
  await database.query(
    `insert into account_storage (account_id, kind, row_count, bytes, measured_at) values ($1, 'entities', 0, 0, now())`,
    [account.accountId],
  );
  const uncounted = (await measureAllStored(database, never)).filter(
    ({ accountId }) => accountId === account.accountId,
  );
  assert.deepEqual(uncounted, [{ accountId: account.accountId, kind: "entities", rows: 1 }]);
  const storage = await storageOf(account);
  assert.equal(kindOf(storage, "imports").rows, 4);
  assert.equal(kindOf(storage, "tasks").rows, 1);
  assert.equal(kindOf(storage, "results").rows, 1);
  assert.ok(kindOf(storage, "tasks").bytes > 0);
  assert.equal(kindOf(storage, "observations").rows, 1);
  assert.equal(await isMeasuringDue(database, 3_600_000), false);
  assert.equal(await isMeasuringDue(database, 0), true);
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
    const page: Answer<AccountPage> = await operator.get<AccountPage>(
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
