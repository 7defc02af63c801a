import { statfs } from "node:fs/promises";
import { connectionsFor, type RequestLimits } from "./account-limits.ts";
import type { Parts } from "./parts.ts";
import { version } from "./version.ts";
import { measureAccountStorage } from "../accounts/index.ts";
import { measureContents } from "../artifacts/index.ts";
import { measureServer, measureStorage } from "../db/index.ts";
import { measureEngine, measureQueues, type EngineFigures, type PlatformFigures } from "../dispatch/index.ts";
import { measureDuePanels } from "../reports/index.ts";
import { readSessionRecords } from "../sessions/index.ts";
import { Collector, type ReadName, type MetricSample } from "../telemetry/index.ts";
import { measureDeliveries, type Notifier } from "../webhooks/index.ts";
import type { Api } from "./roles/api.ts";
import type { Worker } from "./roles/worker.ts";

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
  const { largeBodies: large_bodies, streams: event_streams, lists, free, waits, exports, searches, sites } = limits;
  const { small: figures, large: figures_memory, results } = computer;
  const kinds = Object.entries({ event_streams, waits, exports, lists, free, figures, searches, sites, large_bodies });
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

const storagePauseMs = 60_000;

/** What prevents further starts on a platform, the most general first. */
type Block = "no_worker" | "paused" | "breaker" | "throttled" | "limit" | "rate";

/** Connects the metrics that are read from the database. */
function readSharedMetrics(parts: Parts, { worker }: MeasuredRoles): void {
  const { database, metrics } = parts;
  const collectors = {
    state: new Collector(async () => ({
      server: await measureServer(database),
      engine: await measureEngine(database),
    })),
    sessions: new Collector(async () => ({ records: await readSessionRecords(database) })),
    queues: new Collector(async () => ({
      queues: await measureQueues(database),
      engine: await measureEngine(database),
    })),
    deliveries: new Collector(() => measureDeliveries(database)),
    panels: new Collector(() => measureDuePanels(database)),
    storage: new Collector(
      async () => ({
        storage: await measureStorage(database),
        artifacts: await measureContents(database),
        accounts: await measureAccountStorage(database),
      }),
      storagePauseMs,
    ),
  };
  readServer(parts, collectors.state);
  readEngine(parts, collectors.state, () => worker?.dispatcher.nodeId ?? "");
  readQueues(parts, collectors.queues);
  metrics.read("querent_platform_sessions", async () => {
    const records = (await collectors.sessions.figures())?.records ?? [];
    return [...new Set(records.map(({ platformCode }) => platformCode))].flatMap((platform) =>
      (["ready", "throttled", "signed_out", "needs_person"] as const).map((state) => ({
        labels: { platform, state },
        value: records.filter((record) => record.platformCode === platform && record.state === state).length,
      })),
    );
  });
  readDeliveries(parts, collectors.deliveries);
  metrics.read(
    "querent_panel_judging_oldest_seconds",
    async () => (await collectors.panels.figures())?.oldestSeconds ?? null,
  );
  readStorage(parts, collectors.storage);
  const health = (pick: (health: Collector<object>["health"]) => number) =>
    Object.entries(collectors).map(([collector, each]) => ({ labels: { collector }, value: pick(each.health) }));
  metrics.read("querent_collector_success", () => health(({ succeeded }) => Number(succeeded)));
  metrics.read("querent_collector_seconds", () => health(({ seconds }) => seconds));
}

type Server = Awaited<ReturnType<typeof measureServer>>;

function readServer({ metrics }: Parts, state: Collector<{ server: Server }>): void {
  metrics.read("querent_database_up", async () => {
    await state.figures();
    return Number(state.health.succeeded);
  });
  const of = (pick: (server: Server) => number | null) => async () => {
    const figures = await state.figures();
    return figures === null ? null : pick(figures.server);
  };
  metrics.read(
    "querent_database_writable",
    of(({ writable }) => Number(writable)),
  );
  metrics.read(
    "querent_database_connections",
    of(({ connections }) => connections),
  );
  metrics.read(
    "querent_database_connections_max",
    of(({ connectionsMax }) => connectionsMax),
  );
  metrics.read(
    "querent_database_replay_lag_seconds",
    of(({ standbys }) => largest(standbys.map(({ replayLagSeconds }) => replayLagSeconds))),
  );
  metrics.read("querent_database_standbys", async () =>
    ((await state.figures())?.server.standbys ?? []).map(({ syncState, count }) => ({
      labels: { sync_state: syncState },
      value: count,
    })),
  );
}

function readEngine({ metrics }: Parts, state: Collector<{ engine: EngineFigures }>, ownNodeId: () => string): void {
  /** The seconds left of leases, as of now. */
  const leases = async () => {
    const figures = await state.figures();
    return (figures?.engine.nodes ?? []).map(({ nodeId, leaseSeconds }) => ({
      nodeId,
      seconds: leaseSeconds - (figures?.ageSeconds ?? 0),
    }));
  };
  const isLive = ({ seconds }: { readonly seconds: number }) => seconds > 0;
  metrics.read("querent_nodes", async () => {
    if ((await state.figures()) === null) return null;
    const all = await leases();
    const live = all.filter(isLive).length;
    return [
      { labels: { state: "live" }, value: live },
      { labels: { state: "expired" }, value: all.length - live },
    ];
  });
  metrics.read("querent_node_lease_remaining_seconds", async () => {
    const own = (await leases()).find(({ nodeId }) => nodeId === ownNodeId());
    return own?.seconds ?? null;
  });
  metrics.read("querent_node_lease_remaining_min_seconds", async () =>
    smallest((await leases()).filter(isLive).map(({ seconds }) => seconds)),
  );
  const perPlatform =
    <Name extends ReadName>(
      samples: (platform: PlatformFigures, engine: EngineFigures) => readonly MetricSample<Name>[],
    ) =>
    async () => {
      const engine = (await state.figures())?.engine;
      return engine?.platforms.flatMap((platform) => samples(platform, engine)) ?? [];
    };
  const one = (pick: (figures: PlatformFigures) => number) =>
    perPlatform<"querent_platform_running">((figures) => [
      { labels: { platform: figures.platform }, value: pick(figures) },
    ]);
  metrics.read(
    "querent_platform_running",
    one(({ running }) => running),
  );
  metrics.read(
    "querent_platform_running_max",
    one(({ runningMax }) => runningMax),
  );
  metrics.read(
    "querent_platform_failures_in_row",
    one(({ failuresInRow }) => failuresInRow),
  );
  metrics.read(
    "querent_platform_blocked",
    perPlatform<"querent_platform_blocked">((figures, engine) =>
      Object.entries(blocksOf(figures, engine)).map(([reason, blocks]) => ({
        labels: { platform: figures.platform, reason },
        value: Number(blocks),
      })),
    ),
  );
}

