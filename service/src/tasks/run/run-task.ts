import type { TaskOptions } from "@querent/contract";
import { composeResult, keptConsumption, keptRaw } from "../../answers/index.ts";
import type { Queryable } from "../../db/index.ts";
import type { Claimed, RunEnd } from "../../dispatch/index.ts";
import type { AskContext, Platform, Question } from "../../platforms/index.ts";
import { idRange } from "../../kernel/id-range.ts";
import type { RunResult } from "../finish/end-tasks.ts";
import { makeArtifacts, outputsOf, type ArtifactMaking } from "./make-artifacts.ts";
import { isLarge, resultJson, resultJsonInPieces } from "../finish/result-json.ts";

/** Reads the questions of claimed tasks. One query per claim. */
export async function loadQuestions(
  db: Queryable,
  claimed: readonly Claimed[],
): Promise<ReadonlyMap<string, Question>> {
  const attempts = new Map(claimed.map((task) => [task.taskId, task.attempt]));
  const taskIds = claimed.map(({ taskId }) => taskId);
  const { least, greatest } = idRange(taskIds);
  // Index: the primary key.
  const { rows } = await db.query<{
    id: string;
    question: string;
    deep_analysis: boolean;
    output: TaskOptions["output"];
    result_format: TaskOptions["resultFormat"];
  }>(
    `select t.id, t.question, t.deep_analysis, t.output, t.result_format
       from unnest($1::uuid[], $2::uuid[]) as k(account_id, id)
       join tasks t on t.account_id = k.account_id and t.id = k.id and t.id between $3 and $4`,
    [claimed.map(({ accountId }) => accountId), taskIds, least, greatest],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        taskId: row.id,
        text: row.question,
        options: { deepAnalysis: row.deep_analysis, output: row.output, resultFormat: row.result_format },
        attempt: attempts.get(row.id) ?? 1,
      },
    ]),
  );
}

/** Asks the platform once, makes the requested files of the answer, and converts it to what the engine and the record need. */
export async function runTask(
  platform: Platform | undefined,
  question: Question,
  context: AskContext,
  making: ArtifactMaking,
  /** Awaited before each step with a large answer. */
  largeTurn: () => Promise<void> = async () => undefined,
): Promise<RunEnd<RunResult>> {
  // It was claimed just before the platform's configuration changed. It waits for a worker that can ask it, at no cost.
  if (platform === undefined || platform.missing !== null) return { kind: "lost" };
  const { output } = question.options;
  const outputs = outputsOf(platform, making);
  if (!outputs.includes(output)) {
    return failed(`This service can't make \`${output}\` for this platform. Nothing was asked, nothing is charged.`);
  }
  const needsBrowser = platform.kind === "web" || output === "screenshot";
  if (needsBrowser && !(await making.browser.ready(context.signal))) {
    // Another node should run it, or this one later. This costs the task nothing and uses up no attempt.
    if (platform.kind === "web" || (await making.browser.isExpected(platform.code))) return { kind: "lost" };
    return failed("No worker of this service has a browser that works. Nothing was asked, nothing is charged.");
  }
  const outcome = await platform.ask(question, context);
  switch (outcome.kind) {
    case "answered": {
      const { code, kind, returns } = platform;
      const large = isLarge(outcome.answer, outcome.raw?.body ?? null);
      if (large) await largeTurn();
      const stored = composeResult(outcome.answer, { code, kind, returns, outputs }, question.options);
      const raw = outcome.raw === null ? null : keptRaw(outcome.raw);
      const made = await makeArtifacts(
        making,
        { platform, question, stored, raw, captures: outcome.captures ?? [] },
        context,
      );
      if (made.kind === "unavailable" && made.noBrowser && (await making.browser.isExpected(platform.code)))
        return { kind: "lost" };
      if (made.kind === "unavailable") return failed(made.message);
      if (large) await largeTurn();
      // Not in the transaction that ends the task, which holds locks.
      const json = large ? await resultJsonInPieces(made.stored, largeTurn) : resultJson(made.stored);
      return {
        kind: "completed",
        bytes: json.length + (raw?.body?.length ?? 0),
        result: {
          stored: made.stored,
          json,
          raw,
          consumption: keptConsumption(outcome.consumption),
          ...(outcome.free === true ? { free: true } : {}),
          artifacts: made.artifacts,
        },
      };
    }
    case "throttled":
      return { kind: "throttled", retryAfterMs: outcome.retryAfterMs, platformStatus: outcome.platformStatus };
    case "retryable":
    case "permanent": {
      const { code, stage, message, platformStatus } = outcome;
      return {
        kind: "failed",
        fault: { code, stage, message, platformStatus },
        retryable: outcome.kind === "retryable",
      };
    }
    case "lost":
      return { kind: "lost" };
    case "canceled":
      return { kind: "aborted" };
  }
}

function failed(message: string): RunEnd<never> {
  const fault = { code: "output_unavailable", stage: "artifact", message, platformStatus: null } as const;
  return { kind: "failed", fault, retryable: false };
}
