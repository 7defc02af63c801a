/**
 * The event feed: every end of a task and every event of the account, numbered in the order in which they were committed
 * (outbox.ts explains why). A reader gets the types that it asks for. A position names the last event read by its number and its
 * delivery id, because a database that was restored, or that failed over without its last changes, gives the same numbers to
 * other events. The rows are the first deliveries of ends, and events of accounts. Payloads are built from the tasks' records, so
 * events remain readable after the bytes that were sent have been deleted.
 */
import type { AccountEventType, EventType, TaskRecord } from "@querent/contract";
import type { Queryable } from "../../db/index.ts";
import { eventBody } from "../outbox/account-events.ts";
import { notificationBody, type TaskRecords } from "../outbox/outbox.ts";
import { decodeCursor, encodeCursor } from "../../api/cursor.ts";

/** An event as a cursor names it. */
export interface EventMark {
  readonly number: number;
  /** The last 12 digits of its delivery id, which are random. Null in cursors of version 0.1: only the number is known. */
  readonly identity: string | null;
}

/** A position in the feed: the last event that was read. The number 0 is the position before the first event. */
export interface FeedPosition extends EventMark {
  /**
   * Events before it, the latest first. If the last event no longer exists because the database lost its latest changes, the
   * first of these that does is where reading must continue.
   */
  readonly earlier: readonly EventMark[];
}

export const startOfFeed: FeedPosition = { number: 0, identity: null, earlier: [] };

/**
 * How far before an event the earlier ones of its position are. A reader that must go back reads at most about 32 times as many
 * numbers again as were lost, or the whole retained history.
 */
const earlierDistances = [256, 8_192, 262_144, 8_388_608] as const;

const identityDigits = 12;
const mark = `[1-9a-z][0-9a-z]{0,9}-[0-9a-f]{${identityDigits}}`;
/** Version 0.1: the number. Since then: the event and the earlier ones. */
const pattern = new RegExp(`^(0|[1-9]\\d{0,14}|${mark}(\\.${mark}){0,${earlierDistances.length}})$`);

export function writeCursor({ number, identity, earlier }: FeedPosition): string {
  if (identity === null) return encodeCursor(String(number));
  return encodeCursor([{ number, identity }, ...earlier].map(writeMark).join("."));
}

export function readCursor(cursor: string): FeedPosition {
  const text = decodeCursor(cursor, pattern, "after");
  if (!text.includes("-")) return { number: Number(text), identity: null, earlier: [] };
  const [last = startOfFeed, ...earlier] = text.split(".").map(readMark);
  return { ...last, earlier };
}

export const identityOf = (deliveryId: string): string => deliveryId.slice(-identityDigits);

/** True if the event with this number and id is the one that the mark names, as far as it says. */
export const isSameEvent = (one: EventMark, number: number, deliveryId: string): boolean =>
  one.number === number && (one.identity === null || one.identity === identityOf(deliveryId));

const writeMark = ({ number, identity }: EventMark): string => `${number.toString(36)}-${identity}`;

function readMark(text: string): EventMark {
  const [number = "", identity = ""] = text.split("-");
  return { number: Number.parseInt(number, 36), identity };
}

export interface ReadEventsDeps {
  readonly database: Queryable;
  readonly records: TaskRecords;
  readonly bodyBytesMax: number;
}

/** What a client that names no types gets. */
export const defaultTypes: readonly EventType[] = ["task.finished"];

interface NumberedEvent {
  readonly type: EventType;
  readonly cursor: string;
  readonly deliveryId: string;
  readonly createdAt: string;
  /** The JSON of the notification. */
  readonly payload: string;
}

export interface EventSlice {
  readonly entries: readonly NumberedEvent[];
  /** The position after the last entry. */
  readonly next: FeedPosition;
  /** More events exist already. */
  readonly hasMore: boolean;
}

interface EventRow {
  readonly id: string;
  /** The type of the account's event; null for the end of a task. */
  readonly type: AccountEventType | null;
  readonly data: unknown;
  readonly task_id: string;
  readonly delivery_revision: number;
  readonly event_number: number;
  readonly created_at: Date;
  readonly earlier: readonly { number: number; id: string }[] | null;
}

/** Records per read: results may be large. */
const recordsAtOnce = 10;

/** The earlier events of a position, as JSON. Index: deliveries_events, one lookup for each distance. */
export const earlierEvents = `
  (select json_agg(json_build_object('number', p.event_number, 'id', p.id) order by p.event_number desc)
     from unnest(array[${earlierDistances.join(", ")}]::bigint[]) as far(distance)
    cross join lateral (
      select b.event_number, b.id from deliveries b
       where b.account_id = d.account_id and b.event_number <= d.event_number - far.distance
       order by b.event_number desc limit 1) p) as earlier`;

/**
 * SQL: the events of an account `w`, as rows `d`: ends of tasks with numbers in a range, and events of the listed types. Indexes:
 * deliveries_events, account_events_number.
 */
const eventsOf = (range: { from: string; to: string; types: string; order: "asc" | "desc"; limit: string }) => `(
    (select d.account_id, d.id, d.task_id, d.delivery_revision, d.event_number, d.created_at, null as type, null::json as data
       from deliveries d
      where d.account_id = w.account_id and d.event_number >= ${range.from} and d.event_number <= ${range.to}
      order by d.event_number ${range.order} limit ${range.limit})
    union all
    (select a.account_id, a.id, a.id, 1, a.number, a.created_at, a.type, a.data
       from account_events a
      where a.account_id = w.account_id and a.number >= ${range.from} and (a.number = ${range.from} or ${range.types})
      order by a.number ${range.order} limit ${range.limit})
    order by 5 ${range.order} limit ${range.limit}) d`;

