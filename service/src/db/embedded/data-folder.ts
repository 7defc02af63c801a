/**
 * The data folder and its lock: one serving process at a time, even after a crash.
 *
 * The lock is held by the operating system: SQLite's exclusive lock (a POSIX record lock) on an empty file. The kernel releases
 * it when the process dies, even by SIGKILL, so there are no stale locks and no pid can be mistaken for another; it also works
 * between containers that share the folder. Node itself has no file locks, and a listening socket as a lock has a race if two
 * starts find the same dead socket file. The file beside it, `holder.json`, only identifies the holder. A POSIX lock is
 * released when its process closes *any* descriptor of the file: never open `lock` elsewhere.
 */
import {
  chownSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  chmodSync,
  lstatSync,
} from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../runtime/backoff.ts";
import { BootError, errno, fileError } from "../boot-error.ts";
import { finishRestore } from "./finish-restore.ts";
import { createHash } from "node:crypto";

/** A start waits for a `command` (an operator's, while it runs), but not for a service (`serve`). */
type LockPurpose = "serve" | "command";

interface LockHolder {
  readonly pid: number;
  readonly purpose: LockPurpose;
  readonly host: string;
  readonly since: string;
  /** Where it serves HTTP requests, once it does. */
  readonly address?: string;
}

export interface DataFolderLock extends AsyncDisposable {
  /** The folder's real path. */
  readonly folder: string;
  /** A restore was interrupted when nothing but renaming was left, and has been completed. */
  readonly completedRestore: boolean;
  /** Records this process's address for later starts. */
  describe(details: { address: string }): void;
  release(): void;
}

interface LockOptions {
  readonly purpose?: LockPurpose;
  /** How long to wait for an operator's command that holds the folder. */
  readonly commandWaitMs?: number;
}

/** Another process has locked the folder. */
export class DataFolderBusyError extends BootError {
  readonly holder: LockHolder | undefined;
  constructor(folder: string, holder: LockHolder | undefined) {
    super(
      `The data folder ${folder} is in use by ${describeHolder(holder)}. Stop that one first, or choose another data folder.`,
    );
    this.name = "DataFolderBusyError";
    this.holder = holder;
  }
}

/** Keeps locks from being garbage-collected: SQLite releases a lock with its handle. */
const held = new Set<DatabaseSync>();

/** Creates the folder if it is missing (mode 0700) and locks it for this process, or throws `DataFolderBusyError`. */
export async function lockDataFolder(dataDir: string, options: LockOptions = {}): Promise<DataFolderLock> {
  const purpose = options.purpose ?? "serve";
  const folder = openDataFolder(dataDir);
  const commandDeadline = Date.now() + (options.commandWaitMs ?? 15_000);
  const unknownDeadline = Date.now() + 500;
  for (let attempt = 1; ; attempt++) {
    const lock = tryLock(folder, purpose);
    if (lock !== undefined) return lock;
    const holder = readHolder(folder);
    // The file may be incomplete, or still the previous holder's; it is complete a moment later.
    const known = holder !== undefined && isAlive(holder);
    const deadline = !known ? unknownDeadline : holder.purpose === "command" ? commandDeadline : 0;
    if (Date.now() >= deadline) throw new DataFolderBusyError(folder, holder);
    await sleep(backoffMs(attempt, { firstMs: 5, maxMs: 100 }));
  }
}

/** The folder's real path; creates it if it is missing. */
export function openDataFolder(dataDir: string): string {
  const path = resolve(dataDir);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return realpathSync(path);
  } catch (error) {
    throw fileError(path, error);
  }
}

/** The holder of the folder, as far as known. The file outlives its process: only valid while the lock is held. */
export function readHolder(folder: string): LockHolder | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(folder, "holder.json"), "utf8"));
    if (typeof parsed !== "object" || parsed === null) return undefined;
    const { pid, purpose, host, since, address } = parsed as Record<string, unknown>;
    if (typeof pid !== "number" || typeof host !== "string" || typeof since !== "string") return undefined;
    if (purpose !== "serve" && purpose !== "command") return undefined;
    return { pid, purpose, host, since, ...(typeof address === "string" ? { address } : {}) };
  } catch {
    return undefined;
  }
}

