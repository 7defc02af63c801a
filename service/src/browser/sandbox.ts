/**
 * How to start a browser so that its sandbox works. Chromium refuses to use its sandbox as root. In a user namespace root has
 * another number, and the sandbox works as for any user. Starting without a sandbox is the last resort.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Launcher {
  readonly sandboxed: boolean;
  command(program: string, args: readonly string[]): { file: string; args: readonly string[] };
}

/** The ways to start a browser, best first. */
export function launchers(): readonly Launcher[] {
  const withDeathSignal = hasDeathSignal() ? ["setpriv", "--pdeathsig", "KILL"] : [];
  const plain = through(withDeathSignal, false);
  if (process.platform !== "linux") return [through([], true), through([], false)];
  if (process.getuid?.() !== 0) return [through(withDeathSignal, true), plain];
  const user = otherUser();
  const unshare = ["unshare", "--user", `--map-user=${user}`, `--map-group=${user}`];
  return succeeds(unshare[0] ?? "", [...unshare.slice(1), "true"])
    ? [through([...unshare, ...withDeathSignal], true), plain]
    : [plain];
}

function through(words: readonly string[], sandboxed: boolean): Launcher {
  return {
    sandboxed,
    command(program, args) {
      const all = [...words, program, ...args, ...(sandboxed ? [] : ["--no-sandbox"])];
      return { file: all[0] ?? program, args: all.slice(1) };
    },
  };
}

let deathSignalWorks: boolean | undefined;
function hasDeathSignal(): boolean {
  deathSignalWorks ??= process.platform === "linux" && succeeds("setpriv", ["--pdeathsig", "KILL", "true"]);
  return deathSignalWorks;
}

/** Any number except root's, preferably one in /etc/passwd. */
function otherUser(): number {
  try {
    const numbers = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => Number(line.split(":")[2]));
    return numbers.find((number) => number > 0) ?? 1000;
  } catch {
    return 1000;
  }
}

function succeeds(file: string, args: readonly string[]): boolean {
  return spawnSync(file, args, { stdio: "ignore", timeout: 10_000 }).status === 0;
}
