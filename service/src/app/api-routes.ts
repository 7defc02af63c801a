import { readStored, tokenRoutes } from "../accounts/index.ts";
import { demonstrationRoutes } from "../demo/index.ts";
import { auditRoutes } from "../audit/index.ts";
import { fontFaces, fontPath, fontStack } from "../answers/index.ts";
import type { Route } from "../api/route.ts";
import { printer, publicRoutes } from "../artifacts/index.ts";
import { evidenceRoutes, signingKey } from "../evidence/index.ts";
import {
  alertRoutes,
  changeRoutes,
  diffRoutes,
  figureLinkRoutes,
  figureRoutes,
  reportRoutes,
  planRoutes,
  sendingRoutes,
} from "../reports/index.ts";
import { entityRoutes, observationRoutes } from "../observations/index.ts";
import {
  contentsOfProjects,
  importRoutes,
  panelRoutes,
  panelsToList,
  pausePanels,
  projectOfTask,
} from "../panels/index.ts";
import { systemClock } from "../kernel/clock.ts";
import { projectRoutes } from "../projects/index.ts";
import { proposalRoutes } from "../proposals/index.ts";
import { sessionRoutes, type LimitsOfSession } from "../sessions/index.ts";
import { setupRoutes } from "../setups/index.ts";
import { signInRoutes, type SignIns } from "../signin/index.ts";
import { probeRoutes } from "../http/index.ts";
import { operatorRoutes } from "../operator/index.ts";
import { connectionRoutes, InvitationMailer, personRoutes } from "../people/index.ts";
import { capRoutes, usageRoutes } from "../points/index.ts";
import {
  browserCondition,
  overviewRoutes,
  platformConditions,
  platformRoutes,
  platformStates,
  pointsConditions,
  type ConditionSource,
} from "../statistics/index.ts";
import { getTask, taskRoutes } from "../tasks/index.ts";
import { channelRoutes, deliveryRoutes, eventRoutes, webhookConditions, webhookRoutes } from "../webhooks/index.ts";
import type { RequestLimits } from "./account-limits.ts";
import { createAccount } from "./accounts.ts";
import { describeOutcome } from "../mail/index.ts";
import { mailSettings, testMail } from "./mail.ts";
import type { Parts } from "./parts.ts";
import { databaseFault } from "./readiness.ts";
import type { Worker } from "./roles/worker.ts";
import { setupViews, testPlatformKey } from "./setup-views.ts";
import { version } from "./version.ts";
import type { WakeUps } from "./wake-ups.ts";

interface ApiDeps {
  /** The worker of this process, if it has the role. */
  readonly worker: Worker | null;
  readonly wakeUps: WakeUps;
  readonly limits: RequestLimits;
  readonly signIns: SignIns;
  readonly isStopping: () => boolean;
}

