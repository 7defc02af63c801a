import type { Database } from "../db/index.ts";
import type { ClaimedDelivery } from "./claim.ts";
import type { MasterKey } from "./secrets.ts";
import { SharedReads } from "./shared-reads.ts";
import { SigningSecrets, type Signing } from "./signing-secrets.ts";

/** What one attempt sends: the frozen bytes, and the secrets as they are now. */
export interface Parcel extends Signing {
  readonly body: Buffer;
}

/** Bodies that did not come with the claim may have 256 KiB each: bounds what one read brings into memory. */
const bodiesAtOnceMax = 64;

/** Makes up, right before each attempt, what it sends. */
export class ParcelReader {
  readonly #database: Database;
  readonly #secrets: SigningSecrets;
  readonly #bodies = new SharedReads<ClaimedDelivery, Buffer>((left) => this.#readBodies(left), bodiesAtOnceMax);

  constructor(database: Database, masterKey: MasterKey) {
    this.#database = database;
    this.#secrets = new SigningSecrets(database, masterKey);
  }

  /** Null: the delivery is no longer this claim's. */
  async read(delivery: ClaimedDelivery): Promise<Parcel | null> {
    const [signing, body] = await Promise.all([
      this.#secrets.of(delivery.accountId),
      delivery.body ?? this.#bodies.read(delivery),
    ]);
    return signing === undefined || body === undefined ? null : { ...signing, body };
  }

  async #readBodies(left: readonly ClaimedDelivery[]): Promise<ReadonlyMap<ClaimedDelivery, Buffer>> {
    // Indexes: the primary keys.
    const { rows } = await this.#database.query<{ id: string; body: Buffer }>({
      name: "read_bodies",
      text: `select d.id, d.body from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) as k(account_id, id, bundle, fence)
               join delivery_queue q on q.id = any($3::uuid[]) and q.id = k.bundle and q.fence = k.fence and q.lease_until is not null
               join deliveries d on d.account_id = k.account_id and d.id = k.id`,
      values: [
        left.map(({ accountId }) => accountId),
        left.map(({ id }) => id),
        left.map(({ bundleId }) => bundleId),
        left.map(({ fence }) => fence),
      ],
    });
    const bodies = new Map(rows.map((row) => [row.id, row.body]));
    return new Map(
      left.flatMap((delivery) => {
        const body = bodies.get(delivery.id);
        return body === undefined ? [] : [[delivery, body]];
      }),
    );
  }
}
