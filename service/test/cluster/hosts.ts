/**
 * Programs in groups that fail together, as on hosts of a cluster: killed, stopped and continued as one. A group is everything
 * whose working folder is inside the group's folder: PostgreSQL leaves the process group of the program that started it, and
 * changes to its data folder.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../harness/wait.ts";

export interface Hosts {
  readonly folder: string;
  /** Creates a host's folder, which its programs may write to. */
  add(host: string): string;
  /** Starts a program on a host. It writes to the file `log` in the host's folder. */
  start(host: string, command: readonly string[]): void;
  /** Sends a signal to every program of a host, and waits until none is left after SIGKILL. */
  signal(host: string, signal: "SIGKILL" | "SIGSTOP" | "SIGCONT"): Promise<void>;
  /** The processes of a host. */
  processes(host: string): number[];
  /** Kills everything, and removes the folder. */
  close(): Promise<void>;
}

/** PostgreSQL refuses to run as root: its programs then run as Debian's user `postgres`. */
const asPlainUser =
  process.getuid?.() === 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--"] : [];

/**
 * Waits until its input ends, which happens however this process ends. Then it kills every process whose working folder is in
 * the given folder, until there is none, and removes the folder.
 */
const guard = `
cat >/dev/null
left=1
while [ "$left" -gt 0 ]; do
  left=0
  for process in /proc/[0-9]*; do
    case "$(readlink "$process/cwd" 2>/dev/null)" in
      "$1"/*) kill -9 "\${process#/proc/}" 2>/dev/null && left=1 ;;
    esac
  done
done
rm -rf "$1"`;

export function startHosts(): Hosts {
  const folder = mkdtempSync(join(tmpdir(), "querent-cluster-"));
  chmodSync(folder, 0o755);
  const guarding = spawn("sh", ["-c", guard, "guard", folder], {
    cwd: "/",
    // Ctrl-C ends the process group of the test; this must survive it.
    detached: true,
    stdio: ["pipe", "ignore", "inherit"],
  });
  guarding.unref();

  const processes = (host: string): number[] => processesIn(join(folder, host));
  return {
    folder,
    add(host) {
      const path = join(folder, host);
      mkdirSync(path);
      if (asPlainUser.length > 0) spawnSync("chown", ["postgres:", path]);
      return path;
    },
    start(host, command) {
      const cwd = join(folder, host);
      const log = openSync(join(cwd, "log"), "a");
      const [program = "", ...words] = [...asPlainUser, ...command];
      const child = spawn(program, words, {
        cwd,
        detached: true,
        stdio: ["ignore", log, log],
        env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8", HOME: cwd },
      });
      child.unref();
      closeSync(log);
    },
    processes,
    async signal(host, signal) {
      // Until nothing new appears: a process may start another while the others are signaled.
      const signaled = new Set<number>();
      await until(`${signal} to reach every process of ${host}`, () => {
        const found = processes(host).filter((pid) => signal === "SIGKILL" || !signaled.has(pid));
        for (const pid of found) {
          signaled.add(pid);
          send(pid, signal);
        }
        return found.length === 0;
      });
    },
    async close() {
      guarding.ref();
      const done = once(guarding, "exit");
      guarding.stdin.end();
      await done;
    },
  };
}

function processesIn(folder: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const cwd = readlinkSync(`/proc/${name}/cwd`);
      return cwd === folder || cwd.startsWith(`${folder}/`) ? [Number(name)] : [];
    } catch {
      return []; // It has ended, or is another user's.
    }
  });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