/** Every operation of the contract. */
export function apiRoutes(parts: Parts, deps: ApiDeps): Route[] {
  const { database, masterKey, log, platforms, metrics, settings } = parts;
  const limitsOf: LimitsOfSession = (platform, name) => settings.get(platform)?.web?.sessions.get(name);
  return [
    ...tasksAndBatches(parts, deps),
    ...observationRoutes({
      database,
      entities: parts.entities,
      limits: deps.limits,
      isAccessValid: (accessId) => isAccessValid(parts, accessId),
      panelsToList: (access, project) => panelsToList(database, access, project),
    }),
    ...entityRoutes({ database, entities: parts.entities, searches: deps.limits.searches }),
    ...changeRoutes({ database }),
    ...diffRoutes(parts),
    ...planRoutes({ ...parts, rules: parts.itemRules }),
    ...figureRoutes(parts),
    ...figureLinkRoutes(parts),
    ...reportRoutes({
      database,
      entities: parts.entities,
      version,
      signing: () => signingKey(database, masterKey),
      publicBase: parts.publicBase,
      addresses: parts.publicAddresses,
      addressKey: parts.addressKey,
      computer: parts.computer,
      printing: printing(parts, deps.worker !== null),
      onFault: parts.onArtifactFault,
    }),
    ...sendingRoutes({
      database,
      addresses: parts.publicAddresses,
      addressKey: parts.addressKey,
      mail: {
        settings: mailSettings(parts.mailer),
        test: (to, signal) => testMail(parts.mailer, to, signal),
      },
    }),
    ...channelRoutes(parts),
    ...alertRoutes({ database, mail: mailSettings(parts.mailer) }),
    ...importRoutes({ database, entities: parts.entities, retentionMs: parts.ends.retentionMs }),
    ...platformRoutes({ ...parts, platforms: parts.listedPlatforms, making: parts }),
    ...evidenceRoutes({
      database,
      store: parts.store,
      encrypter: masterKey,
      drawPage: parts.drawPage,
      platformName: (code) => platforms.get(code)?.name ?? code,
      version,
      getTask: (accountId, taskId) => getTask(database, accountId, taskId),
      onFault: parts.onArtifactFault,
    }),
    ...publicRoutes({ ...parts, fontPath }),
    ...webhooks(parts, deps),
    ...panelRoutes({
      database,
      entities: parts.entities,
      rules: parts.itemRules,
      onSubmitted: (codes) => deps.worker?.dispatcher.wake(codes),
    }),
    ...proposalRoutes({
      database,
      computer: parts.computer,
      guard: parts.siteGuard,
      sites: deps.limits.sites,
      version,
      now: () => systemClock.now(),
    }),
    ...projectRoutes({ database, contents: contentsOfProjects, onArchived: pausePanels }),
    ...capRoutes({ database }),
    ...usageRoutes({
      database,
      lists: parts.lists,
      storageOf: (accountId) => readStored(database, accountId, parts.storageQuota),
    }),
    ...overviewRoutes({ database, conditions: conditions(parts) }),
    ...tokenRoutes({ database, onChange: log }),
    ...auditRoutes({ database, version, isAccessValid: (accessId) => isAccessValid(parts, accessId) }),
    ...personRoutes({
      database,
      masterKey,
      limits: parts.loginLimits,
      publicBase: parts.publicBase,
      publicUrl: parts.config.publicUrl,
      singleSignOn: parts.singleSignOn,
      refusals: parts.refusals,
      consoleTokens: parts.config.consoleTokens === "on",
      mailer: new InvitationMailer(parts.mailer, (outcome) =>
        log({ event: "invitation.mail_failed", detail: describeOutcome(outcome, parts.mailer) }),
      ),
      onChange: log,
    }),
    ...connectionRoutes({ database, server: parts.authorizationServer }),
    ...operatorRoutes({
      database,
      places: { ...deps.limits, eventStreams: deps.limits.streams },
      platforms: parts.listedPlatforms,
      refresh: parts.browserUsable,
      limits: new Map(parts.limits.map((platform) => [platform.code, platform])),
      createAccount: (input) => createAccount(database, masterKey, input),
      onChange: log,
      onLimits: (codes) => deps.worker?.dispatcher.wake(codes),
    }),
    ...demonstrationRoutes({
      database,
      entities: parts.entities,
      retentionMs: parts.ends.retentionMs,
      createAccount: (input) => createAccount(database, masterKey, input),
      onChange: log,
    }),
    ...sessionRoutes({
      database,
      masterKey,
      isWebPlatform: (code) => platforms.get(code)?.kind === "web",
      limitsOf,
      onChange: log,
    }),
    ...setupRoutes({
      ...{ database, masterKey, setups: parts.setups, onChange: log },
      views: () => setupViews(parts),
      test: (code) => testPlatformKey(parts, code),
    }),
    ...signInRoutes({ database, masterKey, signIns: deps.signIns, limitsOf, onChange: log }),
    ...probeRoutes({
      version,
      metrics: () => metrics.text(),
      notReady: async () => (deps.isStopping() ? "The service is shutting down." : await databaseFault(database)),
    }),
  ];
}

function tasksAndBatches(parts: Parts, { worker, wakeUps, limits }: ApiDeps): Route[] {
  const { database, endWatch } = parts;
  return taskRoutes({
    database,
    lists: parts.lists,
    ends: parts.ends,
    endWatch,
    waits: limits.waits,
    exports: limits.exports,
    reads: limits.lists,
    isAccessValid: (accessId) => isAccessValid(parts, accessId),
    panelsToList: (access, project) => panelsToList(database, access, project),
    projectOf: (accountId, taskId) => projectOfTask(database, accountId, taskId),
    rules: parts.itemRules,
    onSubmitted: (codes) => worker?.dispatcher.wake(codes),
    onCanceled: (finish) => {
      worker?.dispatcher.abort(finish.taskIds);
      wakeUps.announce(finish);
    },
  });
}

/** What prints reports: the browser of this process, if it has the role `worker`. */
export function printing({ browserPool }: Parts, isWorker: boolean): Parameters<typeof reportRoutes>[0]["printing"] {
  if (!isWorker)
    return {
      why: "The process that answers this request has no browser, because it does not have the role worker. Ask one with the roles api and worker.",
    };
  const fonts = {
    path: fontPath,
    faces: fontFaces,
    stack: (language: string) => fontStack(language === "zh-CN" ? "zh" : language === "ja" ? "ja" : "en", "sans"),
  };
  return { print: printer(browserPool, fonts) };
}

const isAccessValid = async ({ validAccess }: Parts, accessId: string) => (await validAccess([accessId])).has(accessId);

function webhooks(parts: Parts, { wakeUps, limits }: ApiDeps): Route[] {
  const { database, masterKey, guard, sender, records, bodyBytesMax, feed } = parts;
  const wake = () => wakeUps.deliveryDue();
  return [
    ...webhookRoutes({ database, masterKey, guard, sender, bodyBytesMax, wake }),
    ...deliveryRoutes({ database, lists: parts.lists, records, version, bodyBytesMax, wake }),
    ...eventRoutes({ database, records, bodyBytesMax, feed, streams: limits.streams }),
  ];
}

/** Current problems, for the overview and for alerts: each part of the service adds its source here. */
export function conditions({ database, listedPlatforms: platforms, browserUsable }: Parts): ConditionSource[] {
  return [
    webhookConditions(database),
    platformConditions(platformStates({ database, platforms, browserUsable })),
    browserCondition(browserUsable),
    pointsConditions(database),
  ];
}
