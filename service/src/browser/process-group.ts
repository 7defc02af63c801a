/** The processes of a browser: a process group led by the one that was started. Uses /proc, where it exists. */
import { writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

const pageBytes = 4096;
const endMsMax = 2_000;
/** The niceness of browsers. It gives them a third of the weight of other processes, so that neither stops the other. */
export const niceness = 5;

/**
 * Gives a group the processor time that the service, and a database beside it, leave: while pages are drawn on every core, other
 * tasks go on as fast as before. Outside of containers, Linux divides the processors among groups, and the priority with which a
 * browser is started counts only within its group.
 */
export function yieldProcessors(group: number): void {
  if (process.platform !== "linux") return;
  try {
    writeFileSync(`/proc/${group}/autogroup`, String(niceness));
  } catch {
    // It has exited, or the system does not allow it or does not divide processors: then pages compete with other work.
  }
}

/** Kills all of them. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // Already ended.
  }
}

/** Killed processes end one by one: resolves when the last one has ended, or after a short time in any case. */
export async function groupEnded(group: number): Promise<void> {
  const until = performance.now() + endMsMax;
  while ((await isRunning(group)) && performance.now() < until) await delay(10);
}

/** The private memory of a group's processes; null if /proc is not available. */
export async function groupMemory(group: number): Promise<number | null> {
  if (process.platform !== "linux") return null;
  let total = 0;
  for (const pid of await runningOf(group)) {
    try {
      const statm = (await readFile(`/proc/${pid}/statm`, "utf8")).split(" ").map(Number);
      // Resident minus shared: the browser's code is mapped by each of its processes.
      total += ((statm[1] ?? 0) - (statm[2] ?? 0)) * pageBytes;
    } catch {
      // Ended meanwhile.
    }
  }
  return total;
}

async function isRunning(group: number): Promise<boolean> {
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  // Zombies count for the signal until their parent has waited for them, which may never happen.
  return process.platform !== "linux" || (await runningOf(group)).length > 0;
}

async function runningOf(group: number): Promise<string[]> {
  const running: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8");
      // After the name in parentheses, which may contain anything: state, parent, group.
      const [state, , member] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(member) === group && state !== "Z") running.push(pid);
    } catch {
      // Ended meanwhile.
    }
  }
  return running;
}
