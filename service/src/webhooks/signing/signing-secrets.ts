/**
 * The current signing secrets of an account. **Invariant: after a rotation has returned, no signing that starts later uses the
 * former secret.** A secret that was read is valid for `signingLifeMs`, counted by the reader's own clock from before the read,
 * and a rotation returns only when it has been committed for that long. So a process that still uses the former secret started
 * before the rotation returned, on any machine, and no two clocks are compared. Reading the secrets for each delivery took a
 * tenth of a busy service's processor time.
 */
import DataLoader from "dataloader";
import { LRUCache } from "lru-cache";
import { secretPrefixes } from "../../kernel/secret-prefixes.ts";
import { rowsAs, type Queryable, type Database } from "../../db/index.ts";
import { MasterKeyError, headOf, type MasterKey, type SealedTable, type SealedValue } from "../../vault/index.ts";
import type { Signing } from "./signature.ts";
import { randomBytes } from "node:crypto";

export const signingLifeMs = 200;

interface Kept {
  readonly signing: Signing;
  readonly goodUntil: number;
  /** Whether the secret was used since it was read. */
  used: boolean;
}

/** The maximum of accounts whose secrets are cached in memory, decrypted. */
const keptMax = 1_000;

export class SigningSecrets {
  readonly #kept = new LRUCache<string, Kept>({ max: keptMax });
  readonly #reads: DataLoader<string, Signing | undefined>;

  constructor(database: Queryable, masterKey: MasterKey) {
    this.#reads = new DataLoader(
      async (accountIds) => {
        const askedAt = performance.now();
        const read = await readSigning(database, masterKey, [...new Set([...accountIds, ...this.#soonAsked(askedAt)])]);
        for (const [accountId, { signing, previousMs }] of read) {
          if (signing instanceof MasterKeyError) continue;
          const goodUntil = askedAt + Math.min(signingLifeMs, previousMs ?? signingLifeMs);
          this.#kept.set(accountId, { signing, goodUntil, used: false });
        }
        return accountIds.map((accountId) => read.get(accountId)?.signing);
      },
      { cache: false, maxBatchSize: keptMax },
    );
  }

  /** The account's secret; undefined if there is no such account. */
  async of(accountId: string): Promise<Signing | undefined> {
    const kept = this.#kept.get(accountId);
    if (kept === undefined || performance.now() >= kept.goodUntil) return this.#reads.load(accountId);
    kept.used = true;
    return kept.signing;
  }

  /** The secrets in use that expire soon. They are read with the wanted one, which saves a read for each. */
  #soonAsked(now: number): string[] {
    return [...this.#kept].flatMap(([accountId, { used, goodUntil }]) =>
      used && goodUntil - now < signingLifeMs / 2 ? [accountId] : [],
    );
  }
}

interface SecretRow {
  account_id: string;
  version: number;
  ciphertext: Buffer;
  previous_ciphertext: Buffer | null;
  /** The time for which the secret remains valid. */
  previous_ms: number | null;
}

/** A secret that cannot be decrypted affects only its account. */
export async function readSigning(
  db: Queryable,
  masterKey: MasterKey,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, { signing: Signing | MasterKeyError; previousMs: number | null }>> {
  // Indexes: the primary keys.
  const { rows } = await db.query<SecretRow>({
    name: "read_secrets",
    text: `select w.account_id, s.version, s.ciphertext, p.ciphertext as previous_ciphertext,
                  (extract(epoch from p.valid_until - now()) * 1000)::float8 as previous_ms
             from unnest($1::uuid[]) as k(account_id)
             join webhooks w on w.account_id = k.account_id
             join signing_secrets s on s.account_id = w.account_id and s.version = w.secret_version
             left join signing_secrets p on p.account_id = w.account_id and p.version = w.secret_version - 1 and p.valid_until > now()`,
    values: [accountIds],
  });
  return new Map(
    rows.map((row) => [row.account_id, { signing: decrypt(masterKey, row), previousMs: row.previous_ms }]),
  );
}

function decrypt(masterKey: MasterKey, row: SecretRow): Signing | MasterKeyError {
  const { account_id: accountId, version, ciphertext, previous_ciphertext: previous } = row;
  try {
    return {
      secret: masterKey.decrypt(ciphertext, accountId, version),
      secretVersion: version,
      previousSecret: previous === null ? null : masterKey.decrypt(previous, accountId, version - 1),
    };
  } catch (error) {
    if (error instanceof MasterKeyError) return error;
    throw error;
  }
}

const idOf = "account_id::text || '/' || version";

const replacedRows = rowsAs<SealedValue & { readonly former: Buffer }>("k", {
  id: ["text", (value) => value.id],
  former: ["bytea", (value) => value.former],
  sealed: ["bytea", (value) => value.sealed],
});

/** The signing secrets, for a change of the master key. */
export const sealedSecrets: SealedTable = {
  what: "signing secrets",
  count: async (db) =>
    (
      await db.query<{ head: Buffer; values: number }>(
        `select ${headOf("ciphertext")} as head, count(*)::int as values from signing_secrets group by 1`,
      )
    ).rows,
  async readOthers(db, head, after, limit) {
    const [accountId, version] = after?.split("/") ?? ["00000000-0000-0000-0000-000000000000", "0"];
    // Index: the primary key, in its order.
    const { rows } = await db.query<{ id: string; sealed: Buffer }>(
      `select ${idOf} as id, ciphertext as sealed from signing_secrets
        where ${headOf("ciphertext")} <> $1 and (account_id, version) > ($2::uuid, $3::integer)
        order by account_id, version limit $4`,
      [head, accountId, version, limit],
    );
    return rows;
  },
  encryptAgain(masterKey, { id, sealed }) {
    const [accountId = "", version] = id.split("/");
    return masterKey.encrypt(masterKey.decrypt(sealed, accountId, Number(version)), accountId, Number(version));
  },
  async replace(db, values) {
    // Locks: the rows, for this statement, in the order of their ids.
    await db.query(
      `update signing_secrets s set ciphertext = k.sealed
         from ${replacedRows.after(0)}
        where s.account_id = split_part(k.id, '/', 1)::uuid and s.version = split_part(k.id, '/', 2)::integer
          and s.ciphertext = k.former`,
      replacedRows.values(values),
    );
  },
};

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
  return `${secretPrefixes.signing}${randomBytes(32).toString("base64url")}`;
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
