/** The cost of a long queue: the same claims and work with 1,000 and with a million queued tasks, and the cost of the limiter. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { question, type Installation } from "../contenders/querent.ts";
import type { Database } from "../../../service/src/db/index.ts";
import { claim } from "../../../service/src/dispatch/queue/claim.ts";
import { configureLimiters } from "../../../service/src/dispatch/index.ts";
import { registerNode } from "../../../service/src/dispatch/node/nodes.ts";
import { spread } from "../statistics.ts";
import { countRows, insertBacklog, withInstallation, type Line } from "./probe.ts";

const claimSize = 100;
const few = 1_000;
const limiter = { code: "simulator", runningMax: 1_000_000, attemptsMax: 3, breakerAfter: null };
const rate = { perSecond: 1_000_000, burst: 100_000 };

export function backlog(bench: Bench): Promise<Line[]> {
  return withInstallation(bench, "backlog_short", {}, (short) =>
    withInstallation(bench, "backlog_long", {}, async (long) => {
      await insertBacklog(short, short.accountIds[0] ?? "", few, question);
      await insertBacklog(long, long.accountIds[0] ?? "", bench.scale.backlog, question);
      return [...(await claims(bench, short, long)), await work(bench, short, long)];
    }),
  );
}

/** Sequential claims, each undone: in the short queue without limits, with a limit, and with a rate too, and in the long queue. */
async function claims(bench: Bench, short: Installation, long: Installation): Promise<Line[]> {
  const ms = { plain: [] as number[], gated: [] as number[], rated: [] as number[], long: [] as number[] };
  const nodes = await Promise.all([short, long].map(({ database }) => registerNode(database, { name: "bench", version: "0", leaseTtlMs: 3_600_000 }))); // prettier-ignore
  const [shortNode = "", longNode = ""] = nodes;
  const gated = async ({ database }: Installation, nodeId: string, withRate: boolean) => {
    await configureLimiters(database, [{ ...limiter, rate: withRate ? rate : null }]);
    return timed(database, () => claim(database, { platform: "simulator", nodeId, slots: claimSize }));
  };
  for (let index = 0; index < bench.scale.repetitions * 20; index++) {
    ms.plain.push(await timed(short.database, () => plainClaim(short.database, shortNode)));
    ms.gated.push(await gated(short, shortNode, false));
    ms.rated.push(await gated(short, shortNode, true));
    ms.long.push(await gated(long, longNode, false));
  }
  for (const { database } of [short, long]) {
    await database.query("delete from nodes");
    await configureLimiters(database, [{ ...limiter, runningMax: 10_000, rate: null }]);
  }
  const [plain, one, rated, many] = [ms.plain, ms.gated, ms.rated, ms.long].map((values) => spread(values).median);
  if (plain === undefined || one === undefined || rated === undefined || many === undefined)
    throw new Error("no claims");
  return [
    {
      what: `claim of ${claimSize}: no limits; limit; limit and rate`,
      figure: `${plain.toFixed(1)}; ${one.toFixed(1)}; ${rated.toFixed(1)} ms`,
      ratio: `${(((rated - plain) * 1000) / claimSize).toFixed(0)} us per task`,
      target: "5 % of a task's time end to end",
    },
    {
      what: `claim of ${claimSize} with ${bench.scale.backlog} queued; with ${few}`,
      figure: `${many.toFixed(1)}; ${one.toFixed(1)} ms`,
      ratio: `x ${(many / one).toFixed(2)}`,
      target: "x 1.1 at most",
    },
  ];
}

/** Throughput with that many queued tasks. The short queue is refilled for each round. Webhooks are not sent. */
async function work(bench: Bench, short: Installation, long: Installation): Promise<Line> {
  const rates = { short: [] as number[], long: [] as number[] };
  const tasks = Math.min(bench.scale.tasks, bench.scale.backlog / 10);
  for (let turn = 0; turn <= bench.scale.repetitions; turn++) {
    for (const [name, installation] of [
      ["short", short],
      ["long", long],
    ] as const) {
      if (name === "short") await insertBacklog(short, short.accountIds[0] ?? "", tasks, question);
      const queued = () => countRows(installation, "select count(*) as n from dispatch");
      const before = await queued();
      const service = await installation.serve({ roles: "worker" });
      while (before - (await queued()) < tasks) await sleep(100);
      await service.end("SIGTERM");
      const { rows } = await installation.database.query<{ n: number; seconds: number }>(
        `select count(*) as n, extract(epoch from max(completed_at) - min(started_at))::float8 as seconds from tasks
         where started_at > now() - interval '5 minutes' and id in (
           select task_id from ledger where kind = 'capture' order by id desc limit ${tasks})`,
      );
      if (turn > 0) rates[name].push((rows[0]?.n ?? 0) / (rows[0]?.seconds ?? Number.NaN));
    }
  }
  const [one, many] = [spread(rates.short).median, spread(rates.long).median];
  return {
    what: `tasks ended with ${bench.scale.backlog} queued; with ${few}`,
    figure: `${Math.round(many)}/s; ${Math.round(one)}/s`,
    ratio: `x ${(many / one).toFixed(2)}`,
    target: "x 0.9 at least",
  };
}

async function timed(database: Database, work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  const ms = performance.now() - from;
  await database.query(
    "update dispatch set state = 'queued', node_id = null, claimed_at = null where node_id is not null",
  );
  return ms;
}

/** A claim without limits, rates and fairness. */
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
