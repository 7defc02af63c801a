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
const decryptedMax = 1_000;

interface ParcelRow {
  id: string;
  account_id: string;
  body: Buffer;
  version: number;
  ciphertext: Buffer;
  previous_ciphertext: Buffer | null;
}

interface Waiting {
  delivery: ClaimedDelivery;
  resolve(parcel: Parcel | null): void;
  reject(error: unknown): void;
}

/** Bodies of up to 256 KiB: bounds what one read brings into memory. */
const rowsAtOnceMax = 64;
/** With one read at a time a lone busy receiver gets 990 deliveries/s, with three 1,530/s (two cores); more take connections from others. */
const readsAtOnceMax = 3;

/**
 * Reads parcels from the database right before each attempt. Requests that come while a read is under way share the next
 * one: no answer is older than the request for it, which is what makes a rotation take effect at once. Null: the
 * delivery is no longer this claim's.
 */
export class ParcelReader {
  readonly #database: Database;
  readonly #masterKey: MasterKey;
  #waiting: Waiting[] = [];
  #reads = 0;
  /** What the last ciphertexts of an account said: decrypting one for each delivery was 5 % of a busy process. */
  readonly #decrypted = new Map<string, { ciphertext: Buffer; secret: string }>();

  constructor(database: Database, masterKey: MasterKey) {
    this.#database = database;
    this.#masterKey = masterKey;
  }

  read(delivery: ClaimedDelivery): Promise<Parcel | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ delivery, resolve, reject });
      if (this.#reads < readsAtOnceMax) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#reads++;
    await Promise.resolve(); // who asks in the same turn reads along
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, rowsAtOnceMax);
      try {
        const rows = await this.#readRows(batch.map(({ delivery }) => delivery));
        for (const { delivery, resolve, reject } of batch) {
          try {
            const row = rows.get(delivery.id);
            resolve(row === undefined ? null : this.#unpack(row));
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

  async #readRows(deliveries: readonly ClaimedDelivery[]): Promise<Map<string, ParcelRow>> {
    const { rows } = await this.#database.query<ParcelRow>({
      name: "read_parcels",
      text: `select d.id, d.account_id, d.body, s.version, s.ciphertext, p.ciphertext as previous_ciphertext
         from unnest($1::uuid[], $2::int[]) as k(id, fence)
         join deliveries d on d.id = k.id and d.fence = k.fence and d.lease_until is not null
         join webhooks w on w.account_id = d.account_id
         join signing_secrets s on s.account_id = w.account_id and s.version = w.secret_version
         left join signing_secrets p on p.account_id = w.account_id and p.version = w.secret_version - 1 and p.valid_until > now()`,
      values: [deliveries.map(({ id }) => id), deliveries.map(({ fence }) => fence)],
    });
    return new Map(rows.map((row) => [row.id, row]));
  }

  #unpack(row: ParcelRow): Parcel {
    return {
      body: row.body,
      secret: this.#decrypt(row.account_id, row.ciphertext, row.version),
      secretVersion: row.version,
      previousSecret:
        row.previous_ciphertext === null
          ? null
          : this.#decrypt(row.account_id, row.previous_ciphertext, row.version - 1),
    };
  }

  #decrypt(accountId: string, ciphertext: Buffer, version: number): string {
    const key = `${accountId} ${version}`;
    const known = this.#decrypted.get(key);
    if (known?.ciphertext.equals(ciphertext)) return known.secret;
    const secret = this.#masterKey.decrypt(ciphertext, accountId, version);
    if (this.#decrypted.size >= decryptedMax) this.#decrypted.clear();
    this.#decrypted.set(key, { ciphertext: Buffer.from(ciphertext), secret });
    return secret;
  }
}
