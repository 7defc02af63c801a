/** One run of the PostgreSQL server, from launch to exit. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BootError } from "../boot-error.ts";
import type { PostgresBinaries } from "./postgres-cluster.ts";
import { endPostmaster, readPostmasterPid, settlePostmaster } from "./postmaster-pid.ts";
import type { RunAs } from "./run-as.ts";
import { openSocketFolder, socketPort } from "./data-folder.ts";

export interface PostmasterPlan {
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly cluster: string;
  readonly socketFolder: string;
  readonly logFolder: string;
  /** Includes crash recovery, which may take minutes. */
  readonly startTimeoutMs: number;
  /** Called if an earlier service's postmaster was found running. */
  readonly onOrphan: (pid: number) => void;
  /** Called if the start takes longer than normal: it replays the log after a crash. */
  readonly onSlowStart: () => void;
}

export interface PostmasterExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastWords: string;
}

export interface Postmaster {
  readonly pid: number;
  readonly exited: Promise<PostmasterExit>;
  stop(): Promise<void>;
}

const slowStartMs = 2_000;
/** Children of a killed postmaster hold its shared memory for some milliseconds, until they notice. */
const lingeringMs = 10_000;

/** Starts it and waits until it accepts connections. */
export async function launchPostmaster(plan: PostmasterPlan, signal?: AbortSignal): Promise<Postmaster> {
  const lingeringUntil = Date.now() + lingeringMs;
  for (;;) {
    await settlePostmaster(plan.cluster, plan.socketFolder, plan.onOrphan);
    const postmaster = spawnPostmaster(plan);
    const failure = await untilReady(plan, postmaster, signal);
    if (failure === undefined) return postmaster;
    if (!failure.lastWords.includes("pre-existing shared memory block") || Date.now() > lingeringUntil) {
      throw startError(plan, failure);
    }
    await sleep(20);
  }
}

function spawnPostmaster(plan: PostmasterPlan): Postmaster {
  openSocketFolder(plan.socketFolder, plan.runAs.own, plan.runAs.uid);
  const startupLog = join(plan.logFolder, "startup.log");
  const args = [
    ...["-D", plan.cluster],
    // Overrides ALTER SYSTEM: no network port, and the socket in the expected place.
    ...["-c", "listen_addresses=", "-c", `port=${socketPort}`],
    ...["-c", `unix_socket_directories=${quoteListItem(plan.socketFolder)}`, "-c", "unix_socket_permissions=0700"],
  ];
  const { file, args: words, options } = plan.runAs.command(plan.binaries.postgres, args, "INT");
  // A file, not a pipe: a pipe would break for the server when we die. In a session of its own, so that Ctrl-C in our terminal
  // does not reach it.
  const output = openSync(startupLog, "w", 0o600);
  let child: ChildProcess;
  try {
    plan.runAs.own(startupLog);
    child = spawn(file, words, { ...options, stdio: ["ignore", output, output], detached: true });
  } finally {
    closeSync(output);
  }
  const exited = new Promise<PostmasterExit>((done) => {
    child.once("exit", (code, signal) => done({ code, signal, lastWords: lastWords(plan.logFolder, startupLog) }));
    child.once("error", (error) => done({ code: null, signal: null, lastWords: error.message }));
  });
  const pid = child.pid ?? 0;
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  const stop = async (): Promise<void> => {
    if (!hasEnded() && !(await endPostmaster(pid, hasEnded))) child.kill("SIGKILL");
    await exited;
  };
  return { pid, exited, stop };
}

/** The exit of one that never became ready. */
async function untilReady(
  plan: PostmasterPlan,
  postmaster: Postmaster,
  signal: AbortSignal | undefined,
): Promise<PostmasterExit | undefined> {
  let exit: PostmasterExit | undefined;
  void postmaster.exited.then((it) => (exit = it));
  const started = Date.now();
  let slow = false;
  while (exit === undefined) {
    const file = readPostmasterPid(plan.cluster);
    if (file?.pid === postmaster.pid && file.ready) return undefined;
    const passedMs = Date.now() - started;
    if (passedMs > plan.startTimeoutMs || signal?.aborted === true) {
      await postmaster.stop();
      const why = signal?.aborted === true ? "was called off" : `was not ready after ${plan.startTimeoutMs} ms`;
      throw new BootError(`The start of the embedded PostgreSQL ${why}. Its log is in ${plan.logFolder}.`);
    }
    if (!slow && passedMs > slowStartMs) {
      slow = true;
      plan.onSlowStart();
    }
    await sleep(slow ? 50 : 2);
  }
  return exit;
}

function startError(plan: PostmasterPlan, exit: PostmasterExit): BootError {
  const hint = exit.lastWords.includes("No space left on device")
    ? " The disk is full: free some space and start again."
    : "";
  const how = exit.signal ?? `exit code ${exit.code ?? "unknown"}`;
  return new BootError(
    `The embedded PostgreSQL did not start (${how}).${hint} Its log is in ${plan.logFolder}. It said:\n${exit.lastWords}`,
  );
}

/** unix_socket_directories is a list; if quoted, an item may contain commas and blanks. */
const quoteListItem = (item: string): string => `"${item.replaceAll('"', '""')}"`;

// The embedded server's log files: the newest few are kept, and the end of the newest is quoted if a start fails.

const filesMax = 6;

/** Deletes the oldest logs. Files have 10 MB, so the folder stays below about 60 MB. */
export function pruneLogs(logFolder: string): void {
  for (const file of logFiles(logFolder).slice(0, -filesMax)) rmSync(file, { force: true });
}

/** The last lines of the server's output: in its log collector's file, or in the start-up log before that. */
function lastWords(logFolder: string, startupLog: string, linesMax = 8): string {
  const text = [...logFiles(logFolder).slice(-1), startupLog].map(read).join("");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.includes("HINT:  Future log output will appear"))
    .slice(-linesMax)
    .join("\n");
}

function logFiles(logFolder: string): string[] {
  try {
    return readdirSync(logFolder)
      .filter((name) => name.startsWith("postgresql-"))
      .toSorted()
      .map((name) => join(logFolder, name));
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
