import {
  resultCells,
  resultColumns,
  type CsvCell,
  type LedgerEntry,
  type TaskRecord,
  type TaskSummary,
} from "@querent/client";

const summaryColumns = [
  "taskId",
  "batchId",
  "clientReference",
  "tags",
  "platformCode",
  "question",
  "state",
  "failureCode",
  "chargedPoints",
  "revision",
  "expired",
  "createdAt",
  "startedAt",
  "completedAt",
  "canceledAt",
  "expiresAt",
  "options",
] as const;

const ledgerColumns = ["entryId", "createdAt", "kind", "points", "batchId", "taskId", "note"] as const;

export interface Columns<Row> {
  readonly head: readonly string[];
  readonly cells: (row: Row) => readonly CsvCell[];
}

export const summaries: Columns<TaskSummary> = {
  head: summaryColumns,
  cells: (task) =>
    summaryColumns.map((column) => cellOf(column === "failureCode" ? (task.failure?.code ?? null) : task[column])),
};

export const records: Columns<TaskRecord> = { head: resultColumns, cells: resultCells };

export const ledgerEntries: Columns<LedgerEntry> = {
  head: ledgerColumns,
  cells: (entry) => ledgerColumns.map((column) => entry[column]),
};

function cellOf(value: CsvCell | object): CsvCell {
  if (value === null || typeof value !== "object") return value;
  return Array.isArray(value) && value.length === 0 ? null : JSON.stringify(value);
}
