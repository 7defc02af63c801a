/** Combines the roles of one process with the parts that they share. */
import { loadBundledRecipe, loadRecipe, RecipeError, type Platform, type LoadedRecipe } from "../platforms/index.ts";
import { pruneEntries, sealEntries } from "../audit/index.ts";
import { signingKey } from "../evidence/index.ts";
import { forgetConnections, forgetLogins } from "../people/index.ts";
import { ServiceStack, closing, type Service } from "../runtime/service.ts";
import { sentPdfDays } from "@querent/contract";
import { accountLimits } from "./account-limits.ts";
import { conditions, printing } from "./api-routes.ts";
import { readMetrics } from "./read-metrics.ts";
import { makeParts, type ServiceDeps, type Parts } from "./parts.ts";
import { notReady } from "./readiness.ts";
import { apiRole } from "./roles/api.ts";
import type { Role } from "./roles/names.ts";
import { workerRole, type Worker } from "./roles/worker.ts";
import { version } from "./version.ts";
import { WakeUps } from "./wake-ups.ts";
import { ProblemError } from "../api/problem-error.ts";
import { SignIns } from "../signin/index.ts";
import type { PlatformSettings } from "./platform-settings.ts";
import { accountNames, isMeasuringDue, measureAllStored, requireRoom } from "../accounts/index.ts";
import { sweepContents, FileStore } from "../artifacts/index.ts";
import { systemClock } from "../kernel/clock.ts";
import { exportObservations, forgetObservations } from "../observations/index.ts";
import { runEnds, scheduler } from "../panels/index.ts";
import {
  alertTeller,
  changeWatcher as watcher,
  forgetFindings,
  raiseFound,
  type AlertCondition,
  forgetSent,
  mailComposer,
  markDue,
  queueForRun,
  reportSender,
} from "../reports/index.ts";
import { PollLoop } from "../runtime/poll-loop.ts";
import { readSessionRecords } from "../sessions/index.ts";
import { forgetDrift, forgetHealth, readDrift } from "../statistics/index.ts";
import { dropHistory, extendHistory, historyDaysMin } from "./history.ts";
import { endLateTasks, forgetAttempts, forgetKeys, maintainResults, readTraceParents } from "../tasks/index.ts";
import {
  endPaused,
  expireBodies,
  pruneDeliveries,
  announceEvent,
  listChannels,
  MailSender,
  Notifier,
} from "../webhooks/index.ts";

export interface RunningService {
  /** The URL of the API; null without the role `api`. */
  readonly address: string | null;
  /** Why this process has no usable browser, for the operator, after the first check; null if it has one, or runs no tasks. */
  readonly whyNoBrowser: Promise<string | null>;
  /** The platforms that this process has. */
  readonly platforms: readonly Platform[];
  /** Why this process cannot do its work at present, in sentences; empty if it can. */
  notReady(): Promise<readonly string[]>;
  /** The metrics of this process, in the Prometheus text format. */
  metrics(): Promise<string>;
  /** Stops every part, in an order that loses nothing. If one cannot be stopped, the others still are, and then it throws. */
  stop(): Promise<void>;
}

