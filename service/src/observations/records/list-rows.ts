import { scanPage } from "../../api/scan-page.ts";
import type { Queryable } from "../../db/index.ts";
import type { ParquetColumn } from "./parquet.ts";
import type { ObservationFilter, ObservationRecord } from "@querent/contract";
import { flatColumns } from "./flat-row.ts";
import { observationColumns, observationRecord, type ObservationRow } from "./observation-row.ts";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";

/**
 * `code`: of the failures of tasks, which have no import, entities and domains. `panelIds`: of these panels; null: of any, and of none.
 */
export type RowFilter = ObservationFilter & { readonly code?: string; readonly panelIds?: readonly string[] | null };

interface ObservationSelection {
  /** The conditions on columns of the index: account, panel or import, and time. */
  readonly range: string;
  /** The others; `true` if there are none. */
  readonly fits: string;
  /** No rows of the range are left out, or hardly any. */
  readonly isWhole: boolean;
  readonly values: readonly unknown[];
}

const columns = {
  runId: "run_id",
  batchId: "batch_id",
  taskId: "task_id",
  platformCode: "platform",
  locale: "locale",
  persona: "persona",
  promptId: "prompt_id",
  clientReference: "client_reference",
  code: "code",
} as const satisfies Partial<Record<keyof RowFilter, string>>;

const arrays = { tag: "tags", entityId: "entities", domain: "domains" } as const;

/** The selection of an account's rows. Index: the primary key, or that of the panel or import. */
export function selectionOf(accountId: string, filter: RowFilter): ObservationSelection {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const range = [`o.account_id = ${parameter(accountId)}`];
  if (filter.panelId !== undefined) range.push(`o.panel_id = ${parameter(filter.panelId)}`);
  if (filter.importId !== undefined) range.push(`o.import_id = ${parameter(filter.importId)}`);
  if (filter.observedFrom !== undefined)
    range.push(`o.id >= ${parameter(firstIdAt(millisecondAt(filter.observedFrom)))}`);
  if (filter.observedBefore !== undefined)
    range.push(`o.id < ${parameter(firstIdAt(millisecondAt(filter.observedBefore)))}`);
  const fits: string[] = [];
  for (const [member, column] of entries(columns))
    if (filter[member] !== undefined) fits.push(`o.${column} = ${parameter(filter[member])}`);
  for (const [member, column] of entries(arrays))
    if (filter[member] !== undefined) fits.push(`o.${column} @> array[${parameter(filter[member])}]${typeOf(member)}`);
  if ((filter.panelIds ?? null) !== null) fits.push(`o.panel_id = any(${parameter(filter.panelIds)}::uuid[])`);
  return {
    range: range.join(" and "),
    fits: fits.length === 0 ? "true" : fits.join(" and "),
    isWhole: fits.length === 0,
    values,
  };
}

const typeOf = (member: keyof typeof arrays) => (member === "entityId" ? "::uuid[]" : "::text[]");

const entries = <Key extends string, Value>(record: Readonly<Record<Key, Value>>) =>
  Object.entries(record) as [Key, Value][];

/** A table of what remains of tasks: its rows are of an account and a time, and may be of a panel. */
export interface ListedTable<Row extends { readonly id: string }, Listed> {
  readonly table: string;
  readonly columns: string;
  /** About how many characters a row `o` has, as SQL: rows that are read at once are bounded by it. */
  readonly chars: string;
  /** The public record of a row. */
  readonly recordOf: (row: Row) => Listed;
  /** The columns of CSV and Parquet. */
  readonly flat: readonly ParquetColumn<Listed>[];
}

interface ListedPage<Listed> {
  readonly records: Listed[];
  /** The last row examined: the next page starts below it. Null: there is nothing below. */
  readonly nextId: string | null;
}

type Scanned<Row> = Row & { fits: boolean; nth: number };

/** A page of the account's rows, newest first: those below `beforeId`. See `scanPage` for filters without an index. */
export async function listRows<Row extends { readonly id: string }, Listed>(
  db: Queryable,
  { table, columns, recordOf }: ListedTable<Row, Listed>,
  { accountId, filter }: { readonly accountId: string; readonly filter: RowFilter },
  page: { beforeId: string | null; limit: number },
): Promise<ListedPage<Listed>> {
  const { range, fits, isWhole, values } = selectionOf(accountId, filter);
  const { rows, next } = await scanPage<Scanned<Row>, string>(
    { before: page.beforeId, limit: page.limit, isWhole },
    (row) => row.id,
    async ({ before, rowsMax, wanted }) => {
      const [below, count, limit] = [1, 2, 3].map((index) => `$${values.length + index}`);
      // Reads `rowsMax` rows of the index, in order. The last row of the step is returned whether it fits or not: the next step
      // starts below it. Locks nothing.
      const { rows: scanned } = await db.query<Scanned<Row> & Record<string, unknown>>(
        `select ${columns}, o.fits, o.nth
           from (select o.*, ${fits} as fits
                   from (select o.*, row_number() over (order by o.id desc)::int as nth from ${table} o
                          where ${range} and o.id < coalesce(${below}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
                          order by o.id desc limit ${count}::int) o) o
          where o.fits or o.nth = ${count}::int
          order by o.id desc limit ${limit}::int + 1`,
        [...values, before, rowsMax, wanted],
      );
      return {
        rows: scanned.filter((row) => row.fits).slice(0, wanted),
        last: scanned.find(({ nth }) => nth === rowsMax)?.id ?? null,
      };
    },
  );
  return { records: rows.map(recordOf), nextId: next };
}

export const listedObservations: ListedTable<ObservationRow, ObservationRecord> = {
  table: "observations",
  columns: observationColumns,
  chars:
    "1000 + length(o.sources::text) + length(o.mentions::text) + length(o.cards::text) + coalesce(length(o.ads::text), 0)",
  recordOf: observationRecord,
  flat: flatColumns,
};

interface ObservationListPage {
  readonly observations: ObservationRecord[];
  /** The last observation examined: the next page starts below it. Null: there is nothing below. */
  readonly nextId: string | null;
}

/** A page of the account's observations, newest first: those below `beforeId`. */
export async function listObservations(
  db: Queryable,
  accountId: string,
  filter: RowFilter,
  page: { beforeId: string | null; limit: number },
): Promise<ObservationListPage> {
  const { records, nextId } = await listRows(db, listedObservations, { accountId, filter }, page);
  return { observations: records, nextId };
}
