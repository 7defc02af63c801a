import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Database } from "../../../service/src/db/index.ts";
import { configureLimiters } from "../../../service/src/dispatch/index.ts";
import { registerNode } from "../../../service/src/dispatch/node/nodes.ts";
import { atRacePoints, type RacePoint } from "../../../service/src/runtime/race-points.ts";
import { maintainResults } from "../../../service/src/tasks/index.ts";
import type { Installation } from "../contenders/querent.ts";
import { quantile } from "../statistics.ts";
import { openGate, type Gate } from "./gate.ts";

/** The cost of one transaction in milliseconds: how long it takes alone, and its processor time in PostgreSQL and in the service. */
export interface Cost {
  readonly wall: number;
  readonly postgres: number;
  readonly node: number;
  /** The part of `wall` before it locks the account's row. */
  readonly before: number;
}

/** The cost of a transaction with n items: `base + n * each`. */
export interface Linear {
  readonly base: Cost;
  readonly each: Cost;
}

export interface ServiceTimes {
  readonly submit: Linear;
  readonly claim: Linear;
  /** In addition, for each task that runs on the platform: a claim counts them. */
  readonly claimRunning: Cost;
  readonly emptyClaim: Cost;
  readonly end: Linear;
  readonly claimDeliveries: Linear;
  readonly emptyDeliveryClaim: Cost;
  readonly recordDeliveries: Linear;
}

const manyItems = 50;
const manyRunning = 20_000;
const idlePlatform = "idle";

/** Measures each transaction alone, on one connection, with 1 and 50 items, and claims also beside 20,000 running tasks. */
export async function measureServiceTimes(
  installation: Installation,
  databaseUrl: string,
  rounds: number,
): Promise<ServiceTimes> {
  const { accountIds } = installation;
  const limits = { runningMax: 1_000_000, rate: null, attemptsMax: 3, breakerAfter: null };
  await maintainResults(installation.database);
  await configureLimiters(installation.database, [
    { code: "simulator", ...limits },
    { code: idlePlatform, ...limits },
  ]);
  // One connection, whose backend's processor time is read.
  const database = new Database({ connection: { connectionString: databaseUrl }, connectionsMax: 1 });
  try {
    const { rows } = await database.query<{ pid: number }>("select pg_backend_pid() as pid");
    const meter = new Meter(rows[0]?.pid ?? 0);
    const node = await registerNode(database, { name: "bench", version: "0", leaseTtlMs: 3_600_000 });
    const gate = await openGate(database, node);
    // A queue of many accounts, so that claims take of several.
    for (const accountId of accountIds) await gate.submit(accountId, 2 * manyItems);
    await database.query("vacuum analyze");
    const measureWith = async (items: number) => {
      await pipeline(gate, new Meter(meter.pid), accountIds, items, 10);
      return pipeline(gate, meter, accountIds, items, rounds);
    };
    const one = await measureWith(1);
    const many = await measureWith(manyItems);
    await insertRunning(installation, randomUUID());
    const beside = await measureWith(1);
    const linear = (name: keyof typeof one): Linear => fit(one[name], many[name]);
    return {
      submit: linear("submit"),
      claim: linear("claim"),
      claimRunning: perRunning(one.claim.wall, beside.claim.wall),
      emptyClaim: one.emptyClaim,
      end: linear("end"),
      claimDeliveries: linear("claimDeliveries"),
      emptyDeliveryClaim: one.emptyDeliveryClaim,
      recordDeliveries: linear("recordDeliveries"),
    };
  } finally {
    await database.close();
  }
}

/** The same tasks through all transactions, round after round: the cost of each. */
async function pipeline(gate: Gate, meter: Meter, accountIds: readonly string[], items: number, rounds: number) {
  for (let round = 0; round < rounds; round++) {
    const accountId = accountIds[round % accountIds.length] ?? "";
    await meter.measure("submit", () => gate.submit(accountId, items));
    const claimed = await meter.measure("claim", () => gate.claim("simulator", items));
    await meter.measure("emptyClaim", () => gate.claim(idlePlatform, items));
    await meter.measure("emptyDeliveryClaim", () => gate.claimDeliveries());
    await meter.measure("end", () => gate.end(claimed));
    const deliveries = await meter.measure("claimDeliveries", () => gate.claimDeliveries());
    if (claimed.length !== items || deliveries.length !== items)
      throw new Error(`claimed ${claimed.length} tasks and ${deliveries.length} deliveries instead of ${items}`);
    await meter.measure("recordDeliveries", () => gate.recordDeliveries(deliveries));
  }
  return meter.take();
}

