/** `querent` as its users run it: a process of its own, with a home of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { cleanEnvironment } from "../../service/test/harness/process.ts";

const main = join(import.meta.dirname, "../src/main.ts");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Cli {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Ended>;
}

export interface CliOptions {
  readonly url?: string;
  readonly token?: string;
  /** Where configuration and state are. */
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
}

export function startCli(words: readonly string[], options: CliOptions): Cli {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...words], {
    cwd: options.home,
    env: cliEnvironment(options),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input);
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

export const runCli = (words: readonly string[], options: CliOptions): Promise<Ended> => startCli(words, options).ended;

/** The program and what it is started with, for a terminal of one's own. */
export const cliCommand = (words: readonly string[]) => [
  process.execPath,
  "--disable-warning=ExperimentalWarning",
  main,
  ...words,
];

export function cliEnvironment({ home, url, token, environment }: CliOptions): NodeJS.ProcessEnv {
  return {
    ...cleanEnvironment({}),
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    XDG_STATE_HOME: join(home, "state"),
    ...(url === undefined ? {} : { QUERENT_URL: url }),
    ...(token === undefined ? {} : { QUERENT_TOKEN: token }),
    ...environment,
  };
}
