/** Which rows belong to each kind of what an account stores, and how their size is measured. */
import { rowsAs } from "../db/index.ts";
import { storageKindNames, storageKinds, type StorageKind } from "@querent/contract";

/** The revisions of entities that a statement has just stored. */
export const revisionRows = rowsAs<{ readonly id: string; readonly revision: number }>("k", {
  entity_id: ["uuid", (entity) => entity.id],
  revision: ["int", (entity) => entity.revision],
});

/** Rows of one table, as `t`, that belong to a kind. */
export interface Part {
  readonly from: string;
  readonly where?: string;
  /** The size of a row: its long columns as they are stored, and a constant for the others. */
  readonly bytes: string;
  /** Selects the rows that a statement has just stored, by the values from $2 on. A kind without it is found by measuring. */
  readonly added?: string;
}

const observationBytes =
  "(300 + pg_column_size(t.sources) + pg_column_size(t.mentions) + pg_column_size(t.cards) + pg_column_size(t.domains) + pg_column_size(t.tags) + coalesce(pg_column_size(t.cited_sites), 0))";

// pg_column_size and octet_length of a long value that is stored apart read its size, and not the value.
export const parts: Readonly<Record<StorageKind, readonly Part[]>> = {
  imports: [
    {
      from: "observations t",
      where: "t.import_id is not null",
      bytes: observationBytes,
      added: "t.id = any($2::uuid[])",
    },
    {
      from: "imported_answers t",
      bytes: "(100 + pg_column_size(t.question) + pg_column_size(t.content))",
      added: "t.observation_id = any($2::uuid[])",
    },
    { from: "imports t", bytes: "(100 + octet_length(t.name))", added: "t.id = $3::uuid" },
  ],
  panels: [
    {
      from: "panel_revisions t",
      bytes: "(100 + pg_column_size(t.content))",
      added: "t.panel_id = $2::uuid and t.revision = $3::int",
    },
    { from: "panel_runs t", bytes: "(200 + pg_column_size(t.batch_ids) + coalesce(pg_column_size(t.problem), 0))" },
    { from: "panel_seals t", bytes: "(100 + octet_length(t.seal) + octet_length(t.signature))" },
  ],
  entities: [
    {
      from: "entity_revisions t",
      bytes: "(100 + pg_column_size(t.content))",
      added: `(t.entity_id, t.revision) in (select * from ${revisionRows.after(1)})`,
    },
  ],
  reports: [
    {
      from: "report_shares t",
      bytes: "(100 + pg_column_size(t.page) + coalesce(pg_column_size(t.guarded_page), 0))",
      added: "t.id = $2::uuid",
    },
    { from: "report_looks t", bytes: "(200 + coalesce(pg_column_size(t.logo), 0))" },
    { from: "channels t", bytes: "(300 + octet_length(t.sealed))" },
    { from: "alert_rules t", bytes: "(300 + pg_column_size(t.settings) + pg_column_size(t.recipients))" },
    { from: "alert_findings t", bytes: "(200 + pg_column_size(t.data) + pg_column_size(t.messages))" },
    { from: "report_schedules t", bytes: "(300 + pg_column_size(t.recipients))" },
    { from: "sent_reports t", bytes: "(300 + pg_column_size(t.recipients) + coalesce(pg_column_size(t.pdf), 0))" },
  ],
  uncharged_tasks: [
    {
      // The size includes what else is kept of such a task: its queue row, its entries of the ledger, its delivery.
      from: "unanswered_tasks t join tasks q on q.account_id = t.account_id and q.id = t.task_id",
      bytes: "(1000 + pg_column_size(q.question) + pg_column_size(q.tags))",
      added: "t.task_id = any($2::uuid[])",
    },
  ],
  // A file that several results share counts for each of them.
  artifacts: [{ from: "artifacts t", bytes: "t.bytes::bigint" }],
  tasks: [{ from: "tasks t", bytes: "(300 + pg_column_size(t.question) + pg_column_size(t.tags))" }],
  results: [
    {
      from: "task_results t",
      bytes:
        "(100 + pg_column_size(t.result) + coalesce(pg_column_size(t.raw_body), 0) + coalesce(pg_column_size(t.raw_compressed), 0))",
    },
  ],
  observations: [{ from: "observations t", where: "t.import_id is null", bytes: observationBytes }],
  deliveries: [
    {
      from: "deliveries t",
      bytes: "(200 + coalesce(pg_column_size(t.body), 0) + pg_column_size(t.attempt_log))",
    },
  ],
};

export const isLimited = (kind: StorageKind) => storageKinds[kind].bound === "quota";
export const limitedKinds = storageKindNames.filter(isLimited);
export const measuredKinds = storageKindNames.filter((kind) => !isLimited(kind));

/** SQL: the rows of a kind with their sizes, of the account $1; only those just stored, or all. */
export const rowsOf = (kind: StorageKind, isAdded: boolean) =>
  parts[kind]
    .filter(({ added }) => !isAdded || added !== undefined)
    .map(({ from, where = "true", bytes, added }) => {
      const which = isAdded ? added : "true";
      return `select ${bytes} as bytes from ${from} where t.account_id = $1 and ${where} and ${which}`;
    })
    .join(" union all ");
