import { fork, type ChildProcess, type Serializable } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { extname } from "node:path";

export interface ChildOptions {
  /** The URL of the module, without its extension, which differs between the sources and a build. */
  readonly module: URL;
  readonly flags?: readonly string[];
  /** What it prints as errors. A pipe must be read. */
  readonly errors: "ignore" | "pipe";
}

/**
 * Starts a module in a process of its own, for work that may need more memory than there is: V8 then ends that process, and not the
 * service. Of the environment, which may hold secrets, it gets only the cache of code.
 */
export function startChild({ module, flags = [], errors }: ChildOptions): ChildProcess {
  const { NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE } = process.env;
  return fork(new URL(`${module.href}${extname(import.meta.filename)}`), {
    execArgv: ["--disable-warning=ExperimentalWarning", ...flags],
    env: { NODE_COMPILE_CACHE, NODE_COMPILE_CACHE_PORTABLE },
    serialization: "advanced",
    stdio: ["ignore", "ignore", errors, "ipc"],
    // Ctrl-C in a terminal is for the service, which completes its requests.
    detached: true,
  });
}

/** A child that could not be started, or has ended, gets nothing: its `error` or `exit` says so. */
export function sendToChild(child: ChildProcess, message: Serializable): void {
  // If no file descriptor was left for a channel, the child has no `send` either.
  if (child.connected) child.send(message, () => undefined);
}

/** Kills a child, and resolves when it has exited. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Linux counts the time of processes in hundredths of a second, whatever its kernel does. */
const tickMs = 10;
/** Of the numbers of /proc/PID/stat after the name, those of the time in user mode and in the kernel. */
const [userTicks, kernelTicks] = [11, 12];

/** The processor time that a child has used, in milliseconds. Null: it has ended, or the system does not say. */
export function processorMsOf({ pid }: ChildProcess): number | null {
  if (process.platform !== "linux" || pid === undefined) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in parentheses and may contain anything.
    const numbers = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(numbers[userTicks]) + Number(numbers[kernelTicks])) * tickMs;
  } catch {
    return null;
  }
}

/** The nice level of child processes, of -20 to 19. The service, whose requests come first, usually has 0. */
const childNiceness = 10;

/**
 * Called by a child whose work may take long, or much memory: what the service does comes first, and where the memory of a container does
 * not suffice, Linux ends the child and not the service.
 */
export function yieldToService(): void {
  // A process may not raise its own priority: one that is as low already keeps it.
  setPriority(Math.max(getPriority(), childNiceness));
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Other systems than Linux have no such file.
  }
}

/** Called by the child, so that only the service ends it: by `endChild`, or by its own end. */
export function endWithParent(): void {
  // Some supervisors signal every process. The service completes its requests first.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.on("disconnect", () => process.exit());
}
