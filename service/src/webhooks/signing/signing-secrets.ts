/**
 * The current signing secrets of an account. **Invariant: after a rotation has returned, no signing that starts later uses the
 * former secret.** A secret that was read is valid for `signingLifeMs`, counted by the reader's own clock from before the read,
 * and a rotation returns only when it has been committed for that long. So a process that still uses the former secret started
 * before the rotation returned, on any machine, and no two clocks are compared. Reading the secrets for each delivery took a
 * tenth of a busy service's processor time.
 */
import DataLoader from "dataloader";
import { LRUCache } from "lru-cache";
import type { Queryable } from "../../db/index.ts";
import { MasterKeyError, type MasterKey } from "../../vault/index.ts";
import type { Signing } from "./signature.ts";

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
