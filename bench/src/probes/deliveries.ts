/** The notifier alone: latency after an end, throughput, and the effect of receivers that do not respond. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import type { Bench } from "../bench.ts";
import { notification } from "../contenders/answer.ts";
import { startLoad, type Installation } from "../contenders/querent.ts";
import { machineMs, startChild, type BenchChild } from "../processes/child.ts";
import type { Loaded } from "../processes/load.ts";
import type { PosterInput } from "../processes/poster.ts";
import { quantile } from "../statistics.ts";
import { withInstallation, type Line } from "./probe.ts";

const accounts = 20;
const perSecond = 200;
/** The maximum of requests in flight of each account's destination queue. */
const destinationSlots = 4;

/** A process with only the notifier and a full queue, compared with one that only sends requests. */
export async function deliveryRate(bench: Bench): Promise<Line[]> {
  const count = bench.scale.deliveries;
  const body = notification({ taskId: randomUUID(), question: "q", clientReference: null }, {}).toString().padEnd(1800);
  const input = await bench.input("poster");
  const connections = accounts * destinationSlots;
  await using poster = await startChild(join(import.meta.dirname, "../processes/poster.ts"), {
    receiverUrl: input.receiverUrl,
    ca: input.ca,
    connections,
  } satisfies PosterInput);
  return await withInstallation(bench, "deliveries", { accounts }, async (installation) => {
    const rates: { ours: number; posts: number }[] = [];
    await installation.serve({ roles: "notifier" });
    // The first round is a warm-up.
    for (let round = 0; round < 4; round++) {
      const rateOf = async (start: () => Promise<{ startMs: number }>) => {
        await bench.receiver.ask("reset");
        const reached = bench.receiver.ask<{ atMs: number }>("reached", count);
        const { startMs } = await start();
        return count / (((await reached).atMs - startMs) / 1000);
      };
      const posts = await rateOf(() => poster.ask("post", { count, path: "/hook", body, connections }));
      const ours = await rateOf(async () => {
        for (const accountId of installation.accountIds) await insertDeliveries(installation, accountId, count / accounts, body, "/hook");
        const startMs = machineMs();
        await queueHeld(installation);
        await installation.database.query("notify querent_notices");
        return { startMs };
      });
      if (round > 0) rates.push({ ours, posts });
    }
    const ours = quantile(rates.map((rate) => rate.ours), 0.5);
    const ratio = quantile(rates.map((rate) => rate.ours / rate.posts), 0.5);
    return [
      { what: `deliveries by one process, ${count} to ${accounts} lanes`, figure: `${Math.round(ours)}/s`, ratio: `${ratio.toFixed(2)} of bare posts`, target: "2,000/s" },
    ];
  });
} // prettier-ignore

/**
 * A steady stream of ends: alone, then with a tenth of the receivers not responding and a long queue for one of them, then with another long
 * queue for a receiver on the same machine that accepts everything at full speed.
 */
export async function deliveryLatency(bench: Bench): Promise<Line[]> {
  const { streamSeconds, waiting } = bench.scale;
  return withInstallation(bench, "latency", { accounts: accounts + 4 }, async (installation) => {
    const [dead = "", busy = "", ...others] = installation.accountIds;
    const hanging = others.slice(0, 2);
    await setPath(installation, installation.accountIds, "/watch");
    await setPath(installation, [dead, ...hanging], "/hang");
    await setPath(installation, [busy], "/hook");
    const service = await installation.serve();
    await using load = await startLoad(service.address, 4);
    const healthy = installation.tokens.slice(4);
    const beside = installation.tokens.slice(2);
    const stream = async (tokens: readonly string[], key: string) => {
      await submitSteadily(load, tokens, 2, `warm-${key}`);
      await bench.receiver.ask("lags");
      await submitSteadily(load, tokens, streamSeconds, key);
      await sleep(500);
      const lags = await bench.receiver.ask<number[]>("lags");
      return { p50: quantile(lags, 0.5), p95: quantile(lags, 0.95) };
    };
    const line = async (accountId: string, path: string) => {
      await insertDeliveries(installation, accountId, waiting, "{}".padEnd(1800), path);
      await queueHeld(installation);
    };
    const alone = await stream(healthy, "alone");
    await line(dead, "/hang");
    const besideDead = await stream(beside, "dead");
    await line(busy, "/hook");
    const besideBusy = await stream(beside, "busy");
    const figure = ({ p50, p95 }: { p50: number; p95: number }) => `${p95.toFixed(0)} ms (p50 ${p50.toFixed(0)})`;
    const ratio = ({ p95 }: { p95: number }) => `x ${(p95 / alone.p95).toFixed(2)}`;
    return [
      { what: `end to first byte at ${perSecond}/s, p95`, figure: figure(alone), ratio: `${(alone.p95 / 100).toFixed(2)} of 100 ms`, target: "1 at most" },
      { what: `the same beside 10 % that hang, one with ${waiting} waiting`, figure: figure(besideDead), ratio: ratio(besideDead), target: "x 2 at most" },
      { what: `the same beside ${waiting} more, sent at full speed`, figure: figure(besideBusy), ratio: ratio(besideBusy), target: "x 2 at most" },
    ];
  });
} // prettier-ignore

/** Small batches at a steady rate, from each caller in turn. */
async function submitSteadily(
  load: BenchChild<undefined>,
  tokens: readonly string[],
  seconds: number,
  key: string,
): Promise<void> {
  const batchSize = 5;
  const everyMs = (1000 * batchSize) / perSecond;
  const fromMs = performance.now();
  for (let batch = 0; batch * everyMs < seconds * 1000; batch++) {
    await sleep(Math.max(0, fromMs + batch * everyMs - performance.now()));
    await load.ask<Loaded>("send", {
      path: "/v1/tasks/batch", tokens: [tokens[batch % tokens.length]], batches: 1, batchSize, connections: 1,
      question: "What fell?", platformCode: "simulator", key: `${key}-${batch}`,
    }); // prettier-ignore
  }
}

/** Inserts deliveries as if tasks had ended, with SQL. They are held until they are queued. */
async function insertDeliveries(
  { database }: Installation,
  accountId: string,
  count: number,
  body: string,
  path: string,
): Promise<void> {
  await database.query(
    `with made as (
       insert into deliveries (id, account_id, task_id, delivery_revision, event_number, url, origin, to_default, state, body)
       select uuidv7(), $1, uuidv7(), 1, nextval('event_numbers'), w.origin || $4, w.origin, false, 'pending', $3
         from webhooks w, generate_series(1, $2::int) where w.account_id = $1
       returning id, account_id, origin
     )
     insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, state, next_attempt_at)
     select id, array[id], account_id, origin, false, 'held', now() from made`,
    [accountId, count, Buffer.from(body), path],
  );
}

/** Queues them, and puts their accounts in the notifiers' line, as the service does. */
async function queueHeld({ database }: Installation): Promise<void> {
  await database.query(
    `with queued as (update delivery_queue set state = 'queued' where state = 'held' returning account_id)
     update delivery_turns set has_due = true, again_at = null where account_id in (select account_id from queued)`,
  );
}

async function setPath({ database }: Installation, accountIds: readonly string[], path: string): Promise<void> {
  await database.query("update webhooks set url = origin || $2 where account_id = any($1)", [accountIds, path]);
}
