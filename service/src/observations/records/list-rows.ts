import { scanPage } from "../../api/scan-page.ts";
import type { Queryable } from "../../db/index.ts";
import type { ParquetColumn } from "./parquet.ts";
import { selectionOf, type RowFilter } from "./selection.ts";
import type { ObservationFilter, ObservationRecord } from "@querent/contract";
import { flatColumns } from "./flat-row.ts";
import { observationColumns, observationRecord, type ObservationRow } from "./observation-row.ts";

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

export interface ListedPage<Listed> {
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

export interface ObservationListPage {
  readonly observations: ObservationRecord[];
  /** The last observation examined: the next page starts below it. Null: there is nothing below. */
  readonly nextId: string | null;
}

/** A page of the account's observations, newest first: those below `beforeId`. */
export async function listObservations(
  db: Queryable,
  accountId: string,
  filter: ObservationFilter,
  page: { beforeId: string | null; limit: number },
): Promise<ObservationListPage> {
  const { records, nextId } = await listRows(db, listedObservations, { accountId, filter }, page);
  return { observations: records, nextId };
}
