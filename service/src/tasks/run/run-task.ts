import type { Failure, StoredResult } from "@querent/contract";
import {
  composeResult,
  keptConsumption,
  keptRaw,
  storedBytesOf,
  toRawColumns,
  type RawColumns,
  type StoredRaw,
} from "../../answers/index.ts";
import type { Queryable } from "../../db/index.ts";
import type { Claimed, WorkEnd } from "../../dispatch/index.ts";
import { unsupportedOptions, type AskContext, type Platform, type PlatformQuestion } from "../../platforms/index.ts";
import type { Consumption } from "../../kernel/consumption.ts";
import { idRange } from "../../kernel/ids.ts";
import { optionsOf, taskKeys, type OptionsRow } from "../read/record.ts";
import { makeArtifacts, outputsOf, type ArtifactMaking } from "./make-artifacts.ts";
import { yieldToEventLoop } from "../../runtime/slices.ts";
import { LargeAnswers, isLarge, resultJson, resultJsonInPieces } from "./large-answers.ts";
import type { Artifact } from "../../artifacts/index.ts";
import type { ObservedAnswer } from "../observe-answers.ts";

/** A result as stored: the record's fields, the platform's original bytes, and what the answer consumed. */
export interface RunResult {
  readonly stored: StoredResult;
  /** `stored` as JSON, if it has been serialized already. */
  readonly json?: Buffer;
  readonly raw: RawColumns | null;
  readonly consumption: Consumption | null;
  /** True: nothing is charged, because the platform had no answer. */
  readonly free?: boolean;
  /** Its files. */
  readonly artifacts?: readonly Artifact[];
  /** For its observation; none is written without. */
  readonly observed?: ObservedAnswer;
}

/** Reads the questions of claimed tasks. One query per claim. */
export async function loadQuestions(
  db: Queryable,
  claimed: readonly Claimed[],
): Promise<ReadonlyMap<string, PlatformQuestion>> {
  const attempts = new Map(claimed.map((task) => [task.taskId, task.attempt]));
  const { least, greatest } = idRange(claimed.map(({ taskId }) => taskId));
  // Index: the primary key.
  // Not a join, which may read all tasks of the range.
  const { rows } = await db.query<OptionsRow & { id: string; question: string }>({
    name: "load questions",
    text: `select t.* from ${taskKeys.after(2)}
       cross join lateral (
         select t.id, t.question, t.deep_analysis, t.output, t.result_format, t.asked_as from tasks t
          where t.account_id = k.account_id and t.id = k.id and t.id between $1 and $2 offset 0) t`,
    values: [least, greatest, ...taskKeys.values(claimed)],
  });
  return new Map(
    rows.map((row) => [
      row.id,
      {
        taskId: row.id,
        text: row.question,
        options: optionsOf(row),
        attempt: attempts.get(row.id) ?? 1,
      },
    ]),
  );
}

/** Asks the platform once, makes the requested files of the answer, and converts it to what the engine and the record need. */
export async function runTask(
  platform: Platform | undefined,
  question: PlatformQuestion,
  context: AskContext,
  making: ArtifactMaking,
  large: LargeAnswers = new LargeAnswers(async () => undefined),
): Promise<WorkEnd<RunResult>> {
  // It was claimed just before the platform's configuration changed. It waits for a worker that can ask it, at no cost.
  if (platform === undefined || platform.missing !== null) return { kind: "lost" };
  const { output } = question.options;
  const outputs = outputsOf(platform, making);
  if (!outputs.includes(output)) {
    return failed(`This service can't make \`${output}\` for this platform. Nothing was asked, nothing is charged.`);
  }
  const [unsupported] = unsupportedOptions(platform.options, question.options);
  if (unsupported !== undefined && question.options.onUnsupported !== "ignore") {
    const message = `The platform no longer supports \`${unsupported.member}\` as requested: ${unsupported.detail} Nothing was asked, nothing is charged.`;
    return failed(message, { code: "platform_not_configured", stage: "platform" });
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
      const compose = async () => ({
        stored: composeResult(outcome.answer, { code, kind, returns, outputs }, question.options),
        raw: outcome.raw === null ? null : await keptRaw(outcome.raw),
      });
      const isLargeAnswer = isLarge(outcome.answer, outcome.raw?.body ?? null);
      const { stored, raw } = await (isLargeAnswer ? large.turn(compose) : compose());
      const consumption = keptConsumption(outcome.consumption);
      const made = await makeArtifacts(
        making,
        { platform, question, stored, raw, captures: outcome.captures ?? [], evidence: outcome.evidence ?? [] },
        context,
      );
      if (made.kind === "unavailable" && made.noBrowser && (await making.browser.isExpected(platform.code)))
        return { kind: "lost", consumption };
      if (made.kind === "unavailable") return { ...failed(made.message), consumption };
      const json = await serialize(made.stored, isLargeAnswer ? large : null);
      const response = raw === null ? null : await compressed(raw, isLargeAnswer ? large : null);
      return {
        kind: "completed",
        bytes: json.length + (response === null ? 0 : storedBytesOf(response)),
        result: {
          stored: made.stored,
          json,
          raw: response,
          consumption,
          ...(outcome.free === true ? { free: true } : {}),
          artifacts: made.artifacts,
        },
      };
    }
    case "throttled": {
      const { retryAfterMs, platformStatus, ownPace = false } = outcome;
      return { kind: "throttled", retryAfterMs, platformStatus, ownPace, consumption: spentBy(outcome) };
    }
    case "retryable":
    case "permanent": {
      const { code, stage, message, platformStatus } = outcome;
      return {
        kind: "failed",
        fault: { code, stage, message, platformStatus },
        retryable: outcome.kind === "retryable",
        consumption: spentBy(outcome),
      };
    }
    case "lost":
      return { kind: "lost" };
    case "canceled":
      return { kind: "aborted" };
  }
}

/** Not in the transaction that ends the task, which holds locks. `large`: null for other answers. */
async function serialize(stored: StoredResult, large: LargeAnswers | null): Promise<Buffer> {
  return large === null ? resultJson(stored) : large.turn(() => resultJsonInPieces(stored, yieldToEventLoop));
}

async function compressed(raw: StoredRaw, large: LargeAnswers | null): Promise<RawColumns> {
  return large === null ? toRawColumns(raw) : large.turn(() => toRawColumns(raw));
}

function spentBy({ consumption }: { readonly consumption?: Consumption }): Consumption | null {
  return keptConsumption(consumption ?? null);
}

function failed(
  message: string,
  why: Pick<Failure, "code" | "stage"> = { code: "output_unavailable", stage: "artifact" },
): Extract<WorkEnd<never>, { kind: "failed" }> {
  const fault = { ...why, message, platformStatus: null };
  return { kind: "failed", fault, retryable: false };
}