/** From here on a transaction locks the row of an account. Of a submission it is the latest point known, a round trip before the lock. */
const accountLocked: ReadonlySet<RacePoint> = new Set(["submit.before_hold", "end.before_points"]);

type Measured = keyof Gate | "emptyClaim" | "emptyDeliveryClaim";

class Meter {
  readonly pid: number;
  readonly #samples = new Map<Measured, Cost[]>();
  #lockedAt = 0;

  constructor(pid: number) {
    this.pid = pid;
  }

  async measure<Result>(name: Measured, work: () => Promise<Result>): Promise<Result> {
    atRacePoints((point) => {
      if (accountLocked.has(point)) this.#lockedAt = performance.now();
    });
    const [from, postgres, node] = [performance.now(), processorMs(this.pid), process.cpuUsage()];
    const result = await work();
    atRacePoints(null);
    const used = process.cpuUsage(node);
    const sample = {
      before: Math.max(0, this.#lockedAt - from),
      wall: performance.now() - from,
      postgres: processorMs(this.pid) - postgres,
      node: (used.user + used.system) / 1000,
    };
    this.#samples.set(name, [...(this.#samples.get(name) ?? []), sample]);
    return result;
  }

  /**
   * Means of processor time. Of elapsed time what a tenth stays below: on a busy machine the rest also contains waits for a core, which the
   * model has on its own.
   */
  take(): Record<Measured, Cost> {
    const costOf = (name: Measured): Cost => {
      const samples = this.#samples.get(name) ?? [];
      const mean = (of: "postgres" | "node") => samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length;
      const undisturbed = (of: "wall" | "before") =>
        quantile(
          samples.map((sample) => sample[of]),
          0.1,
        );
      const wall = undisturbed("wall");
      return {
        before: undisturbed("before"),
        wall,
        postgres: Math.min(wall, mean("postgres")),
        node: Math.min(wall, mean("node")),
      };
    };
    const costs = {
      submit: costOf("submit"),
      claim: costOf("claim"),
      emptyClaim: costOf("emptyClaim"),
      end: costOf("end"),
      claimDeliveries: costOf("claimDeliveries"),
      emptyDeliveryClaim: costOf("emptyDeliveryClaim"),
      recordDeliveries: costOf("recordDeliveries"),
    };
    this.#samples.clear();
    return costs;
  }
}

/** Tasks that another node runs. */
async function insertRunning({ database, accountIds }: Installation, nodeId: string): Promise<void> {
  await database.query(
    `insert into dispatch (task_id, account_id, platform, state, rank, run_at, run_timeout_s, node_id, claimed_at, started_at, attempt, fence)
     select gen_random_uuid(), ($1::uuid[])[1 + n % cardinality($1::uuid[])], 'simulator', 'running', 4, now(), 3600, $2, now(), now(), 1, 1
       from generate_series(1, $3::int) n`,
    [accountIds, nodeId, manyRunning],
  );
  await database.query("vacuum analyze dispatch");
}

/** Counting is done by PostgreSQL alone. */
function perRunning(without: number, beside: number): Cost {
  const ms = Math.max(0, beside - without) / manyRunning;
  return { wall: ms, postgres: ms, node: 0, before: 0 };
}

/** The processor time of a process, by Linux's scheduler. */
export function processorMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

function fit(one: Cost, many: Cost): Linear {
  const each = combine(one, many, (few, more) => Math.max(0, more - few) / (manyItems - 1));
  return { base: combine(one, each, (whole, item) => Math.max(0, whole - item)), each };
}

export function combine(a: Cost, b: Cost, of: (a: number, b: number) => number): Cost {
  return {
    wall: of(a.wall, b.wall),
    postgres: of(a.postgres, b.postgres),
    node: of(a.node, b.node),
    before: of(a.before, b.before),
  };
}

export function costOf({ base, each }: Linear, items: number): Cost {
  return combine(base, each, (fixed, item) => fixed + items * item);
}
