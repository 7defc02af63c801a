/** The contents of `postmaster.pid` in a cluster, and their meaning after a crash. */
import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, statSync, chownSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BootError, errno, fileError } from "../boot-error.ts";
import { socketPath } from "./data-folder.ts";

interface PostmasterPid {
  readonly pid: number;
  readonly socketFolder: string;
  readonly ready: boolean;
}

export function readPostmasterPid(cluster: string): PostmasterPid | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  } catch (error) {
    if (errno(error) === "ENOENT") return undefined;
    throw fileError(cluster, error);
  }
  // pid, data folder, start time, port, socket folder, listen address, shared memory, status
  const pid = Math.abs(Number(lines[0]));
  return pid > 0 ? { pid, socketFolder: lines[4] ?? "", ready: lines[7]?.trim() === "ready" } : undefined;
}

/** Whether that pid currently is a postmaster of this cluster. After a reboot it may be any process. */
export function isPostmaster(pid: number, cluster: string): boolean {
  const words = commandLine(pid);
  return basename(words[0] ?? "") === "postgres" && words.includes(cluster);
}

/**
 * Prepares for a new postmaster; the caller holds the data folder's lock. A postmaster left by an earlier service is stopped,
 * not taken over: no parent would notice its end, and after a fast shutdown (some 20 ms) a new one starts cleanly.
 */
export async function settlePostmaster(
  cluster: string,
  socketFolder: string,
  onOrphan: (pid: number) => void,
): Promise<void> {
  const found = readPostmasterPid(cluster);
  if (found !== undefined && isPostmaster(found.pid, cluster)) {
    onOrphan(found.pid);
    if (!(await endPostmaster(found.pid, () => !isPostmaster(found.pid, cluster)))) {
      throw new BootError(
        `An earlier PostgreSQL (pid ${found.pid}) still runs on ${cluster} and does not stop. End it (kill -QUIT ${found.pid}), and start again.`,
      );
    }
  } else if (found !== undefined && found.pid !== process.pid && exists(found.pid)) {
    // The pid now belongs to another process, and PostgreSQL would refuse to start because of it. The file must not be deleted:
    // it tells PostgreSQL which shared memory to check, in case children of the dead postmaster still write. PostgreSQL treats
    // its parent's pid as stale, so our pid is written.
    replacePid(cluster, process.pid);
  }
  // No postmaster runs, and only this process uses the folder: a socket in it is dead, and its lock file may also contain
  // another process's pid.
  for (const path of [socketPath(socketFolder), `${socketPath(socketFolder)}.lock`]) rmSync(path, { force: true });
}

/** Fast shutdown, then an immediate one. True if it ended. */
export async function endPostmaster(pid: number, hasEnded: () => boolean, fastMs = 60_000): Promise<boolean> {
  for (const [signal, waitMs] of [
    ["SIGINT", fastMs],
    ["SIGQUIT", 10_000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errno(error) !== "ESRCH") throw error;
    }
    const deadline = Date.now() + waitMs;
    do {
      if (hasEnded()) return true;
      await sleep(5);
    } while (Date.now() < deadline);
  }
  return false;
}

function replacePid(cluster: string, pid: number): void {
  const path = join(cluster, "postmaster.pid");
  try {
    const { uid, gid, mode } = statSync(path);
    const text = readFileSync(path, "utf8");
    writeFileSync(`${path}.new`, `${pid}${text.slice(text.indexOf("\n"))}`, { mode });
    if (process.getuid?.() === 0) chownSync(`${path}.new`, uid, gid);
    renameSync(`${path}.new`, path);
  } catch (error) {
    // The postmaster itself was exiting: it has removed its file, and has ended.
    if (errno(error) !== "ENOENT") throw error;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errno(error) === "EPERM";
  }
}

function commandLine(pid: number): string[] {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return execFileSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" })
      .trim()
      .split(" ");
  } catch {
    return [];
  }
}