const greatestNumber = "9223372036854775807";
/** SQL: the newest event of an account `w`, of any type, as a row `d`. */
export const newestOf = eventsOf({ from: "0", to: greatestNumber, types: "true", order: "desc", limit: "1" });

// One statement, so that the events and the start of the history are consistent. It also returns the last event read, for comparison.
// Parameters: account, position, number of rows, whether the ends of tasks are wanted, and the other types that are.
const eventsStatement = `
select w.events_pruned_to as pruned_to, w.events_pruned_id as pruned_id, h.head, e.*
  from webhooks w
  left join lateral (
    select d.*, ${earlierEvents}
      from ${eventsOf({ from: "$2", to: `case when $4 then ${greatestNumber} else $2 end`, types: "a.type = any ($5)", order: "asc", limit: "$3" })}
     order by d.event_number) e on true
  left join lateral (
    select json_build_object('event_number', d.event_number, 'id', d.id, 'earlier', ${earlierEvents.replace(/ as earlier$/, "")}) as head
      from ${newestOf} where not $4) h on true
 where w.account_id = $1 order by e.event_number`;

/**
 * Returns the events of these types after a position, oldest first: at most `limit`, and none after their total size reaches
 * `bytesMax`, but always at least one. Null if the last event read does not exist any more, or events after it have been deleted.
 */
export async function readEvents(
  deps: ReadEventsDeps,
  { accountId, types }: { readonly accountId: string; readonly types: readonly EventType[] },
  after: FeedPosition,
  bounds: { limit: number; bytesMax: number },
): Promise<EventSlice | null> {
  const { rows } = await deps.database.query<
    (EventRow | Record<keyof EventRow, null>) & {
      pruned_to: number;
      pruned_id: string | null;
      head: Parameters<typeof positionOf>[0] | null;
    }
  >({
    name: "read events",
    text: eventsStatement,
    values: [
      accountId,
      after.number,
      bounds.limit + 2,
      types.includes("task.finished"),
      types.filter((type) => type !== "task.finished"),
    ],
  });
  const { pruned_to: prunedTo, pruned_id: prunedId, head } = rows[0] ?? { pruned_to: 0, pruned_id: null, head: null };
  const events = rows.filter((row): row is typeof row & EventRow => row.id !== null);
  const last = events[0]?.event_number === after.number ? events.shift() : undefined;
  if (after.number < prunedTo || !exists(after, last, { prunedTo, prunedId })) return null;
  const entries = await readEntries(deps, accountId, events.slice(0, bounds.limit), bounds.bytesMax);
  const hasMore = events.length > entries.length;
  const newest = (hasMore ? null : head) ?? events[entries.length - 1] ?? last;
  // A reader that is not sent the ends of tasks passes them, so that its position does not fall out of the history.
  return { entries, next: newest === undefined ? after : positionOf(newest), hasMore };
}

/** True if the last event of the position is in the feed, or is the last that retention deleted. */
function exists(
  position: EventMark,
  row: EventRow | undefined,
  { prunedTo, prunedId }: { prunedTo: number; prunedId: string | null },
): boolean {
  if (position.number === 0) return true;
  if (row !== undefined) return isSameEvent(position, row.event_number, row.id);
  return position.number === prunedTo && (prunedId === null || isSameEvent(position, prunedTo, prunedId));
}

async function readEntries(
  deps: ReadEventsDeps,
  accountId: string,
  events: readonly EventRow[],
  bytesMax: number,
): Promise<NumberedEvent[]> {
  const entries: NumberedEvent[] = [];
  let bytes = 0;
  for (let from = 0; from < events.length && bytes < bytesMax; from += recordsAtOnce) {
    const some = events.slice(from, from + recordsAtOnce);
    const taskIds = some.flatMap((row) => (row.type === null ? [row.task_id] : []));
    const records = await deps.records.read(deps.database, accountId, taskIds);
    for (const row of some) {
      if (bytes >= bytesMax) break;
      const body = bodyOf(row, records.get(row.task_id), deps.bodyBytesMax);
      bytes += body.length;
      entries.push({
        type: row.type ?? "task.finished",
        cursor: writeCursor(positionOf(row)),
        deliveryId: row.id,
        createdAt: row.created_at.toISOString(),
        payload: body.toString("utf8"),
      });
    }
  }
  return entries;
}

function bodyOf(row: EventRow, record: TaskRecord | undefined, bodyBytesMax: number): Buffer {
  if (row.type !== null) return eventBody({ id: row.id, type: row.type, data: row.data, createdAt: row.created_at }, 1);
  if (record === undefined) throw new Error(`the task ${row.task_id} of an event is gone`);
  return notificationBody(record, row.delivery_revision, bodyBytesMax);
}

export function positionOf(row: Pick<EventRow, "event_number" | "id" | "earlier">): FeedPosition {
  const earlier = (row.earlier ?? []).map(({ number, id }) => ({ number, identity: identityOf(id) }));
  // Two distances can lead to the same event.
  const distinct = earlier.filter(({ number }, index) => number !== earlier[index - 1]?.number);
  return { number: row.event_number, identity: identityOf(row.id), earlier: distinct };
}
