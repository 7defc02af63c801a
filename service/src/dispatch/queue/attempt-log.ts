/**
 * The outcomes of a task's attempts, as stored in `dispatch.attempt_log` and `task_attempts.entries`. Only written if an
 * attempt failed.
 */
import type { attemptOutcomes, FailureCode, FailureStage, waitReasons } from "@querent/contract";
import type { Consumption } from "../../kernel/consumption.ts";

export interface LoggedAttempt {
  /** 1 for the first. */
  readonly attempt: number;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly nodeId: string | null;
  readonly outcome: (typeof attemptOutcomes)[number];
  readonly code: FailureCode | null;
  readonly message: string | null;
  readonly platformStatus: number | null;
  /** True if it was started to test whether a failing platform works again. */
  readonly probe: boolean;
  /** What the task waited for afterwards, as known then; null: it ended. */
  readonly wait: (typeof waitReasons)[number] | null;
  /** What it consumed at the platform for no result; absent: nothing was reported. Only operators see it. */
  readonly consumption?: Consumption;
}

/** Why an attempt failed. */
export interface RunFault {
  readonly code: FailureCode;
  readonly stage: FailureStage;
  readonly message: string;
  readonly platformStatus: number | null;
}

/** The attempt that ended a task. */
export interface LastAttempt {
  readonly startedAt: Date;
  readonly nodeId: string;
  readonly probe: boolean;
}

/** How an attempt ended whose task returns to the queue: the part of its entry that this process knows. */
export type AttemptEnd = Pick<
  LoggedAttempt,
  "outcome" | "code" | "message" | "platformStatus" | "probe" | "consumption"
>;

/** The number of entries kept per task; the oldest are removed first. */
export const attemptsKept = 20;
const messageLengthMax = 500;

/** A message as stored: bounded, and text that jsonb accepts. */
export const keptMessage = (message: string): string =>
  message.slice(0, messageLengthMax).toWellFormed().replaceAll("\0", "");

/** SQL: the log of the dispatch row `d` with one more entry. */
export const withEntry = (entry: string): string =>
  `case when jsonb_array_length(d.attempt_log) >= ${attemptsKept} then d.attempt_log - 0 else coalesce(d.attempt_log, '[]') end
         || jsonb_build_array(${entry})`;

/** SQL: the data of the dispatch row `d` about its ending attempt. */
export const attemptOfRow = `jsonb_build_object('attempt', d.fence, 'startedAt', d.claimed_at, 'endedAt', now(), 'nodeId', d.node_id)`;

const lostMessage =
  "The process that ran this attempt was lost. It does not count towards the attempts that the platform is given.";

/** SQL: the entry of an attempt whose node was lost. */
export const lostEntry = `${attemptOfRow} || '${JSON.stringify({
  outcome: "lost",
  code: "internal",
  message: lostMessage,
  platformStatus: null,
  probe: false,
  wait: "queued",
})}'::jsonb`;

export const lostAttempt = (probe: boolean): AttemptEnd => ({
  outcome: "lost",
  code: "internal",
  message: "What ran this attempt was lost. It does not count towards the attempts that the platform is given.",
  platformStatus: null,
  probe,
});

/** The attempt of a run that is in the database only: its claim was committed, and the reply was lost with the connection. */
export const unaskedAttempt: AttemptEnd = {
  ...lostAttempt(false),
  message: "The connection to the database was lost when this attempt began, before the platform was asked.",
};

/** The attempt of a run that was claimed, and whose question could not be read: as a rule, the connection was lost in between. */
export const unreadAttempt = (probe: boolean): AttemptEnd => ({
  ...lostAttempt(probe),
  message: "The question could not be read from the database when this attempt began, before the platform was asked.",
});

export const handedBack = (probe: boolean): AttemptEnd => ({
  outcome: "handed_back",
  code: null,
  message: "The process that ran this attempt was stopped. Another one takes the task.",
  platformStatus: null,
  probe,
});
