/** What one account's tasks do to another's: a steady stream alone, beside large answers, and beside tasks that take every slot they get. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { startLoad, type Installation } from "../contenders/querent.ts";
import type { Child } from "../processes/child.ts";
import type { Loaded } from "../processes/load.ts";
import { quantile } from "../statistics.ts";
import { withInstallation, type Line } from "./probe.ts";

const batchSize = 5;
const everyMs = 250;
const looksEveryMs = 20;

interface Beside {
  /** From acceptance to the receiver's 2xx. */
  readonly p50: number;
  readonly p95: number;
  /** The longest that the process let a request wait. */
  readonly silentMs: number;
}

export async function neighbours(bench: Bench): Promise<Line[]> {
  return withInstallation(bench, "neighbours", { accounts: 2 }, async (installation) => {
    const [quiet = "", loud = ""] = installation.tokens;
    const service = await installation.serve();
    await using load = await startLoad(service.address, 4);
    const attack = (key: string, batches: number, question: string) =>
      load.ask<Loaded>("send", {
        path: "/v1/tasks/batch", tokens: [loud], batches, batchSize: 100, connections: 2,
        question, platformCode: "simulator", key,
      }); // prettier-ignore
    const seconds = bench.scale.streamSeconds;
    const stream = (key: string) => measure(installation, load, service.address, quiet, seconds, key);
    await stream("warm");
    const alone = await stream("alone");
    await attack("large", 5, "delay=1s size=1048576 sources=1000");
    const besideLarge = await stream("beside-large");
    await attack("slots", 20, "delay=25m");
    const besideSlots = await stream("beside-slots");
    const figure = ({ p50, p95, silentMs }: Beside) =>
      `p95 ${p95.toFixed(0)} ms (p50 ${p50.toFixed(0)}), silent for ${silentMs.toFixed(0)} ms at the longest`;
    const ratio = ({ p95 }: Beside) => `x ${(p95 / alone.p95).toFixed(2)}`;
    return [
      { what: "acceptance to delivery, 20 tasks/s alone", figure: figure(alone), ratio: "", target: "" },
      { what: "the same beside 500 answers of 1 MiB of another account", figure: figure(besideLarge), ratio: ratio(besideLarge), target: "" },
      { what: "the same beside 2,000 tasks of 25 minutes of another account", figure: figure(besideSlots), ratio: ratio(besideSlots), target: "" },
    ];
  }); // prettier-ignore
}

async function measure(
  { database, accountIds }: Installation,
  load: Child<undefined>,
  address: string,
  token: string,
  seconds: number,
  key: string,
): Promise<Beside> {
  const looking = new AbortController();
  const silence = longestWait(address, looking.signal);
  const count = Math.ceil((seconds * 1000) / everyMs);
  const fromMs = performance.now();
  for (let batch = 0; batch < count; batch++) {
    await sleep(Math.max(0, fromMs + batch * everyMs - performance.now()));
    await load.ask<Loaded>("send", {
      path: "/v1/tasks/batch", tokens: [token], batches: 1, batchSize, connections: 1,
      question: "What fell?", platformCode: "simulator", key: `${key}-${batch}`,
    }); // prettier-ignore
  }
  looking.abort();
  const silentMs = await silence;
  const accountId = accountIds[0];
  for (let left = 1; left > 0; await sleep(50)) {
    const { rows } = await database.query<{ n: number }>(
      `select (select count(*) from tasks where account_id = $1 and state = 'pending')
            + (select count(*) from deliveries where account_id = $1 and state = 'pending') as n`,
      [accountId],
    );
    left = rows[0]?.n ?? 0;
  }
  const { rows } = await database.query<{ ms: number }>(
    `select (extract(epoch from d.finished_at - t.created_at) * 1000)::float8 as ms
     from tasks t join deliveries d on d.account_id = t.account_id and d.task_id = t.id
     where t.account_id = $1 order by t.id desc limit $2`,
    [accountId, count * batchSize],
  );
  const ms = rows.map((row) => row.ms);
  return { p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), silentMs };
}

async function longestWait(address: string, signal: AbortSignal): Promise<number> {
  let longest = 0;
  while (!signal.aborted) {
    const from = performance.now();
    await (await fetch(`${address}/healthz`)).text();
    longest = Math.max(longest, performance.now() - from);
    await sleep(looksEveryMs);
  }
  return longest;
}
