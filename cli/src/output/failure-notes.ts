import { manyFailures, type FigureRow } from "@querent/client";
import { figureText } from "./figure-text.ts";
import { printableLine } from "./printable.ts";

/** Where so many tasks failed that the figures of the answers may be biased; nothing if `failure_rate` is not among the rows. */
export function failureNotes(rows: readonly Pick<FigureRow, "measure" | "group" | "thesePrompts">[]): string[] {
  return manyFailures(rows.filter(({ group }) => group.promptId === null && group.runId === null)).map(
    ({ group, failed, refused, tasks }) => {
      const surface = [`${group.platformCode} (${group.kind})`, group.locale, group.persona].filter(
        (part) => part !== "",
      );
      const part = group.day ?? group.topic;
      const where = `On ${surface.join(", ")}${part === null ? "" : `, ${part}`}`;
      const share = figureText("failure_rate", failed);
      const ofThem = refused === null ? "" : `; the platform refused ${figureText("refusal_rate", refused)}`;
      return printableLine(
        `${where}, ${share} of all tasks (${tasks.toLocaleString("en")}) failed${ofThem}. Other figures are of the answers alone: with those that are missing, a share could be up to ${(100 * failed).toFixed(1)} points lower or higher.`,
      );
    },
  );
}
