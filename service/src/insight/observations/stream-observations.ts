/** All observations of a selection, newest first, as JSON lines, CSV or Parquet. Memory holds one step of rows at a time. */
import { Readable } from "node:stream";
import type { ObservationFilter, ObservationRecord } from "@querent/contract";
import { csvLines } from "../../api/csv.ts";
import type { Queryable } from "../../db/index.ts";
import { observationColumns, observationRecord, type ObservationRow } from "./observation-row.ts";
import { parquetChunks } from "./parquet.ts";
import { selectionOf } from "./selection.ts";
import { flatColumns, flatRow } from "./flat-row.ts";

export const streamTypes = {
  "application/x-ndjson": "application/x-ndjson",
  "text/csv": "text/csv; charset=utf-8; header=present",
  "application/vnd.apache.parquet": "application/vnd.apache.parquet",
} as const;
export type StreamType = keyof typeof streamTypes;

/** The type that a client prefers to a page of JSON; null: it wants the page. */
export function streamTypeOf(accept: string | undefined): StreamType | null {
  const named = (accept ?? "").toLowerCase();
  return (Object.keys(streamTypes) as StreamType[]).find((type) => named.includes(type)) ?? null;
}

/** Rows that are read, and turned into bytes, at once. */
const rowsAtOnce = 1_000;

export interface StreamedSelection {
  readonly accountId: string;
  readonly filter: ObservationFilter;
  /** Called before each step: false ends the stream with an error. */
  readonly isAllowed: () => Promise<boolean>;
}

export function streamObservations(db: Queryable, selection: StreamedSelection, type: StreamType): Readable {
  return Readable.from(chunks(steps(db, selection), type), { objectMode: false });
}

async function* chunks(records: AsyncIterable<ObservationRecord[]>, type: StreamType) {
  if (type === "application/vnd.apache.parquet") {
    yield* parquetChunks(records, flatColumns);
    return;
  }
  if (type === "text/csv") yield csvLines([flatColumns.map(({ name }) => name)]);
  for await (const step of records)
    yield type === "text/csv"
      ? csvLines(step.map((record) => flatRow(record).map(cellOf)))
      : step.map((record) => `${JSON.stringify(record)}\n`).join("");
}

const cellOf = (value: ReturnType<typeof flatRow>[number]) => (value instanceof Date ? value.toISOString() : value);

async function* steps(
  db: Queryable,
  { accountId, filter, isAllowed }: StreamedSelection,
): AsyncGenerator<ObservationRecord[]> {
  const { range, fits, values } = selectionOf(accountId, filter);
  const [below, count] = [1, 2].map((index) => `$${values.length + index}`);
  for (let before: string | null = null; ;) {
    if (!(await isAllowed())) throw new Error("the token was revoked, or has expired");
    // As in the list: rows in the order of the index, then the filter. Locks nothing.
    const { rows }: { rows: (ObservationRow & { fits: boolean })[] } = await db.query(
      `select ${observationColumns}, ${fits} as fits from observations o
        where ${range} and o.id < coalesce(${below}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        order by o.id desc limit ${count}::int`,
      [...values, before, rowsAtOnce],
    );
    const fitting = rows.filter((row) => row.fits);
    if (fitting.length > 0) yield fitting.map(observationRecord);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    before = last.id;
  }
}
