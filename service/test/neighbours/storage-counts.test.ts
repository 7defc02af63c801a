/** The counts of what accounts store are those of the rows. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { ReportShare } from "@querent/contract";
import fc from "fast-check";
import pg from "pg";
import { isMeasuringDue, measureAllStored, measureDeleted, measureStored } from "../../src/accounts/index.ts";
import { startTestService } from "../harness/service.ts";
import { createPanel, disagreements, entity, importLines, kindOf, line, panel, storageOf } from "./stored-things.ts";

const service = await startTestService();
const { database } = service;
const never = new AbortController().signal;
const onFault = (error: unknown) => assert.fail(String(error));

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
      assert.deepEqual(await disagreements(database, account.accountId, kinds), []);
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
  assert.deepEqual(await disagreements(database, account.accountId, ["imports"]), []);
});

test("the regular measuring finds what expired, and reports rows that nothing had counted", async () => {
  const account = await service.account({ points: 100 });
  await importLines(account, "one", [line(1), line(2), line(3)]);
  await account.answerTo("Why?");
  await measureAllStored(database, never, onFault);
  await database.query("delete from imported_answers where account_id = $1", [account.accountId]);
  await database.query(
    "insert into entity_revisions (account_id, entity_id, revision, content, created_at) values ($1, uuidv7(), 1, '{}', now())",
    [account.accountId],
  );
  await database.query(
    `insert into account_storage (account_id, kind, row_count, bytes, measured_at) values ($1, 'entities', 0, 0, now())`,
    [account.accountId],
  );
  const uncounted = (await measureAllStored(database, never, onFault)).filter(
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

test("a measuring that takes too long is left to the regular one, which takes its time and goes on with the others", async () => {
  const account = await service.account({ points: 0 });
  const other = await service.account({ points: 0 });
  for (const each of [account, other]) await importLines(each, "one", [line(1)]);
  await database.query("update account_storage set row_count = 0 where kind = 'imports'");
  const tooSlow = Object.assign(new pg.DatabaseError("canceling statement due to statement timeout", 0, "error"), {
    code: "57014",
  });
  const query = database.query.bind(database);
  const faults: unknown[] = [];
  mock.method(database, "query", (...given: unknown[]) => {
    const [config] = given as [string | { text: string; values?: unknown[] }];
    const isMeasured = typeof config === "object" && config.text.includes("with measured as");
    return isMeasured && config.values?.[0] === account.accountId
      ? Promise.reject(tooSlow)
      : (query as (...all: unknown[]) => unknown)(...given);
  });
  await measureDeleted(database, account.accountId, ["imports"]);
  assert.equal(kindOf(await storageOf(account), "imports").rows, 0, "It is as it was.");
  await measureAllStored(database, never, (error) => faults.push(error));
  mock.restoreAll();
  assert.deepEqual(faults, []);
  for (const each of [account, other]) assert.equal(kindOf(await storageOf(each), "imports").rows, 3);
});

test("an account that cannot be measured keeps no other from being measured", async () => {
  const account = await service.account({ points: 0 });
  const other = await service.account({ points: 0 });
  for (const each of [account, other]) await importLines(each, "one", [line(1)]);
  await database.query("update account_storage set row_count = 0 where kind = 'imports'");
  const query = database.query.bind(database);
  const broken = new Error("It is broken.");
  mock.method(database, "query", (...given: unknown[]) => {
    const [config] = given as [string | { values?: unknown[] }];
    return typeof config === "object" && config.values?.[0] === account.accountId
      ? Promise.reject(broken)
      : (query as (...all: unknown[]) => unknown)(...given);
  });
  const faults: unknown[] = [];
  await measureAllStored(database, never, (error) => faults.push(error));
  mock.restoreAll();
  assert.deepEqual(faults, [broken]);
  assert.equal(kindOf(await storageOf(other), "imports").rows, 3);
});
