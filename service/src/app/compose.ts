/** The only place that wires: which part gets which other part. */
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import type { FastifyInstance } from "fastify";
import { authenticate, tokenRoutes, validTokens } from "../accounts/index.ts";
import { fontPath, PageRenderer } from "../answers/index.ts";
import { FileStore, screenshotter, publicRoutes, publicToken, sweepContents } from "../artifacts/index.ts";
import { Listener, type Database } from "../db/index.ts";
import { BrowserCensus, configureGates, Dispatcher, type PlatformLimits } from "../dispatch/index.ts";
import { EgressGuard } from "../egress/index.ts";
import { evidenceRoutes, sealTask, signingKey } from "../evidence/index.ts";
import { createHttpServer, probeRoutes } from "../http/index.ts";
import { systemClock } from "../kernel/clock.ts";
import { Places } from "../api/places.ts";
import {
  deliveryRoutes,
  endHeld,
  EventFeed,
  eventRoutes,
  expireBodies,
  hintOthers,
  noticeChannel,
  Notifier,
  pruneDeliveries,
  readHint,
  Sender,
  webhookConditions,
  webhookRoutes,
  prepareDeliveries,
  type TaskRecords,
} from "../webhooks/index.ts";
import type { MasterKey } from "../vault/index.ts";
import { operatorRoutes } from "../operator/index.ts";
import type { Platform, Question } from "../platforms/index.ts";
import { usageRoutes } from "../points/index.ts";
import {
  endLateTasks,
  endTasks,
  EndWatch,
  forgetAttempts,
  forgetKeys,
  getTask,
  getTasks,
  LargeAnswers,
  loadQuestions,
  maintainResults,
  runTask,
  taskRoutes,
  type ArtifactMaking,
  type EndTasksDeps,
  type PlatformTerms,
  type RunResult,
} from "../tasks/index.ts";
import {
  forgetDrift,
  forgetHealth,
  PlatformDrift,
  overviewRoutes,
  browserCondition,
  platformConditions,
  PlatformHealth,
  platformRoutes,
  platformStates,
  pointsConditions,
  type ConditionSource,
} from "../statistics/index.ts";
import { Metrics, type Log } from "../telemetry/index.ts";
import { createAccount } from "./accounts.ts";
import { createBrowserPool } from "./browsers.ts";
import { CommandError } from "./cli/command-error.ts";
import type { Config } from "./config.ts";
import { connectionsFor } from "./connections.ts";
import { openContentStore } from "./open-content-store.ts";
import { Periodic } from "./periodic.ts";
import { readPlatformSettings, type PlatformSettings } from "./platform-settings.ts";
import { createPlatforms } from "./platforms.ts";
import { version } from "./version.ts";
import { WorkerBrowser } from "./worker-browser.ts";

export const roles = ["api", "worker", "notifier"] as const;
export type Role = (typeof roles)[number];

export interface Service {
  /** Where the API answers; null without the role `api`. */
  readonly address: string | null;
  /** Why this process can use no browser, for the operator, once it has looked; null when it can, or runs no tasks. */
  readonly whyNoBrowser: Promise<string | null>;
  /** Drains and stops every part, in the order in which nothing is lost. */
  stop(): Promise<void>;
}

const dayMs = 86_400_000;
/** Values of an item: itself, its members and theirs are 24; with members that are not known it is refused with what is wrong. */
const itemValuesMax = 32;
/** Ends whose commit has yet to be told of: hints, so that forgetting some costs a poll. */
const announcedMax = 100_000;

