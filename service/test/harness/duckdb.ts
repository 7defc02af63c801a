/** What DuckDB, with which many people read exported files, makes of them. */
export async function rowsInDuckDb(query: string, { timeZone = "UTC" } = {}): Promise<Record<string, unknown>[]> {
  // Imported here: it is native code of 70 MB, which few tests need.
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await connection.run(`set TimeZone = '${timeZone}'`);
    return (await connection.runAndReadAll(query)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
