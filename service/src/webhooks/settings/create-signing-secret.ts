import { randomBytes } from "node:crypto";
import type { Queryable } from "../../db/index.ts";
import type { MasterKey } from "../../vault/index.ts";

/** Called once at start: throws if the database's secrets were encrypted with another key. */
export async function checkMasterKey(db: Queryable, masterKey: MasterKey): Promise<void> {
  const { rows } = await db.query<{ account_id: string; version: number; ciphertext: Buffer }>(
    "select account_id, version, ciphertext from signing_secrets limit 1",
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
