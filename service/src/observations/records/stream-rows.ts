/**
 * All rows of a selection, newest first, as JSON lines, CSV or Parquet. Memory holds one step of rows at a time, which is bounded by
 * their characters, and is turned into bytes in slices.
 */
import { Readable } from "node:stream";
import { csvLines } from "@querent/client";
import { negotiate } from "../../api/negotiate.ts";
import type { Queryable } from "../../db/index.ts";
import { yieldToEventLoop } from "../../runtime/slices.ts";
import { type ListedTable, selectionOf, type RowFilter } from "./list-rows.ts";
import { parquetChunks, type ParquetColumn } from "./parquet.ts";
import type { ObservationRecord } from "@querent/contract";
import { firstIdAt, millisecondAt } from "../../kernel/ids.ts";
import { observationColumns, observationRecord, type ObservationRow } from "./observation-row.ts";

export const streamTypes = {
  "application/x-ndjson": "application/x-ndjson",
  "text/csv": "text/csv; charset=utf-8; header=present",
  "application/vnd.apache.parquet": "application/vnd.apache.parquet",
} as const;
type StreamType = keyof typeof streamTypes;

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

/** Rows that are read at once, and their characters, unless a single row has more. */
const rowsAtOnce = 1_000;
const charsAtOnce = 2 * 1024 * 1024;
/** Rows that are turned into bytes at once. */
const rowsOfSlice = 25;

interface StreamedSelection {
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
    yield* parquetChunks(inSlices(records), columns);
    return;
  }
  if (type === "text/csv") yield csvLines([columns.map(({ name }) => name)]);
  for await (const step of inSlices(records))
    yield type === "text/csv"
      ? csvLines(step.map((record) => columns.map(({ of }) => cellOf(of(record)))))
      : step.map((record) => `${JSON.stringify(record)}\n`).join("");
}

async function* inSlices<Listed>(steps: AsyncIterable<Listed[]>): AsyncGenerator<Listed[], void, void> {
  for await (const step of steps)
    for (let from = 0; from < step.length; from += rowsOfSlice) {
      yield step.slice(from, from + rowsOfSlice);
      await yieldToEventLoop();
    }
}

const cellOf = (value: string | number | Date | null) => (value instanceof Date ? value.toISOString() : value);

async function* steps<Row extends { readonly id: string }, Listed>(
  db: Queryable,
  { table, columns, chars, recordOf }: ListedTable<Row, Listed>,
  { accountId, filter, isAllowed }: StreamedSelection,
): AsyncGenerator<Listed[]> {
  const { range, fits, values } = selectionOf(accountId, filter);
  const [below, count] = [1, 2].map((index) => `$${values.length + index}`);
  let limit = 50;
  for (let before: string | null = null; ;) {
    if (!(await isAllowed())) throw new Error("the token was revoked, or has expired");
    // As in the list: rows in the order of the index, then the filter. Of long rows, only as many as fit into a step are sent. Locks nothing.
    const { rows }: { rows: (Row & { fits: boolean; read_count: number })[] } = await db.query(
      `select * from (
         select *, sum(row_chars) over (order by id desc) - row_chars as chars_before, (count(*) over ())::int as read_count from (
           select ${columns}, ${fits} as fits, ${chars} as row_chars from ${table} o
            where ${range} and o.id < coalesce(${below}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            order by o.id desc limit ${count}::int) some_rows) step
        where chars_before < ${charsAtOnce} order by id desc`,
      [...values, before, limit],
    );
    const fitting = rows.filter((row) => row.fits);
    if (fitting.length > 0) yield fitting.map(recordOf);
    const last = rows.at(-1);
    if (last === undefined || (last.read_count < limit && rows.length === last.read_count)) return;
    before = last.id;
    limit = Math.min(rowsAtOnce, rows.length < last.read_count ? Math.max(4, 2 * rows.length) : 4 * limit);
  }
}

/** Rows that are read at once: few, because each may have many sources. */
const panelRowsAtOnce = 200;

/** The public records of a panel's answers in a window, oldest first, with the mentions of its own project. */
export async function* panelRecords(
  db: Queryable,
  selection: {
    readonly accountId: string;
    readonly panelId: string;
    readonly from: string;
    readonly to: string;
    /** Null: all. */
    readonly entities: ReadonlySet<string> | null;
  },
): AsyncGenerator<ObservationRecord[]> {
  const { accountId, panelId, from, to, entities } = selection;
  const apart = (record: ObservationRecord): ObservationRecord =>
    entities === null
      ? record
      : { ...record, mentions: record.mentions.filter(({ entityId }) => entities.has(entityId)) };
  for (let after: string | null = null; ;) {
    // Index: observations_panel, in its order. Locks nothing.
    const { rows }: { rows: ObservationRow[] } = await db.query<ObservationRow & Record<string, unknown>>(
      `select ${observationColumns} from observations o
        where o.account_id = $1 and o.panel_id = $2 and o.id >= $3::uuid and o.id < $4::uuid and o.prompt_id is not null
          and ($5::uuid is null or o.id > $5)
        order by o.id limit $6::int`,
      [accountId, panelId, firstIdAt(millisecondAt(from)), firstIdAt(millisecondAt(to)), after, panelRowsAtOnce],
    );
    if (rows.length > 0) yield rows.map((row) => apart(observationRecord(row)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < panelRowsAtOnce) return;
    after = last.id;
  }
}
