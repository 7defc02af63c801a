import { createHash } from "node:crypto";
import { open, rename } from "node:fs/promises";
import type { Database } from "./pool.ts";

const rowsAtOnce = 1_000;

/**
 * Writes the rows of a table to a file, a JSON object per line. The file gets its name once it is complete and on disk. Returns
 * the number of rows and the SHA-256 of the file.
 */
export async function exportTable(
  database: Database,
  name: string,
  path: string,
): Promise<{ readonly rows: number; readonly sha256: string }> {
  const client = await database.connect();
  const hash = createHash("sha256");
  let count = 0;
  try {
    const file = await open(`${path}.part`, "w");
    try {
      await client.query("begin read only");
      await client.query("set local idle_in_transaction_session_timeout = 0");
      await client.query(`declare exported no scroll cursor for select row_to_json(t)::text as row from ${name} t`);
      for (;;) {
        const { rows } = await client.query<{ row: string }>(`fetch ${rowsAtOnce} from exported`);
        if (rows.length === 0) break;
        const lines = rows.map(({ row }) => `${row}\n`).join("");
        hash.update(lines);
        await file.write(lines);
        count += rows.length;
      }
      await client.query("commit");
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
  } finally {
    await client.end();
  }
  return { rows: count, sha256: hash.digest("hex") };
}
