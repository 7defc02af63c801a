import type { FailedTaskRecord } from "@querent/contract";
import type { ListedTable } from "./list-rows.ts";
import type { ParquetColumn } from "./parquet.ts";

/** A row of `panel_failures`, as read by its columns. */
export interface FailureRow {
  id: string;
  failed_at: Date;
  task_id: string;
  batch_id: string;
  client_reference: string | null;
  tags: string[];
  panel_id: string;
  panel_revision: number;
  run_id: string;
  prompt_id: string;
  platform: string;
  locale: string;
  persona: string;
  repeat: number;
  probability: number | null;
  platform_kind: FailedTaskRecord["kind"];
  recipe: string | null;
  code: FailedTaskRecord["code"];
  stage: FailedTaskRecord["stage"];
  attempts: number;
}

const columns = `o.id, o.failed_at, o.task_id, o.batch_id, o.client_reference, o.tags, o.panel_id, o.panel_revision, o.run_id, o.prompt_id,
  o.platform, o.locale, o.persona, o.repeat, o.probability, o.platform_kind, o.recipe, o.code, o.stage, o.attempts`;

/** The public record of a failed task. */
const recordOf = (row: FailureRow): FailedTaskRecord => ({
  failureId: row.id,
  taskId: row.task_id,
  batchId: row.batch_id,
  clientReference: row.client_reference,
  tags: row.tags,
  failedAt: row.failed_at.toISOString(),
  cell: {
    panelId: row.panel_id,
    panelRevision: row.panel_revision,
    runId: row.run_id,
    promptId: row.prompt_id,
    platformCode: row.platform,
    locale: row.locale,
    persona: row.persona,
    repeat: row.repeat,
    probability: row.probability,
  },
  kind: row.platform_kind,
  recipe: row.recipe,
  code: row.code,
  stage: row.stage,
  attempts: row.attempts,
});

type FlatColumn = ParquetColumn<FailedTaskRecord>;
const text = (name: string, of: (record: FailedTaskRecord) => string | null): FlatColumn => ({
  name,
  type: "STRING",
  of,
});
const integer = (name: string, of: (record: FailedTaskRecord) => number): FlatColumn => ({ name, type: "INT32", of });

/** A new column is added at the end. */
const flat: readonly FlatColumn[] = [
  text("failureId", (record) => record.failureId),
  { name: "failedAt", type: "INSTANT", of: (record) => new Date(record.failedAt) },
  text("taskId", (record) => record.taskId),
  text("batchId", (record) => record.batchId),
  text("clientReference", (record) => record.clientReference),
  text("tags", (record) => JSON.stringify(record.tags)),
  text("panelId", ({ cell }) => cell.panelId),
  integer("panelRevision", ({ cell }) => cell.panelRevision),
  text("runId", ({ cell }) => cell.runId),
  text("promptId", ({ cell }) => cell.promptId),
  text("platformCode", ({ cell }) => cell.platformCode),
  text("locale", ({ cell }) => cell.locale),
  text("persona", ({ cell }) => cell.persona),
  integer("repeat", ({ cell }) => cell.repeat),
  { name: "probability", type: "DOUBLE", of: ({ cell }) => cell.probability },
  text("kind", (record) => record.kind),
  text("recipe", (record) => record.recipe),
  text("code", (record) => record.code),
  text("stage", (record) => record.stage),
  integer("attempts", (record) => record.attempts),
];

/** The failed tasks of panels. */
export const listedFailures: ListedTable<FailureRow, FailedTaskRecord> = {
  table: "panel_failures",
  columns,
  chars: "1000",
  recordOf,
  flat,
};
