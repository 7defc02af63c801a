/**
 * The embedded PostgreSQL: a real server from an npm package, on a Unix socket in the data folder, used if there is no
 * DATABASE_URL. The holder of the data folder's lock owns the server: it starts it, restarts it when it dies, and stops it.
 */
import { mkdirSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { backoffMs } from "../../runtime/backoff.ts";
import { BootError, fileError } from "../boot-error.ts";
import { lockDataFolder, type DataFolderLock, socketFolder, socketPort } from "./data-folder.ts";
import { requirePostgresBinaries, databaseUser, openCluster } from "./postgres-cluster.ts";
import {
  pruneLogs,
  launchPostmaster,
  type Postmaster,
  type PostmasterExit,
  type PostmasterPlan,
} from "./postmaster.ts";
import { chooseRunAs } from "./run-as.ts";
import { statfs } from "node:fs/promises";
import { usableMemory } from "../../runtime/usable-memory.ts";

/** The connection for the `pg` library. It has no password: the mode of the socket's folder controls access. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly ssl: false;
}

export interface EmbeddedPostgres extends AsyncDisposable {
  /** Does not change when the server restarts. */
  readonly connection: EmbeddedConnection;
  /** False if it belongs to another process; `stop` does not stop it then. */
  readonly owned: boolean;
  /** Resolves if it died and could not be restarted. */
  readonly failed: Promise<BootError>;
  /** Close the connections first. Afterwards none of its processes run. */
  stop(): Promise<void>;
}

export type EmbeddedEvent =
  | { event: "postgres.created"; folder: string; durationMs: number }
  | { event: "postgres.started"; pid: number; durationMs: number }
  | { event: "postgres.restored"; folder: string }
  | { event: "postgres.orphan_found"; pid: number }
  | { event: "postgres.recovering"; logFolder: string }
  | { event: "postgres.died"; code: number | null; signal: NodeJS.Signals | null; lastWords: string }
  | { event: "postgres.disk_full"; folder: string }
  | { event: "postgres.disk_has_space"; folder: string }
  | { event: "postgres.failed"; message: string }
  | { event: "postgres.stopped"; durationMs: number };

export interface StartEmbeddedOptions {
  readonly dataDir: string;
  readonly log?: (event: EmbeddedEvent) => void;
  readonly settings?: PostgresSettings;
  /** A lock of the data folder that the caller holds and releases. Without one, it is acquired here and released by `stop`. */
  readonly lock?: DataFolderLock;
  readonly startTimeoutMs?: number;
}

/** It is not restarted after this many deaths within `deathsWindowMs`. */
const deathsMax = 5;
const deathsWindowMs = 60_000;
/** The delays before a restart, from the second death in the window on. */
const relaunchBackoff = { firstMs: 200, maxMs: 2000 };
const pruneEveryMs = 10 * 60_000;

export async function startEmbedded(options: StartEmbeddedOptions): Promise<EmbeddedPostgres> {
  const lock = options.lock ?? (await lockDataFolder(options.dataDir));
  if (lock.completedRestore) options.log?.({ event: "postgres.restored", folder: lock.folder });
  try {
    const { plan, connection } = await prepare(lock.folder, options);
    const embedded = new Supervised(plan, connection, options);
    await embedded.start();
    return {
      connection,
      owned: true,
      failed: embedded.failed,
      stop,
      [Symbol.asyncDispose]: stop,
    };
    async function stop(): Promise<void> {
      await embedded.stop();
      if (options.lock === undefined) lock.release();
    }
  } catch (error) {
    if (options.lock === undefined) lock.release();
    throw error;
  }
}

export function embeddedConnection(host: string): EmbeddedConnection {
  // `ssl` is explicit, or PGSSLMODE in the environment would enable it.
  return { host, port: socketPort, user: databaseUser, database: "querent", ssl: false };
}

/** The folder of the cluster in a data folder. */
export const clusterFolder = (dataFolder: string): string => join(dataFolder, "postgres", "data");

interface Prepared {
  readonly plan: PostmasterPlan;
  readonly connection: EmbeddedConnection;
}

