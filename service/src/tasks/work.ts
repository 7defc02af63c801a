/** What a worker does with a task: reads its question, asks the platform, and writes its end. */
import type { Database } from "../db/index.ts";
import type { Claimed, WorkEnd, Work } from "../dispatch/index.ts";
import type { Consumption } from "../kernel/consumption.ts";
import type { Tracer } from "../kernel/trace.ts";
import type { AskContext, Platform, PlatformQuestion } from "../platforms/index.ts";
import { endTasks, type EndTasksDeps, type Finish } from "./finish/end-tasks.ts";
import type { ObserveAnswers } from "./observe-answers.ts";
import { LargeAnswers } from "./run/large-answers.ts";
import type { ArtifactMaking } from "./run/make-artifacts.ts";
import { loadQuestions, runTask, type RunResult } from "./run/run-task.ts";
import { RunTraces } from "./run/trace-runs.ts";

export interface TaskWorkDeps {
  readonly database: Database;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly making: ArtifactMaking;
  readonly ends: EndTasksDeps & { readonly observe: ObserveAnswers };
  /** Null: nothing is traced. */
  readonly tracer: Tracer | null;
  /** Traces have questions and answers. */
  readonly traceContents: boolean;
  /** Resolves when there is room for a large result. */
  readonly roomForLargeResult: () => Promise<void>;
  readonly onRun: (ran: Ran) => void;
  /** Tells those who wait that tasks have ended, after the commit. */
  readonly announce: (finish: Finish) => void;
  readonly onTraceFault: (error: unknown) => void;
}

/** A run of a task, as far as its platform is concerned. */
export interface Ran {
  readonly platform: string;
  readonly end: WorkEnd<RunResult>["kind"];
  /** Without the time that it waited for a browser, which says nothing about the platform. */
  readonly seconds: number;
  /** By the answer, or in vain. Null: nothing was reported. */
  readonly consumption: Consumption | null;
}

export function taskWork(deps: TaskWorkDeps): Work<PlatformQuestion, RunResult, Finish> {
  const { database, platforms, making, ends, tracer, traceContents } = deps;
  const large = new LargeAnswers(deps.roomForLargeResult);
  const traces =
    tracer === null
      ? null
      : new RunTraces({ database, tracer, withContents: traceContents, onFault: deps.onTraceFault });
  const ask = (claimed: Claimed, question: PlatformQuestion, context: AskContext) => {
    const platform = platforms.get(claimed.platform);
    return traces === null
      ? runTask(platform, question, context, making, large)
      : traces.run(claimed, (onModelCall) => runTask(platform, question, { ...context, onModelCall }, making, large));
  };
  return {
    load: async (claimed) => {
      const [questions] = await Promise.all([loadQuestions(database, claimed), traces?.read(claimed)]);
      return questions;
    },
    run: async (question, claimed, signal, waiting, leaveShared) => {
      let started = performance.now();
      const { accountId, runBudgetMs, platform } = claimed;
      const whileQueued: typeof waiting = async (turn) => {
        const from = performance.now();
        return waiting(turn).finally(() => (started += performance.now() - from));
      };
      const requester = { accountId, whileQueued, onLeft: leaveShared };
      const end = await ask(claimed, question, { signal, runBudgetMs, requester });
      deps.onRun({
        platform,
        end: end.kind,
        seconds: (performance.now() - started) / 1000,
        consumption: consumptionOf(end),
      });
      if (end.kind !== "completed") return end;
      // Here, and not where the end is written: looking for brands takes time, and that transaction holds locks.
      const { stored, json = JSON.stringify(stored) } = end.result;
      const observed = await waiting(ends.observe.describe({ accountId, result: stored, json }, signal));
      return { ...end, result: { ...end.result, json: Buffer.isBuffer(json) ? json : Buffer.from(json), observed } };
    },
    end: (tx, taskEnds) => endTasks(tx, taskEnds, ends),
    announce: deps.announce,
  };
}

function consumptionOf(end: WorkEnd<RunResult>): Consumption | null {
  if (end.kind === "aborted") return null;
  return (end.kind === "completed" ? end.result.consumption : end.consumption) ?? null;
}
