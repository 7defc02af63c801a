import type { Database } from "../db/index.ts";
import type { MasterKey } from "./master-key.ts";
import { headOf, type SealedTable } from "./sealed-table.ts";

/**
 * A key for a purpose, stored encrypted, so that it outlives the master key. At its first use it is derived from the master key,
 * as it was before it was stored.
 */
export async function storedKey(database: Database, masterKey: MasterKey, purpose: string): Promise<Buffer> {
  // If another process is first, its key is used.
  await database.query("insert into stored_keys (purpose, sealed) values ($1, $2) on conflict do nothing", [
    purpose,
    masterKey.seal(masterKey.derive(purpose).toString("base64"), nameOf(purpose)),
  ]);
  const { rows } = await database.query<{ sealed: Buffer }>("select sealed from stored_keys where purpose = $1", [
    purpose,
  ]);
  const row = rows[0];
  if (row === undefined) throw new Error(`The key for ${purpose} that was just stored is not there.`);
  return Buffer.from(masterKey.open(row.sealed, nameOf(purpose)), "base64");
}

/** After the master key was lost: the next use makes new ones. */
export async function forgetStoredKeys(database: Database): Promise<void> {
  await database.query("delete from stored_keys");
}

export const sealedStoredKeys: SealedTable = {
  what: "keys of public addresses",
  count: async (db) =>
    (
      await db.query<{ head: Buffer; values: number }>(
        `select ${headOf("sealed")} as head, count(*)::int as values from stored_keys group by 1`,
      )
    ).rows,
  readOthers: async (db, head, after, limit) =>
    (
      await db.query<{ id: string; sealed: Buffer }>(
        `select purpose as id, sealed from stored_keys
          where ${headOf("sealed")} <> $1 and purpose > coalesce($2, '') order by purpose limit $3`,
        [head, after, limit],
      )
    ).rows,
  encryptAgain: (masterKey, { id, sealed }) => masterKey.seal(masterKey.open(sealed, nameOf(id)), nameOf(id)),
  async replace(db, values) {
    // Locks: the rows, for this statement.
    for (const { id, former, sealed } of values)
      await db.query("update stored_keys set sealed = $3 where purpose = $1 and sealed = $2", [id, former, sealed]);
  },
};

const nameOf = (purpose: string) => `stored key ${purpose}`;
