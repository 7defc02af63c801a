/**
 * One install at a time in a checkout. The lock is a file that names its holder by pid and start time, so one whose holder was killed is seen for
 * what it is, even when its pid has gone to another process.
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
      // A link appears with its content, at once: nobody reads half a lock.
      writeFileSync(draft, mine);
      linkSync(draft, path);
      return () => rmSync(path, { force: true });
    } catch (error) {
      // Nothing can be written here, so nothing will be installed here either: npm says what is wrong if it comes to that.
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
      console.error(`Another start (pid ${JSON.parse(theirs).pid}) is installing; waiting for it …`);
    reported = true;
    await sleep(100);
  }
}

/** Moved aside first and looked at again: another start may have been faster, and the lock be a live one by now. */
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

/** When a process started, in ticks since boot; empty where there is no /proc. */
function startTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return "";
  }
}
