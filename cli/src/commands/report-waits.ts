import { setTimeout as sleep } from "node:timers/promises";
import { QuerentError, type CallOptions, type TaskSummary } from "@querent/client";
import type { Context } from "../context.ts";
import { plural } from "../output/answer.ts";
import { printableLine } from "../output/printable.ts";
import { waitText } from "../output/waits.ts";

const firstLookMs = 1000;
const lookMs = 2000;
/** The newest pending tasks that are checked: the maximum of one request. */
const lookedAtMax = 200;

type Waiting = Pick<TaskSummary, "platformCode" | "progress">;
type Read = (call: CallOptions) => Promise<readonly Waiting[]>;

/** The reasons that are reported, in order of precedence. A task that waits for its turn is not reported. */
const reported = ["breaker_open", "throttled", "paused", "retry"] as const;

/**
 * While `work` waits for tasks, reports to standard error why a platform's tasks are not running: the reason, the
 * last failure and the time of the next attempt, once per change.
 */
export async function reportWaits<T>(context: Context, read: Read, work: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const signal = AbortSignal.any([context.signal, done.signal]);
  const looking = look(context, read, signal);
  try {
    return await work();
  } finally {
    done.abort();
    await looking;
  }
}

/** The pending tasks of a batch, for `reportWaits`. */
export const pendingOf =
  ({ querent }: Context, batchId: string): Read =>
  async (call) =>
    (await querent.tasks.page({ batchId, state: "pending", limit: lookedAtMax }, call)).tasks;

async function look({ output }: Context, read: Read, signal: AbortSignal): Promise<void> {
  const last = new Map<string, string>();
  for (let pauseMs = firstLookMs; await passed(pauseMs, signal); pauseMs = lookMs) {
    const tasks = await read({ signal, maxRetries: 0 }).catch((error: unknown) => {
      // The command that waits for the tasks reports the same error.
      if (error instanceof QuerentError || signal.aborted) return [];
      throw error;
    });
    if (signal.aborted) return;
    for (const [platform, { key, line }] of linesOf(tasks)) {
      if (last.get(platform) === key) continue;
      last.set(platform, key);
      output.note(output.noteColor.yellow(line));
    }
  }
}

/** One line for each platform that tasks wait for, with a key that changes when the line should be printed again. */
function linesOf(tasks: readonly Waiting[]): Map<string, { key: string; line: string }> {
  const lines = new Map<string, { key: string; line: string }>();
  for (const code of new Set(tasks.map(({ platformCode }) => platformCode))) {
    const own = tasks.flatMap(({ platformCode, progress }) =>
      platformCode === code && progress !== null ? [progress] : [],
    );
    const reason = reported.find((one) => own.some((progress) => progress.reason === one));
    if (reason === undefined) continue;
    const waiting = own.filter((progress) => progress.reason === reason);
    // A task that has failed shows more than one that has not started.
    const shown = waiting.find(({ lastFailure }) => lastFailure !== null) ?? waiting[0];
    const text = shown === undefined ? null : waitText(shown);
    if (shown === undefined || text === null) continue;
    // The attempt number is only part of the key for a single task, because many tasks fail one after the other.
    const attempt = own.length === 1 ? shown.attempt : null;
    const count = waiting.length === 1 ? "" : ` (${plural(waiting.length, "task")})`;
    lines.set(code, {
      key: JSON.stringify([reason, shown.lastFailure?.code, shown.lastFailure?.message, attempt]),
      line: `${printableLine(code)}${count}: ${text}`,
    });
  }
  return lines;
}

/** Waits; false if that was aborted. */
const passed = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { signal }).catch((error: unknown) => {
    if (signal.aborted) return false;
    throw error;
  });
