import type pg from "pg";
import type { Database } from "../../db/index.ts";
import { indexOnly, type ClaimedDelivery } from "./claim.ts";
import type { MasterKey } from "../../vault/index.ts";
import { rewriteBodies, type ExpireDeps } from "../outbox/expire.ts";
import { SharedReads } from "./shared-reads.ts";
import { SigningSecrets, type Signing } from "../settings/signing-secrets.ts";

/** What a delivery says, and where. */
export interface DeliveryContent {
  readonly taskId: string;
  readonly url: string;
  /** The frozen bytes. */
  readonly body: Buffer;
}

/** What one attempt sends: the frozen bytes, and the secrets as they are now. */
export interface Parcel extends DeliveryContent, Signing {}

/** A claimed delivery; with what it says, unless that is too long to wait in memory, or could not be read. */
export interface DueDelivery extends ClaimedDelivery {
  readonly content: DeliveryContent | null;
}

interface ContentRow {
  id: string;
  account_id: string;
  task_id: string;
  delivery_revision: number;
  url: string;
  body: Buffer;
  expired: boolean;
}

const contentColumns = `d.id, d.account_id, d.task_id, d.delivery_revision, d.url, d.body,
  d.expires_at is not null and d.expires_at <= now() as expired`;

/** Bodies up to this size are read ahead, and wait in memory until they are sent; longer ones are read one by one then. */
export const bodyBytesAheadMax = 8 * 1024;
/** Bodies that were not read ahead may have 256 KiB each: bounds what one read brings into memory. */
const bodiesAtOnceMax = 64;

/** Makes up, right before each attempt, what it sends. */
export class ParcelReader {
  readonly #deps: ExpireDeps;
  readonly #database: Database;
  readonly #secrets: SigningSecrets;
  readonly #contents = new SharedReads<ClaimedDelivery, DeliveryContent>(
    (left) => this.#readLate(left),
    bodiesAtOnceMax,
  );

  constructor(deps: ExpireDeps & { readonly masterKey: MasterKey }) {
    this.#deps = deps;
    this.#database = deps.database;
    this.#secrets = new SigningSecrets(deps.database, deps.masterKey);
  }

  /** What short deliveries say that were claimed just now, by their ids. */
  async readAhead(claimed: readonly ClaimedDelivery[]): Promise<ReadonlyMap<string, DeliveryContent>> {
    if (claimed.length === 0) return new Map();
    return this.#read({
      name: "read_ahead",
      // Index: the primary key. The limit is there for the planner: left to join as it likes it took all deliveries of an account for
      // one, and 8 s for a claim.
      text: `select ${contentColumns} from unnest($1::uuid[], $2::uuid[]) as k(account_id, id)
              cross join lateral (select * from deliveries d where d.account_id = k.account_id and d.id = k.id limit 1) d
              where octet_length(d.body) <= ${bodyBytesAheadMax} and (d.expires_at is null or d.expires_at > now())`,
      values: [claimed.map(({ accountId }) => accountId), claimed.map(({ id }) => id)],
    });
  }

  /** Null: the delivery is no longer this claim's. */
  async read(delivery: DueDelivery): Promise<Parcel | null> {
    const [signing, content] = await Promise.all([
      this.#secrets.of(delivery.accountId),
      delivery.content ?? this.#contents.read(delivery),
    ]);
    return signing === undefined || content === undefined ? null : { ...signing, ...content };
  }

  async #readLate(left: readonly ClaimedDelivery[]): Promise<ReadonlyMap<ClaimedDelivery, DeliveryContent>> {
    // Indexes: the primary keys.
    const contents = await this.#read({
      name: "read_late",
      text: `select ${contentColumns} from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) as k(account_id, id, bundle, fence)
               join delivery_queue q on q.id = any($3::uuid[]) and q.id = k.bundle and q.fence = k.fence and q.lease_until is not null
               join deliveries d on d.account_id = k.account_id and d.id = k.id`,
      values: [
        left.map(({ accountId }) => accountId),
        left.map(({ id }) => id),
        left.map(({ bundleId }) => bundleId),
        left.map(({ fence }) => fence),
      ],
    });
    return new Map(
      left.flatMap((delivery) => {
        const content = contents.get(delivery.id);
        return content === undefined ? [] : [[delivery, content]];
      }),
    );
  }

  /**
   * The plans are kept, and may be made while the table has a page: left to itself, the planner then scanned it for each delivery for as
   * long as the plan lived, and a read of 500 beside 60,000 took 4 s.
   */
  async #read(query: pg.QueryConfig): Promise<ReadonlyMap<string, DeliveryContent>> {
    const [, read] = (await this.#database.transactionOf([{ text: `select ${indexOnly}` }, query])) as [
      unknown,
      pg.QueryResult<ContentRow>,
    ];
    const anew = await this.#makeAnew(read.rows.filter(({ expired }) => expired));
    return new Map(
      read.rows.map((row) => [row.id, { taskId: row.task_id, url: row.url, body: anew.get(row.id) ?? row.body }]),
    );
  }

  /** The bodies of claimed deliveries whose results have expired, as the records are now. */
  async #makeAnew(rows: readonly ContentRow[]): Promise<ReadonlyMap<string, Buffer>> {
    if (rows.length === 0) return new Map();
    return rewriteBodies(
      this.#deps,
      rows.map((row) => ({
        id: row.id,
        accountId: row.account_id,
        taskId: row.task_id,
        deliveryRevision: row.delivery_revision,
      })),
    );
  }
}
