/** A column of a file, and its value in a row. */
export interface ParquetColumn<Row> {
  readonly name: string;
  /** `INSTANT`: a time in UTC, to the millisecond. */
  readonly type: "STRING" | "INT32" | "DOUBLE" | "INSTANT";
  readonly of: (row: Row) => string | number | Date | null;
}

/** Rows of a row group: a file of ten million rows has a thousand groups, whose metadata is kept until its end. */
const groupRows = 10_000;
/** Characters of a row group, above which it ends: it is in memory, and written at once. */
const groupChars = 8 * 1024 * 1024;

/**
 * Rows as the bytes of a Parquet file, in chunks. The bytes of a row group are given away once it is written: only the
 * metadata of the row groups is kept until the end.
 */
export async function* parquetChunks<Row>(
  steps: AsyncIterable<Row[]>,
  columns: readonly ParquetColumn<Row>[],
): AsyncGenerator<Buffer> {
  const { ByteWriter, ParquetWriter } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [{ name: "root", num_children: columns.length }, ...columns.map(schemaOf)],
  });
  const drain = () => {
    const bytes = Buffer.from(writer.getBytes());
    writer.index = 0;
    return bytes;
  };
  let group = emptyGroup(columns);
  let [rows, chars] = [0, 0];
  const write = async () => {
    await file.write({ columnData: group, rowGroupSize: rows });
    group = emptyGroup(columns);
    [rows, chars] = [0, 0];
    return drain();
  };
  for await (const records of steps) {
    for (const record of records) {
      for (const [index, { of }] of columns.entries()) {
        const value = of(record);
        group[index]?.data.push(value);
        if (typeof value === "string") chars += value.length;
      }
      rows++;
      if (chars >= groupChars) yield await write();
    }
    if (rows >= groupRows) yield await write();
  }
  if (rows > 0) yield await write();
  await file.finish();
  yield drain();
}

/** Older readers know converted types only. Without the logical type, a reader takes an instant for a time in its own zone. */
const types = {
  STRING: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  INT32: { type: "INT32" },
  DOUBLE: { type: "DOUBLE" },
  INSTANT: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
} as const;

const schemaOf = ({ name, type }: Pick<ParquetColumn<never>, "name" | "type">) => ({
  name,
  repetition_type: "OPTIONAL" as const,
  ...types[type],
});

const emptyGroup = (columns: readonly { readonly name: string }[]) =>
  columns.map(({ name }) => ({ name, data: [] as (string | number | Date | null)[] }));
