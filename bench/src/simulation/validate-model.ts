import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Database } from "../../../service/src/db/index.ts";
import { registerNode } from "../../../service/src/dispatch/node/nodes.ts";
import type { Installation } from "../contenders/querent.ts";
import { EventQueue } from "./event-queue.ts";
import { openGate } from "./gate.ts";
import { Resource } from "./resource.ts";
import { costOf, processorMs, type Cost, type ServiceTimes } from "./service-times.ts";

const items = 10;

/** Tasks per second of some connections that each take 10 tasks through all transactions, again and again: measured, and by the model. */
export interface Validation {
  readonly connections: number;
  readonly measured: number;
  readonly modelled: number;
  /** Cores that other programs used meanwhile. The model has them too. */
  readonly othersCores: number;
}

export async function validateModel(
  installation: Installation,
  databaseUrl: string,
  times: ServiceTimes,
  seconds: number,
): Promise<Validation[]> {
  const validations: Validation[] = [];
  for (const connections of [1, 4]) {
    const { measured, othersCores } = await runLoops(installation, databaseUrl, connections, seconds);
    validations.push({ connections, measured, modelled: modelLoops(times, connections, othersCores), othersCores });
  }
  return validations;
}

async function runLoops(
  { accountIds }: Installation,
  databaseUrl: string,
  connections: number,
  seconds: number,
): Promise<Pick<Validation, "measured" | "othersCores">> {
  const database = new Database({ connection: { connectionString: databaseUrl }, connectionsMax: connections });
  try {
    const node = await registerNode(database, { name: "loops", version: "0", leaseTtlMs: 3_600_000 });
    let tasks = 0;
    const loop = async (accountId: string, untilMs: number) => {
      const gate = await openGate(database, node);
      while (performance.now() < untilMs) {
        await gate.submit(accountId, items);
        const claimed = await gate.claim("simulator", items);
        await gate.end(claimed);
        await gate.recordDeliveries(await gate.claimDeliveries());
        tasks += claimed.length;
      }
    };
    const runAll = async (ms: number) => {
      const from = performance.now();
      tasks = 0;
      await Promise.all(accountIds.slice(0, connections).map((accountId) => loop(accountId, from + ms)));
      return tasks / ((performance.now() - from) / 1000);
    };
    // The first second opens the connections and prepares the statements.
    await runAll(1_000);
    const { rows } = await database.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'",
    );
    const othersMs = () => {
      const { user, system } = process.cpuUsage();
      return rows.reduce((left, { pid }) => left - processorMs(pid), machineBusyMs() - (user + system) / 1000);
    };
    const [from, before] = [performance.now(), othersMs()];
    const measured = await runAll(seconds * 1000);
    return { measured, othersCores: Math.max(0, (othersMs() - before) / (performance.now() - from)) };
  } finally {
    await database.close();
  }
}

/** The processor time that all programs have used, and the host took, in milliseconds. Linux's clock ticks every 10 ms. */
function machineBusyMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = (
    /^cpu +(.+)/.exec(readFileSync("/proc/stat", "utf8"))?.[1] ?? ""
  )
    .split(" ")
    .map(Number);
  return 10 * (user + nice + system + irq + softIrq + steal);
}

/** The same loops on this machine: its cores, one process of the service, one platform, one lock of delivery claims. */
function modelLoops(times: ServiceTimes, connections: number, othersCores: number): number {
  const events = new EventQueue();
  const cores = new Resource(events, availableParallelism());
  occupy(events, cores, othersCores);
  const thread = new Resource(events, 1);
  const platform = new Resource(events, 1);
  const deliveries = new Resource(events, 1);
  let tasks = 0;
  const transact = (lock: Resource | null, cost: Cost, then: () => void) => {
    const work = () =>
      thread.acquire(() =>
        cores.acquire(() =>
          events.after(cost.node, () => {
            thread.release();
            events.after(cost.postgres, () => {
              cores.release();
              events.after(Math.max(0, cost.wall - cost.postgres - cost.node), () => {
                lock?.release();
                then();
              });
            });
          }),
        ),
      );
    if (lock === null) work();
    else lock.acquire(work);
  };
  const loop = () =>
    transact(null, costOf(times.submit, items), () =>
      transact(platform, costOf(times.claim, items), () =>
        transact(null, costOf(times.end, items), () =>
          transact(deliveries, costOf(times.claimDeliveries, items), () =>
            transact(null, costOf(times.recordDeliveries, items), () => {
              tasks += items;
              loop();
            }),
          ),
        ),
      ),
    );
  for (let n = 0; n < connections; n++) loop();
  const seconds = 60;
  events.runUntil(seconds * 1000);
  return tasks / seconds;
}

/** Other programs, which compete for the cores: each of them is held for its part of a few milliseconds, again and again. */
function occupy(events: EventQueue, cores: Resource, othersCores: number): void {
  const sliceMs = 4;
  const share = Math.min(0.95, othersCores / availableParallelism());
  const loop = () =>
    cores.acquire(() =>
      events.after(share * sliceMs, () => {
        cores.release();
        events.after((1 - share) * sliceMs, loop);
      }),
    );
  if (share > 0) for (let core = 0; core < availableParallelism(); core++) loop();
}
