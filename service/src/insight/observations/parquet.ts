import type { ObservationRecord } from "@querent/contract";
import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { flatColumns } from "./flat-row.ts";

/** Rows of a row group: a file of ten million rows has a thousand groups, whose metadata is kept until its end. */
const groupRows = 10_000;

/**
 * Observations as the bytes of a Parquet file, in chunks. The bytes of a row group are given away once it is written: only the
 * metadata of the row groups is kept until the end.
 */
export async function* parquetChunks(steps: AsyncIterable<ObservationRecord[]>): AsyncGenerator<Buffer> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: schemaFromColumnData({ columnData: columnData([]) }) });
  const drain = () => {
    const bytes = Buffer.from(writer.getBytes());
    writer.index = 0;
    return bytes;
  };
  let group: ObservationRecord[] = [];
  const write = async () => {
    await file.write({ columnData: columnData(group), rowGroupSize: group.length });
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

function columnData(records: readonly ObservationRecord[]) {
  return flatColumns.map(({ name, type, of }) => ({ name, type, nullable: true, data: records.map(of) }));
}
