/** The cost of claims, of tasks and of deliveries, with 10 to 10,000 accounts that have work: time, and pages of tables and indexes read. */
import { Database, migrate } from "../../../service/src/db/index.ts";
import { claim } from "../../../service/src/dispatch/queue/claim.ts";
import { configureLimiters } from "../../../service/src/dispatch/index.ts";
import { registerNode } from "../../../service/src/dispatch/node/nodes.ts";
import { claimDeliveries } from "../../../service/src/webhooks/send/claim-deliveries.ts";
import { countPages, type PageCounter } from "../../../service/test/harness/pages.ts";
import type { Bench } from "../bench.ts";
import { quantile } from "../statistics.ts";
import type { Line } from "./probe.ts";

const counts = [10, 100, 1_000, 10_000];
/** Tasks, and deliveries, per claim. */
const claimSize = 120;
const rounds = 15;
const rowsMin = 10_000;
const accountId = "('00000001-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";

interface Cost {
  readonly ms: number;
  readonly pages: number;
}

export async function manyAccounts(bench: Bench): Promise<Line[]> {
  const tasks: Cost[] = [];
  const deliveries: Cost[] = [];
  for (const accounts of counts) {
    bench.progress(`  ${accounts} accounts`);
    const { databaseUrl } = await bench.input("accounts");
    await migrateDatabase(databaseUrl);
    const counter = await countPages(databaseUrl);
    try {
      await fill(counter.database, accounts);
      tasks.push(await taskClaims(counter));
      deliveries.push(await deliveryClaims(counter, accounts));
    } finally {
      await counter.close();
      await bench.postgres.drop("bench_accounts");
    }
  }
  return [...lines("tasks", tasks), ...lines("deliveries", deliveries)];
}

function lines(of: string, costs: readonly Cost[]): Line[] {
  const first = costs[0];
  return costs.map(({ ms, pages }, n) => ({
    what: `claim of ${claimSize} ${of}, ${counts[n]} accounts with work`,
    figure: `${ms.toFixed(1)} ms, ${pages.toFixed(0)} pages`,
    ratio:
      first === undefined || n === 0
        ? ""
        : `x ${(ms / first.ms).toFixed(2)}, pages x ${(pages / first.pages).toFixed(2)}`,
    target: n === 0 ? "" : "pages x 3 at most",
  }));
}

async function migrateDatabase(databaseUrl: string): Promise<void> {
  const database = new Database({ connection: { connectionString: databaseUrl }, connectionsMax: 1 });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}

async function fill(database: Database, accounts: number): Promise<void> {
  await configureLimiters(database, [
    { code: "simulator", runningMax: 1_000_000, rate: null, attemptsMax: 3, breakerAfter: null },
  ]);
  const each = Math.max(1, rowsMin / accounts);
  await database.query(
    `with lane as (
       insert into account_lanes (platform, account_id, positions)
       select 'simulator', ${accountId}, array[null, null, null, null, '00000000-0000-0000-0000-000000000000'::uuid]
         from generate_series(1, $1::int) n
     ), turn as (
       insert into delivery_turns (account_id) select ${accountId} from generate_series(1, $1::int) n
     ), queued as (
       insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, state, next_attempt_at)
       select gen_random_uuid(), array[gen_random_uuid()], ${accountId}, 'https://r' || n || '.example.com', false, 'queued', now()
         from generate_series(1, $1::int) n, generate_series(1, $2::int)
     )
     insert into dispatch (task_id, account_id, platform, state, rank, run_at, run_timeout_s)
     select gen_random_uuid(), ${accountId}, 'simulator', 'queued', 4, now(), 60
       from generate_series(1, $1::int) n, generate_series(1, $2::int)`,
    [accounts, each],
  );
  await database.query("vacuum analyze");
}

async function taskClaims(counter: PageCounter): Promise<Cost> {
  const { database } = counter;
  const nodeId = await registerNode(database, { name: "bench", version: "0", leaseTtlMs: 3_600_000 });
  return measure(
    counter,
    async () => (await claim(database, { platform: "simulator", nodeId, slots: claimSize })).claimed.length,
    "update dispatch set state = 'queued', node_id = null, claimed_at = null where node_id is not null",
    "dispatch, account_lanes",
  );
}

async function deliveryClaims(counter: PageCounter, accounts: number): Promise<Cost> {
  // As many deliveries in every case: of few accounts, several for each slot.
  const slots = Math.min(claimSize, 4 * accounts);
  let afterAccount: string | null = null;
  return measure(
    counter,
    async () => {
      const { rows, lastAccount } = await claimDeliveries(counter.database, {
        slots,
        slotDeliveries: Math.ceil(claimSize / slots),
        lateSlots: slots,
        sharedSlots: slots,
        accountSlots: slots,
        inFlight: new Map(),
        leaseMs: 45_000,
        afterAccount,
      });
      afterAccount = lastAccount;
      return rows.length;
    },
    "update delivery_queue set state = 'queued', slot = null, lease_until = null where state = 'in_flight'",
    "delivery_queue, delivery_turns",
  );
}

/** Medians of some claims, each undone. */
async function measure(
  { database, pagesOf }: PageCounter,
  claimOnce: () => Promise<number>,
  undo: string,
  tables: string,
): Promise<Cost> {
  const times: number[] = [];
  const pages: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const read = await pagesOf(async () => {
      const from = performance.now();
      const claimed = await claimOnce();
      times.push(performance.now() - from);
      if (claimed !== claimSize) throw new Error(`a claim took ${claimed} of ${claimSize}`);
    });
    pages.push(read);
    await database.query(undo);
    await database.query(`vacuum (index_cleanup on) ${tables}`);
  }
  return { ms: quantile(times, 0.5), pages: quantile(pages, 0.5) };
}
