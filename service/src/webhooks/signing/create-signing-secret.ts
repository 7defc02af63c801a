import { randomBytes } from "node:crypto";
import type { Database, Queryable } from "../../db/index.ts";
import { headOf, type MasterKey } from "../../vault/index.ts";

/** Called once at start: throws if a secret of the database was encrypted with a key that this process has not. */
export async function checkMasterKey(db: Queryable, masterKey: MasterKey): Promise<void> {
  // One secret for each key that was used.
  const { rows } = await db.query<{ account_id: string; version: number; ciphertext: Buffer }>(
    `select distinct on (${headOf("ciphertext")}) account_id, version, ciphertext from signing_secrets`,
  );
  for (const row of rows) masterKey.decrypt(row.ciphertext, row.account_id, row.version);
}

/** Whether the database holds a secret, and therefore already depends on a master key. */
export async function holdsSecrets(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>("select exists (select from signing_secrets) as any");
  return rows[0]?.any === true;
}

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}

/** Creates an account's first secret, its webhook row and its turn in the notifiers' line, in the transaction that creates the account. */
export async function createSigningSecret(tx: Queryable, masterKey: MasterKey, accountId: string): Promise<void> {
  await tx.query(
    `with webhook as (insert into webhooks (account_id, secret_version) values ($1, 1)),
          turn as (insert into delivery_turns (account_id) values ($1))
     insert into signing_secrets (account_id, version, ciphertext) values ($1, 1, $2)`,
    [accountId, masterKey.encrypt(newSecret(), accountId, 1)],
  );
}

/**
 * Gives an account its next secret. The last one stays valid beside it for `previousValidSeconds`; with 0 it is deleted, as are
 * all older ones. Does nothing if there is no such account.
 */
export async function replaceSecret(
  tx: Queryable,
  masterKey: MasterKey,
  accountId: string,
  previousValidSeconds: number,
): Promise<void> {
  // Locks: the account's webhook row, so that concurrent replacements get different versions.
  const { rows } = await tx.query<{ version: number }>(
    "update webhooks set secret_version = secret_version + 1 where account_id = $1 returning secret_version as version",
    [accountId],
  );
  const version = rows[0]?.version;
  if (version === undefined) return;
  await tx.query("delete from signing_secrets where account_id = $1 and ($3 <= 0 or version < $2 - 1)", [
    accountId,
    version,
    previousValidSeconds,
  ]);
  await tx.query("update signing_secrets set valid_until = now() + make_interval(secs => $2) where account_id = $1", [
    accountId,
    previousValidSeconds,
  ]);
  await tx.query("insert into signing_secrets (account_id, version, ciphertext) values ($1, $2, $3)", [
    accountId,
    version,
    masterKey.encrypt(newSecret(), accountId, version),
  ]);
}

/** Replaces the secrets of an account that nobody can decrypt any more. */
export async function replaceLostSecret(database: Database, masterKey: MasterKey, accountId: string): Promise<void> {
  await database.transaction((tx) => replaceSecret(tx, masterKey, accountId, 0));
}
