/** Latency of an idle system: from acceptance to start, by the database's clock, and from POST to the receiver. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { question, startLoad } from "../contenders/querent.ts";
import { quantile } from "../statistics.ts";
import type { Loaded } from "../processes/load.ts";
import { withInstallation, type Line } from "./probe.ts";

export async function idleLatency(bench: Bench): Promise<Line[]> {
  const count = bench.scale.idleSubmissions;
  return withInstallation(bench, "idle", {}, async (installation) => {
    const service = await installation.serve();
    await using load = await startLoad(service.address, 1);
    const endToEndMs: number[] = [];
    for (let index = 0; index < count + 10; index++) {
      await bench.receiver.ask("reset");
      const reached = bench.receiver.ask<{ atMs: number }>("reached", 1);
      const { startMs } = await load.ask<Loaded>("send", {
        path: "/v1/tasks/batch", tokens: installation.tokens, batches: 1, batchSize: 1, connections: 1,
        question, platformCode: "simulator", key: `idle-${index}`,
      }); // prettier-ignore
      if (index >= 10) endToEndMs.push((await reached).atMs - startMs);
      await sleep(40);
    }
    const { rows } = await installation.database.query<{ ms: number }>(
      `select (extract(epoch from started_at - uuid_extract_timestamp(id)) * 1000)::float8 as ms from tasks order by id offset 10`,
    );
    const startMs = rows.map((row) => row.ms);
    const told = (values: readonly number[]) =>
      `p50 ${quantile(values, 0.5).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms`;
    return [
      { what: "accept to start, idle", figure: told(startMs), ratio: "", target: "p50 <= 10 ms, p99 <= 50 ms" },
      { what: "POST to the receiver, idle", figure: told(endToEndMs), ratio: "", target: "" },
    ];
  });
}
