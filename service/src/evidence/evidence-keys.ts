/**
 * The keys that sign evidence. One is current; earlier ones are kept without their private key, so that their signatures can
 * still be verified.
 */
import { createPrivateKey, type KeyObject } from "node:crypto";
import { generateKeyPair, type PublicKey } from "@querent/evidence";
import type { Database, Queryable } from "../db/index.ts";
import { headOf, type SealedTable } from "../vault/index.ts";

/** Encrypts a stored value, under a name for what it is. */
export interface Encrypter {
  seal(plain: string, name: string): Buffer;
  open(stored: Buffer, name: string): string;
}

export interface SigningKey {
  readonly publicKey: PublicKey;
  readonly privateKey: KeyObject;
}

interface KeyRow {
  kid: string;
  x: string;
  sealed: Buffer | null;
}

/** The current signing key; created on first use. */
export async function signingKey(database: Database, encrypter: Encrypter): Promise<SigningKey> {
  const known = await current(database, encrypter);
  if (known !== null) return known;
  await insertKey(database, encrypter);
  // Another process may have been first: its key is used then.
  const made = await current(database, encrypter);
  if (made === null) throw new Error("The evidence key that was just made is not there.");
  return made;
}

/** Replaces the current signing key, whose private key is destroyed. */
export async function rotateSigningKey(database: Database, encrypter: Encrypter): Promise<PublicKey> {
  return database.transaction(async (tx) => {
    // Locks: the row of the current key. A second rotation waits for the first, and then finds another row.
    await tx.query("update evidence_keys set retired_at = now(), sealed = null where retired_at is null");
    await insertKey(tx, encrypter);
    const made = await current(tx, encrypter);
    if (made === null) throw new Error("The evidence key that was just made is not there.");
    return made.publicKey;
  });
}

/** Every key that was ever used here, the current one first. */
export async function publishedKeys(db: Queryable): Promise<readonly PublicKey[]> {
  const { rows } = await db.query<KeyRow>("select kid, x from evidence_keys order by created_at desc, kid");
  return rows.map(publicKeyOf);
}

/** The private keys, for a change of the master key. */
export const sealedEvidenceKeys: SealedTable = {
  what: "evidence keys",
  count: async (db) =>
    (
      await db.query<{ head: Buffer; values: number }>(
        `select ${headOf("sealed")} as head, count(*)::int as values from evidence_keys where sealed is not null group by 1`,
      )
    ).rows,
  readOthers: async (db, head, after, limit) =>
    (
      await db.query<{ id: string; sealed: Buffer }>(
        `select kid as id, sealed from evidence_keys
          where sealed is not null and ${headOf("sealed")} <> $1 and kid > coalesce($2, '') order by kid limit $3`,
        [head, after, limit],
      )
    ).rows,
  encryptAgain: (masterKey, { id, sealed }) => masterKey.seal(masterKey.open(sealed, nameOf(id)), nameOf(id)),
  async replace(db, values) {
    // Locks: the rows, for this statement. A key that was retired meanwhile stays destroyed.
    for (const { id, former, sealed } of values)
      await db.query("update evidence_keys set sealed = $3 where kid = $1 and sealed = $2", [id, former, sealed]);
  },
};

async function current(db: Queryable, encrypter: Encrypter): Promise<SigningKey | null> {
  // Index: evidence_keys_current.
  const { rows } = await db.query<KeyRow>("select kid, x, sealed from evidence_keys where retired_at is null");
  const row = rows[0];
  if (row === undefined || row.sealed === null) return null;
  return { publicKey: publicKeyOf(row), privateKey: createPrivateKey(encrypter.open(row.sealed, nameOf(row.kid))) };
}

async function insertKey(db: Queryable, encrypter: Encrypter): Promise<void> {
  const { publicKey, privateKey } = generateKeyPair();
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  await db.query(
    `insert into evidence_keys (kid, x, sealed) values ($1, $2, $3)
     on conflict ((retired_at is null)) where retired_at is null do nothing`,
    [publicKey.kid, publicKey.x, encrypter.seal(pem, nameOf(publicKey.kid))],
  );
}

const nameOf = (kid: string) => `evidence key ${kid}`;
const publicKeyOf = ({ kid, x }: Pick<KeyRow, "kid" | "x">): PublicKey => ({ kid, kty: "OKP", crv: "Ed25519", x });
