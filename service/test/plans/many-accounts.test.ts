/** What claims read with 10 accounts that have work, and with 10,000: about the same, since they read those whose turn is next. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { claim } from "../../src/dispatch/queue/claim.ts";
import { configureLimiters } from "../../src/dispatch/index.ts";
import { registerNode } from "../../src/dispatch/node/nodes.ts";
import { claimDeliveries } from "../../src/webhooks/send/claim-deliveries.ts";
import { everything } from "../webhooks/fixture.ts";
import { testDatabase } from "../harness/database.ts";
import { countPages } from "../harness/pages.ts";

const few = 10;
const many = 10_000;
const accountId = "('00000001-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";

/** Only tasks of rank 4 are queued. */
const ofRank4 = "array[null, null, null, null, '00000000-0000-0000-0000-000000000000'::uuid]";

/** Pages of a claim of `slots`, with the statistics of an empty queue and with those of the full one; the larger one counts. */
async function pagesOfTaskClaims(accounts: number, sizes: readonly number[]): Promise<number[]> {
  const { url } = await testDatabase();
  const { database, pagesOf, close } = await countPages(url);
  await configureLimiters(database, [
    { code: "p", runningMax: 100_000, rate: null, attemptsMax: 3, breakerAfter: null },
  ]);
  const nodeId = await registerNode(database, { name: "n", version: "0", leaseTtlMs: 3_600_000 });
  await database.query("analyze");
  await database.query(
    `with lane as (
       insert into account_lanes (platform, account_id, positions) select 'p', ${accountId}, ${ofRank4} from generate_series(1, $1::int) n
     )
     insert into dispatch (task_id, account_id, platform, state, rank, run_at, run_timeout_s)
     select gen_random_uuid(), ${accountId}, 'p', 'queued', 4, now(), 60
       from generate_series(1, $1::int) n, generate_series(1, greatest(3, 6000 / $1::int))`,
    [accounts],
  );
  const costs: number[] = [];
  for (const slots of sizes) {
    const rounds: number[] = [];
    for (const isAnalyzed of [false, true]) {
      if (isAnalyzed) await database.query("vacuum analyze dispatch, account_lanes");
      // More than once: a plan that is kept differs from the first ones.
      for (let round = 0; round < 7; round++) {
        rounds.push(
          await pagesOf(async () => {
            const { claimed } = await claim(database, { platform: "p", nodeId, slots });
            assert.equal(claimed.length, slots);
          }),
        );
        await database.query(
          "update dispatch set state = 'queued', node_id = null, claimed_at = null where state = 'running'",
        );
        await database.query("vacuum (index_cleanup on) dispatch, account_lanes");
      }
    }
    costs.push(Math.max(...rounds));
  }
  await close();
  return costs;
}

test("a claim of tasks reads at most three times the pages with 10,000 accounts that have work as with 10", async (t) => {
  const sizes = [1, 100, 500];
  const [beside10, beside10000] = [await pagesOfTaskClaims(few, sizes), await pagesOfTaskClaims(many, sizes)];
  t.diagnostic(JSON.stringify({ sizes, beside10, beside10000 }));
  for (const [n, slots] of sizes.entries()) {
    const [small = 0, large = 0] = [beside10[n], beside10000[n]];
    assert.ok(
      large <= 3 * small,
      `a claim of ${slots}: ${large} pages beside ${many} accounts, ${small} beside ${few}`,
    );
  }
});

async function pagesOfDeliveryClaims(accounts: number, sizes: readonly number[]): Promise<number[]> {
  const { url } = await testDatabase();
  const { database, pagesOf, close } = await countPages(url);
  await database.query("analyze");
  await database.query(
    `with turn as (insert into delivery_turns (account_id) select ${accountId} from generate_series(1, $1::int) n)
     insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, state, next_attempt_at)
     select gen_random_uuid(), array[gen_random_uuid()], ${accountId}, 'https://r' || n || '.example.com', false, 'queued', now()
       from generate_series(1, $1::int) n, generate_series(1, greatest(3, 6000 / $1::int))`,
    [accounts],
  );
  // Some receiver always fails.
  await database.query(
    "insert into delivery_breakers (account_id, origin, failures_in_row) values (gen_random_uuid(), 'https://other.example.com', 1)",
  );
  const costs: number[] = [];
  for (const deliveries of sizes) {
    // As many deliveries in both cases: of a few accounts several for each slot, of many accounts one.
    const slots = Math.min(deliveries, 4 * accounts);
    const slotDeliveries = accounts === few ? Math.ceil(deliveries / slots) : 1;
    const rounds: number[] = [];
    for (const isAnalyzed of [false, true]) {
      if (isAnalyzed) await database.query("vacuum analyze delivery_queue, delivery_turns");
      for (let round = 0; round < 7; round++) {
        rounds.push(
          await pagesOf(async () => {
            const { rows } = await claimDeliveries(database, { ...everything, slots, slotDeliveries });
            assert.equal(rows.length, deliveries);
          }),
        );
        await database.query(
          "update delivery_queue set state = 'queued', slot = null, lease_until = null where state = 'in_flight'",
        );
        await database.query("vacuum (index_cleanup on) delivery_queue, delivery_turns");
      }
    }
    costs.push(Math.max(...rounds));
  }
  await close();
  return costs;
}

test("a claim of deliveries reads at most three times the pages with 10,000 accounts that have work as with 10", async (t) => {
  const sizes = [1, 40, 240];
  const [beside10, beside10000] = [await pagesOfDeliveryClaims(few, sizes), await pagesOfDeliveryClaims(many, sizes)];
  t.diagnostic(JSON.stringify({ sizes, beside10, beside10000 }));
  for (const [n, deliveries] of sizes.entries()) {
    const [small = 0, large = 0] = [beside10[n], beside10000[n]];
    assert.ok(
      large <= 3 * small,
      `a claim of ${deliveries}: ${large} pages beside ${many} accounts, ${small} beside ${few}`,
    );
  }
});
