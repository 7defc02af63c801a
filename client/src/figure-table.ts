import type { CsvCell } from "./csv.ts";
import type { FigureRow } from "./wire.ts";

type Figure = FigureRow["thesePrompts"];

/** The columns of figures as CSV, in the order of their cells. Columns are only added, behind the others. */
export const figureColumns = [
  ...["measure", "definition", "platformCode", "kind", "otherPlatformCode", "otherKind", "locale", "persona"],
  ...["entityId", "entityName", "domain", "sourceType", "promptId", "topic", "runId", "day", "seam", "scope"],
  ...["value", "low", "high", "level", "method", "cells", "answers", "reason", "missing", "from", "to"],
  ...["lowestWithMissing", "highestWithMissing", "missingAnswers", "instrument", "modelVersion"],
] as const;

/** The figures of a row, and of its other instruments: for each a row of cells for each scope. `names` are those of entities, by id. */
export function figureCells(row: FigureRow, names: ReadonlyMap<string, string>): CsvCell[][] {
  return [
    cellsOf(row, row.thesePrompts, names),
    cellsOf(row, row.promptsLikeThese, names),
    ...row.otherInstruments.flatMap((other) => [
      cellsOf(row, other.thesePrompts, names, other.instrument),
      cellsOf(row, other.promptsLikeThese, names, other.instrument),
    ]),
  ];
}

/** `other`: the instrument, if it isn't that of the row. */
function cellsOf(
  { measure, definition, group, seam }: FigureRow,
  figure: Figure,
  names: ReadonlyMap<string, string>,
  other?: Figure["instrument"][number],
): CsvCell[] {
  const { interval, reason, window, bounds = null } = figure;
  const used = other === undefined ? figure.instrument : [other];
  const models = [...new Set(used.map(({ modelVersion }) => modelVersion ?? ""))].join(" ");
  const standing = figure.blend === true ? "blend" : other === undefined ? "headline" : "other";
  return [
    ...[measure, definition, group.platformCode, group.kind, group.otherPlatformCode, group.otherKind],
    ...[group.locale, group.persona, group.entityId, names.get(group.entityId ?? "") ?? null],
    ...[group.domain, group.sourceType, group.promptId, group.topic, group.runId, group.day, String(seam)],
    ...[figure.scope, figure.value, interval?.low ?? null, interval?.high ?? null, interval?.level ?? null],
    ...[interval?.method ?? null, figure.cells, figure.answers, reason?.code ?? null, reason?.missing ?? null],
    ...[window.from, window.to],
    ...[bounds?.low ?? null, bounds?.high ?? null, bounds?.missing ?? null, standing, models],
  ];
}
