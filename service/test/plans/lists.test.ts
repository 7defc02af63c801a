/**
 * Lists of an account that has very many tasks: what a page costs, in page reads and against a look-up of as many tasks by their
 * ids. `LISTS_TASKS` makes it another number than 200,000.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { listBatches } from "../../src/tasks/batches.ts";
import { listTasks, type TaskFilter } from "../../src/tasks/list-tasks.ts";
import { testDatabase } from "../harness/database.ts";
import { fillLongList } from "../harness/long-list.ts";

const count = Number(process.env["LISTS_TASKS"] ?? 200_000);
const { database } = await testDatabase();
const { accountId, batchId, from } = await fillLongList(database, count);
const limit = 50;
const at = (n: number) => new Date(from.getTime() + n * 100).toISOString();
const middle = Math.floor(count / 2);

const best = async (work: () => Promise<unknown>) => {
  let least = Infinity;
  for (let round = 0; round < 20; round++) {
    const startedAt = performance.now();
    await work();
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
};
const newest = await listTasks(database, accountId, {}, { beforeId: null, limit });
const floorMs = await best(() =>
  database.query("select * from tasks where id = any($1::uuid[]) and account_id = $2", [
    newest.tasks.map(({ taskId }) => taskId),
    accountId,
  ]),
);

/** Filters, how many tasks the first page has, and how many times the floor it may take. */
const cases: readonly (readonly [what: string, filter: TaskFilter, found: number, ratioMax: number])[] = [
  ["no filter", {}, limit, 10],
  ["completed", { state: "completed" }, limit, 20],
  ["failed", { state: "failed" }, limit, 20],
  ["canceled: one, at the far end", { state: "canceled" }, 1, 10],
  ["pending: three, at the far end", { state: "pending" }, 3, 20],
  ["a common platform", { platformCode: "common" }, limit, 10],
  ["a platform with three, at the far end", { platformCode: "rare" }, 3, 10],
  ["a platform with none", { platformCode: "none" }, 0, 10],
  ["a tag of the older half", { tag: "older" }, limit, 20],
  ["a tag with three, at the far end", { tag: "rare" }, 3, 10],
  ["a tag with none", { tag: "none" }, 0, 10],
  ["a reference", { clientReference: "ref-0" }, 1, 10],
  ["a reference with none", { clientReference: "none" }, 0, 10],
  ["a batch", { batchId }, limit, 30],
  ["a batch with none", { batchId: accountId }, 0, 10],
  ["accepted before a time", { createdBefore: at(middle) }, limit, 10],
  ["accepted from a time, to another", { createdFrom: at(middle), createdBefore: at(middle + 7) }, 7, 10],
  ["a time with none", { createdFrom: at(count) }, 0, 10],
  ["a common text", { text: "KETTLE" }, limit, 40],
  ["failed of a tag", { state: "failed", tag: "odd" }, limit, 60],
  ["pending of a tag", { state: "pending", tag: "rare" }, 3, 20],
  [
    "failed of a platform before a time",
    { state: "failed", platformCode: "common", createdBefore: at(middle) },
    limit,
    40,
  ],
  ["a text of a batch", { batchId, text: "needle" }, 0, 60],
  ["a text of an hour", { text: "series 1", createdFrom: at(middle), createdBefore: at(middle + 10) }, 0, 60],
];

suite("lists of very many tasks", () => {
  test("no index of tasks holds, or is limited by, a column that changes: the end of a task stays within its page", async () => {
    const { rows } = await database.query<{ name: string }>(
      `select distinct a.attname as name
       from pg_index i join pg_depend d on d.objid = i.indexrelid and d.refobjid = i.indrelid
            join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
       where i.indrelid = 'tasks'::regclass order by 1`,
    );
    const held = rows.map(({ name }) => name).filter((name) => name !== "id");
    // The primary key's columns depend on their constraint.
    assert.deepEqual(held, ["account_id", "batch_id", "client_reference", "item_index", "platform"]);
  });

  for (const [what, filter, found, ratioMax] of cases) {
    test(`${what}: the first page is whole, and costs no more than a few look-ups by id`, async (t) => {
      const list = () => listTasks(database, accountId, filter, { beforeId: null, limit });
      const ms = await best(list);
      const page = await list();
      t.diagnostic(`${ms.toFixed(1)} ms, ${(ms / floorMs).toFixed(1)} times the floor of ${floorMs.toFixed(2)} ms`);
      if (found !== 0 || filter.text === undefined) assert.equal(page.tasks.length, found);
      assert.equal(page.nextId !== null, found === limit);
      assert.ok(ms <= ratioMax * floorMs + 5, `${ms} ms`);
    });
  }

  test("batches that ended are counted once: a page of them is read as fast as it is found", async (t) => {
    const list = () => listBatches(database, accountId, {}, { beforeId: null, limit });
    const startedAt = performance.now();
    const counted = await list();
    const countedMs = performance.now() - startedAt;
    const ms = await best(list);
    t.diagnostic(`${countedMs.toFixed(1)} ms counted, ${ms.toFixed(1)} ms kept`);
    assert.equal(counted.batches.length, limit);
    assert.deepEqual(await list(), counted);
    assert.ok(ms <= 20 * floorMs + 5, `${ms} ms`);
  });

  test("a batch that goes on is counted each time, and only it", async (t) => {
    const oldest = { createdBefore: at(1) };
    const page = await listBatches(database, accountId, oldest, { beforeId: null, limit });
    assert.equal(page.batches[0]?.counts.pending, 3);
    const ms = await best(() => listBatches(database, accountId, oldest, { beforeId: null, limit }));
    t.diagnostic(`${ms.toFixed(1)} ms for 1,000 tasks`);
    assert.ok(ms <= 40 * floorMs + 10, `${ms} ms`);
  });

  for (const filter of [
    { text: "needle" },
    { text: "nowhere" },
    { text: "needle", state: "pending" },
    { tag: "older", state: "failed", platformCode: "rare" },
    { tag: "odd", platformCode: "rare" },
  ] satisfies TaskFilter[]) {
    test(`what no index holds is looked for in bounded steps, to the end: ${JSON.stringify(filter)}`, async (t) => {
      const found: string[] = [];
      let [beforeId, steps, longest]: [string | null, number, number] = [null, 0, 0];
      do {
        const startedAt = performance.now();
        const page = await listTasks(database, accountId, filter, { beforeId, limit });
        longest = Math.max(longest, performance.now() - startedAt);
        steps++;
        found.push(...page.tasks.map(({ question }) => question));
        assert.ok(beforeId === null || page.nextId === null || page.nextId < beforeId, "it goes on, and never back");
        beforeId = page.nextId;
      } while (beforeId !== null);
      t.diagnostic(`${steps} steps, the longest ${longest.toFixed(0)} ms`);
      assert.equal(found.length, filter.text === "needle" ? 1 : 0);
    });
  }
});
