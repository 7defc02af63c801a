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
import { lockDataFolder, type DataFolderLock } from "./data-folder.ts";
import { endedByFullDisk, untilSpace } from "./disk-space.ts";
import { requirePostgresBinaries } from "./postgres-binaries.ts";
import { databaseUser, openCluster } from "./postgres-cluster.ts";
import { pruneLogs } from "./postgres-logs.ts";
import { postgresSettings, type PostgresSettings } from "./postgres-settings.ts";
import { launchPostmaster, type Postmaster, type PostmasterExit, type PostmasterPlan } from "./postmaster.ts";
import { chooseRunAs } from "./run-as.ts";
import { socketFolder, socketPort } from "./socket-folder.ts";

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
