import { isMeasuringDue, measureAllStored } from "../accounts/index.ts";
import { sweepContents, FileStore } from "../artifacts/index.ts";
import { systemClock } from "../kernel/clock.ts";
import { exportObservations, forgetObservations } from "../insight/index.ts";
import { PollLoop } from "../runtime/poll-loop.ts";
import type { Service } from "../runtime/service.ts";
import { forgetDrift, forgetHealth } from "../statistics/index.ts";
import { dropHistory, extendHistory, historyDaysMin } from "./history.ts";
import { endLateTasks, forgetAttempts, forgetKeys, maintainResults } from "../tasks/index.ts";
import { endPaused, expireBodies, pruneDeliveries } from "../webhooks/index.ts";
import type { Parts } from "./parts.ts";
import type { WakeUps } from "./wake-ups.ts";

const quarterHourMs = 15 * 60_000;

/** Periodic work: ends late tasks, and deletes what has expired. */
export function maintenance(
  parts: Parts,
  { wakeUps, isWorker, isNotifier }: { wakeUps: WakeUps; isWorker: boolean; isNotifier: boolean },
): Service {
  const { database, records, bodyBytesMax, ends } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const every = (everyMs: number, work: () => Promise<unknown>) =>
    new PollLoop({
      everyMs,
      look: async () => {
        await work();
      },
      onFault: parts.fault("periodic work"),
      faultBackoff: { firstMs: everyMs, maxMs: everyMs },
    });
  const loops = [
    ...(isWorker ? [every(1000, async () => wakeUps.announce(await endLateTasks(database, ends)))] : []),
    ...(isNotifier ? [every(60_000, () => expireBodies({ database, records, bodyBytesMax }, signal))] : []),
    every(quarterHourMs, () => deleteExpired(parts, signal)),
    every(quarterHourMs, () => sweepStore(parts, signal)),
    every(4 * quarterHourMs, () => keepHistory(parts)),
    every(quarterHourMs, () => measureStorage(parts, signal)),
    ...(parts.config.exportObservations ? [every(4 * quarterHourMs, () => exportNew(parts, signal))] : []),
  ];
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      stopping.abort(new Error("the service stops"));
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

async function deleteExpired({ config, database, log }: Parts, signal: AbortSignal): Promise<void> {
  const { dropped } = await maintainResults(database);
  if (dropped.length > 0) log({ event: "results.expired", dropped });
  await forgetKeys(database);
  await forgetAttempts(database);
  await forgetHealth(database);
  await forgetDrift(database);
  const forgotten = await forgetObservations(database, config.observationDays);
  if (forgotten.deleted > 0 || forgotten.emptied.length > 0) log({ event: "observations.expired", ...forgotten });
  await endPaused(database, config.retentionDays, signal);
  await pruneDeliveries(database, Math.ceil(config.retentionDays) + 7);
}

async function keepHistory({ config, database, log }: Parts): Promise<void> {
  const { created } = await extendHistory(database, config.historyPartition);
  if (created.length > 0) log({ event: "history.extended", created });
  if (config.historyDays === null) return;
  const days = Math.max(config.historyDays, historyDaysMin(config.retentionDays));
  const { rows } = await database.query<{ before: Date }>("select now() - $1 * interval '1 day' as before", [days]);
  const { dropped } = await dropHistory(database, rows[0]?.before ?? new Date(0));
  if (dropped.length > 0) log({ event: "history.dropped", dropped });
}

/** Once an hour in one of the processes, or less often if it takes long. */
async function measureStorage({ database, log, fault }: Parts, signal: AbortSignal): Promise<void> {
  if (!(await isMeasuringDue(database, 3.5 * quarterHourMs))) return;
  const uncounted = await measureAllStored(database, signal, fault("measuring what accounts store"));
  for (const { accountId, kind, rows } of uncounted) log({ event: "storage.uncounted", accountId, kind, rows });
}

async function exportNew({ database, store, log }: Parts, signal: AbortSignal): Promise<void> {
  const { manifests, rows } = await exportObservations(database, store, signal);
  if (manifests > 0) log({ event: "observations.exported", manifests, rows });
}

async function sweepStore({ database, store, log }: Parts, signal: AbortSignal): Promise<void> {
  const removed = await sweepContents(database, store, signal);
  if (store instanceof FileStore) await store.removeLeftovers(systemClock.now());
  if (removed > 0) log({ event: "artifacts.swept", removed });
}
