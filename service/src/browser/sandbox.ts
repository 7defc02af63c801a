/**
 * How to start a browser so that its sandbox works. Chromium refuses to use its sandbox as root. In a user namespace root has
 * another number, and the sandbox works as for any user. Starting without a sandbox is the last resort.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { niceness } from "./process-group.ts";

export interface Launcher {
  readonly sandboxed: boolean;
  command(program: string, args: readonly string[]): { file: string; args: readonly string[] };
}

/** The ways to start a browser, best first. */
export function launchers(): readonly Launcher[] {
  const words = wrappers();
  const plain = through(words, false);
  if (process.platform !== "linux" || process.getuid?.() !== 0) return [through(words, true), plain];
  const user = otherUser();
  const unshare = ["unshare", "--user", `--map-user=${user}`, `--map-group=${user}`];
  return succeeds(unshare[0] ?? "", [...unshare.slice(1), "true"])
    ? [through([...unshare, ...words], true), plain]
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

let known: readonly string[] | undefined;

/** Programs that start another one in their place, as far as they exist and work here. */
function wrappers(): readonly string[] {
  const all = [
    // A priority that is changed after the start does not reach what the browser has started by then.
    ["nice", "-n", String(niceness)],
    // The browser ends with the service.
    ...(process.platform === "linux" ? [["setpriv", "--pdeathsig", "KILL"]] : []),
  ];
  return (known ??= all.filter(([file = "", ...args]) => succeeds(file, [...args, "true"])).flat());
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
