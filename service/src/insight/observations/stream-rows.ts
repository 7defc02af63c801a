/** All rows of a selection, newest first, as JSON lines, CSV or Parquet. Memory holds one step of rows at a time. */
import { Readable } from "node:stream";
import { csvLines } from "@querent/client";
import { negotiate } from "../../api/negotiate.ts";
import type { Queryable } from "../../db/index.ts";
import type { ListedTable } from "./list-rows.ts";
import { parquetChunks, type ParquetColumn } from "./parquet.ts";
import { selectionOf, type RowFilter } from "./selection.ts";

export const streamTypes = {
  "application/x-ndjson": "application/x-ndjson",
  "text/csv": "text/csv; charset=utf-8; header=present",
  "application/vnd.apache.parquet": "application/vnd.apache.parquet",
} as const;
export type StreamType = keyof typeof streamTypes;

/** The type that a client prefers to a page of JSON; null: it prefers the page, or accepts neither. */
export function streamTypeOf(accept: string | undefined): StreamType | null {
  const type = negotiate(accept, [
    "application/json",
    "application/x-ndjson",
    "text/csv",
    "application/vnd.apache.parquet",
  ]);
  return type === "application/json" ? null : type;
}

/** Rows that are read, and turned into bytes, at once. */
const rowsAtOnce = 1_000;

export interface StreamedSelection {
  readonly accountId: string;
  readonly filter: RowFilter;
  /** Called before each step: false ends the stream with an error. */
  readonly isAllowed: () => Promise<boolean>;
}

export function streamRows<Row extends { readonly id: string }, Listed>(
  db: Queryable,
  listed: ListedTable<Row, Listed>,
  selection: StreamedSelection,
  type: StreamType,
): Readable {
  return Readable.from(chunks(steps(db, listed, selection), listed.flat, type), { objectMode: false });
}

async function* chunks<Listed>(
  records: AsyncIterable<Listed[]>,
  columns: readonly ParquetColumn<Listed>[],
  type: StreamType,
) {
  if (type === "application/vnd.apache.parquet") {
    yield* parquetChunks(records, columns);
    return;
  }
  if (type === "text/csv") yield csvLines([columns.map(({ name }) => name)]);
  for await (const step of records)
    yield type === "text/csv"
      ? csvLines(step.map((record) => columns.map(({ of }) => cellOf(of(record)))))
      : step.map((record) => `${JSON.stringify(record)}\n`).join("");
}

const cellOf = (value: string | number | Date | null) => (value instanceof Date ? value.toISOString() : value);

async function* steps<Row extends { readonly id: string }, Listed>(
  db: Queryable,
  { table, columns, recordOf }: ListedTable<Row, Listed>,
  { accountId, filter, isAllowed }: StreamedSelection,
): AsyncGenerator<Listed[]> {
  const { range, fits, values } = selectionOf(accountId, filter);
  const [below, count] = [1, 2].map((index) => `$${values.length + index}`);
  for (let before: string | null = null; ;) {
    if (!(await isAllowed())) throw new Error("the token was revoked, or has expired");
    // As in the list: rows in the order of the index, then the filter. Locks nothing.
    const { rows }: { rows: (Row & { fits: boolean })[] } = await db.query(
      `select ${columns}, ${fits} as fits from ${table} o
        where ${range} and o.id < coalesce(${below}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        order by o.id desc limit ${count}::int`,
      [...values, before, rowsAtOnce],
    );
    const fitting = rows.filter((row) => row.fits);
    if (fitting.length > 0) yield fitting.map(recordOf);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    before = last.id;
  }
}
