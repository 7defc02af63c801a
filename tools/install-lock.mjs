/**
 * Allows one installation at a time in a checkout. The lock is a file with the pid and start time of its holder, so that the lock of a
 * killed process is detected even if its pid belongs to another process.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** @template Result @param {string} root @param {() => Promise<Result>} work @returns {Promise<Result>} */
export async function withInstallLock(root, work) {
  const path = join(root, ".install-lock");
  const release = await take(path);
  try {
    return await work();
  } finally {
    release();
  }
}

async function take(path) {
  const mine = JSON.stringify({ pid: process.pid, started: startTime(process.pid) });
  const draft = `${path}.${process.pid}`;
  let reported = false;
  for (;;) {
    try {
      // A link appears atomically with its content, so an incomplete lock is never read.
      writeFileSync(draft, mine);
      linkSync(draft, path);
      return () => rmSync(path, { force: true });
    } catch (error) {
      // The folder is not writable, so nothing is installed. npm reports the error if it tries.
      if (["EACCES", "EROFS", "EPERM"].includes(error.code)) return () => undefined;
      if (error.code !== "EEXIST") throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const theirs = read(path);
    if (theirs !== undefined && !lives(theirs)) {
      removeStale(path, theirs);
      continue;
    }
    if (!reported && theirs !== undefined)
      console.error(`Waiting for another installation (pid ${JSON.parse(theirs).pid}) …`);
    reported = true;
    await sleep(100);
  }
}

/** The lock is renamed and checked again, because another process may have replaced it in the meantime. */
function removeStale(path, judged) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
    if (read(aside) !== judged) linkSync(aside, path);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function lives(text) {
  try {
    const { pid, started } = JSON.parse(text);
    process.kill(pid, 0);
    return startTime(pid) === started;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** The start time of a process, in ticks since boot. Empty without /proc. */
function startTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return "";
  }
}
