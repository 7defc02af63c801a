/** The memory of the browser's processes below this one, sampled while work is done. Reads /proc. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

const everyMs = 250;

/** The mean of the samples in bytes; null if no browser was seen, or if there is no /proc. */
export async function withBrowserMemory<Value>(
  work: () => Promise<Value>,
): Promise<{ value: Value; bytes: number | null }> {
  const samples: number[] = [];
  const timer = setInterval(() => {
    const bytes = browserBytes();
    if (bytes > 0) samples.push(bytes);
  }, everyMs);
  try {
    const value = await work();
    return { value, bytes: samples.length === 0 ? null : samples.reduce((sum, one) => sum + one, 0) / samples.length };
  } finally {
    clearInterval(timer);
  }
}

/** Proportional: a page of memory that several processes share counts once. */
function browserBytes(): number {
  if (process.platform !== "linux") return 0;
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const parent = /^\d+$/.test(name) ? parentOf(name) : null;
    if (parent !== null) parents.set(Number(name), parent);
  }
  let total = 0;
  for (const pid of parents.keys()) if (isBrowser(pid) && isBelow(pid, parents)) total += proportionalBytes(pid);
  return total;
}

function isBelow(pid: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) if (at === process.pid) return true;
  return false;
}

const parentOf = (pid: string) =>
  unlessGone(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the name in parentheses, which may contain anything: state, parent.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  });

const isBrowser = (pid: number) =>
  unlessGone(() => /chrom|headless_shell/u.test(basename(readlinkSync(`/proc/${pid}/exe`)))) ?? false;

const proportionalBytes = (pid: number) =>
  unlessGone(() => {
    const kibibytes = /^Pss:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
    return Number(kibibytes ?? 0) * 1024;
  }) ?? 0;

/** Null for a process that has ended, or is not ours. */
function unlessGone<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
