import { statfs } from "node:fs/promises";
import { connectionsFor } from "./connections.ts";
import type { Parts } from "./parts.ts";
import type { MeasuredRoles } from "./measured-roles.ts";
import { readSharedMetrics } from "./read-shared-metrics.ts";
import { version } from "./version.ts";

/** Connects the metrics that are read when they are scraped. All are present regardless of the roles; those of other roles are 0. */
export function readMetrics(parts: Parts, measured: MeasuredRoles): void {
  readProcess(parts, measured);
  readRequests(parts, measured);
  readWorker(parts, measured);
  readNotifier(parts, measured);
  readPool(parts);
  readSharedMetrics(parts, measured);
}

function readProcess({ config, metrics }: Parts, { roles }: MeasuredRoles): void {
  metrics.read("querent_build_info", () => [{ labels: { version }, value: 1 }]);
  metrics.read("querent_role", () => roles.map((role) => ({ labels: { role }, value: 1 })));
  // Without a data folder, as with an external database and artifacts in S3, there is nothing to watch.
  const disk = () => statfs(config.dataDir).catch(() => null);
  metrics.read("querent_disk_size_bytes", async () => {
    const found = await disk();
    return found === null ? null : found.blocks * found.bsize;
  });
  metrics.read("querent_disk_free_bytes", async () => {
    const found = await disk();
    return found === null ? null : found.bavail * found.bsize;
  });
}

function readRequests({ config, metrics, feed, computer, entities }: Parts, { api, limits }: MeasuredRoles): void {
  const { largeBodies: large_bodies, streams: event_streams, lists, free, waits, exports, searches } = limits;
  const { small: figures, large: figures_memory, results } = computer;
  const kinds = Object.entries({ event_streams, waits, exports, lists, free, figures, searches, large_bodies });
  const all = [...kinds, ...Object.entries({ figures_memory, results })];
  metrics.read("querent_places_taken", () => kinds.map(([kind, { taken }]) => ({ labels: { kind }, value: taken })));
  metrics.read("querent_places_waiting", () =>
    all.map(([kind, { waiting }]) => ({ labels: { kind }, value: waiting })),
  );
  metrics.read("querent_places_refused_total", () =>
    all.flatMap(([kind, { refused }]) =>
      Object.entries(refused).map(([reason, value]) => ({ labels: { kind, reason }, value })),
    ),
  );
  const { counts } = entities;
  metrics.read("querent_entity_searches_total", () => [
    { labels: { outcome: "searched", where: "here" }, value: counts.here },
    { labels: { outcome: "searched", where: "process" }, value: counts.elsewhere },
    { labels: { outcome: "limit", where: "process" }, value: counts.limit },
    { labels: { outcome: "busy", where: "process" }, value: counts.busy },
  ]);
  metrics.read("querent_entity_searches_waiting", () => entities.waiting);
  metrics.read("querent_figures_processes", () => computer.processes);
  metrics.read("querent_figures_memory_bytes", () => figures_memory.taken * 2 ** 20);
  metrics.read("querent_figures_memory_max_bytes", () => figures_memory.inAll * 2 ** 20);
  metrics.read("querent_results_sending_bytes", () => results.taken * 2 ** 20);
  metrics.read("querent_event_readers", () => feed.readers);
  metrics.read("querent_http_connections", async () => (await api?.connections()) ?? 0);
  metrics.read("querent_http_connections_max", () => connectionsFor(config.connectionsMax));
}

function readWorker({ config, metrics, browserPool, workerBrowser }: Parts, { worker }: MeasuredRoles): void {
  const dispatcher = worker?.dispatcher;
  metrics.read("querent_tasks_running", () =>
    [...(dispatcher?.inFlightByPlatform ?? [])].map(([platform, value]) => ({ labels: { platform }, value })),
  );
  metrics.read("querent_worker_slots", () => (dispatcher === undefined ? 0 : config.workerSlots));
  metrics.read("querent_account_tasks_running_max", () => dispatcher?.mostSlotsOfOneAccount ?? 0);
  metrics.read("querent_results_waiting_bytes", () => dispatcher?.waitingBytes ?? 0);
  metrics.read("querent_node_lease_held", () => (dispatcher === undefined ? null : Number(dispatcher.nodeId !== "")));
  metrics.read("querent_browser_usable", () => Number(workerBrowser.isUsable()));
  metrics.read("querent_browser_contexts", () => browserPool.inUse);
  metrics.read("querent_browser_contexts_max", () => (dispatcher === undefined ? 0 : browserPool.contextsMax));
}

function readNotifier({ metrics }: Parts, { notifier }: MeasuredRoles): void {
  metrics.read("querent_delivery_slots_taken", () => notifier?.inFlight ?? 0);
  metrics.read("querent_delivery_slots_account_max", () =>
    Math.max(0, ...(notifier?.inFlightByAccount.values() ?? [])),
  );
}

function readPool({ database, metrics }: Parts): void {
  database.onWaited((seconds) => metrics.observe("querent_database_pool_wait_seconds", {}, seconds));
  metrics.read("querent_database_pool_connections", () => [
    { labels: { state: "in_use" }, value: database.poolUse.inUse },
    { labels: { state: "idle" }, value: database.poolUse.idle },
  ]);
  metrics.read("querent_database_pool_connections_max", () => database.poolUse.max);
  metrics.read("querent_database_pool_waiting", () => database.poolUse.waiting);
}
