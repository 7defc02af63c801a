/** Keys of vendors in the database, each encrypted under the name of the variable in whose place it stands. */
import type { Database, Queryable } from "../db/index.ts";
import { headOf, type MasterKey, type SealedTable } from "../vault/index.ts";

export class SetupError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SetupError";
  }
}

/** Of a shorter key the ending would reveal too much. */
const lengthWithEnding = 16;

/** Stores a key in place of the former one. Throws `SetupError`, whose message does not contain it. */
export async function putKey(
  db: Queryable,
  masterKey: MasterKey,
  { variable, key }: { readonly variable: string; readonly key: string },
): Promise<void> {
  if (!/^[\x21-\x7e]{1,1000}$/.test(key))
    throw new SetupError("This is no key: a key has 1 to 1000 printable ASCII characters, and no spaces.");
  const ending = key.length < lengthWithEnding ? null : key.slice(-4);
  // Locks: the key's row. Index: the primary key.
  await db.query(
    `insert into platform_keys (variable, sealed, ending, stored_at)
     values ($1, $2, $3, date_trunc('milliseconds', clock_timestamp()))
     on conflict (variable) do update
        set sealed = excluded.sealed, ending = excluded.ending, stored_at = excluded.stored_at`,
    [variable, masterKey.seal(key, sealNameOf(variable)), ending],
  );
}

/** False: none is stored. */
export async function deleteKey(db: Queryable, variable: string): Promise<boolean> {
  const { rowCount } = await db.query("delete from platform_keys where variable = $1", [variable]);
  return rowCount === 1;
}

export interface KeyRow {
  readonly variable: string;
  readonly sealed: Buffer;
  readonly ending: string | null;
  readonly storedAt: Date;
}

export async function readKeys(db: Queryable): Promise<KeyRow[]> {
  // No index: an installation has a few keys.
  const { rows } = await db.query<KeyRow>(
    `select variable, sealed, ending, stored_at as "storedAt" from platform_keys order by variable`,
  );
  return rows;
}

export const openKey = (masterKey: MasterKey, { variable, sealed }: Pick<KeyRow, "variable" | "sealed">): string =>
  masterKey.open(sealed, sealNameOf(variable));

const sealNameOf = (variable: string) => `platform key ${variable}`;

export const sealedKeys: SealedTable = {
  what: "keys of model APIs",
  count: async (db) =>
    (
      await db.query<{ head: Buffer; values: number }>(
        `select ${headOf("sealed")} as head, count(*)::int as values from platform_keys group by 1`,
      )
    ).rows,
  readOthers: async (db, head, after, limit) =>
    (
      await db.query<{ id: string; sealed: Buffer }>(
        `select variable as id, sealed from platform_keys
          where ${headOf("sealed")} <> $1 and variable > coalesce($2, '') order by variable limit $3`,
        [head, after, limit],
      )
    ).rows,
  encryptAgain: (masterKey, { id, sealed }) =>
    masterKey.seal(openKey(masterKey, { variable: id, sealed }), sealNameOf(id)),
  async replace(db, values) {
    // Locks: the rows, for this statement. A key that was replaced meanwhile stays.
    for (const { id, former, sealed } of values)
      await db.query("update platform_keys set sealed = $3 where variable = $1 and sealed = $2", [id, former, sealed]);
  },
};

/** After the master key was lost: these are stored anew. */
export async function forgetKeys(database: Database, variables: readonly string[]): Promise<void> {
  await database.query("delete from platform_keys where variable = any($1)", [variables]);
}
