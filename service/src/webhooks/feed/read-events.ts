/**
 * The event feed: every end of a task, numbered in the order in which an account's ends were committed (outbox.ts explains
 * why). A position is the last event read, by its number and its delivery id: a database that was restored, or that failed over
 * without its last changes, gives the same numbers to other events. The rows are the first deliveries of ends. Payloads are
 * built from the tasks' records, so events remain readable after the bytes that were sent have been deleted.
 */
import type { Queryable } from "../../db/index.ts";
import { notificationBody } from "../outbox/body.ts";
import type { TaskRecords } from "../outbox/task-records.ts";
import {
  earlierDistances,
  identityOf,
  isSameEvent,
  writeCursor,
  type EventMark,
  type FeedPosition,
} from "./feed-position.ts";

export interface ReadEventsDeps {
  readonly database: Queryable;
  readonly records: TaskRecords;
  readonly bodyBytesMax: number;
}

export interface FeedEntry {
  readonly cursor: string;
  readonly deliveryId: string;
  readonly createdAt: string;
  /** The JSON of the notification. */
  readonly payload: string;
}

export interface EventSlice {
  readonly entries: readonly FeedEntry[];
  /** The position after the last entry. */
  readonly next: FeedPosition;
  /** More events exist already. */
  readonly hasMore: boolean;
}

interface EventRow {
  readonly id: string;
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
 * Returns the events after a position, oldest first: at most `limit`, and none after their total size reaches `bytesMax`, but
 * always at least one. Null: the last event read no longer exists, or events after it have been deleted.
 */
export async function readEvents(
  deps: ReadEventsDeps,
  accountId: string,
  after: FeedPosition,
  bounds: { limit: number; bytesMax: number },
): Promise<EventSlice | null> {
  // Index: deliveries_events. One statement, so that the events and the start of the history are consistent. The last event
  // read is among them, to be compared.
  const { rows } = await deps.database.query<
    (EventRow | Record<keyof EventRow, null>) & { pruned_to: number; pruned_id: string | null }
  >({
    name: "read events",
    text: `select w.events_pruned_to as pruned_to, w.events_pruned_id as pruned_id, e.*
             from webhooks w
             left join lateral (
               select d.id, d.task_id, d.delivery_revision, d.event_number, d.created_at, ${earlierEvents}
                 from deliveries d
                where d.account_id = w.account_id and d.event_number >= $2
                order by d.event_number limit $3) e on true
            where w.account_id = $1 order by e.event_number`,
    values: [accountId, after.number, bounds.limit + 2],
  });
  const { pruned_to: prunedTo, pruned_id: prunedId } = rows[0] ?? { pruned_to: 0, pruned_id: null };
  const events = rows.filter((row): row is typeof row & EventRow => row.id !== null);
  const last = events[0]?.event_number === after.number ? events.shift() : undefined;
  if (after.number < prunedTo || !exists(after, last, { prunedTo, prunedId })) return null;
  const entries = await readEntries(deps, accountId, events.slice(0, bounds.limit), bounds.bytesMax);
  const newest = events[entries.length - 1] ?? last;
  return {
    entries,
    next: newest === undefined ? after : positionOf(newest),
    hasMore: events.length > entries.length,
  };
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
): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = [];
  let bytes = 0;
  for (let from = 0; from < events.length && bytes < bytesMax; from += recordsAtOnce) {
    const some = events.slice(from, from + recordsAtOnce);
    const taskIds = some.map((row) => row.task_id);
    const records = await deps.records.read(deps.database, accountId, taskIds);
    for (const row of some) {
      const record = records.get(row.task_id);
      if (record === undefined) throw new Error(`the task ${row.task_id} of an event is gone`);
      if (bytes >= bytesMax) break;
      const body = notificationBody(record, row.delivery_revision, deps.bodyBytesMax);
      bytes += body.length;
      entries.push({
        cursor: writeCursor(positionOf(row)),
        deliveryId: row.id,
        createdAt: row.created_at.toISOString(),
        payload: body.toString("utf8"),
      });
    }
  }
  return entries;
}

export function positionOf(row: Pick<EventRow, "event_number" | "id" | "earlier">): FeedPosition {
  const earlier = (row.earlier ?? []).map(({ number, id }) => ({ number, identity: identityOf(id) }));
  // Two distances can lead to the same event.
  const distinct = earlier.filter(({ number }, index) => number !== earlier[index - 1]?.number);
  return { number: row.event_number, identity: identityOf(row.id), earlier: distinct };
}
