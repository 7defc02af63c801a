/** The embedded PostgreSQL for an operator's command, which may run beside a service. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../runtime/backoff.ts";
import { BootError } from "../boot-error.ts";
import { DataFolderBusyError, openDataFolder, readHolder, tryLock } from "./data-folder.ts";
import { clusterFolder, embeddedConnection, probe, startEmbedded } from "./embedded.ts";
import type { EmbeddedPostgres, StartEmbeddedOptions } from "./embedded.ts";
import { isPostmaster, readPostmasterPid } from "./postmaster-pid.ts";

interface AttachOptions extends Omit<StartEmbeddedOptions, "lock"> {
  /** How long to wait for a service that is starting, or for another command. */
  readonly waitMs?: number;
  /** Whether a database is created in an empty folder, as it is by default. Otherwise `NoDatabaseError` is thrown. */
  readonly create?: boolean;
}

/** There is no database in the folder, and `create` is false. */
export class NoDatabaseError extends BootError {
  constructor(folder: string) {
    super(`There is no database in ${folder}.`);
    this.name = "NoDatabaseError";
  }
}

/**
 * Connects to the server of the service that runs on this data folder, or starts one until `stop`. Commands without a service
 * run one after the other: each owns the server while it runs, so none stops it for another.
 */
export async function attachEmbedded(options: AttachOptions): Promise<EmbeddedPostgres> {
  const mustExist = options.create === false;
  if (mustExist && !mayHaveDatabase(resolve(options.dataDir))) throw new NoDatabaseError(resolve(options.dataDir));
  const folder = openDataFolder(options.dataDir);
  const deadline = Date.now() + (options.waitMs ?? 30_000);
  for (let attempt = 1; ; attempt++) {
    const lock = tryLock(folder, "command");
    if (lock !== undefined) {
      // No service is about to create one.
      if (mustExist && !existsSync(clusterFolder(folder))) {
        lock.release();
        throw new NoDatabaseError(folder);
      }
      return startFor(options, lock);
    }
    const attached = await attach(folder);
    if (attached !== undefined) return attached;
    if (Date.now() > deadline) throw giveUp(folder);
    await sleep(backoffMs(attempt, { firstMs: 5, maxMs: 50 }));
  }
}

/** A service that starts on an empty folder locks it before there is a database. */
const mayHaveDatabase = (folder: string): boolean =>
  existsSync(clusterFolder(folder)) || existsSync(join(folder, "lock"));

async function startFor(
  options: AttachOptions,
  lock: NonNullable<ReturnType<typeof tryLock>>,
): Promise<EmbeddedPostgres> {
  try {
    const embedded = await startEmbedded({ ...options, lock });
    const stop = async (): Promise<void> => {
      await embedded.stop();
      lock.release();
    };
    return { ...embedded, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The service's server, once it is ready. */
async function attach(folder: string): Promise<EmbeddedPostgres | undefined> {
  if (readHolder(folder)?.purpose !== "serve") return undefined;
  const cluster = clusterFolder(folder);
  const found = readPostmasterPid(cluster);
  if (found?.ready !== true || !isPostmaster(found.pid, cluster)) return undefined;
  const connection = embeddedConnection(found.socketFolder);
  try {
    await probe(connection);
  } catch {
    return undefined;
  }
  const stop = async (): Promise<void> => undefined;
  return { connection, owned: false, failed: new Promise(() => undefined), stop, [Symbol.asyncDispose]: stop };
}

function giveUp(folder: string): BootError {
  const holder = readHolder(folder);
  if (holder?.purpose !== "serve") return new DataFolderBusyError(folder, holder);
  return new BootError(
    `The service with pid ${holder.pid} holds the data folder ${folder} but has no embedded PostgreSQL ready. If it was started with DATABASE_URL, give this command the same DATABASE_URL.`,
  );
}
