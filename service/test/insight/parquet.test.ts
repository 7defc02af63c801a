/** Parquet files of observations, as DuckDB reads them. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { flatColumns } from "../../src/observations/records/flat-row.ts";
import { parquetChunks, type ParquetColumn } from "../../src/observations/records/parquet.ts";
import { rowsInDuckDb } from "../harness/duckdb.ts";
import { temporaryFolder } from "../harness/process.ts";

interface Row {
  readonly at: string | null;
  readonly text: string | null;
  readonly count: number | null;
}

const columns: readonly ParquetColumn<Row>[] = [
  { name: "at", type: "INSTANT", of: ({ at }) => (at === null ? null : new Date(at)) },
  { name: "text", type: "STRING", of: ({ text }) => text },
  { name: "count", type: "INT32", of: ({ count }) => count },
  { name: "half", type: "DOUBLE", of: ({ count }) => (count === null ? null : count / 2) },
];
const rows: readonly Row[] = [
  { at: "2026-03-29T00:59:59.999Z", text: "日本", count: -1 },
  { at: "2026-03-29T01:00:00.000Z", text: "", count: 3 },
  { at: "1969-12-31T23:59:59.001Z", text: null, count: null },
  { at: null, text: "=1\r\n", count: 2 ** 31 - 1 },
];

test("times are instants: a window finds the same rows in every time zone", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "rows.parquet");
  async function* steps() {
    yield rows.slice(0, 3);
    yield rows.slice(3);
  }
  writeFileSync(file, Buffer.concat(await Array.fromAsync(parquetChunks(steps(), columns))));
  for (const timeZone of ["UTC", "America/Los_Angeles", "Asia/Kolkata"]) {
    assert.deepEqual(
      await rowsInDuckDb(`select epoch_ms("at")::double as "at", text, count, half from '${file}'`, { timeZone }),
      rows.map(({ at, text, count }) => ({
        ...{ at: at === null ? null : Date.parse(at), text, count, half: count === null ? null : count / 2 },
      })),
      timeZone,
    );
    const window = `"at" >= '2026-03-29T00:59:59.999Z' and "at" < '2026-03-29T01:00:00Z'`;
    assert.deepEqual(
      await rowsInDuckDb(`select typeof("at") as kind, text from '${file}' where ${window}`, { timeZone }),
      [{ kind: "TIMESTAMP WITH TIME ZONE", text: "日本" }],
      timeZone,
    );
  }
});

test("a file without rows has the columns", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "none.parquet");
  async function* none() {}
  writeFileSync(file, Buffer.concat(await Array.fromAsync(parquetChunks(none(), flatColumns))));
  const described = await rowsInDuckDb(`describe select * from '${file}'`);
  assert.deepEqual(
    described.map((column) => column["column_name"]),
    flatColumns.map(({ name }) => name),
  );
});
