import { measureAccountStorage } from "../accounts/index.ts";
import { measureContents } from "../artifacts/index.ts";
import { measureServer, measureStorage } from "../db/index.ts";
import { measureEngine, measureQueues, type EngineFigures, type PlatformFigures } from "../dispatch/index.ts";
import { measureDuePanels } from "../insight/index.ts";
import { readSessionRecords } from "../sessions/index.ts";
import { Collector, type ReadName, type Sample } from "../telemetry/index.ts";
import { measureDeliveries } from "../webhooks/index.ts";
import type { Parts } from "./parts.ts";
import type { MeasuredRoles } from "./measured-roles.ts";

const storagePauseMs = 60_000;

/** What prevents further starts on a platform, the most general first. */
type Block = "no_worker" | "paused" | "breaker" | "throttled" | "limit" | "rate";

/** Connects the metrics that are read from the database. */
export function readSharedMetrics(parts: Parts, { worker }: MeasuredRoles): void {
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
    <Name extends ReadName>(samples: (platform: PlatformFigures, engine: EngineFigures) => readonly Sample<Name>[]) =>
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