/** Wires and starts the service on a migrated database. */
export async function startService(
  deps: {
    config: Config;
    /** Where platforms look for their keys. */
    environment: Readonly<Record<string, string | undefined>>;
    database: Database;
    masterKey: MasterKey;
    alone: boolean;
    log: Log;
  },
  serviceRoles: readonly Role[],
): Promise<Service> {
  const { config, environment, database, masterKey, alone, log } = deps;
  const settings = readPlatformSettings(config.config);
  const browsers = createBrowserPool(config, {
    onEvent: log,
    onUsable: (why) => workerBrowser.note(why),
    ownPort: () => ownPort,
  });
  let ownPort: number | null = null;
  const metrics = new Metrics();
  const fault = (doing: string) => (error: unknown) => log({ event: "service.fault", doing, error });
  const workerBrowser = new WorkerBrowser({
    database,
    pool: browsers,
    nodeId: () => dispatcher.nodeId,
    alone,
    onEvent: log,
    onFault: fault("tell of the browser"),
    onChange: () => dispatcher.wake([...platforms.keys()]),
  });
  const browserCensus = new BrowserCensus(database);
  const browserUsable = () => browserCensus.isUsable();
  const drift = new PlatformDrift(database, fault("platform drift"));
  const known = await createPlatforms({
    config,
    settings,
    environment,
    browsers,
    // Which worker can use one, and whether any can, is known while the service runs.
    noBrowser: null,
    onSampleProblem: (problem) => log({ event: "sample.problem", problem }),
    onUpstreamFailed: (failure) => log({ event: "platform.upstream_failed", ...failure }),
    onDriveReport: (platform, report) => {
      for (const { sign, what } of report.signs) metrics.drift(platform, sign, what);
      for (const { sign, what } of drift.note(platform, report)) log({ event: "platform.drift", platform, sign, what });
    },
  });
  const platforms = new Map(known.map((platform) => [platform.code, platform]));
  const catalogue = termsOf(platforms, settings);
  const limits = limitsOf(settings);
  await configureGates(database, limits);
  await maintainResults(database);
  await signingKey(database, masterKey);

  const guard = new EgressGuard({
    allow: config.egressAllow.join(","),
    ...(config.egressCa === null ? {} : { caFile: config.egressCa }),
  });
  const sender = new Sender({ guard, clock: systemClock, version });
  const bodyBytesMax = config.notificationBytesMax;
  const records: TaskRecords = { read: getTasks };
  const notifier = new Notifier({
    database,
    clock: systemClock,
    log: log.logger,
    masterKey,
    sender,
    records,
    bodyBytesMax,
    onAttempt: (attempt) => metrics.deliveryAttempt(attempt.next.state),
  });
  const endWatch = new EndWatch(database);
  const health = new PlatformHealth(database, fault("platform health"));

  const has = (role: Role) => serviceRoles.includes(role);
  const store = openContentStore(config);
  const pageRenderer = new PageRenderer();
  const addressKey = masterKey.derive("public addresses");
  let address: string | null = null;
  /** Where the service is reached from outside. Without the role `api` only the operator knows. */
  const publicUrl = () => config.publicUrl ?? address;
  const screenshot = screenshotter(browsers, fontPath);
  const making: ArtifactMaking = {
    database,
    store,
    drawPage: (input) => metrics.artifact("page", pageRenderer.render(input)),
    screenshot: (html, signal, requester) => metrics.artifact("screenshot", screenshot(html, signal, requester)),
    browser: workerBrowser,
    publicAddresses: () => {
      const base = publicUrl();
      if (base === null) return null;
      return (purpose, taskId) =>
        `${base}/${purpose === "share" ? "s" : "screenshots"}/${publicToken(addressKey, purpose, taskId)}`;
    },
    seal: (input) => sealTask({ database, encrypter: masterKey }, input),
    onFault: (error) => log({ event: "artifact.failed", error }),
  };
  const feed = new EventFeed({
    database,
    records,
    bodyBytesMax,
    validTokens: (tokenIds) => validTokens(database, tokenIds),
  });
  // Where one process does not do everything, those who send and those who stream are told by the database.
  const hints = !alone && !(has("api") && has("notifier"));
  const announced = new Map<string, { accountId: string; due: boolean }>();
  const ends: EndTasksDeps = {
    retentionMs: config.retentionDays * dayMs,
    announce: async (tx, ended) => {
      const { due, write } = await prepareDeliveries(tx, ended, {
        bodyBytesMax,
        ...(has("notifier") && { inHand: notifier.inHand }),
      });
      if (announced.size > announcedMax) announced.clear();
      for (const { taskId, accountId } of ended) announced.set(taskId, { accountId, due });
      if (hints) await hintOthers(tx, [...new Set(ended.map(({ accountId }) => accountId))]);
      return { write };
    },
  };
  /** After a commit: tells those in this process who wait for it. The others poll. */
  const ended = (taskIds: readonly string[]) => {
    endWatch.ended(taskIds);
    const told = taskIds.flatMap((taskId) => announced.get(taskId) ?? []);
    for (const taskId of taskIds) announced.delete(taskId);
    if (has("notifier") && told.some(({ due }) => due)) notifier.wake();
    feed.wake(new Set(told.map(({ accountId }) => accountId)));
  };
  /** Something may be due: the notifier here looks, or another process's is told. */
  const wakeNotifier = () => {
    if (has("notifier")) notifier.wake();
    else hintOthers(database).catch(fault("hint"));
  };
  const listener =
    !alone && (has("api") || has("notifier"))
      ? new Listener(database, {
          [noticeChannel]: (payload) => {
            if (has("notifier")) notifier.wake();
            const accountIds = readHint(payload);
            if (accountIds.length > 0) feed.wake(accountIds);
            else feed.look();
          },
        })
      : null;

  const largeAnswers = new LargeAnswers(() => dispatcher.roomForLargeResult());
  const dispatcher: Dispatcher<Question, RunResult> = new Dispatcher<Question, RunResult>(
    {
      database,
      log,
      work: {
        load: (claimed) => loadQuestions(database, claimed),
        run: async (question, claimed, signal, waiting) => {
          let started = performance.now();
          const { accountId, runBudgetMs } = claimed;
          // What a task waits for a browser says nothing of its platform.
          const waitingFor: typeof waiting = async (turn) => {
            const from = performance.now();
            return waiting(turn).finally(() => (started += performance.now() - from));
          };
          const context = { signal, runBudgetMs, requester: { accountId, whileQueued: waitingFor } };
          const platform = platforms.get(claimed.platform);
          const end = await runTask(platform, question, context, making, () => largeAnswers.turn());
          const seconds = (performance.now() - started) / 1000;
          metrics.ask(claimed.platform, end.kind, seconds);
          if (end.kind === "completed" && end.result.consumption !== null)
            metrics.consumed(claimed.platform, end.result.consumption);
          if (end.kind === "completed" || end.kind === "failed")
            health.note(claimed.platform, end.kind === "completed", seconds);
          return end;
        },
        end: (tx, taskEnds) => endTasks(tx, taskEnds, ends),
        ended: (taskEnds) => {
          for (const { state } of taskEnds) metrics.ended(state);
          ended(taskEnds.map((end) => end.taskId));
        },
      },
    },
    {
      platforms: [...platforms.keys()],
      slotsMax: config.workerSlots,
      accountSlotsMax: config.accountSlots ?? Math.ceil(config.workerSlots / 2),
      shared: { platforms: onPages(platforms), slotsMax: browsers.contextsMax },
      browserTasks: { platforms: onPages(platforms), areLeft: () => workerBrowser.areLeft() },
      name: `${process.pid}`,
      version,
      alone,
    },
  );

  // What is wrong now, for the overview: each part of the service that may know of something adds its source here.
  const conditions: ConditionSource[] = [
    webhookConditions(database),
    platformConditions(platformStates({ database, platforms, browserUsable })),
    browserCondition(browserUsable),
    pointsConditions(database),
  ];

  let stopping = false;
  const largeBodies = new Places({
    what: "large bodies",
    perAccount: config.largeBodiesPerAccount,
    // Of 16 MiB each, and as much again while they are parsed.
    inAll: Math.max(32, config.largeBodiesPerAccount),
    waitMs: 10_000,
    waitingMax: 100,
  });
  const lists = new Places({
    what: "requests for lists",
    perAccount: config.listsPerAccount,
    // Each has a connection to the database while it looks: some are left for everything else.
    inAll: Math.max(config.listsPerAccount, Math.floor(config.databaseConnections * 0.6)),
    waitMs: 10_000,
    waitingMax: 100,
  });
  const connectionsMax = connectionsFor(config.connectionsMax);
  const streams = new Places({
    what: "event streams",
    perAccount: config.streamsPerAccount,
    inAll: Math.floor((connectionsMax * 3) / 4),
    waitMs: 0,
    waitingMax: 0,
    retryAfterSeconds: 10,
  });
  const waits = new Places({
    what: "requests that wait",
    perAccount: config.waitsPerAccount,
    inAll: Math.floor(connectionsMax / 8),
    waitMs: 0,
    waitingMax: 0,
  });
  const exports = new Places({ what: "exports", perAccount: 4, inAll: 64, waitMs: 10_000, waitingMax: 100 });
  const server = has("api")
    ? await createHttpServer({
        version,
        requestsPerMinute: config.requestsPerMinute,
        pageRequestsPerMinute: config.pageRequestsPerMinute,
        wrongTokensPerMinute: config.wrongTokensPerMinute,
        trustedProxies: config.trustedProxies,
        connectionsMax,
        bodyValuesMax: config.batchItemsMax * itemValuesMax + 1,
        places: { largeBodies, lists },
        log,
        observe: ({ operation, status, seconds }) => metrics.request(operation, status, seconds),
        authenticate: (token) => authenticate(database, token),
        routes: [
          ...taskRoutes({
            database,
            ends,
            endWatch,
            waits,
            exports,
            isTokenValid: async (tokenId) => (await validTokens(database, [tokenId])).has(tokenId),
            rules: {
              platforms: catalogue,
              itemsMax: config.batchItemsMax,
              refuseWebhookUrl: (url) => {
                const check = guard.checkAddress(url);
                return check.ok ? null : check.detail;
              },
            },
            browserUsable,
            onSubmitted: (codes) => has("worker") && dispatcher.wake(codes),
            onCanceled: (taskIds) => {
              dispatcher.abort(taskIds);
              for (const _ of taskIds) metrics.ended("canceled");
              ended(taskIds);
            },
          }),
          ...platformRoutes({ database, platforms, catalogue, making, browserUsable }),
          ...evidenceRoutes({
            database,
            store,
            encrypter: masterKey,
            drawPage: making.drawPage,
            platformName: (code) => platforms.get(code)?.name ?? code,
            version,
            getTask: (accountId, taskId) => getTask(database, accountId, taskId),
            onFault: making.onFault,
          }),
          ...publicRoutes({ database, store, addressKey, fontPath }),
          ...webhookRoutes({ database, masterKey, guard, wake: wakeNotifier }),
          ...deliveryRoutes({ database, records, masterKey, guard, sender, version, bodyBytesMax, wake: wakeNotifier }),
          ...eventRoutes({ database, records, bodyBytesMax, feed, streams }),
          ...usageRoutes({ database }),
          ...overviewRoutes({ database, conditions }),
          ...tokenRoutes({ database, onChange: log }),
          ...operatorRoutes({
            database,
            platforms,
            limits: new Map(limits.map((platform) => [platform.code, platform])),
            createAccount: (input) => createAccount(database, masterKey, input),
            onChange: log,
            onLimits: (codes) => has("worker") && dispatcher.wake(codes),
          }),
          ...probeRoutes({
            version,
            metrics: () => metrics.text(),
            notReady: async () => (stopping ? "The service is going down." : await databaseFault(database)),
          }),
        ],
      })
    : null;

  // First, since it is what can fail: a port that is taken must leave nothing started.
  if (server !== null) {
    await listen(server, config);
    ownPort = (server.server.address() as AddressInfo).port;
    address = addressOf(server.server.address() as AddressInfo, config.host);
  }
  metrics.gauge("querent_tasks_running", "Tasks that run in this process.", () => dispatcher.inFlight);
  metrics.gauge("querent_browser_usable", "1 while this process can use a browser.", () =>
    Number(workerBrowser.isUsable()),
  );
  metrics.gauge(
    "querent_account_tasks_running_max",
    "Tasks of the account that has the most of them running in this process.",
    () => dispatcher.mostSlotsOfOneAccount,
  );
  metrics.gauge(
    "querent_results_waiting_bytes",
    "Bytes of results that wait to be written by this process.",
    () => dispatcher.waitingBytes,
  );
  metrics.gauge("querent_browser_contexts", "Browser contexts in use in this process.", () => browsers.inUse);
  metrics.gauge(
    "querent_event_readers",
    "Clients that follow the event feed live in this process.",
    () => feed.readers,
  );
  metrics.places({ event_streams: streams, waits, exports, lists, large_bodies: largeBodies });
  metrics.gauge("querent_http_connections", "Connections to the API of this process.", () => connectionsOf(server));
  metrics.gauge(
    "querent_http_connections_max",
    "Connections to the API that this process takes.",
    () => connectionsMax,
  );
  metrics.gauge(
    "querent_delivery_slots_taken",
    "Notifications on their way from this process.",
    () => notifier.inFlight,
  );
  metrics.gauge(
    "querent_delivery_slots_account_max",
    "Notifications on their way from this process for the account that has most.",
    () => Math.max(0, ...notifier.inFlightByAccount.values()),
  );
  const sweeping = new AbortController();
  const periodic = new Periodic(
    [
      { everyMs: 1000, work: async () => has("worker") && ended(await endLateTasks(database, ends)) },
      {
        everyMs: 60_000,
        work: async () => has("notifier") && expireBodies({ database, records, bodyBytesMax }, sweeping.signal),
      },
      {
        everyMs: 15 * 60_000,
        work: async () => {
          const { dropped } = await maintainResults(database);
          if (dropped.length > 0) log({ event: "results.expired", dropped });
          await forgetKeys(database);
          await forgetAttempts(database);
          await forgetHealth(database);
          await forgetDrift(database);
          await endHeld(database, config.retentionDays, sweeping.signal);
          await pruneDeliveries(database, Math.ceil(config.retentionDays) + 7);
        },
      },
      {
        everyMs: 15 * 60_000,
        work: async () => {
          const removed = await sweepContents(database, store, sweeping.signal);
          if (store instanceof FileStore) await store.removeLeftovers(systemClock.now());
          if (removed > 0) log({ event: "artifacts.swept", removed });
        },
      },
    ],
    fault("periodic work"),
  );

  await listener?.start();
  if (has("notifier")) notifier.start();
  if (has("worker")) {
    workerBrowser.look();
    await dispatcher.start();
    workerBrowser.start();
  }
  log({ event: "service.started", address, roles: serviceRoles });

  return {
    address,
    whyNoBrowser: has("worker") ? workerBrowser.whyNone() : Promise.resolve(null),
    async stop() {
      stopping = true;
      // No new requests and no periodic work; then the tasks, whose ends make notifications; then the notifier.
      await server?.close();
      await feed.stop();
      await listener?.stop();
      sweeping.abort(new Error("the service stops"));
      await periodic.stop();
      if (has("worker")) await dispatcher.stop(config.drainSeconds * 1000);
      await workerBrowser.stop();
      await browsers.close();
      await health.flush();
      await drift.flush();
      if (has("notifier")) await notifier.stop();
      await sender.close();
      await pageRenderer.stop();
      await store.close();
    },
  };
}

