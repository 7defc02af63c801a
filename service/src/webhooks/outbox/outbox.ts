import type { TaskRecord } from "@querent/contract";
import { arrayLiteral, byteaArray, type Queryable } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { bundleUp, type Queued } from "../send/bundles.ts";
import type { ContentsInHand } from "../send/contents-in-hand.ts";
import { notificationBody, notificationBytesMaxDefault } from "./body.ts";

/** A task that ends in the caller's transaction. */
export interface FinishedTask {
  readonly accountId: string;
  readonly taskId: string;
  /** The task's own address, checked by the guard when it was accepted; null: the account's default. */
  readonly webhookUrl: string | null;
  /** The record as it is after the end. */
  readonly record: TaskRecord;
  /** 1 at the first end of a task, which is the default. */
  readonly deliveryRevision?: number;
}

export interface OutboxOptions {
  /** `QUERENT_NOTIFICATION_MAX_BYTES` */
  bodyBytesMax?: number;
  /** Of the notifier of this process. */
  inHand?: ContentsInHand;
}

export interface PreparedDeliveries {
  /** Something will be due at once: then wake the notifier, when the transaction is committed. */
  readonly due: boolean;
  write(): Promise<void>;
}

/**
 * Prepares the deliveries of tasks that end, in the transaction that ends them: notice and end are there together or not at
 * all. One statement reads where they go and one writes them, however many ends there are. Destination and bytes are
 * fixed here. An end without an address is written too, as `skipped`.
 *
 * `write` also gives each end its number in the account's event feed. **Invariant: when it runs, the caller holds the rows
 * of the ends' accounts (`for no key update`, as moving their points does), and keeps them until it commits.** The numbers come from a
 * sequence after that lock, so within an account they rise in the order of the commits, and whoever has read the feed up to
 * a number has missed none below it. Written before the lock, two enders could commit the larger number first.
 *
 * Takes no lock on anything that is there already. An end that is `held` because it did not see a suspension lifted in
 * the same moment is found by the notifier's upkeep.
 */
export async function prepareDeliveries(
  tx: Queryable,
  ends: readonly FinishedTask[],
  options: OutboxOptions = {},
): Promise<PreparedDeliveries> {
  if (ends.length === 0) return { due: false, write: async () => {} };
  const bodyBytesMax = options.bodyBytesMax ?? notificationBytesMaxDefault;
  const defaults = await readDefaults(tx, ends);
  const columns = { ids: [] as string[], accounts: [] as string[], tasks: [] as string[], revisions: [] as number[] };
  const urls: (string | null)[] = [];
  const origins: (string | null)[] = [];
  const toDefaults: boolean[] = [];
  const queued: Queued[] = [];
  const bodies: (Buffer | null)[] = [];
  const expiries: (string | null)[] = [];
  for (const end of ends) {
    const fallback = end.webhookUrl === null ? defaults.get(end.accountId) : undefined;
    const url = end.webhookUrl ?? fallback?.url ?? null;
    const deliveryRevision = end.deliveryRevision ?? 1;
    const deliveryId = newId();
    columns.ids.push(deliveryId);
    columns.accounts.push(end.accountId);
    columns.tasks.push(end.taskId);
    columns.revisions.push(deliveryRevision);
    urls.push(url);
    const origin = end.webhookUrl === null ? (fallback?.origin ?? null) : new URL(end.webhookUrl).origin;
    const toDefault = end.webhookUrl === null;
    origins.push(origin);
    toDefaults.push(toDefault);
    if (origin !== null) {
      const place = fallback?.suspended === true ? "held" : "queued";
      queued.push({ deliveryId, accountId: end.accountId, origin, toDefault, place, expiresAt: expiryOf(end.record) });
    }
    const body = url === null ? null : notificationBody(end.record, deliveryRevision, bodyBytesMax);
    if (url !== null && body !== null)
      options.inHand?.keep(deliveryId, { taskId: end.taskId, url, body }, expiryOf(end.record));
    bodies.push(body);
    expiries.push(expiryOf(end.record));
  }
  const bundles = bundleUp(queued);
  const bundleIds = new Map(
    bundles.flatMap(({ id, deliveryIds }) => (deliveryIds.length === 1 ? [] : deliveryIds.map((one) => [one, id]))),
  );
  const insert = {
    name: "insert_deliveries",
    text: `with e as materialized (
       select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::text[], $7::bool[], $8::uuid[], $15::bytea[], $16::timestamptz[])
         as e(id, account_id, task_id, delivery_revision, url, origin, to_default, bundle_id, body, expires_at)
     ), queued as (
       insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, place, next_attempt_at, expires_at)
       select id, delivery_ids::uuid[], account_id, origin, to_default, place, now(), expires_at
         from unnest($9::uuid[], $10::text[], $11::uuid[], $12::text[], $13::bool[], $14::text[], $17::timestamptz[])
           as q(id, delivery_ids, account_id, origin, to_default, place, expires_at)
     )
     insert into deliveries (id, account_id, task_id, delivery_revision, event_number, url, origin, to_default, state, bundle_id, body, expires_at, finished_at)
     select id, account_id, task_id, delivery_revision, nextval('event_numbers'), url, origin, to_default,
            case when url is null then 'skipped' else 'pending' end, bundle_id, body, expires_at, case when url is null then now() end
       from e`,
    values: [
      columns.ids,
      columns.accounts,
      columns.tasks,
      columns.revisions,
      urls,
      origins,
      toDefaults,
      columns.ids.map((id) => bundleIds.get(id) ?? null),
      bundles.map(({ id }) => id),
      bundles.map(({ deliveryIds }) => arrayLiteral(deliveryIds)),
      bundles.map(({ accountId }) => accountId),
      bundles.map(({ origin }) => origin),
      bundles.map(({ toDefault }) => toDefault),
      bundles.map(({ place }) => place),
      byteaArray(bodies),
      expiries,
      bundles.map(({ expiresAt }) => expiresAt),
    ],
  };
  return { due: queued.some(({ place }) => place === "queued"), write: async () => void (await tx.query(insert)) };
}

/** When a body made of this record has to be made anew. */
export function expiryOf({ expired, expiresAt }: TaskRecord): string | null {
  return expired ? null : expiresAt;
}

/** Prepares and writes, for a caller that holds the accounts' rows already. */
export async function writeDeliveries(
  tx: Queryable,
  ends: readonly FinishedTask[],
  options: OutboxOptions = {},
): Promise<{ due: boolean }> {
  const { due, write } = await prepareDeliveries(tx, ends, options);
  await write();
  return { due };
}

interface Default {
  readonly account_id: string;
  readonly url: string | null;
  readonly origin: string | null;
  readonly suspended: boolean;
}

async function readDefaults(tx: Queryable, ends: readonly FinishedTask[]): Promise<Map<string, Default>> {
  const accounts = [...new Set(ends.flatMap((end) => (end.webhookUrl === null ? [end.accountId] : [])))].sort();
  if (accounts.length === 0) return new Map();
  const { rows } = await tx.query<Default>(
    `select account_id, url, origin, suspended_at is not null as suspended
       from webhooks where account_id = any($1)`,
    [accounts],
  );
  return new Map(rows.map((row) => [row.account_id, row]));
}
