import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database, migrate } from "../../service/src/db/index.ts";
import { startEmbedded } from "../../service/src/db/embedded/index.ts";
import { describeSchema } from "./describe-schema.ts";

/** service/src/db/schema.sql: the result of the migrations in an empty database. */
export async function migratedSchema(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "querent-reference-"));
  try {
    await using postgres = await startEmbedded({ dataDir: folder, settings: { fsync: false } });
    const database = new Database({ connection: { ...postgres.connection }, connectionsMax: 2 });
    try {
      await migrate(database);
      return await describeSchema(database);
    } finally {
      await database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
