/** A transaction that reads for minutes delays vacuuming: how the throughput drops and recovers. */
import type { Bench } from "../bench.ts";
import { startQuerent } from "../contenders/querent.ts";
import type { Line } from "./probe.ts";

export async function oldSnapshot(bench: Bench): Promise<Line[]> {
  const { tasks, batchSize, connections, accounts, pinSeconds } = bench.scale;
  await using contender = await startQuerent({ ...(await bench.input("pinned")), accounts }, connections);
  const slice = async () => {
    await bench.receiver.ask("reset");
    const reached = bench.receiver.ask<{ atMs: number }>("reached", tasks);
    const { startMs } = await contender.send({ tasks, batchSize, connections });
    return tasks / (((await reached).atMs - startMs) / 1000);
  };
  await slice();
  const before = await slice();
  const client = await contender.installation.database.connect();
  const pinned: number[] = [];
  try {
    await client.query("set idle_in_transaction_session_timeout = 0");
    await client.query("begin isolation level repeatable read");
    await client.query("select count(*) from tasks");
    for (const from = performance.now(); performance.now() - from < pinSeconds * 1000;) pinned.push(await slice());
    await client.query("commit");
  } finally {
    await client.end();
  }
  await slice();
  const after = await slice();
  const last = pinned.at(-1) ?? Number.NaN;
  return [
    {
      what: `old snapshot held ${pinSeconds} s, ${pinned.length * tasks} tasks`,
      figure: `${Math.round(before)}/s before, ${pinned.map((rate) => Math.round(rate)).join(", ")} during, ${Math.round(after)} after`,
      ratio: `x ${(last / before).toFixed(2)} at its end, x ${(after / before).toFixed(2)} after`,
      target: "",
    },
  ];
}
