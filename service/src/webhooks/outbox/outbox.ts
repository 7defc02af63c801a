import type { AccountEventType, TaskRecord, Notification } from "@querent/contract";
import { rowsAs, type Queryable, type Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import {
  putInLine,
  groupIntoBatches,
  type DeliveryBatch,
  type QueuedDelivery,
  takeOutOfBatches,
  waitsIn,
} from "./delivery-turns.ts";

/** A task that ends in the caller's transaction. */
export interface FinishedTask {
  readonly accountId: string;
  readonly taskId: string;
  /** The task's own address, checked by the guard on acceptance; null: the account's default. */
  readonly webhookUrl: string | null;
  /** The record after the end. */
  readonly record: TaskRecord;
  /** Default: 1, the first end of a task. */
  readonly deliveryRevision?: number;
}

export interface OutboxOptions {
  /** `QUERENT_NOTIFICATION_MAX_BYTES` */
  bodyBytesMax?: number;
  /** False: these are redeliveries, which are not events of the feed, and are omitted where there is no address. */
  asEvents?: boolean;
}

/** What a delivery is made of: an end of a task, or an event of the account. */
interface Announcement {
  readonly accountId: string;
  /** The task, or the event of the account. */
  readonly taskId: string;
  /** The address of the delivery, or `mailto:` and a recipient, or `channel:` and its id; null for the account's default. */
  readonly webhookUrl: string | null;
  readonly deliveryRevision: number;
  /** When its body must be rebuilt; null for never. */
  readonly expiresAt: string | null;
  readonly body: () => Buffer;
  /** Default: a new id. */
  readonly deliveryId?: string;
}

interface WriteOptions {
  /** The type of the account's event that all of them announce; null for ends of tasks. */
  readonly eventType: AccountEventType | null;
  /** They get numbers in the accounts' event feeds. */
  readonly isNumbered: boolean;
  /** Whether deliveries without an address are omitted. Otherwise they are written as skipped. */
  readonly skipsUnaddressed: boolean;
}

interface PreparedDeliveries {
  /** The ids of the deliveries, in the order of the ends. */
  readonly ids: readonly string[];
  /** A delivery is due immediately: wake the notifier after the commit. */
  readonly due: boolean;
  write(): Promise<void>;
}

/**
 * Prepares the deliveries of tasks that end, in the transaction that ends them, so that both are committed or neither is. One
 * statement reads the destinations and one writes the deliveries, regardless of the number of ends. Destination and bytes are
 * fixed here. An end without an address is also written, as `skipped`.
 *
 * `write` also assigns each end its number in the account's event feed. **Invariant: when it runs, the caller has locked the
 * rows of the ends' accounts (`for no key update`, as for changing their points), and keeps the locks until it commits.** The
 * numbers come from a sequence after that lock is acquired, so within an account they increase in commit order, and a reader
 * that has read the feed up to a number has missed none below it. If they were assigned before the lock, two transactions could
 * commit the larger number first.
 *
 * Of existing rows it locks only those of `delivery_turns`, shared. If a suspension is lifted concurrently, the notifier's upkeep
 * finds the deliveries that were written as paused (`held`).
 */
export async function prepareDeliveries(
  tx: Queryable,
  ends: readonly FinishedTask[],
  options: OutboxOptions = {},
): Promise<PreparedDeliveries> {
  const { bodyBytesMax = notificationBytesMaxDefault, asEvents = true } = options;
  return prepareAnnouncements(
    tx,
    ends.map(({ accountId, taskId, webhookUrl, record, deliveryRevision = 1 }) => ({
      accountId,
      taskId,
      webhookUrl,
      deliveryRevision,
      expiresAt: expiryOf(record),
      body: () => notificationBody(record, deliveryRevision, bodyBytesMax),
    })),
    { eventType: null, isNumbered: asEvents, skipsUnaddressed: !asEvents },
  );
}

async function prepareAnnouncements(
  tx: Queryable,
  announcements: readonly Announcement[],
  options: WriteOptions,
): Promise<PreparedDeliveries> {
  if (announcements.length === 0) return { ids: [], due: false, write: async () => {} };
  const toDefault = announcements.filter(({ webhookUrl }) => webhookUrl === null);
  const defaults = await readDefaultAddresses(tx, [...new Set(toDefault.map(({ accountId }) => accountId))].sort());
  const deliveries = announcements
    .map((announcement) => deliveryOf(announcement, defaults.get(announcement.accountId)))
    .filter(({ url }) => !options.skipsUnaddressed || url !== null);
  const queued = deliveries.flatMap((delivery): QueuedDelivery[] => {
    const { id: deliveryId, accountId, origin, toDefault, paused, expiresAt } = delivery;
    return origin === null
      ? []
      : [{ deliveryId, accountId, origin, toDefault, state: paused ? "held" : "queued", expiresAt }];
  });
  const batches = groupIntoBatches(queued);
  return {
    ids: deliveries.map(({ id }) => id),
    due: queued.some(({ state }) => state === "queued"),
    write: async () => void (await tx.query(insertDeliveries(deliveries, batches, options))),
  };
}

/** What deliveries share that go to the same receiver. All mail of an account is handed to one server; a channel is by itself. */
function originOf(url: string): string {
  if (url.startsWith(mailOrigin)) return mailOrigin;
  return isChannelUrl(url) ? url : new URL(url).origin;
}
export const mailOrigin = "mailto:";
const channelScheme = "channel:";
/** The URL of deliveries to a channel. */
export const channelUrl = (channelId: string): string => `${channelScheme}${channelId}`;
export const isChannelUrl = (url: string): boolean => url.startsWith(channelScheme);
export const channelIdOf = (url: string): string => url.slice(channelScheme.length);

type Delivery = ReturnType<typeof deliveryOf>;

function deliveryOf(announcement: Announcement, byDefault: DefaultAddress | undefined) {
  const { accountId, taskId, webhookUrl, deliveryRevision, expiresAt, body, deliveryId = newId() } = announcement;
  const toDefault = webhookUrl === null;
  const url = webhookUrl ?? byDefault?.url ?? null;
  return {
    id: deliveryId,
    accountId,
    taskId,
    deliveryRevision,
    url,
    origin: toDefault ? (byDefault?.origin ?? null) : originOf(webhookUrl),
    toDefault,
    paused: toDefault && byDefault?.suspended === true,
    body: url === null ? null : body(),
    expiresAt,
  };
}

const deliveryRows = rowsAs<Delivery & { readonly batchId: string | null }>("e", {
  id: ["uuid", (delivery) => delivery.id],
  account_id: ["uuid", (delivery) => delivery.accountId],
  task_id: ["uuid", (delivery) => delivery.taskId],
  delivery_revision: ["int", (delivery) => delivery.deliveryRevision],
  url: ["text", (delivery) => delivery.url],
  origin: ["text", (delivery) => delivery.origin],
  to_default: ["boolean", (delivery) => delivery.toDefault],
  delivery_batch_id: ["uuid", (delivery) => delivery.batchId],
  body: ["bytea", (delivery) => delivery.body],
  expires_at: ["timestamptz", (delivery) => delivery.expiresAt],
});

const queueRows = rowsAs<DeliveryBatch>("q", {
  id: ["uuid", (batch) => batch.id],
  delivery_ids: ["uuid[]", (batch) => batch.deliveryIds],
  account_id: ["uuid", (batch) => batch.accountId],
  origin: ["text", (batch) => batch.origin],
  to_default: ["boolean", (batch) => batch.toDefault],
  state: ["text", (batch) => batch.state],
  expires_at: ["timestamptz", (batch) => batch.expiresAt],
});

// Locks: the new rows, and the accounts' turns (shared). `$1`: the events are numbered; `$2`: their type.
const insertStatement = `
  with e as materialized (
    select * from ${deliveryRows.after(2)}
  ), queued as (
    insert into delivery_queue (next_attempt_at, ${queueRows.columns})
    select now(), q.* from ${queueRows.after(2 + deliveryRows.width)}
    returning account_id
  ), ${putInLine("queued")}
  insert into deliveries (event_number, state, event_type, finished_at, ${deliveryRows.columns})
  select case when $1 then nextval('event_numbers') end, case when url is null then 'skipped' else 'pending' end, $2,
         case when url is null then now() end, e.*
    from e`;

function insertDeliveries(
  deliveries: readonly Delivery[],
  batches: readonly DeliveryBatch[],
  { isNumbered, eventType }: WriteOptions,
) {
  const batchIds = new Map(
    batches.flatMap(({ id, deliveryIds }) => (deliveryIds.length === 1 ? [] : deliveryIds.map((one) => [one, id]))),
  );
  return {
    name: "insert_deliveries",
    text: insertStatement,
    values: [
      isNumbered,
      eventType,
      ...deliveryRows.values(deliveries.map((one) => ({ ...one, batchId: batchIds.get(one.id) ?? null }))),
      ...queueRows.values(batches),
    ],
  };
}

/** When a body built from this record must be rebuilt. */
function expiryOf({ expired, expiresAt }: TaskRecord): string | null {
  return expired ? null : expiresAt;
}

/** Prepares and writes, for a caller that has already locked the accounts' rows. */
export async function writeDeliveries(
  tx: Queryable,
  ends: readonly FinishedTask[],
  options: OutboxOptions = {},
): Promise<Pick<PreparedDeliveries, "ids" | "due">> {
  return written(await prepareDeliveries(tx, ends, options));
}

/** Prepares and writes deliveries of any kind, for a caller that has already locked the accounts' rows if they are numbered. */
export async function writeAnnouncements(
  tx: Queryable,
  announcements: readonly Announcement[],
  options: WriteOptions,
): Promise<Pick<PreparedDeliveries, "ids" | "due">> {
  return written(await prepareAnnouncements(tx, announcements, options));
}

async function written({ ids, due, write }: PreparedDeliveries) {
  await write();
  return { ids, due };
}

interface DefaultAddress {
  readonly account_id: string;
  readonly url: string | null;
  readonly origin: string | null;
  readonly suspended: boolean;
}

async function readDefaultAddresses(
  db: Queryable,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, DefaultAddress>> {
  if (accountIds.length === 0) return new Map();
  const { rows } = await db.query<DefaultAddress>(
    `select account_id, url, origin, suspended_at is not null as suspended
       from webhooks where account_id = any($1)`,
    [accountIds],
  );
  return new Map(rows.map((row) => [row.account_id, row]));
}

/** Where an account's notifications are sent by default; undefined: there is no such account. */
export async function readDefaultAddress(db: Queryable, accountId: string): Promise<DefaultAddress | undefined> {
  return (await readDefaultAddresses(db, [accountId])).get(accountId);
}

/**
 * The channel on which processes wake each other: tasks have ended, or deliveries are due. Its messages name the accounts whose
 * tasks ended, or nobody: then each process polls. A wake-up may be lost, since every process polls as well.
 */
export const wakeUpChannel = "querent_notices";

const notificationBytesMaxDefault = 256 * 1024;

/**
 * The bytes of a notification. Above `bytesMax` the task is sent without its result, and the receiver fetches it. The reduced
 * form is sent even if it exceeds a very small limit: a webhook without `taskId` is of no use.
 */
export function notificationBody(record: TaskRecord, deliveryRevision: number, bytesMax: number): Buffer {
  // Avoids serializing megabytes only to find that they are too long.
  if (charsAtLeast(record) <= bytesMax) {
    const whole = encode({ event: "task.finished", deliveryRevision, task: { ...record, resultOmitted: false } });
    if (whole.length <= bytesMax) return whole;
  }
  return encode({
    event: "task.finished",
    deliveryRevision,
    task: {
      taskId: record.taskId,
      clientReference: record.clientReference,
      state: record.state,
      content: null,
      revision: record.revision,
      chargedPoints: record.chargedPoints,
      createdAt: record.createdAt,
      completedAt: record.completedAt,
      resultOmitted: true,
    },
  });
}

/** A lower bound of the notification's length: the total of its longest texts, since each code unit takes at least one byte. */
function charsAtLeast({ content, pageHtml, sources, reasoningProcess }: TaskRecord): number {
  let chars = (content?.length ?? 0) + (pageHtml?.length ?? 0);
  for (const { summary } of sources) chars += summary?.length ?? 0;
  for (const { text } of reasoningProcess ?? []) chars += text.length;
  return chars;
}

function encode(notification: Notification): Buffer {
  return Buffer.from(JSON.stringify(notification), "utf8");
}

/** What notifications need to know about tasks: their current records. */
export interface TaskRecords {
  read(db: Queryable, accountId: string, taskIds: readonly string[]): Promise<Map<string, TaskRecord>>;
}

/**
 * Called first in a transaction that creates further deliveries of an account's tasks. It serializes such transactions, so that
 * the latest delivery of a task is known while the next one is created.
 */
export async function lockFurtherDeliveries(tx: Transaction, accountId: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('redeliver ' || $1, 0))", [accountId]);
}

/**
 * Announces new results of tasks that had already ended, in the transaction that stores them. Each gets one delivery with the
 * task's next `deliveryRevision`, to the address that the end was sent to or would be sent to now, and an event in the feed. A
 * delivery of the former result that is still waiting is superseded; one that is being sent is left alone.
 *
 * The caller has called `lockFurtherDeliveries` first, and has the tasks' rows locked. Locks: the account's row, under which
 * the feed's numbers are assigned (see outbox.ts), then rows of `delivery_queue` that nobody has claimed, and their deliveries.
 */
export async function announceRevisions(
  tx: Transaction,
  accountId: string,
  revised: readonly Omit<FinishedTask, "accountId" | "deliveryRevision">[],
  options: OutboxOptions = {},
): Promise<void> {
  await lockAccount(tx, accountId);
  const taskIds = revised.map(({ taskId }) => taskId);
  // Index: the unique one on task and revision.
  const { rows } = await tx.query<{ task_id: string; latest: number }>(
    `select task_id, max(delivery_revision) as latest from deliveries
      where account_id = $2 and task_id = any($1::uuid[]) group by task_id`,
    [taskIds, accountId],
  );
  const latest = new Map(rows.map((row) => [row.task_id, row.latest]));
  await supersedeWaiting(tx, accountId, taskIds);
  await writeDeliveries(
    tx,
    revised.map((task) => ({
      ...task,
      accountId,
      // Every revision was announced, even if its deliveries have been deleted since.
      deliveryRevision: Math.max(latest.get(task.taskId) ?? 0, task.record.revision - 1) + 1,
    })),
    options,
  );
}

/** Locks the account's row, under which events get their numbers: see outbox.ts. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.query("select 1 from accounts where id = $1 for no key update", [accountId]);
}

/**
 * Supersedes the waiting deliveries of these tasks. If a claim locks a row first, the delivery is in flight and is left alone.
 */
export async function supersedeWaiting(tx: Transaction, accountId: string, taskIds: readonly string[]): Promise<void> {
  await tx.query(
    `with taken as materialized (
       select d.account_id, d.id, q.id as batch from deliveries d join delivery_queue q on ${waitsIn}
        where d.account_id = $2 and d.task_id = any($1::uuid[]) and q.state in ('queued', 'waiting', 'held')
          for update of q
     ), ${takeOutOfBatches}
     update deliveries d set state = 'superseded', body = null, finished_at = now()
       from taken where d.account_id = taken.account_id and d.id = taken.id`,
    [taskIds, accountId],
  );
}
