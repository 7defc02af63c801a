/** The memory of the browser's processes below this one, sampled while work is done. Reads /proc. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

const everyMs = 250;

/** `bytes`: the mean of the samples; null if no browser was seen, or if there is no /proc. `processes`: the most at once. */
export async function withBrowserMemory<Value>(
  work: () => Promise<Value>,
): Promise<{ value: Value; bytes: number | null; processes: number }> {
  const samples: Sample[] = [];
  const timer = setInterval(() => {
    const sample = browserSample();
    if (sample.bytes > 0) samples.push(sample);
  }, everyMs);
  try {
    const value = await work();
    const bytes = samples.length === 0 ? null : samples.reduce((sum, one) => sum + one.bytes, 0) / samples.length;
    return { value, bytes, processes: Math.max(0, ...samples.map(({ processes }) => processes)) };
  } finally {
    clearInterval(timer);
  }
}

interface Sample {
  /** Proportional: a page of memory that several processes share counts once. */
  readonly bytes: number;
  readonly processes: number;
}

function browserSample(): Sample {
  if (process.platform !== "linux") return { bytes: 0, processes: 0 };
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const parent = /^\d+$/.test(name) ? parentOf(name) : null;
    if (parent !== null) parents.set(Number(name), parent);
  }
  const pids = [...parents.keys()].filter((pid) => isBrowser(pid) && isBelow(pid, parents));
  return { bytes: pids.reduce((sum, pid) => sum + proportionalBytes(pid), 0), processes: pids.length };
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

/** What is read of a process; null if it has ended, or is not ours. */
function unlessGone<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
