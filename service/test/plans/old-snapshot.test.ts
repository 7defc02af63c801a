/** What a claim reads while a transaction holds an old snapshot, so that nothing dead can be removed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { configureLimiters } from "../../src/dispatch/index.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import { raisePositions } from "../../src/dispatch/queue/account-queues.ts";
import { claim, type Claimed } from "../../src/dispatch/queue/claim.ts";
import { newId } from "../../src/kernel/ids.ts";
import { testDatabase } from "../harness/database.ts";
import { countPages } from "../harness/pages.ts";

test("a claim reads as much after 20,000 tasks that ended under an old snapshot as after a thousand", async (t) => {
  const { url, database: other } = await testDatabase();
  const { database, pagesOf, close } = await countPages(url);
  await configureLimiters(database, [
    { code: "p", runningMax: 100_000, rate: null, attemptsMax: 3, breakerAfter: null },
  ]);
  const nodeId = await registerNode(database, { name: "n", version: "0", leaseTtlMs: 3_600_000 });
  const accountId = newId();
  await database.query("insert into account_lanes (platform, account_id) values ('p', $1)", [accountId]);
  const queue = (count: number) =>
    database.query(
      `insert into dispatch (task_id, account_id, platform, state, rank, run_at, run_timeout_s)
       select id, $1, 'p', 'queued', 4, now(), 60 from unnest($2::uuid[]) as id`,
      [accountId, Array.from({ length: count }, () => newId())],
    );
  const claimSome = async (slots: number) =>
    (await claim(database, { platform: "p", nodeId, slots, accountSlots: slots })).claimed;
  const end = (tasks: readonly Claimed[]) =>
    database.query("delete from dispatch where task_id = any($1::uuid[])", [tasks.map(({ taskId }) => taskId)]);
  const pass = async (count: number) => {
    for (let passed = 0; passed < count; passed += 500) {
      await queue(500);
      const claimed = await claimSome(500);
      assert.equal(claimed.length, 500);
      await end(claimed);
      const last = claimed.at(-1);
      if (last !== undefined) await raisePositions(database, "p", [{ accountId, rank: 4, taskId: last.taskId }]);
    }
  };
  const pagesOfClaim = async () => {
    await queue(10);
    let claimed: readonly Claimed[] = [];
    const pages = await pagesOf(async () => (claimed = await claimSome(10)));
    assert.equal(claimed.length, 10);
    await end(claimed);
    return pages;
  };

  const snapshot = await other.connect();
  await snapshot.query("begin isolation level repeatable read");
  await snapshot.query("select from tasks limit 1");
  await pass(1_000);
  const few = await pagesOfClaim();
  await pass(19_000);
  const many = await pagesOfClaim();
  t.diagnostic(JSON.stringify({ few, many }));
  assert.ok(many <= 2 * few, `${many} pages of a claim after 20,000, ${few} after 1,000`);
  await snapshot.query("rollback");
  await snapshot.end();
  await close();
});