async function prepare(dataFolder: string, options: StartEmbeddedOptions): Promise<Prepared> {
  const log = options.log ?? (() => undefined);
  const binaries = requirePostgresBinaries();
  const runAs = chooseRunAs(dataFolder, binaries.folder);
  const folder = join(dataFolder, "postgres");
  const logFolder = join(folder, "log");

  const startedAt = performance.now();
  if (await openCluster(folder, binaries, runAs)) {
    log({ event: "postgres.created", folder, durationMs: Math.round(performance.now() - startedAt) });
  }
  try {
    mkdirSync(logFolder, { recursive: true, mode: 0o700 });
    runAs.own(logFolder);
    const conf = join(folder, "settings.conf");
    writeFileSync(`${conf}.new`, postgresSettings(logFolder, options.settings), { mode: 0o600 });
    runAs.own(`${conf}.new`);
    renameSync(`${conf}.new`, conf);
  } catch (error) {
    throw fileError(folder, error);
  }
  const sockets = socketFolder(folder, runAs.uid);
  return {
    connection: embeddedConnection(sockets),
    plan: {
      binaries,
      runAs,
      cluster: clusterFolder(dataFolder),
      socketFolder: sockets,
      logFolder,
      startTimeoutMs: options.startTimeoutMs ?? 10 * 60_000,
      onOrphan: (pid) => log({ event: "postgres.orphan_found", pid }),
      onSlowStart: () => log({ event: "postgres.recovering", logFolder }),
    },
  };
}

/** Keeps one postmaster running until it is stopped, or dies too often. */
class Supervised {
  readonly failed: Promise<BootError>;
  readonly #fail: (error: BootError) => void;
  readonly #plan: PostmasterPlan;
  readonly #connection: EmbeddedConnection;
  readonly #log: (event: EmbeddedEvent) => void;
  readonly #stopping = new AbortController();
  #postmaster: Postmaster | undefined;
  /** The supervising loop, from the first start on. */
  #watch: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;
  #pruneTimer: NodeJS.Timeout | undefined;

  constructor(plan: PostmasterPlan, connection: EmbeddedConnection, options: StartEmbeddedOptions) {
    this.#plan = plan;
    this.#connection = connection;
    this.#log = options.log ?? (() => undefined);
    const { promise, resolve } = Promise.withResolvers<BootError>();
    this.failed = promise;
    this.#fail = resolve;
  }

