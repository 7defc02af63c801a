import { fork, type ChildProcess } from "node:child_process";
import { extname } from "node:path";

/** For work that may need more memory than there is: V8 then ends the process that does it, and not the service. */
export interface ChildOptions {
  /** The URL of the module, without its extension, which differs between the sources and a build. */
  readonly module: URL;
  readonly flags?: readonly string[];
  /** What it prints as errors. A pipe must be read. */
  readonly errors: "ignore" | "pipe";
}

/** Starts a module in a process of its own. It gets nothing of the environment, which may hold secrets, but the cache of code. */
export function startChild({ module, flags = [], errors }: ChildOptions): ChildProcess {
  const { NODE_COMPILE_CACHE } = process.env;
  return fork(new URL(`${module.href}${extname(import.meta.filename)}`), {
    execArgv: ["--disable-warning=ExperimentalWarning", ...flags],
    env: NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE },
    serialization: "advanced",
    stdio: ["ignore", "ignore", errors, "ipc"],
    // Ctrl-C in a terminal is for the service, which completes its requests.
    detached: true,
  });
}

/** Called by the child: it ends with the service, which ends it otherwise. */
export function endWithParent(): void {
  // Some supervisors signal every process. The service completes its requests first.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.on("disconnect", () => process.exit());
}
