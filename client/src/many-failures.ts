import type { FigureRow } from "./wire.ts";

/** From this share of failed tasks on, figures of answers are told with a warning. */
export const failuresToWarn = 0.05;

/** Where so many of a panel's tasks failed that figures of the answers may be biased. */
export interface ManyFailures {
  readonly group: FigureRow["group"];
  /** The share of the tasks that failed: by so much, a share of the answers may differ from that of all tasks. */
  readonly failed: number;
  /** The share of the tasks that were refused; null if the rows do not have that measure. */
  readonly refused: number | null;
  readonly tasks: number;
}

/** The rows of `failure_rate` with many failures, most first; `refused` if the rows have `refusal_rate`, too. */
export function manyFailures(rows: readonly Pick<FigureRow, "measure" | "group" | "thesePrompts">[]): ManyFailures[] {
  const keyOf = (group: FigureRow["group"]) => JSON.stringify(Object.values(group));
  const refusals = new Map(
    rows
      .filter(({ measure }) => measure === "refusal_rate")
      .map(({ group, thesePrompts }) => [keyOf(group), thesePrompts.value]),
  );
  return rows
    .flatMap(({ measure, group, thesePrompts: { value, answers } }) =>
      measure !== "failure_rate" || value === null || value < failuresToWarn
        ? []
        : [{ group, failed: value, refused: refusals.get(keyOf(group)) ?? null, tasks: answers }],
    )
    .toSorted((one, other) => other.failed - one.failed);
}