  async start(): Promise<void> {
    const postmaster = await this.#launch();
    try {
      await ensureDatabase(this.#connection);
    } catch (error) {
      await postmaster.stop();
      throw new BootError(
        `The embedded PostgreSQL started but gave no database. Its log is in ${this.#plan.logFolder}.`,
        error,
      );
    }
    pruneLogs(this.#plan.logFolder);
    this.#pruneTimer = setInterval(() => pruneLogs(this.#plan.logFolder), pruneEveryMs).unref();
    this.#watch = this.#supervise(postmaster);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const startedAt = performance.now();
    this.#stopping.abort();
    clearInterval(this.#pruneTimer);
    await this.#postmaster?.stop();
    await this.#watch;
    if (!this.#plan.socketFolder.startsWith(join(this.#plan.cluster, ".."))) {
      try {
        rmdirSync(this.#plan.socketFolder);
      } catch {
        // The folder is not empty: it contains files that are not ours to remove.
      }
    }
    this.#log({ event: "postgres.stopped", durationMs: Math.round(performance.now() - startedAt) });
  }

  async #launch(): Promise<Postmaster> {
    const startedAt = performance.now();
    const postmaster = await launchPostmaster(this.#plan, this.#stopping.signal);
    this.#postmaster = postmaster;
    this.#log({
      event: "postgres.started",
      pid: postmaster.pid,
      durationMs: Math.round(performance.now() - startedAt),
    });
    return postmaster;
  }

  async #supervise(first: Postmaster): Promise<void> {
    const deaths: number[] = [];
    let postmaster = first;
    for (;;) {
      const exit = await postmaster.exited;
      if (this.#stopping.signal.aborted) return;
      this.#log({ event: "postgres.died", ...exit });
      try {
        postmaster = await this.#relaunch(deaths, exit);
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        const failure =
          error instanceof BootError ? error : new BootError("The embedded PostgreSQL can't be started again.", error);
        this.#log({ event: "postgres.failed", message: failure.message });
        this.#fail(failure);
        return;
      }
    }
  }

  async #relaunch(deaths: number[], exit: PostmasterExit): Promise<Postmaster> {
    for (let cause: unknown, lastWords = exit.lastWords; ;) {
      if (await this.#waitedForSpace(lastWords)) deaths.length = 0;
      deaths.push(Date.now());
      const recent = deaths.filter((at) => at > Date.now() - deathsWindowMs).length;
      if (recent > deathsMax) {
        const message = `The embedded PostgreSQL died ${recent} times within a minute, and is not started again. Its log is in ${this.#plan.logFolder}. It said:\n${lastWords}`;
        throw new BootError(message, cause);
      }
      await sleep(recent === 1 ? 0 : backoffMs(recent - 1, relaunchBackoff), undefined, {
        signal: this.#stopping.signal,
      });
      try {
        return await this.#launch();
      } catch (error) {
        if (this.#stopping.signal.aborted) throw error;
        cause = error;
        lastWords = error instanceof BootError ? error.message : lastWords;
      }
    }
  }

  /** Waits while the disk is full, so that the server is restarted once there is space. False if it was not full. */
  async #waitedForSpace(lastWords: string): Promise<boolean> {
    const folder = this.#plan.cluster;
    if (!(await endedByFullDisk(folder, lastWords))) return false;
    this.#log({ event: "postgres.disk_full", folder });
    await untilSpace(folder, this.#stopping.signal);
    this.#log({ event: "postgres.disk_has_space", folder });
    return true;
  }
}

/** The first connection, which shows that the server responds; creates our database the first time. */
async function ensureDatabase(connection: EmbeddedConnection): Promise<void> {
  try {
    await probe(connection);
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "3D000";
    if (!missing) throw error;
    await probe({ ...connection, database: "postgres" }, `create database ${connection.database}`);
  }
}

export async function probe(connection: EmbeddedConnection, statement = "select 1"): Promise<void> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 30_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The server writes its log in segments of 16 MiB, and cannot recover without space for one: space for two is required. */
const neededBytes = 32 * 1024 * 1024;
/**
 * The server's log is on the same disk, so its last lines may be missing: below this the disk counts as full regardless of
 * them.
 */
const fullBelowBytes = 1024 * 1024;
const lookEveryMs = 1_000;

/** True if a server with these last log lines ended because the disk was full. */
async function endedByFullDisk(folder: string, lastWords: string): Promise<boolean> {
  const free = await freeBytes(folder);
  return free < fullBelowBytes || (free < neededBytes && lastWords.includes("No space left on device"));
}

/** Resolves once the server can be started again. */
async function untilSpace(folder: string, signal: AbortSignal): Promise<void> {
  while ((await freeBytes(folder)) < neededBytes) await sleep(lookEveryMs, undefined, { signal });
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const MiB = 1024 * 1024;

type PostgresSettings = Readonly<Record<string, string | number | boolean>>;

/**
 * The embedded server's settings, for a small service on a small machine, without risking data loss. They are rewritten at each
 * start to `settings.conf`, which the cluster's postgresql.conf includes; an operator's ALTER SYSTEM settings take precedence.
 */
function postgresSettings(logFolder: string, overrides: PostgresSettings = {}): string {
  const memoryBytes = usableMemory();
  const settings: PostgresSettings = {
    max_connections: 100,
    shared_buffers: `${Math.round(Math.min(Math.max(memoryBytes / 16, 64 * MiB), 512 * MiB) / MiB)}MB`,
    effective_cache_size: `${Math.round(Math.max(memoryBytes / 2, 128 * MiB) / MiB)}MB`,
    random_page_cost: 1.1,
    // Thousands of short statements: compiling them costs more than it saves.
    jit: false,

    // Committed data survives a power failure. These are PostgreSQL's defaults, made explicit.
    fsync: true,
    synchronous_commit: "on",
    full_page_writes: true,
    // Page images are not compressed: compression (pglz, the only method in this build) cost a long queue a fifth of its
    // throughput.
    wal_compression: "off",
    max_wal_size: "2GB",
    checkpoint_timeout: "10min",

    // A queue's rows live for seconds: vacuum early and often.
    autovacuum_naptime: "10s",
    autovacuum_vacuum_scale_factor: 0.05,
    autovacuum_vacuum_insert_scale_factor: 0.1,
    autovacuum_analyze_scale_factor: 0.05,
    // Every statement on a hot table uses the same index regardless of its contents, so a fifth of the default sample is
    // enough. The default takes 3 % of a busy machine.
    default_statistics_target: 20,
    autovacuum_vacuum_cost_limit: 1000,

    // A transaction left open by a bug must not block vacuum forever.
    idle_in_transaction_session_timeout: "60s",
    timezone: "UTC",
    log_timezone: "UTC",

    // Rotated by size, and at each start; `pruneLogs` keeps the newest few.
    logging_collector: true,
    log_directory: logFolder,
    log_filename: "postgresql-%Y%m%dT%H%M%S.log",
    log_file_mode: "0600",
    log_rotation_size: "10MB",
    log_rotation_age: 0,
    log_line_prefix: "%m [%p] ",
    log_lock_waits: true,
    log_min_duration_statement: "2s",
    // Parameter values are people's questions and answers, and must not be logged.
    log_parameter_max_length: 0,
    log_parameter_max_length_on_error: 0,
    ...overrides,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quote(value)}`);
  return `# Written by Querent at each start. Use ALTER SYSTEM for settings of your own.\n${lines.join("\n")}\n`;
}

function quote(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "number" ? String(value) : `'${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
