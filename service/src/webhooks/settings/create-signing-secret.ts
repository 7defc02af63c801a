import { randomBytes } from "node:crypto";
import type { Database, Queryable } from "../../db/index.ts";
import { headOf, type MasterKey } from "../../vault/index.ts";

/** Called once at start: throws if a secret of the database was encrypted with a key that this process has not. */
export async function checkMasterKey(db: Queryable, masterKey: MasterKey): Promise<void> {
  // One secret of each key that was used.
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

/** Replaces the secrets of an account that nobody can decrypt any more. The version is the next one, as after a rotation. */
export async function replaceLostSecret(database: Database, masterKey: MasterKey, accountId: string): Promise<void> {
  await database.transaction(async (tx) => {
    // Locks: the account's webhook row, as a rotation does.
    const { rows } = await tx.query<{ version: number }>(
      "update webhooks set secret_version = secret_version + 1 where account_id = $1 returning secret_version as version",
      [accountId],
    );
    const version = rows[0]?.version ?? 1;
    await tx.query("delete from signing_secrets where account_id = $1", [accountId]);
    await tx.query("insert into signing_secrets (account_id, version, ciphertext) values ($1, $2, $3)", [
      accountId,
      version,
      masterKey.encrypt(newSecret(), accountId, version),
    ]);
  });
}
