import type { CsvCell } from "./csv.ts";
import type { TaskRecord } from "./wire.ts";

/** The columns of results as a table, which is also the CSV of a batch that the service sends. */
export const resultColumns = [
  "taskId",
  "clientReference",
  "platformCode",
  "question",
  "state",
  "content",
  "modelVersion",
  "observedAt",
  "sources",
  "products",
  "videos",
  "media",
  "searchProcess",
  "reasoningProcess",
  "screenshotUrl",
  "shareUrl",
  "failureCode",
  "chargedPoints",
  "revision",
  "expired",
  "createdAt",
  "completedAt",
  "options",
  "effective",
  "ads",
  "alternatives",
  "relatedQuestions",
  "relatedSearches",
  "adAvailability",
] as const;

/** The cells of a record, in the order of the columns. Lists are JSON, and empty lists are null. */
export function resultCells(record: TaskRecord): CsvCell[] {
  return resultColumns.map((column) => {
    const value = cellOf(record, column);
    if (value === null || typeof value !== "object") return value;
    return Array.isArray(value) && value.length === 0 ? null : JSON.stringify(value);
  });
}

function cellOf(record: TaskRecord, column: (typeof resultColumns)[number]) {
  switch (column) {
    case "failureCode":
      return record.failure?.code ?? null;
    // Why `ads` is empty.
    case "adAvailability":
      return record.availability?.ads ?? null;
    default:
      return record[column];
  }
}
