/**
 * Lists of an account that has very many tasks: how many pages of tables and indexes a page of the list reads. A scan of the account's
 * tasks would read thousands, and more with every year. `LISTS_TASKS` makes it another number than 50,000.
 */
import assert from "node:assert/strict";
import { after, mock, suite, test } from "node:test";
import { primaryReader } from "../../src/db/index.ts";
import { listBatches } from "../../src/tasks/read/batches.ts";
import { listTasks, type TaskFilter } from "../../src/tasks/read/list-tasks.ts";
import { testDatabase } from "../harness/database.ts";
import { fillLongList } from "../harness/long-list.ts";
import { countPages } from "../harness/pages.ts";

const count = Number(process.env["LISTS_TASKS"] ?? 50_000);
const { database: filled, url } = await testDatabase();
const { accountId, batchId, from } = await fillLongList(filled, count);
const { database, pagesOf, close } = await countPages(url);
const primary = primaryReader(database).source();
after(close);
const limit = 50;
const at = (n: number) => new Date(from.getTime() + n * 100).toISOString();
const middle = Math.floor(count / 2);

/** Filters, how many tasks the first page has, and how many pages of the database it may read: about twice of what it does read. */
const cases: readonly (readonly [what: string, filter: TaskFilter, found: number, pagesMax: number])[] = [
  ["no filter", {}, limit, 50],
  ["completed", { state: "completed" }, limit, 50],
  ["failed", { state: "failed" }, limit, 500],
  ["canceled: one, at the far end", { state: "canceled" }, 1, 60],
  ["pending: three, at the far end", { state: "pending" }, 3, 90],
  ["a common platform", { platformCode: "common" }, limit, 50],
  ["a platform with three, at the far end", { platformCode: "rare" }, 3, 50],
  ["a platform with none", { platformCode: "none" }, 0, 80],
  ["a tag of the older half", { tag: "older" }, limit, 500],
  ["a tag with three, at the far end", { tag: "rare" }, 3, 80],
  ["a tag with none", { tag: "none" }, 0, 50],
  ["a reference", { clientReference: "ref-0" }, 1, 80],
  ["a reference with none", { clientReference: "none" }, 0, 80],
  ["a batch", { batchId }, limit, 200],
  ["a batch with none", { batchId: accountId }, 0, 80],
  ["accepted before a time", { createdBefore: at(middle) }, limit, 50],
  ["accepted from a time, to another", { createdFrom: at(middle), createdBefore: at(middle + 7) }, 7, 60],
  ["a time with none", { createdFrom: at(count) }, 0, 50],
  ["a common text", { text: "KETTLE" }, limit, 50],
  ["failed of a tag", { state: "failed", tag: "odd" }, limit, 900],
  ["pending of a tag", { state: "pending", tag: "rare" }, 3, 90],
  [
    "failed of a platform before a time",
    { state: "failed", platformCode: "common", createdBefore: at(middle) },
    limit,
    500,
  ],
  ["a text of a batch", { batchId, text: "needle" }, 0, 400],
  ["a text of an hour", { text: "series 1", createdFrom: at(middle), createdBefore: at(middle + 10) }, 0, 60],
];

suite("lists of very many tasks", () => {
  test("no index of tasks holds, or is limited by, a column that changes: the end of a task stays within its page", async () => {
    const { rows } = await database.query<{ name: string }>(
      `select distinct a.attname as name
       from pg_index i join pg_depend d on d.objid = i.indexrelid and d.refobjid = i.indrelid
            join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
       where i.indrelid in (select inhrelid from pg_inherits where inhparent = 'tasks'::regclass) order by 1`,
    );
    const held = rows.map(({ name }) => name).filter((name) => name !== "id");
    // The primary key's columns depend on their constraint.
    assert.deepEqual(held, ["account_id", "batch_id", "client_reference", "item_index", "platform"]);
  });

  for (const [what, filter, found, pagesMax] of cases) {
    test(`${what}: the first page is whole, and reads few pages of the database`, async (t) => {
      // A look ends after some milliseconds, whatever it found: time stands still here.
      const clock = mock.method(performance, "now", () => 0);
      t.after(() => clock.mock.restore());
      const list = () => listTasks(database, accountId, filter, { beforeId: null, limit });
      const page = await list();
      const pages = await pagesOf(list);
      t.diagnostic(`${pages} pages`);
      if (found !== 0 || filter.text === undefined) assert.equal(page.tasks.length, found);
      assert.equal(page.nextId !== null, found === limit);
      assert.ok(pages <= pagesMax, `${pages} pages`);
    });
  }

  test("batches that ended are counted once: a page of them is read as fast as it is found", async (t) => {
    const list = () => listBatches(primary, accountId, {}, { beforeId: null, limit });
    const counted = await list();
    const pages = await pagesOf(list);
    t.diagnostic(`${pages} pages`);
    assert.equal(counted.batches.length, limit);
    assert.deepEqual(await list(), counted);
    assert.ok(pages <= 500, `${pages} pages`);
  });

  test("a batch that goes on is counted each time, and only it", async (t) => {
    const oldest = { createdBefore: at(1) };
    const page = await listBatches(primary, accountId, oldest, { beforeId: null, limit });
    assert.equal(page.batches[0]?.counts.pending, 3);
    const pages = await pagesOf(() => listBatches(primary, accountId, oldest, { beforeId: null, limit }));
    t.diagnostic(`${pages} pages for 1,000 tasks`);
    assert.ok(pages <= 300, `${pages} pages`);
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
      let beforeId: string | null = null;
      let steps = 0;
      do {
        const page = await listTasks(database, accountId, filter, { beforeId, limit });
        steps++;
        found.push(...page.tasks.map(({ question }) => question));
        assert.ok(beforeId === null || page.nextId === null || page.nextId < beforeId, "it goes on, and never back");
        beforeId = page.nextId;
      } while (beforeId !== null);
      t.diagnostic(`${steps} steps`);
      assert.equal(found.length, filter.text === "needle" ? 1 : 0);
    });
  }
});
