/** The parts that the roles of one process share. */
import { validTokens, type StorageQuota } from "../accounts/index.ts";
import { auditCommand, recordBeside } from "../audit/index.ts";
import { assistantScopes } from "@querent/contract";
import {
  AuthorizationServer,
  guardedFetch,
  Refusals,
  SingleSignOn,
  validConnections,
  validLogins,
  type LoginLimits,
} from "../people/index.ts";
import { readerVersion } from "../answers/index.ts";
import { PageRenderer, publicToken, type ContentStore } from "../artifacts/index.ts";
import type { BrowserPool } from "../browser/index.ts";
import { connectionTo, Database, primaryReader, ReplicaReader, type ListReader } from "../db/index.ts";
import { BrowserCensus, configureLimiters, PlatformCensus, type StartLimits } from "../dispatch/index.ts";
import { EgressGuard } from "../egress/index.ts";
import { signingKey } from "../evidence/index.ts";
import { EntitySearch, observeTasks } from "../observations/index.ts";
import { Computer } from "../computing/computer.ts";
import type { Tracer } from "../kernel/trace.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Platform, StandInPage } from "../platforms/index.ts";
import { PlatformSessions } from "../sessions/index.ts";
import { StoredSetups } from "../setups/index.ts";
import { PlatformDrift } from "../statistics/index.ts";
import {
  DatabaseClock,
  EndWatch,
  getTasks,
  maintainResults,
  type ArtifactMaking,
  type EndTasksDeps,
  type ItemRules,
  type PlatformCatalogue,
} from "../tasks/index.ts";
import { Metrics, type Log } from "../telemetry/index.ts";
import { storedKey, type MasterKey } from "../vault/index.ts";
import { composeNotice } from "../reports/index.ts";
import { ChannelSender, EventFeed, Sender, type ChannelSenderOptions, type TaskRecords } from "../webhooks/index.ts";
import { createBrowserPool } from "./browsers.ts";
import type { Config } from "./config.ts";
import { mailerOf } from "./mail.ts";
import { openContentStore } from "./open-content-store.ts";
import { LiveSettings, platformCatalogue, platformLimits, type PlatformSettings } from "./platform-settings.ts";
import { createPlatforms, observedPlatforms, standInOf, withKeyFiles } from "./platforms.ts";
import { readSignInProviders, signInGuard } from "./sign-in-providers.ts";
import { version } from "./version.ts";
import { WorkerBrowser } from "./worker-browser.ts";
import { WorkerPlatforms } from "./worker-platforms.ts";
import { closing, type Service } from "../runtime/service.ts";
import { usableMemory } from "../runtime/usable-memory.ts";

const dayMs = 86_400_000;

/** The input for starting a service. */
export interface ServiceDeps {
  readonly config: Config;
  /** The variables that contain the platforms' keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Migrated. */
  readonly database: Database;
  readonly masterKey: MasterKey;
  /** No other process can use this database. */
  readonly alone: boolean;
  /** The port on which this process listens for probes, if it does; by default the configured one. */
  readonly managementPort?: number | null;
  readonly log: Log;
  /** Traces requests, runs and deliveries; null if this process traces nothing. */
  readonly tracer?: Tracer | null;
  /** Other addresses of PagerDuty than its own. */
  readonly pagerDuty?: ChannelSenderOptions["pagerDuty"];
  /** Another check of the sites that are read than that their addresses are public. */
  readonly siteGuard?: EgressGuard;
}

/** A `type` rather than an interface, since it is what the functions below return. */
export type Parts = Awaited<ReturnType<typeof makeParts>>;

/** The URL of this process's API; null until it listens, and without the role `api`. */
interface OwnAddress {
  port: number | null;
  url: string | null;
}

