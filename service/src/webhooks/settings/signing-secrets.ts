/**
 * What signs for an account now. **Invariant: after a rotation has answered, no signing that starts later uses the former
 * secret.** What was read is good for `signingLifeMs`, counted by the reader's own clock from before it asked; and a rotation
 * answers only when it has been committed for that long. So whoever still uses the former secret started before the answer, on
 * whatever machine, and no two clocks are compared. Read for each delivery instead, secrets took a tenth of a busy service.
 */
import type { Database } from "../../db/index.ts";
import { MasterKeyError, type MasterKey } from "../../vault/index.ts";
import { SharedReads } from "../send/shared-reads.ts";

export const signingLifeMs = 200;

export interface Signing {
  readonly secret: string;
  readonly secretVersion: number;
  /** Set while a former secret still signs beside the current one. */
  readonly previousSecret: string | null;
}

interface Held {
  readonly signing: Signing;
  readonly goodUntil: number;
  /** Since it was read. */
  used: boolean;
}

interface SecretRow {
  account_id: string;
  version: number;
  /** Null: that version is known here. */
  ciphertext: Buffer | null;
  previous_ciphertext: Buffer | null;
  /** How much longer it signs too. */
  previous_ms: number | null;
}

/** Accounts whose secrets are kept decrypted in memory; when there are more, all are forgotten. */
const heldMax = 1_000;
const accountsAtOnceMax = 1_000;

export class SigningSecrets {
  readonly #database: Database;
  readonly #masterKey: MasterKey;
  readonly #held = new Map<string, Held>();
  readonly #reads = new SharedReads<string, Signing | MasterKeyError>(
    (accounts) => this.#read(accounts),
    accountsAtOnceMax,
  );

  constructor(database: Database, masterKey: MasterKey) {
    this.#database = database;
    this.#masterKey = masterKey;
  }

  /** Undefined: there is no such account. */
  of(accountId: string): Signing | undefined | Promise<Signing | undefined> {
    const held = this.#held.get(accountId);
    if (held === undefined || performance.now() >= held.goodUntil) return this.#readOne(accountId);
    held.used = true;
    return held.signing;
  }

  async #readOne(accountId: string): Promise<Signing | undefined> {
    const signing = await this.#reads.read(accountId);
    if (signing instanceof MasterKeyError) throw signing;
    return signing;
  }

  async #read(asked: readonly string[]): Promise<ReadonlyMap<string, Signing | MasterKeyError>> {
    const askedAt = performance.now();
    const accounts = [...new Set([...asked, ...this.#soonAsked(askedAt)])];
    const known = new Map(accounts.map((accountId) => [accountId, this.#held.get(accountId)?.signing]));
    // Indexes: the primary keys.
    const { rows } = await this.#database.query<SecretRow>({
      name: "read_secrets",
      text: `select w.account_id, s.version, case when s.version is distinct from k.known then s.ciphertext end as ciphertext,
                    p.ciphertext as previous_ciphertext, (extract(epoch from p.valid_until - now()) * 1000)::float8 as previous_ms
               from unnest($1::uuid[], $2::int[]) as k(account_id, known)
               join webhooks w on w.account_id = k.account_id
               join signing_secrets s on s.account_id = w.account_id and s.version = w.secret_version
               left join signing_secrets p on p.account_id = w.account_id and p.version = w.secret_version - 1 and p.valid_until > now()`,
      values: [accounts, accounts.map((accountId) => known.get(accountId)?.secretVersion ?? null)],
    });
    const found = new Map(rows.map((row) => [row.account_id, this.#signing(row, known.get(row.account_id))]));
    for (const { account_id: accountId, previous_ms } of rows) {
      const signing = found.get(accountId);
      if (signing === undefined || signing instanceof MasterKeyError) continue;
      if (this.#held.size >= heldMax) this.#held.clear();
      this.#held.set(accountId, {
        signing,
        goodUntil: askedAt + Math.min(signingLifeMs, previous_ms ?? signingLifeMs),
        used: false,
      });
    }
    return found;
  }

  /** Those in use that are good for a short time only: read along, they spare a read of their own each. */
  #soonAsked(now: number): string[] {
    return [...this.#held].flatMap(([accountId, { used, goodUntil }]) =>
      used && goodUntil - now < signingLifeMs / 2 ? [accountId] : [],
    );
  }

  /** A version of a secret never changes, so it is decrypted once. One that can't be is that account's fault alone. */
  #signing(row: SecretRow, known: Signing | undefined): Signing | MasterKeyError {
    const { account_id: accountId, version, ciphertext, previous_ciphertext: previous } = row;
    try {
      const open = (stored: Buffer, ofVersion: number) => this.#masterKey.decrypt(stored, accountId, ofVersion);
      const secret = ciphertext === null ? known?.secret : open(ciphertext, version);
      if (secret === undefined) throw new MasterKeyError(`Version ${version} of a signing secret has no ciphertext.`);
      return { secret, secretVersion: version, previousSecret: previous === null ? null : open(previous, version - 1) };
    } catch (error) {
      if (error instanceof MasterKeyError) return error;
      throw error;
    }
  }
}