function blocksOf(
  { running, runningMax, breakerOpen, throttled, rateReached, unasked }: PlatformFigures,
  { nodes }: EngineFigures,
): Record<Block, boolean> {
  return {
    no_worker: unasked || !nodes.some(({ leaseSeconds }) => leaseSeconds > 0),
    paused: runningMax === 0,
    breaker: breakerOpen,
    throttled,
    limit: runningMax > 0 && running >= runningMax,
    rate: rateReached,
  };
}

type Queues = Awaited<ReturnType<typeof measureQueues>>;

function readQueues({ metrics }: Parts, collector: Collector<{ queues: Queues; engine: EngineFigures }>): void {
  const reasons = ["no_worker", "paused", "breaker", "throttled", "limit", "rate", "turn"];
  metrics.read("querent_queue_tasks", async () => {
    const figures = await collector.figures();
    return (figures?.queues ?? []).flatMap(({ platform, queued, later }) => {
      const limiter = figures?.engine.platforms.find((each) => each.platform === platform);
      const blocks = figures && limiter ? Object.entries(blocksOf(limiter, figures.engine)) : [];
      const because = blocks.find(([, isBlocked]) => isBlocked)?.[0] ?? "turn";
      return [
        ...reasons.map((reason) => ({ labels: { platform, reason }, value: reason === because ? queued : 0 })),
        { labels: { platform, reason: "later" }, value: later },
      ];
    });
  });
  const of = (pick: (queue: Queues[number]) => number) => async () =>
    ((await collector.figures())?.queues ?? []).map((queue) => ({
      labels: { platform: queue.platform },
      value: pick(queue),
    }));
  metrics.read(
    "querent_queue_oldest_seconds",
    of(({ oldestSeconds }) => oldestSeconds ?? 0),
  );
  metrics.read(
    "querent_queue_accounts",
    of(({ accounts }) => accounts),
  );
}

type Deliveries = Awaited<ReturnType<typeof measureDeliveries>>;

function readDeliveries({ metrics }: Parts, collector: Collector<Deliveries>): void {
  const of = (pick: (figures: Deliveries["backlog"][number]) => number) => async () =>
    ((await collector.figures())?.backlog ?? []).map((figures) => ({
      labels: { destinations: figures.state },
      value: pick(figures),
    }));
  metrics.read(
    "querent_delivery_backlog",
    of(({ deliveries }) => deliveries),
  );
  metrics.read(
    "querent_delivery_oldest_seconds",
    of(({ oldestSeconds }) => oldestSeconds),
  );
  metrics.read(
    "querent_delivery_destinations",
    of(({ destinations }) => destinations),
  );
  metrics.read("querent_webhooks_suspended", async () => (await collector.figures())?.suspended ?? null);
}

interface Storage {
  readonly storage: Awaited<ReturnType<typeof measureStorage>>;
  readonly artifacts: Awaited<ReturnType<typeof measureContents>>;
  readonly accounts: Awaited<ReturnType<typeof measureAccountStorage>>;
}

function readStorage({ metrics }: Parts, collector: Collector<Storage>): void {
  metrics.read("querent_database_size_bytes", async () => (await collector.figures())?.storage.bytes ?? null);
  const ofKinds = (pick: (kind: Storage["accounts"]["kinds"][number]) => number) => async () =>
    ((await collector.figures())?.accounts.kinds ?? []).map((each) => ({
      labels: { kind: each.kind },
      value: pick(each),
    }));
  metrics.read(
    "querent_account_storage_bytes",
    ofKinds(({ bytes }) => bytes),
  );
  metrics.read(
    "querent_account_storage_rows",
    ofKinds(({ rows }) => rows),
  );
  metrics.read(
    "querent_account_storage_bytes_max",
    async () => (await collector.figures())?.accounts.accountBytesMax ?? null,
  );
  metrics.read("querent_artifact_bytes", async () => (await collector.figures())?.artifacts.bytes ?? null);
  metrics.read("querent_artifact_contents", async () => (await collector.figures())?.artifacts.contents ?? null);
  metrics.read("querent_partition_remaining_seconds", async () =>
    ((await collector.figures())?.storage.partitions ?? []).map(({ table, seconds }) => ({
      labels: { table },
      value: seconds,
    })),
  );
}

const largest = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values));
const smallest = (values: readonly number[]) => (values.length === 0 ? null : Math.min(...values));

/** The roles of this process that metrics are read from. */
interface MeasuredRoles {
  readonly api: Api | null;
  readonly worker: Worker | null;
  readonly notifier: Notifier | null;
  readonly limits: RequestLimits;
  readonly roles: readonly string[];
}
