/** What a long queue costs: the same work with 1,000 queued behind it and with a million; and the gate's share of a claim. */
import type { Bench } from "../bench.ts";
import { question } from "../contenders/querent.ts";
import { claim } from "../../../service/src/dispatch/claim.ts";
import { registerNode } from "../../../service/src/dispatch/node.ts";
import { configureGates } from "../../../service/src/dispatch/index.ts";
import type { Database } from "../../../service/src/db/index.ts";
import { spread } from "../statistics.ts";
import { insertBacklog, withInstallation, type Line } from "./probe.ts";

const claimSize = 100;
const gate = { code: "simulator", runningMax: 1_000_000, attemptsMax: 3, breakerAfter: null };
const rate = { perSecond: 1_000_000, burst: 100_000 };

export async function backlog(bench: Bench): Promise<Line[]> {
  const small = 1_000;
  const { backlog: large, tasks, repetitions } = bench.scale;
  const claims = repetitions * 10;
  const lines: Line[] = [];
  const claimMs: Record<string, number> = {};
  const rates: Record<string, number[]> = { small: [], large: [] };
  for (const [name, left] of [["small", small], ["large", large]] as const) {
    await withInstallation(bench, `backlog_${name}`, {}, async (installation) => {
      const { database } = installation;
      const accountId = installation.accountIds[0] ?? "";
      await configureGates(database, [{ ...gate, rate: null }]);
      await insertBacklog(installation, accountId, left + (claims * claimSize), question);
      await database.query("analyze dispatch");
      const nodeId = await registerNode(database, { name: "bench", version: "0", leaseTtlMs: 3_600_000 });
      const timed = { gated: [] as number[], strict: [] as number[], plain: [] as number[] };
      for (let index = 0; index < claims; index++) {
        await configureGates(database, [{ ...gate, rate: null }]);
        timed.gated.push(await clock(() => claim(database, { platform: "simulator", nodeId, slots: claimSize })));
        await putBack(database);
        await configureGates(database, [{ ...gate, rate }]);
        timed.strict.push(await clock(() => claim(database, { platform: "simulator", nodeId, slots: claimSize })));
        await putBack(database);
        timed.plain.push(await clock(() => plainClaim(database, nodeId)));
        await putBack(database);
      }
      claimMs[name] = spread(timed.gated).median;
      if (name === "small") {
        const extraUs = ((spread(timed.strict).median - spread(timed.plain).median) * 1000) / claimSize;
        claimMs["extraUs"] = extraUs;
        lines.push({
          what: `claim of ${claimSize}: no gate, gate, gate with a rate`,
          figure: `${spread(timed.plain).median.toFixed(1)}, ${spread(timed.gated).median.toFixed(1)}, ${spread(timed.strict).median.toFixed(1)} ms`,
          ratio: `${extraUs.toFixed(1)} us a task`,
          target: "",
        });
      }
      await database.query("delete from nodes where id = $1", [nodeId]);
      await configureGates(database, [{ ...gate, runningMax: 10_000, rate: null }]);
      // The service eats from the queue; what counts is how fast, once it is at it.
      await bench.receiver.ask("reset");
      const service = await installation.serve({ roles: "worker,notifier" });
      const share = name === "small" ? Math.min(tasks, claims * claimSize) : tasks;
      const from = await bench.receiver.ask<{ atMs: number }>("reached", Math.floor(share / 10));
      const to = await bench.receiver.ask<{ atMs: number }>("reached", Math.floor(share * 0.9));
      rates[name]?.push((Math.floor(share * 0.9) - Math.floor(share / 10)) / ((to.atMs - from.atMs) / 1000));
      await service.end("SIGKILL");
    });
  }
  const [few, many] = [rates["small"]?.[0] ?? Number.NaN, rates["large"]?.[0] ?? Number.NaN];
  lines.push(
    {
      what: `claim of ${claimSize} with ${large} queued, with ${small}`,
      figure: `${claimMs["large"]?.toFixed(1)} ms, ${claimMs["small"]?.toFixed(1)} ms`,
      ratio: `x ${((claimMs["large"] ?? Number.NaN) / (claimMs["small"] ?? Number.NaN)).toFixed(2)}`,
      target: "x 1.1 at most",
    },
    {
      what: `work with ${large} queued, with ${small}`,
      figure: `${Math.round(many)}/s, ${Math.round(few)}/s`,
      ratio: `x ${(many / few).toFixed(2)}`,
      target: "x 0.9 at least",
    },
  );
  return lines;
}

async function clock(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function putBack(database: Database): Promise<unknown> {
  return database.query("update dispatch set state = 'queued', node_id = null, claimed_at = null where state = 'running'");
}

/** What a queue without limits, rates and fairness does. */
function plainClaim(database: Database, nodeId: string): Promise<unknown> {
  return database.transaction((tx) =>
    tx.query(
      `update dispatch d set state = 'running', node_id = $1, attempt = d.attempt + 1, fence = d.fence + 1, claimed_at = now()
       from (select task_id from dispatch where platform = 'simulator' and state = 'queued'
             order by account_id, rank, task_id limit ${claimSize} for update skip locked) p
       where d.task_id = p.task_id and d.node_id is null returning d.task_id, d.account_id, d.attempt, d.fence`,
      [nodeId],
    ),
  );
}
