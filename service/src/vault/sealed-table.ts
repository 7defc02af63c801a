import type { Database, Queryable } from "../db/index.ts";
import { MasterKeyError, type MasterKey } from "./master-key.ts";

/** A stored value that is encrypted with a master key. */
export interface SealedValue {
  readonly id: string;
  readonly sealed: Buffer;
}

/** A table with such values, as the room that it belongs to describes it. */
export interface SealedTable {
  readonly what: string;
  /** How many values there are of each key. `head`: the bytes by which `MasterKey` tells the key. */
  readonly count: (db: Queryable) => Promise<{ head: Buffer; values: number }[]>;
  /** The next values after this id that do not begin with `head`, by id. */
  readonly readOthers: (db: Queryable, head: Buffer, after: string | null, limit: number) => Promise<SealedValue[]>;
  /** The same value, encrypted with the current key. */
  readonly encryptAgain: (masterKey: MasterKey, value: SealedValue) => Buffer;
  /** Replaces each value that still is what it was. */
  readonly replace: (db: Queryable, values: readonly (SealedValue & { readonly former: Buffer })[]) => Promise<void>;
}

/** How many values are read and written in one transaction. */
const batchMax = 500;

/** The first bytes of a value in SQL: the layout, and from layout 2 on the key's id. */
export const headOf = (column: string) =>
  `substring(${column} from 1 for case get_byte(${column}, 0) when 1 then 1 else 5 end)`;

/**
 * Encrypts with the current key what is encrypted with another one. Running processes may change values meanwhile: such a value
 * is left. If it is interrupted, the next run finds what is left.
 */
export async function encryptAgain(
  database: Database,
  masterKey: MasterKey,
  table: SealedTable,
): Promise<{ changed: number; unreadable: number }> {
  const done = { changed: 0, unreadable: 0 };
  let after: string | null = null;
  for (;;) {
    const values = await table.readOthers(database, masterKey.head, after, batchMax);
    const last = values.at(-1);
    if (last === undefined) return done;
    const changed = values.flatMap((value) => {
      try {
        return [{ id: value.id, former: value.sealed, sealed: table.encryptAgain(masterKey, value) }];
      } catch (error) {
        if (!(error instanceof MasterKeyError)) throw error;
        done.unreadable++;
        return [];
      }
    });
    await table.replace(database, changed);
    done.changed += changed.length;
    after = last.id;
  }
}