/** Starts the service on a migrated database. If a part cannot be started, nothing is left running. */
export async function startService(deps: ServiceDeps, serviceRoles: readonly Role[]): Promise<RunningService> {
  const has = (role: Role) => serviceRoles.includes(role);
  const parts = await makeParts(deps, serviceRoles);
  const limits = accountLimits(deps.config);
  const notifier = has("notifier") ? notifierRole(parts) : null;
  const wakeUps = new WakeUps(parts, { api: has("api"), notifier });
  const worker = has("worker") ? workerRole(parts, wakeUps) : null;
  const signIns = signInsOf(parts, worker !== null);
  const api = has("api") ? await apiRole(parts, { worker, wakeUps, limits, signIns }) : null;
  if (worker !== null && api === null && deps.config.publicUrl === null)
    deps.log({
      event: "public_url.missing",
      variable: "QUERENT_PUBLIC_URL",
      consequence:
        "This process does not know where the API is reached, so tasks with a screenshot or a share link fail here, without a charge. Set it to the same URL in every process, and restart this one.",
    });
  readMetrics(parts, { api, worker, notifier, limits, roles: serviceRoles });

  // Stopped from last to first: first new requests and periodic work; then the tasks, whose ends create deliveries; then the
  // notifier, which sends them; and then what all of them use.
  const stack = new ServiceStack();
  stack.add(closing(() => parts.store.close()));
  stack.add(closing(() => parts.pageRenderer.stop()));
  stack.add(closing(async () => parts.standIn?.close()));
  stack.add(closing(() => parts.entities.stop()));
  stack.add(closing(() => parts.sender.close()));
  for (const service of parts.listServices) stack.add(service);
  // Started first, because its port may be in use: then nothing else has started.
  if (api !== null) stack.add(api.port);
  if (notifier !== null)
    stack.add({ start: () => notifier.start(), stop: () => notifier.stop(deps.config.drainSeconds * 1000) });
  if (worker !== null) stack.add(worker);
  // The list of platforms needs them, too.
  if (worker === null && api !== null) {
    stack.add(parts.sessions);
    stack.add(parts.setups);
  }
  if (worker !== null) stack.add(panelScheduler(parts, worker));
  if (worker !== null) stack.add(changeWatcher(parts));
  if (worker !== null) stack.add(panelRunEnds(parts));
  if (worker !== null) stack.add(scheduledReports(parts, wakeUps));
  if (worker !== null) stack.add(alerts(parts, wakeUps));
  stack.add(maintenance(parts, { wakeUps, isWorker: worker !== null, isNotifier: notifier !== null }));
  stack.add(wakeUps);
  stack.add(closing(() => parts.feed.stop()));
  stack.add(closing(() => signIns.stop()));
  if (api !== null) stack.add(api.requests);
  await stack.start();

  const address = parts.ownAddress.url;
  deps.log({ event: "service.started", address, roles: serviceRoles });
  return {
    address,
    platforms: [...parts.listedPlatforms.values()],
    whyNoBrowser: worker === null ? Promise.resolve(null) : parts.workerBrowser.whyNone(),
    notReady: () => notReady(parts.database, worker),
    metrics: () => parts.metrics.text(),
    stop: () => stack.stop(),
  };
}

/** `isWorker`: a process without that role has no browser. */
function signInsOf({ database, masterKey, browserPool, settings, config }: Parts, isWorker: boolean): SignIns {
  return new SignIns({
    database,
    masterKey,
    pool: browserPool,
    countries: [...config.countryProxies.keys()],
    recipeOf(platform) {
      if (!isWorker)
        throw new ProblemError(
          "state_conflict",
          "The process that answers this request has no browser, because it does not have the role worker. Open the console at the address of a process with the roles api and worker, or use `querentd session sign-in` on a machine with a display.",
        );
      return recipeOf(settings, platform);
    },
  });
}

function recipeOf(settings: ReadonlyMap<string, PlatformSettings>, platform: string): LoadedRecipe | null {
  const web = settings.get(platform)?.web ?? null;
  if (web === null) return null;
  try {
    const loaded = web.recipe === null ? loadBundledRecipe(platform) : loadRecipe(web.recipe);
    return web.session === null ? loaded : { ...loaded, storageState: web.session };
  } catch (error) {
    if (error instanceof RecipeError) throw new ProblemError("state_conflict", error.message, { cause: error });
    throw error;
  }
}

const quarterHourMs = 15 * 60_000;

