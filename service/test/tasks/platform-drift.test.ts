/** What asks of web platforms tell of their recipes: over all processes, bounded, and of the recipe in use alone. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { DriveReport } from "../../src/platforms/index.ts";
import { forgetDrift, PlatformDrift, readDrift } from "../../src/statistics/platform-drift.ts";
import { testDatabase } from "../harness/database.ts";

const { database } = await testDatabase();
const fail = (error: unknown) => {
  throw error;
};
const report = (more: Partial<DriveReport> = {}): DriveReport => ({ recipe: "a", signs: [], read: [], ...more });
const fallback = { sign: "fallback", what: "composer.input" } as const;
const drifted = async () =>
  (await readDrift(database)).get("p")?.map(({ what, sign, share }) => [what, sign, share]) ?? [];

beforeEach(() => database.query("delete from platform_drift"));

/** So many asks, that many hours ago, each with the same report. */
async function asked(count: number, hoursAgo: number, more: Partial<DriveReport>): Promise<void> {
  const drift = new PlatformDrift(database, fail);
  for (let ask = 0; ask < count; ask++) drift.note("p", report(more));
  await drift.flush();
  await database.query(
    `update platform_drift set hour = hour - $1 * interval '1 hour', first_at = first_at - $1 * interval '1 hour',
            last_at = last_at - $1 * interval '1 hour' where node_id not in (select unnest($2::uuid[]))`,
    [hoursAgo, moved],
  );
  const { rows } = await database.query<{ node_id: string }>("select distinct node_id from platform_drift");
  moved = rows.map(({ node_id }) => node_id);
}
let moved: string[] = [];

test("what several processes saw is one share, and told by each of them once an hour", async () => {
  const one = new PlatformDrift(database, fail);
  const other = new PlatformDrift(database, fail);
  assert.deepEqual(one.note("p", report({ signs: [fallback] })), [fallback]);
  assert.deepEqual(one.note("p", report({ signs: [fallback] })), []);
  assert.deepEqual(other.note("p", report({ signs: [fallback] })), [fallback]);
  for (let ask = 0; ask < 3; ask++) other.note("p", report());
  await Promise.all([one.flush(), other.flush()]);
  await one.flush();
  assert.deepEqual(await drifted(), [["composer.input", "fallback", 0.5]]);
});

test("a recipe that has been changed begins anew", async () => {
  await asked(5, 2, { signs: [fallback] });
  assert.equal((await drifted()).length, 1);
  await asked(1, 0, { recipe: "b" });
  assert.deepEqual(await drifted(), []);
});

test("what was seen more than a day ago, and not since, is not told", async () => {
  await asked(5, 30, { signs: [fallback] });
  await asked(5, 0, {});
  assert.deepEqual(await drifted(), []);
});

test("since when is told over several days", async () => {
  await asked(1, 100, { signs: [fallback] });
  await asked(1, 0, { signs: [fallback] });
  const [drift] = (await readDrift(database)).get("p") ?? [];
  const hours = (Date.now() - Date.parse(drift?.since ?? "")) / 3_600_000;
  assert.ok(hours > 99.9 && hours < 100.1, `${hours} hours`);
});

test("a rule that read something of most answers and then of none is told, and one that seldom did is not", async () => {
  await asked(4, 5, { read: ["extract.sources", "extract.search"] });
  await asked(15, 4, { read: ["extract.sources"] });
  await asked(9, 2, {});
  assert.deepEqual(await drifted(), []);
  await asked(1, 0, {});
  assert.deepEqual(await drifted(), [["extract.sources", "unread", 1]]);
});

test("what is written stays within bounds, whatever is told", async () => {
  const drift = new PlatformDrift(database, fail);
  for (let name = 0; name < 6000; name++)
    drift.note("p", report({ signs: [{ sign: "fallback", what: `name ${name}` }] }));
  await drift.flush();
  const { rows } = await database.query<{ count: number }>("select count(*)::int from platform_drift");
  assert.equal(rows[0]?.count, 5000);
});

test("what could not be written is written later, and what is too old is forgotten", async () => {
  const errors: unknown[] = [];
  let isDown = true;
  const broken = Object.assign(Object.create(database) as typeof database, {
    query: (...words: Parameters<typeof database.query>) =>
      isDown ? Promise.reject(new Error("down")) : database.query(...words),
  });
  const drift = new PlatformDrift(broken, (error) => errors.push(error));
  drift.note("p", report({ signs: [fallback] }));
  await drift.flush();
  assert.equal(errors.length, 1);
  isDown = false;
  await drift.flush();
  assert.equal((await drifted()).length, 1);
  await database.query("update platform_drift set hour = hour - interval '9 days'");
  await forgetDrift(database);
  const { rows } = await database.query<{ count: number }>("select count(*)::int from platform_drift");
  assert.equal(rows[0]?.count, 0);
});