/** Creates what the roles share, and writes to the database what must exist before any of them works. Starts nothing. */
export async function makeParts(deps: ServiceDeps, roles: readonly string[]) {
  const { config, database, masterKey, log } = deps;
  const metrics = new Metrics();
  /** Logs an error of background work, with the name of the work. */
  const fault = (doing: string) => (error: unknown) => log({ event: "service.fault", doing, error });
  const ownAddress: OwnAddress = { port: null, url: null };
  const setups = new StoredSetups({ database, masterKey, onFault: fault("stored keys and settings of platforms") });
  // Before anything asks which keys there are.
  await setups.refresh();
  const liveSettings = new LiveSettings(config.config, (code) => setups.settingsOf(code));
  setups.onChange(() => liveSettings.refresh());
  const settings = liveSettings.current;
  const limits = platformLimits(settings);
  const browsers = makeBrowsers(deps, ownAddress, fault);
  const drift = new PlatformDrift(database, fault("platform drift"));
  const sessions = new PlatformSessions({ database, masterKey, onEvent: log, onFault: fault("sessions of platforms") });
  // Before anything asks which pages are set up.
  await sessions.refresh();
  const standIn = standInOf(config);
  const platforms = await makePlatforms(deps, {
    settings,
    standIn,
    browserPool: browsers.browserPool,
    drift,
    metrics,
    sessions,
    setups,
  });
  const workerPlatforms = new WorkerPlatforms({
    ...{ database, platforms, roles, alone: deps.alone, log },
    only: config.workerPlatforms,
    slotsMax: config.workerSlots,
    whyNoBrowser: () => browsers.workerBrowser.why,
    onFault: fault("report the platforms"),
  });
  const listed = listedPlatforms(deps, platforms, roles.includes("worker"));
  await prepareDatabase(database, masterKey, limits);
  const catalogue = platformCatalogue(listed.platforms, settings) satisfies PlatformCatalogue;
  /** Awaited before platforms are listed or tasks accepted: also brings up to date what `listedPlatforms` lack. */
  const browserUsable = async () => {
    await listed.refresh();
    return browsers.browserUsable();
  };
  const webhookParts = makeWebhookParts(deps);
  const addressKey = await storedKey(database, masterKey, "public addresses");
  const artifactParts = makeArtifactParts(deps, ownAddress, metrics, addressKey);
  const entities = new EntitySearch(database);
  const refusals = new Refusals({ database, record: recordBeside, onFault: fault("record a refused sign-in") });
  return {
    ...deps,
    tracer: deps.tracer ?? null,
    metrics,
    fault,
    ownAddress,
    settings,
    liveSettings,
    /** The environment with the keys that files contain, and without stored ones. */
    givenKeys: withKeyFiles({ environment: deps.environment, settings }),
    limits,
    drift,
    sessions,
    setups,
    standIn,
    platforms,
    listedPlatforms: listed.platforms,
    catalogue,
    itemRules: itemRules(deps, { catalogue, browserUsable, guard: webhookParts.guard }),
    /** The vendor's prices of platforms for which the operator has configured them. */
    vendorPrices: new Map([...settings].flatMap(([code, { cost }]) => (cost === undefined ? [] : [[code, cost]]))),
    workerPlatforms,
    ...browsers,
    browserUsable,
    ...artifactParts,
    ...webhookParts,
    refusals,
    singleSignOn: new SingleSignOn({
      ...{ database, masterKey, limits: webhookParts.loginLimits, publicBase: artifactParts.publicBase },
      ...readSignInProviders(config, deps.environment),
      record: recordBeside,
      refusals,
      onEvent: log,
    }),
    authorizationServer: makeAuthorizationServer(deps, fault("connect an assistant")),
    endWatch: new EndWatch(database),
    ...makeListReader(deps),
    entities,
    storageQuota: storageQuotaOf(config),
    computer: makeComputer(deps),
    ends: {
      retentionMs: config.retentionDays * dayMs,
      bodyBytesMax: config.notificationBytesMax,
      observe: observeTasks({
        entities,
        reader: readerVersion,
        ...observedPlatforms(platforms),
      }),
    } satisfies EndTasksDeps,
  };
}

const mib = 1024 ** 2;

/** What an account without a quota of its own may store. */
const storageQuotaOf = (config: Config): StorageQuota => ({
  rows: config.storageRowsPerAccount,
  bytes: config.storageMibPerAccount * mib,
  artifactBytes: config.artifactMibPerAccount * mib,
});

/** By which submissions and panels are read. */
function itemRules(
  { config, database }: ServiceDeps,
  parts: { catalogue: PlatformCatalogue; browserUsable: () => Promise<boolean>; guard: EgressGuard },
): () => Promise<ItemRules> {
  const clock = new DatabaseClock(database);
  return async () => {
    const [browserUsable, now] = await Promise.all([parts.browserUsable(), clock.now()]);
    return {
      platforms: parts.catalogue,
      itemsMax: config.batchItemsMax,
      refuseWebhookUrl: (url) => {
        const check = parts.guard.checkAddress(url);
        return check.ok ? null : check.detail;
      },
      browserUsable,
      now,
    };
  };
}