async function listen(server: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    await server.close();
    const code = (error as NodeJS.ErrnoException).code;
    const faults: Readonly<Record<string, string>> = {
      EADDRINUSE: "something else listens there. Set QUERENT_PORT to another port; 0 picks a free one",
      EACCES: "this user may not. Set QUERENT_PORT to a port from 1024 on",
      EADDRNOTAVAIL: "this machine has no such address. Set QUERENT_HOST",
      ENOTFOUND: "the name is not known. Set QUERENT_HOST",
    };
    const fault = code === undefined ? undefined : faults[code];
    if (fault === undefined) throw error;
    throw new CommandError(`Can't listen on ${host} port ${port}: ${fault}.`);
  }
}

/** Connections that are open; 0 without the role `api`. */
async function connectionsOf(server: FastifyInstance | null): Promise<number> {
  if (server === null) return 0;
  return await promisify(server.server.getConnections.bind(server.server))();
}

function limitsOf(settings: ReadonlyMap<string, PlatformSettings>): PlatformLimits[] {
  return [...settings].map(([code, platform]) => ({
    code,
    runningMax: platform.runningMax,
    rate: platform.rate,
    attemptsMax: platform.attempts,
    breakerAfter: platform.breakerAfter,
  }));
}

function termsOf(
  platforms: ReadonlyMap<string, Platform>,
  settings: ReadonlyMap<string, PlatformSettings>,
): ReadonlyMap<string, PlatformTerms> {
  return new Map(
    [...platforms.values()].flatMap((platform) => {
      const terms = settings.get(platform.code);
      if (terms === undefined) return [];
      // `missing` is asked for each time: a platform may come to be configured while the service runs.
      return [
        [
          platform.code,
          {
            code: platform.code,
            kind: platform.kind,
            pageHtml: platform.returns.pageHtml,
            price: terms.price,
            runTimeoutSeconds: terms.runTimeoutSeconds,
            get missing() {
              return platform.missing;
            },
          },
        ] as const,
      ];
    }),
  );
}

/** The platforms that share the browsers. */
function onPages(platforms: ReadonlyMap<string, Platform>): ReadonlySet<string> {
  return new Set([...platforms.values()].filter(({ kind }) => kind === "web").map(({ code }) => code));
}

async function databaseFault(database: Database): Promise<string | null> {
  try {
    await database.query("select 1");
    return null;
  } catch {
    return "The database does not answer.";
  }
}

function addressOf({ address, port, family }: AddressInfo, host: string): string {
  const any = address === "0.0.0.0" || address === "::";
  const name = any ? "localhost" : family === "IPv6" ? `[${address}]` : host === "localhost" ? host : address;
  return `http://${name}:${port}`;
}
