/**
 * Events of an account that belong to no single task. Each is handled like the end of a task: one delivery, in the
 * transaction of what it announces, and a place in the account's event feed. `deliveries.task_id` of its deliveries is the event's id.
 */
import type { AccountEventData, AccountEventType } from "@querent/contract";
import { rowsAs, type Queryable, type Transaction } from "../../db/index.ts";
import { newId } from "../../kernel/ids.ts";
import { lockAccount, writeAnnouncements } from "./outbox.ts";

/** An event of which an account is notified. */
export type AccountEvent = {
  readonly [Type in AccountEventType]: {
    readonly accountId: string;
    readonly type: Type;
    /** A key of what it is about. The same type and subject are announced once to an account. */
    readonly subject: string;
    readonly data: AccountEventData[Type];
  };
}[AccountEventType];

interface StoredEvent {
  readonly id: string;
  readonly type: AccountEventType;
  readonly data: unknown;
  readonly createdAt: Date;
}

/** Whether an account has subscribed to this type of event. */
export async function subscribesTo(db: Queryable, accountId: string, type: AccountEventType): Promise<boolean> {
  // Index: the primary key.
  const { rows } = await db.query("select 1 from webhooks where account_id = $1 and $2 = any (events)", [
    accountId,
    type,
  ]);
  return rows.length === 1;
}

/**
 * Announces an event in the caller's transaction: both are committed or neither is. False: the account has not subscribed to this
 * type, or the event was announced before. Nobody needs to be woken: the notifier and the event feed poll every second.
 *
 * Locks: the account's row, under which the feed's numbers are assigned (see outbox.ts). Call it last: a lock taken afterwards,
 * which another transaction takes before the account's row, could deadlock.
 */
export async function announceEvent(
  tx: Transaction,
  { accountId, type, subject, data }: AccountEvent,
): Promise<boolean> {
  if (!(await subscribesTo(tx, accountId, type))) return false;
  await lockAccount(tx, accountId);
  const id = newId();
  // Index: announced_once. Nobody else inserts events of this account meanwhile.
  const { rows } = await tx.query<{ created_at: Date }>(
    `insert into account_events (account_id, id, type, subject, number, data)
     values ($1, $2, $3, $4, nextval('event_numbers'), $5) on conflict on constraint announced_once do nothing
     returning created_at`,
    [accountId, id, type, subject, JSON.stringify(data)],
  );
  const [row] = rows;
  if (row === undefined) return false;
  await writeAnnouncements(tx, [announcementOf(accountId, { id, type, data, createdAt: row.created_at }, 1)], {
    eventType: type,
    isNumbered: false,
    skipsUnaddressed: false,
  });
  return true;
}

const eventRows = rowsAs<{ readonly id: string; readonly data: object }>("e", {
  id: ["uuid", ({ id }) => id],
  data: ["json", ({ data }) => JSON.stringify(data)],
});

/** An event for one recipient. */
interface AddressedEvent<Type extends AccountEventType> {
  /** `mailto:` and an address, or `channel:` and its id. */
  readonly url: string;
  readonly data: AccountEventData[Type];
}

/**
 * Sends events to one recipient each, in the caller's transaction, whatever the account has subscribed to. They are not part of the feed.
 * Returns their ids, which are also those of their first deliveries.
 */
export async function sendAddressed<Type extends AccountEventType>(
  tx: Transaction,
  { accountId, type, events }: { accountId: string; type: Type; events: readonly AddressedEvent<Type>[] },
): Promise<string[]> {
  const made = events.map(({ url, data }) => ({ id: newId(), url, data }));
  // Locks: only the new rows.
  const { rows } = await tx.query<{ id: string; created_at: Date }>(
    `insert into addressed_events (account_id, id, type, data)
     select $1, e.id, $2, e.data from ${eventRows.after(2)} returning id, created_at`,
    [accountId, type, ...eventRows.values(made)],
  );
  const createdAt = new Map(rows.map((row) => [row.id, row.created_at]));
  const announcements = made.map(({ id, url, data }) =>
    announcementOf(accountId, { id, type, data, createdAt: createdAt.get(id) ?? new Date() }, 1, url),
  );
  await writeAnnouncements(tx, announcements, { eventType: type, isNumbered: false, skipsUnaddressed: false });
  return made.map(({ id }) => id);
}

/** How many events the account has sent to recipients since then. */
export async function countAddressed(db: Queryable, accountId: string, since: Date): Promise<number> {
  // Index: addressed_events_age. Locks nothing.
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from addressed_events where account_id = $1 and created_at >= $2",
    [accountId, since],
  );
  return rows[0]?.count ?? 0;
}

/** The delivery of an event, by default to the account's default address. The first has the id of the event. */
export function announcementOf(
  accountId: string,
  event: StoredEvent,
  deliveryRevision: number,
  webhookUrl: string | null = null,
) {
  return {
    ...(deliveryRevision === 1 ? { deliveryId: event.id } : {}),
    accountId,
    taskId: event.id,
    webhookUrl,
    deliveryRevision,
    expiresAt: null,
    body: () => eventBody(event, deliveryRevision),
  };
}

/** The bytes of an event's notification: the same whenever they are made. */
export function eventBody({ id, type, data, createdAt }: StoredEvent, deliveryRevision: number): Buffer {
  return Buffer.from(
    JSON.stringify({ event: type, deliveryRevision, eventId: id, createdAt: createdAt.toISOString(), data }),
    "utf8",
  );
}

/** The account's events with these ids, also those for one recipient. */
export async function readAccountEvents(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, StoredEvent>> {
  if (ids.length === 0) return new Map();
  // Index: the primary keys.
  const { rows } = await db.query<StoredEvent & Record<string, unknown>>(
    `select id, type, data, created_at as "createdAt" from account_events where account_id = $1 and id = any ($2::uuid[])
     union all
     select id, type, data, created_at from addressed_events where account_id = $1 and id = any ($2::uuid[])`,
    [accountId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