async function prepareDatabase(database: Database, masterKey: MasterKey, limits: StartLimits[]): Promise<void> {
  await configureLimiters(database, limits);
  await maintainResults(database);
  await signingKey(database, masterKey);
}

function makeBrowsers(
  { config, database, alone, managementPort = config.managementPort, log }: ServiceDeps,
  ownAddress: OwnAddress,
  fault: (doing: string) => (error: unknown) => void,
) {
  const browserPool: BrowserPool = createBrowserPool(config, {
    onEvent: log,
    onUsable: (why) => workerBrowser.note(why),
    ownPorts: () => [ownAddress.port ?? config.port, managementPort],
  });
  const workerBrowser = new WorkerBrowser({
    database,
    pool: browserPool,
    alone,
    onEvent: log,
    onFault: fault("report the browser"),
  });
  const census = new BrowserCensus(database);
  return { browserPool, workerBrowser, browserUsable: () => census.isUsable() };
}

async function makePlatforms(
  { config, environment, log }: ServiceDeps,
  parts: {
    readonly settings: ReadonlyMap<string, PlatformSettings>;
    readonly browserPool: BrowserPool;
    readonly drift: PlatformDrift;
    readonly metrics: Metrics;
    readonly sessions: PlatformSessions;
    readonly setups: StoredSetups;
    readonly standIn: StandInPage | null;
  },
): Promise<ReadonlyMap<string, Platform>> {
  const { settings, browserPool, drift, metrics, sessions, setups, standIn } = parts;
  const platforms = await createPlatforms({
    config,
    settings,
    environment,
    browsers: browserPool,
    sessions,
    setups,
    standIn,
    // Which worker has one, and whether any does, is determined while the service runs.
    noBrowser: null,
    onSampleProblem: (problem) => log({ event: "sample.problem", problem }),
    onUnloaded: (platform, why) => log({ event: "platform.unloaded", platform, why }),
    onUpstreamFailed: (failure) => log({ event: "platform.upstream_failed", ...failure }),
    onEvidenceMissing: (platform, taskId, { kind, why, cause: error }) =>
      log({ event: "platform.evidence_missing", platform, taskId, kind, why, error }),
    onDriveReport: (platform, report) => {
      for (const { sign, what } of report.signs) metrics.add("querent_platform_drift_total", { platform, sign, what });
      for (const { sign, what } of drift.note(platform, report)) log({ event: "platform.drift", platform, sign, what });
    },
  });
  return new Map(platforms.map((platform) => [platform.code, platform]));
}

/**
 * The platforms as the API lists them: what they lack is what the workers report, which may have other keys than this process.
 * Its own view counts as long as no worker has reported, for a process that is alone, and for what its own worker can ask.
 */
function listedPlatforms(
  { database, alone }: ServiceDeps,
  platforms: ReadonlyMap<string, Platform>,
  hasWorker: boolean,
): { readonly platforms: ReadonlyMap<string, Platform>; readonly refresh: () => Promise<void> } {
  if (alone) return { platforms, refresh: async () => undefined };
  const census = new PlatformCensus(database);
  const missingOf = ({ code, missing }: Platform) => {
    const askable = census.askable(code);
    if (askable === null || (hasWorker && missing === null)) return missing;
    return askable === "lacking" ? (missing ?? "No running worker has what it needs.") : null;
  };
  const listed = [...platforms].map(([code, platform]): readonly [string, Platform] => [
    code,
    Object.create(platform, { missing: { get: () => missingOf(platform) } }) as Platform,
  ]);
  return { platforms: new Map(listed), refresh: () => census.refresh() };
}

/** The first part of the path of public URLs. */
const publicFolders = {
  share: "s",
  screenshot: "screenshots",
  report: "r",
  figures: "f",
  unsubscribe: "unsubscribe",
} as const;

function makeArtifactParts({ config, log }: ServiceDeps, ownAddress: OwnAddress, metrics: Metrics, addressKey: Buffer) {
  const store: ContentStore = openContentStore(config);
  const pageRenderer = new PageRenderer((page) => log({ event: "page.not_rendered", ...page }));
  // Without the role `api` only the operator knows the service's URL.
  const publicBase = () => config.publicUrl ?? ownAddress.url;
  const publicAddresses: ArtifactMaking["publicAddresses"] = () => {
    const base = publicBase();
    if (base === null) return null;
    return (purpose, ofId) => `${base}/${publicFolders[purpose]}/${publicToken(addressKey, purpose, ofId)}`;
  };
  return {
    store,
    pageRenderer,
    addressKey,
    publicBase,
    publicAddresses,
    drawPage: ((input) => metrics.artifact("page", pageRenderer.render(input))) satisfies ArtifactMaking["drawPage"],
    onArtifactFault: (error: unknown) => log({ event: "artifact.failed", error }),
  };
}

