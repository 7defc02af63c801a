/** The cost of reading the metrics that come from the database, and what claims notice of it. */
import type { Bench } from "../bench.ts";
import { question } from "../contenders/querent.ts";
import { claim } from "../../../service/src/dispatch/queue/claim.ts";
import { configureLimiters, measureEngine, measureQueues } from "../../../service/src/dispatch/index.ts";
import { registerNode } from "../../../service/src/dispatch/node/nodes.ts";
import { measureDeliveries } from "../../../service/src/webhooks/index.ts";
import { spread } from "../statistics.ts";
import { insertBacklog, withInstallation, type Line } from "./probe.ts";

const accounts = 100;

export function metrics(bench: Bench): Promise<Line[]> {
  return withInstallation(bench, "metrics", { accounts }, async (installation) => {
    const { database, accountIds } = installation;
    const { backlog, repetitions, waiting } = bench.scale;
    for (const accountId of accountIds) await insertBacklog(installation, accountId, backlog / accounts, question);
    await database.query(
      `insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, state, next_attempt_at)
       select gen_random_uuid(), array[gen_random_uuid()], $1, 'https://receiver', true, 'queued', now()
       from generate_series(1, $2::int)`,
      [accountIds[0], waiting],
    );
    await configureLimiters(database, [
      { code: "simulator", runningMax: 1_000_000, rate: null, attemptsMax: 3, breakerAfter: null },
    ]);
    const nodeId = await registerNode(database, { name: "bench", version: "0", leaseTtlMs: 3_600_000 });
    const timed = async (work: () => Promise<unknown>) => {
      const from = performance.now();
      await work();
      return performance.now() - from;
    };
    const claimed = async () => {
      const ms = await timed(() => claim(database, { platform: "simulator", nodeId, slots: 100 }));
      await database.query(
        "update dispatch set state = 'queued', node_id = null, claimed_at = null where node_id is not null",
      );
      return ms;
    };
    const ms = {
      queues: [] as number[],
      engine: [] as number[],
      deliveries: [] as number[],
      alone: [] as number[],
      beside: [] as number[],
    };
    for (let index = 0; index < repetitions * 4; index++) {
      ms.queues.push(await timed(() => measureQueues(database)));
      ms.engine.push(await timed(() => measureEngine(database)));
      ms.deliveries.push(await timed(() => measureDeliveries(database)));
      ms.alone.push(await claimed());
      const counting = measureQueues(database);
      ms.beside.push(await claimed());
      await counting;
    }
    const figure = (values: readonly number[]) => `${spread(values).median.toFixed(1)} ms`;
    return [
      { what: `read of the queues, ${backlog} queued`, figure: figure(ms.queues), ratio: "", target: "" },
      { what: "read of the state", figure: figure(ms.engine), ratio: "", target: "" },
      { what: `read of the deliveries, ${waiting} waiting`, figure: figure(ms.deliveries), ratio: "", target: "" },
      {
        what: "claim of 100 beside a read of the queues; alone",
        figure: `${figure(ms.beside)}; ${figure(ms.alone)}`,
        ratio: `x ${(spread(ms.beside).median / spread(ms.alone).median).toFixed(2)}`,
        target: "",
      },
    ];
  });
}
