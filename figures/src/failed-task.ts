import { probabilityOf, type Instrument } from "./answer.ts";

/** A task of a panel that failed, in the members from which figures are made. */
export interface FailedTask {
  readonly failureId: string;
  readonly taskId: string;
  readonly runId: string;
  readonly failedAt: string;
  readonly promptId: string;
  readonly platformCode: string;
  readonly kind: Instrument["kind"];
  readonly locale: string;
  readonly persona: string;
  readonly repeat: number;
  /** As of an answer. */
  readonly probability?: number;
  readonly panelRevision: number;
  /** The code of its failure. */
  readonly code: string;
}

/** The public record of a failed task, in the members that are used. */
export interface FailureRecordMembers {
  readonly failureId: string;
  readonly taskId: string;
  readonly failedAt: string;
  readonly kind: Instrument["kind"];
  readonly code: string;
  readonly cell: {
    readonly panelRevision: number;
    readonly runId: string;
    readonly promptId: string;
    readonly platformCode: string;
    readonly locale: string;
    readonly persona: string;
    readonly repeat: number;
    readonly probability: number | null;
  };
}

/** The failed task that a public record describes. */
export function failedTaskOf({ failureId, taskId, failedAt, kind, code, cell }: FailureRecordMembers): FailedTask {
  return {
    failureId,
    taskId,
    runId: cell.runId,
    failedAt,
    promptId: cell.promptId,
    platformCode: cell.platformCode,
    kind,
    locale: cell.locale,
    persona: cell.persona,
    repeat: cell.repeat,
    ...probabilityOf(cell.probability),
    panelRevision: cell.panelRevision,
    code,
  };
}
