/**
 * The event feed: every end of a task, numbered in the order in which an account's ends were committed (outbox.ts explains
 * why). A position is the number of the last event read. The rows are the first deliveries of ends. Payloads are built from the
 * tasks' records, so events remain readable after the bytes that were sent have been deleted.
 */
import type { Queryable } from "../../db/index.ts";
import { decodeCursor, encodeCursor } from "../../api/cursor.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { notificationBody } from "../outbox/body.ts";
import type { TaskRecords } from "../outbox/task-records.ts";

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
  readonly next: number;
  /** More events exist already. */
  readonly hasMore: boolean;
}

/** Records per read: results may be large. */
const recordsAtOnce = 10;

/**
 * Returns the events after a position, oldest first: at most `limit`, and none after their total size reaches `bytesMax`, but
 * always at least one. Null: events after that position have been deleted.
 */
export async function readEvents(
  deps: ReadEventsDeps,
  accountId: string,
  after: number,
  bounds: { limit: number; bytesMax: number },
): Promise<EventSlice | null> {
  // Index: deliveries_events. One statement, so that the events and the start of the history are consistent.
  const { rows } = await deps.database.query<{
    pruned_to: number;
    id: string | null;
    task_id: string;
    delivery_revision: number;
    event_number: number;
    created_at: Date;
  }>({
    name: "read events",
    text: `select w.events_pruned_to as pruned_to, e.*
             from webhooks w
             left join lateral (
               select d.id, d.task_id, d.delivery_revision, d.event_number, d.created_at from deliveries d
                where d.account_id = w.account_id and d.event_number > $2
                order by d.event_number limit $3) e on true
            where w.account_id = $1 order by e.event_number`,
    values: [accountId, after, bounds.limit + 1],
  });
  if ((rows[0]?.pruned_to ?? 0) > after) return null;
  const found = rows.filter((row) => row.id !== null);
  const entries: FeedEntry[] = [];
  let bytes = 0;
  for (let from = 0; from < Math.min(found.length, bounds.limit) && bytes < bounds.bytesMax; from += recordsAtOnce) {
    const some = found.slice(from, Math.min(from + recordsAtOnce, bounds.limit));
    const records = await deps.records.read(
      deps.database,
      accountId,
      some.map((row) => row.task_id),
    );
    for (const row of some) {
      const record = records.get(row.task_id);
      if (record === undefined) throw new Error(`the task ${row.task_id} of an event is gone`);
      if (bytes >= bounds.bytesMax) break;
      const body = notificationBody(record, row.delivery_revision, deps.bodyBytesMax);
      bytes += body.length;
      entries.push({
        cursor: eventCursor(row.event_number),
        deliveryId: row.id ?? "",
        createdAt: row.created_at.toISOString(),
        payload: body.toString("utf8"),
      });
    }
  }
  return {
    entries,
    next: found[entries.length - 1]?.event_number ?? after,
    hasMore: found.length > entries.length,
  };
}

/**
 * Where a reader starts: after its cursor, now (`latest`), or at the oldest retained event. A position from before the retained
 * history is an explicit result, never a silent skip.
 */
export async function locateReader(db: Queryable, accountId: string, after: string | undefined): Promise<number> {
  const { rows } = await db.query<{ pruned_to: number; head: number }>(
    `select w.events_pruned_to as pruned_to,
            greatest(w.events_pruned_to, (select max(d.event_number) from deliveries d where d.account_id = w.account_id and d.event_number is not null)) as head
       from webhooks w where w.account_id = $1`,
    [accountId],
  );
  const { pruned_to: prunedTo, head } = rows[0] ?? { pruned_to: 0, head: 0 };
  if (after === undefined) return prunedTo;
  if (after === "latest") return head;
  const position = Number(decodeCursor(after, /^(0|[1-9]\d{0,14})$/, "after"));
  if (position < prunedTo) throw eventsGone(prunedTo);
  if (position > head) {
    throw new ProblemError(
      "validation_failed",
      "The cursor is ahead of the feed: it belongs to other data than this service's.",
      {
        errors: [{ pointer: "?after", code: "out_of_range", detail: "Begin again without a cursor." }],
      },
    );
  }
  return position;
}

export function eventsGone(prunedTo: number): ProblemError {
  const oldest = eventCursor(prunedTo);
  return new ProblemError(
    "gone",
    `Events after this cursor have been deleted. The oldest that are kept come after \`${oldest}\`; what was missed is found with \`GET /v1/tasks\`.`,
    { headers: { link: `</v1/events?after=${oldest}>; rel="first"` } },
  );
}

export const eventCursor = (position: number): string => encodeCursor(String(position));
