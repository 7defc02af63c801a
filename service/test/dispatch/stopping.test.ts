/** A node that stops leaves no work in its hands. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered, testEngine } from "../harness/engine.ts";
import { holdAt } from "../harness/race.ts";
import { until } from "../harness/wait.ts";

test("a stop that comes while a claim is under way leaves nothing in the hands of the stopped node", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const first = await engine.node();
  using hold = holdAt("claim.limiter_locked");
  await engine.submit(account, 10);
  await hold.reached;
  const stopping = first.dispatcher.stop(0);
  hold.release();
  await stopping;
  const { rows } = await engine.database.query("select from dispatch where node_id is not null");
  assert.equal(rows.length, 0);
  await engine.node(async () => answered);
  await engine.allEnded();
  await engine.assertSound();
});

test("a long drain keeps the lease: runs that end in it are written, and nobody else starts them", async () => {
  const engine = await testEngine();
  const account = await engine.account("a");
  const times = { leaseTtlMs: 3_000, renewEveryMs: 300 };
  const { dispatcher, held } = await engine.node(undefined, { times });
  await engine.submit(account, 2);
  const runs = await until("the runs", () => held.length === 2 && held);
  const other = await engine.node(undefined, { times });
  const stopping = dispatcher.stop(180_000);
  const { rows } = await engine.database.query<{ at: Date }>("select max(lease_until) as at from nodes");
  await until("the leases of that moment to be over", async () => {
    const { rowCount } = await engine.database.query("select where now() > $1::timestamptz + interval '300 ms'", [
      rows[0]?.at,
    ]);
    return rowCount === 1;
  });
  assert.equal(other.held.length, 0, "nobody took them");
  for (const run of runs) run.end(answered);
  await stopping;
  assert.deepEqual(await engine.states(), { completed: 2 });
  await engine.assertSound();
});
