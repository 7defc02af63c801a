import type { Database } from "../db/index.ts";
import type { ClaimedDelivery } from "./claim.ts";
import type { MasterKey } from "./secrets.ts";

/** What one attempt sends: the frozen bytes, and the secrets as they are now. */
export interface Parcel {
  readonly body: Buffer;
  readonly secret: string;
  readonly secretVersion: number;
  /** Set while a former secret still signs beside the current one. */
  readonly previousSecret: string | null;
}

/** Secrets kept decrypted in memory; when there are more, all are forgotten. */
const knownMax = 1_000;

/** What signs for an account now; ciphertexts of versions that are not known here yet. */
interface SecretRow {
  account_id: string;
  version: number;
  ciphertext: Buffer | null;
  previous_ciphertext: Buffer | null;
}

interface Signing {
  readonly row: SecretRow;
  /** The secret of the row's version, where it was known when the row was asked for. */
  readonly known: string | null;
}

interface Waiting {
  delivery: ClaimedDelivery;
  resolve(parcel: Parcel | null): void;
  reject(error: unknown): void;
}

/** Bodies that did not come with the claim may have 256 KiB each: bounds what one read brings into memory. */
const bodiesAtOnceMax = 64;
/**
 * With one read at a time a lone busy receiver gets 990 deliveries/s, with three 1,530/s (two cores). Where many receivers are
 * busy it is the other way round: what a few wait for together is one read instead of three.
 */
const readsAtOnceMax = 3;
const fewWaiting = 4;

/**
 * Reads from the database, right before each attempt, which secret signs. Requests that come while a read is under way share
 * the next one: no answer is older than the request for it, which is what makes a rotation take effect at once. A version of
 * a secret never changes, so its text is kept. Null: the delivery is no longer this claim's.
 */
export class ParcelReader {
  readonly #database: Database;
  readonly #masterKey: MasterKey;
  #waiting: Waiting[] = [];
  #reads = 0;
  /** How many the last read was for. */
  #lastBatch = 0;
  /** The current secret of accounts, as it was last read. */
  readonly #known = new Map<string, { version: number; secret: string }>();

  constructor(database: Database, masterKey: MasterKey) {
    this.#database = database;
    this.#masterKey = masterKey;
  }

  read(delivery: ClaimedDelivery): Promise<Parcel | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ delivery, resolve, reject });
      if (this.#reads === 0 || (this.#reads < readsAtOnceMax && this.#lastBatch < fewWaiting)) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#reads++;
    await Promise.resolve(); // who asks in the same turn reads along
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      this.#lastBatch = batch.length;
      try {
        const [secrets, bodies] = await Promise.all([this.#readSecrets(batch), this.#readBodies(batch)]);
        for (const { delivery, resolve, reject } of batch) {
          try {
            resolve(this.#parcel(delivery, secrets.get(delivery.accountId), delivery.body ?? bodies.get(delivery.id)));
          } catch (error) {
            reject(error);
          }
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#reads--;
  }

  #takeBatch(): Waiting[] {
    let bodies = 0;
    const end = this.#waiting.findIndex(({ delivery }) => delivery.body === null && ++bodies > bodiesAtOnceMax);
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #readSecrets(batch: readonly Waiting[]): Promise<Map<string, Signing>> {
    const accounts = [...new Set(batch.map(({ delivery }) => delivery.accountId))];
    const known = new Map(accounts.map((accountId) => [accountId, this.#known.get(accountId)]));
    // Indexes: the primary keys.
    const { rows } = await this.#database.query<SecretRow>({
      name: "read_secrets",
      text: `select w.account_id, s.version, case when s.version is distinct from k.known then s.ciphertext end as ciphertext,
                    p.ciphertext as previous_ciphertext
               from unnest($1::uuid[], $2::int[]) as k(account_id, known)
               join webhooks w on w.account_id = k.account_id
               join signing_secrets s on s.account_id = w.account_id and s.version = w.secret_version
               left join signing_secrets p on p.account_id = w.account_id and p.version = w.secret_version - 1 and p.valid_until > now()`,
      values: [accounts, accounts.map((accountId) => known.get(accountId)?.version ?? null)],
    });
    return new Map(
      rows.map((row) => {
        const before = known.get(row.account_id);
        return [row.account_id, { row, known: before?.version === row.version ? before.secret : null }];
      }),
    );
  }

  async #readBodies(batch: readonly Waiting[]): Promise<Map<string, Buffer>> {
    const left = batch.filter(({ delivery }) => delivery.body === null).map(({ delivery }) => delivery);
    if (left.length === 0) return new Map();
    // Indexes: the primary keys.
    const { rows } = await this.#database.query<{ id: string; body: Buffer }>({
      name: "read_bodies",
      text: `select d.id, d.body from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) as k(account_id, id, bundle, fence)
               join delivery_queue q on q.id = k.bundle and q.fence = k.fence and q.lease_until is not null
               join deliveries d on d.account_id = k.account_id and d.id = k.id`,
      values: [
        left.map(({ accountId }) => accountId),
        left.map(({ id }) => id),
        left.map(({ bundleId }) => bundleId),
        left.map(({ fence }) => fence),
      ],
    });
    return new Map(rows.map((row) => [row.id, row.body]));
  }

  #parcel(delivery: ClaimedDelivery, signing: Signing | undefined, body: Buffer | undefined): Parcel | null {
    if (signing === undefined || body === undefined) return null;
    const { accountId } = delivery;
    const { version, previous_ciphertext: previous } = signing.row;
    return {
      body,
      secret: this.#secret(accountId, signing),
      secretVersion: version,
      previousSecret: previous === null ? null : this.#masterKey.decrypt(previous, accountId, version - 1),
    };
  }

  /** A version of a secret never changes, so decrypting one for each delivery (5 % of a busy process) is spared. */
  #secret(accountId: string, { row: { version, ciphertext }, known }: Signing): string {
    if (known !== null) return known;
    const latest = this.#known.get(accountId);
    if (latest?.version === version) return latest.secret;
    if (ciphertext === null) throw new Error(`Version ${version} of a signing secret has no ciphertext.`);
    const secret = this.#masterKey.decrypt(ciphertext, accountId, version);
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(accountId, { version, secret });
    return secret;
  }
}