/** Null: assistants need an access token. */
function makeAuthorizationServer(
  { config, database }: ServiceDeps,
  onFault: (error: unknown) => void,
): AuthorizationServer | null {
  if (config.mcp === "off" || config.mcpSignIn === "off") return null;
  return new AuthorizationServer({
    database,
    fetch: guardedFetch(signInGuard(config), { bytesMax: 16 * 1024 }),
    scopes: assistantScopes.filter((scope) => scope !== "tasks:write" || config.mcp === "ask"),
    audited: (work) => auditCommand(database, { operation: "endConnection", kind: "change", user: null }, work),
    onFault,
  });
}

type ValidIds = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** Which of these ids are valid. Each kind is asked for what no earlier one has: mostly, the first is asked alone. */
async function validAmong(ids: readonly string[], kinds: readonly ValidIds[]): Promise<ReadonlySet<string>> {
  let valid: ReadonlySet<string> = new Set();
  for (const validOf of kinds) {
    const left = ids.filter((id) => !valid.has(id));
    if (left.length > 0) valid = valid.union(await validOf(left));
  }
  return valid;
}

function makeWebhookParts({ config, database, masterKey, pagerDuty, siteGuard }: ServiceDeps) {
  const guard = new EgressGuard({
    allow: config.egressAllow.join(","),
    ...(config.egressCa === null ? {} : { caFile: config.egressCa }),
  });
  const records: TaskRecords = { read: getTasks };
  const bodyBytesMax = config.notificationBytesMax;
  const loginLimits: LoginLimits = { hours: config.loginHours, idleHours: config.loginIdleHours };
  /** The ids among these of tokens, logins and connections that are still valid. */
  const validAccess = async (ids: readonly string[]): Promise<ReadonlySet<string>> =>
    await validAmong(ids, [
      (left) => validTokens(database, left),
      (left) => validLogins(database, left, loginLimits),
      (left) => validConnections(database, left),
    ]);
  const feed = new EventFeed({
    database,
    records,
    bodyBytesMax,
    validAccess,
  });
  const sender = new Sender({ guard, clock: systemClock, version });
  // What is read of a site is shown: the ranges that the operator allows for notifications are not for that.
  const sites = siteGuard ?? new EgressGuard(config.egressCa === null ? {} : { caFile: config.egressCa });
  return {
    siteGuard: sites,
    loginLimits,
    validAccess,
    guard,
    sender,
    channels: new ChannelSender({
      ...{ database, masterKey, sender, clock: systemClock, compose: composeNotice },
      ...(pagerDuty === undefined ? {} : { pagerDuty }),
    }),
    mailer: mailerOf(config),
    records,
    bodyBytesMax,
    feed,
  };
}

/** Reads lists and exports from the configured replica, whatever its state when the process starts, or from the primary. */
function makeListReader({
  config,
  database,
  log,
}: {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
}): {
  readonly lists: ListReader;
  readonly listServices: readonly Service[];
} {
  if (config.databaseReadUrl === null) return { lists: primaryReader(database), listServices: [] };
  const replica = new Database({
    connection: connectionTo(config.databaseReadUrl, config.databaseCa),
    connectionsMax: config.databaseConnections,
    onIdleError: (error) => log({ event: "service.fault", doing: "idle connection of the replica", error }),
  });
  const lists = new ReplicaReader({
    primary: database,
    replica,
    behindMsMax: config.databaseReadBehindMs,
    onChange: (why) => log(why === null ? { event: "replica.usable" } : { event: "replica.unusable", why }),
  });
  return { lists, listServices: [closing(() => replica.close()), lists] };
}

/** Three accounts, each with as many answers as it may read. More processes would only wait for processors. */
const memoryMaxMiB = 2100;

export function makeComputer({
  database,
  config,
}: {
  readonly database: Database;
  readonly config: Pick<Config, "figuresMemoryMiB" | "figuresSeconds">;
}): Computer {
  return new Computer({
    database,
    memoryMiB: config.figuresMemoryMiB ?? Math.min(memoryMaxMiB, Math.floor(usableMemory() / 2 ** 21)),
    timeMs: config.figuresSeconds * 1000,
    waitMs: 10_000,
  });
}