/** Periodic work: ends late tasks, and deletes what has expired. */
function maintenance(
  parts: Parts,
  { wakeUps, isWorker, isNotifier }: { wakeUps: WakeUps; isWorker: boolean; isNotifier: boolean },
): Service {
  const { database, records, bodyBytesMax, ends } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const every = (everyMs: number, work: () => Promise<unknown>, faultMsMax = everyMs) =>
    new PollLoop({
      everyMs,
      look: async () => {
        await work();
      },
      onFault: parts.fault("periodic work"),
      faultBackoff: { firstMs: everyMs, maxMs: faultMsMax },
    });
  const loops = [
    ...(isWorker ? [every(1000, async () => wakeUps.announce(await endLateTasks(database, ends)))] : []),
    ...(isNotifier ? [every(60_000, () => expireBodies({ database, records, bodyBytesMax }, signal))] : []),
    // Without the master key of the signing key, nothing can be sealed for as long as the process runs.
    every(1000, () => sealEntries(database, auditSigner(parts)), 60_000),
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

const auditSigner =
  ({ database, masterKey }: Parts) =>
  () =>
    signingKey(database, masterKey);

async function deleteExpired(parts: Parts, signal: AbortSignal): Promise<void> {
  const { config, database, log, loginLimits } = parts;
  const { dropped } = await maintainResults(database);
  if (dropped.length > 0) log({ event: "results.expired", dropped });
  await forgetKeys(database);
  await forgetAttempts(database);
  await forgetHealth(database);
  await forgetDrift(database);
  await forgetLogins(database, loginLimits);
  await forgetConnections(database);
  await pruneEntries(database, auditSigner(parts), config.auditDays);
  const forgotten = await forgetObservations(database, config.observationDays);
  if (forgotten.deleted > 0 || forgotten.emptied.length > 0) log({ event: "observations.expired", ...forgotten });
  await forgetSent(database, sentPdfDays);
  await forgetFindings(database);
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

/** Starts the runs of panels. In each process that runs tasks, so that there is no single one that may be down. */
function panelScheduler(parts: Parts, { dispatcher }: Worker): Service {
  return scheduler({
    database: parts.database,
    rules: parts.itemRules,
    requireRoom: (accountId) =>
      requireRoom(parts.database, accountId, { stores: "tasks", bytes: 0 }, parts.storageQuota),
    onRun: ({ accountId, panelId, slot, problem, platforms }) => {
      if (problem === null) dispatcher.wake(platforms);
      parts.log({
        event: problem === null ? "panel.run_started" : "panel.run_refused",
        accountId,
        panelId,
        slot: slot.toISOString(),
        why: problem?.detail ?? null,
      });
    },
    onFault: parts.fault("start the runs of panels"),
  });
}

/** Notices the ends of panels' runs, in the same processes. */
function panelRunEnds(parts: Parts): Service {
  return runEnds({
    database: parts.database,
    entities: parts.entities,
    rules: parts.itemRules,
    async markDue(tx, run) {
      await markDue(tx, run);
      await queueForRun(tx, run);
    },
    onEnded: async ({ accountId, panelId, runId }) =>
      parts.log({ event: "panel.run_ended", accountId, panelId, runId }),
    onFault: parts.fault("notice the ends of panels' runs"),
  });
}

/** Judges panels after their runs. In each process that runs tasks. */
function changeWatcher({ database, entities, computer, log, fault, metrics }: Parts): Service {
  return watcher({
    database,
    entities,
    computer,
    readDrift: () => readDrift(database),
    async announce(tx, accountId, found) {
      const { kind, data } = found;
      await raiseFound(tx, accountId, found);
      const subject = data.changeId;
      await (kind === "change"
        ? announceEvent(tx, { accountId, type: "panel.change.detected", subject, data })
        : announceEvent(tx, { accountId, type: "panel.instrument.changed", subject, data }));
    },
    onTaken: ({ waitedSeconds }) => metrics.observe("querent_panel_judging_wait_seconds", {}, waitedSeconds),
    onFound: ({ accountId, panelId }, { kind, data }) => {
      const { changeId, platformCode } = data;
      metrics.add("querent_panel_changes_total", { kind });
      log({
        event: kind === "change" ? "panel.changed" : "panel.instrument_changed",
        accountId,
        panelId,
        changeId,
        platformCode,
      });
    },
    onFault: fault("judge the changes of panels"),
  });
}

/** Makes the reports that are to be sent. In the same processes, because these have a browser that prints. */
function scheduledReports(parts: Parts, wakeUps: WakeUps): Service {
  const { database, log } = parts;
  return reportSender({
    ...{ database, entities: parts.entities, computer: parts.computer, version },
    printing: printing(parts, true),
    addresses: parts.publicAddresses,
    accountName: async (accountId) => (await accountNames(database, [accountId])).get(accountId) ?? "",
    requireRoom: (accountId) => requireRoom(database, accountId, { stores: "free", bytes: 0 }, parts.storageQuota),
    wake: () => wakeUps.deliveryDue(),
    onEnded: ({ problem, ...report }) =>
      log({ event: problem === null ? "report.sent" : "report.not_sent", ...report, why: problem }),
    onFault: parts.fault("send reports"),
  });
}

/** Tells what alerts have found, and watches their conditions. In the same processes. */
function alerts(parts: Parts, wakeUps: WakeUps): Service {
  const { database, log, publicAddresses, publicBase } = parts;
  const sources = conditions(parts);
  return alertTeller({
    database,
    unsubscribeUrl: (recipientId) => publicAddresses()?.("unsubscribe", recipientId) ?? null,
    consoleUrl: (path) => {
      const base = publicBase();
      return base === null ? null : `${base}/console${path}`;
    },
    accountName: async (db, accountId) => (await accountNames(db, [accountId])).get(accountId) ?? "",
    conditions: async (accountId) => [
      ...(await Promise.all(sources.map((source) => source(accountId))))
        .flat()
        .filter(({ code }) => code !== "channel_gone")
        .map(({ platformCode, ...condition }) => ({ ...condition, about: platformCode ?? "" })),
      ...(await channelConditions(parts, accountId)),
      ...(await sessionConditions(parts)),
    ],
    wake: () => wakeUps.deliveryDue(),
    onTold: (told) => log({ event: "alert.told", ...told }),
    onFault: parts.fault("tell alerts"),
  });
}

/** Each channel that is gone is a condition of its own. */
async function channelConditions({ database }: Parts, accountId: string): Promise<AlertCondition[]> {
  return (await listChannels(database, accountId)).flatMap(({ state, name, problem }): AlertCondition[] =>
    state === "gone" ? [{ code: "channel_gone", severity: "error", about: name, detail: problem ?? "" }] : [],
  );
}

/** Sessions of web platforms with which nothing is asked until somebody signs in again. */
async function sessionConditions({ database }: Parts): Promise<AlertCondition[]> {
  return (await readSessionRecords(database)).flatMap(
    ({ platformCode, name, state, signedOutWhy }): AlertCondition[] => {
      if (state !== "signed_out" && state !== "needs_person") return [];
      return [
        {
          code: state === "signed_out" ? "session_signed_out" : "session_needs_person",
          severity: "error",
          about: `${platformCode}/${name}`,
          detail: signedOutWhy === null ? "" : `The page showed: ${signedOutWhy}.`,
        },
      ];
    },
  );
}

/** The role `notifier`: sends webhook deliveries. */
function notifierRole(parts: Parts): Notifier {
  const { database, log, masterKey, sender, mailer, channels, records, bodyBytesMax, metrics, tracer, config } = parts;
  return new Notifier({
    database,
    clock: systemClock,
    log: log.logger,
    masterKey,
    sender,
    mail: new MailSender({ database, mailer, compose: mailComposer(database) }),
    channels,
    records,
    bodyBytesMax,
    trace:
      tracer === null
        ? null
        : {
            tracer,
            parents: (taskIds) => readTraceParents(database, taskIds),
            sendsHeader: config.traceWebhooks,
          },
    onAttempt: ({ next, durationMs }) => {
      metrics.add("querent_delivery_attempts_total", { outcome: next.state });
      metrics.observe("querent_delivery_attempt_seconds", { outcome: next.state }, durationMs / 1000);
    },
  });
}
