/** A column of a file, and its value in a row. */
export interface ParquetColumn<Row> {
  readonly name: string;
  readonly type: "STRING" | "INT32" | "DOUBLE" | "TIMESTAMP";
  readonly of: (row: Row) => string | number | Date | null;
}

/** Rows of a row group: a file of ten million rows has a thousand groups, whose metadata is kept until its end. */
const groupRows = 10_000;

/**
 * Rows as the bytes of a Parquet file, in chunks. The bytes of a row group are given away once it is written: only the
 * metadata of the row groups is kept until the end.
 */
export async function* parquetChunks<Row>(
  steps: AsyncIterable<Row[]>,
  columns: readonly ParquetColumn<Row>[],
): AsyncGenerator<Buffer> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import("hyparquet-writer");
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: columnData(columns, []) }) });
  const drain = () => {
    const bytes = Buffer.from(writer.getBytes());
    writer.index = 0;
    return bytes;
  };
  let group: Row[] = [];
  const write = async () => {
    await file.write({ columnData: columnData(columns, group), rowGroupSize: group.length });
    group = [];
    return drain();
  };
  for await (const records of steps) {
    group.push(...records);
    if (group.length >= groupRows) yield await write();
  }
  if (group.length > 0) yield await write();
  await file.finish();
  yield drain();
}

function columnData<Row>(columns: readonly ParquetColumn<Row>[], rows: readonly Row[]) {
  return columns.map(({ name, type, of }) => ({ name, type, nullable: true, data: rows.map(of) }));
}