/** The lock, or undefined if another process holds it. */
export function tryLock(folder: string, purpose: LockPurpose): DataFolderLock | undefined {
  const path = join(folder, "lock");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    // No journal: it would be a file, and left behind if the process is killed.
    database.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw lockError(folder, path, error);
  }
  const locked = database;
  held.add(locked);
  const self: LockHolder = { pid: process.pid, purpose, host: hostname(), since: new Date().toISOString() };
  const release = (): void => {
    if (!held.delete(locked)) return;
    rmSync(join(folder, "holder.json"), { force: true });
    locked.close();
  };
  let completedRestore;
  try {
    ownLike(folder, path);
    writeHolder(folder, self);
    completedRestore = finishRestore(folder) !== null;
  } catch (error) {
    release();
    throw fileError(folder, error);
  }
  return {
    folder,
    completedRestore,
    describe: ({ address }) => writeHolder(folder, { ...self, address }),
    release,
    [Symbol.asyncDispose]: async () => release(),
  };
}

/** Files that root creates in another user's folder are given to that user, so that they remain usable without root. */
function ownLike(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) chownSync(path, uid, gid);
}

function writeHolder(folder: string, holder: LockHolder): void {
  const path = join(folder, "holder.json");
  const next = `${path}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  ownLike(folder, next);
  renameSync(next, path);
}

function isAlive(holder: LockHolder): boolean {
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch (error) {
    return errno(error) === "EPERM";
  }
}

function describeHolder(holder: LockHolder | undefined): string {
  if (holder === undefined || !isAlive(holder)) return "another process";
  const what = holder.purpose === "serve" ? "a running service" : "an operator's command";
  const where = holder.host === hostname() ? "" : ` on ${holder.host}`;
  const address = holder.address === undefined ? "" : `, ${holder.address}`;
  return `${what} (pid ${holder.pid}${where}${address}, since ${holder.since})`;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === 5;
}

function lockError(folder: string, path: string, error: unknown): BootError {
  try {
    // SQLite reports "unable to open database file" for every cause; the system's error is precise. No lock is held here that
    // could be released.
    writeFileSync(path, "", { flag: "a" });
    return new BootError(`Can't lock ${path}: ${error instanceof Error ? error.message : String(error)}.`, error);
  } catch (cause) {
    return fileError(folder, cause);
  }
}

export const socketPort = 5432;

/** sockaddr_un has 108 bytes on Linux and 104 elsewhere, including the terminating zero. */
const pathBytesMax = process.platform === "linux" ? 107 : 103;

/**
 * The folder of the embedded server's Unix socket: the only way to connect. PostgreSQL trusts anybody who can open the socket (`trust`), so
 * access is controlled by the folder's mode: 0700, owned by the user that the server runs as. `peer` would add nothing to that, and
 * fails where root runs the server in a user namespace, in which user ids differ.
 *
 * It is `<data folder>/postgres/run`, or, if that is too long for a socket address, a folder in /tmp named by the hash of the path.
 */
export function socketFolder(postgresFolder: string, owner: number): string {
  const inside = join(postgresFolder, "run");
  if (Buffer.byteLength(socketPath(inside)) <= pathBytesMax) return inside;
  const hash = createHash("sha256").update(postgresFolder).digest("hex").slice(0, 16);
  // os.tmpdir() would not do: TMPDIR may differ between the service and an operator's shell.
  return `/tmp/querent-${owner}-${hash}`;
}

export const socketPath = (folder: string): string => join(folder, `.s.PGSQL.${socketPort}`);

/** Creates it, and refuses one that another user has prepared. */
export function openSocketFolder(folder: string, own: (path: string) => void, owner: number): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    own(folder);
  } catch (error) {
    if (errno(error) !== "EEXIST") throw fileError(folder, error);
  }
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== owner) {
    throw new BootError(
      `${folder} is not a folder of user ${owner}, so the embedded PostgreSQL can't keep its socket there. Remove it, and start again.`,
    );
  }
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
