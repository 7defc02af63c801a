import { ProblemError } from "../../api/problem-error.ts";
import type { Queryable } from "../../db/index.ts";
import {
  identityOf,
  isSameEvent,
  readCursor,
  startOfFeed,
  writeCursor,
  type EventMark,
  type FeedPosition,
} from "./feed-position.ts";
import { earlierEvents, newestOf, positionOf } from "./read-events.ts";

/**
 * Where a reader starts: after its cursor, now (`latest`), or at the oldest retained event. A position that has been deleted,
 * or whose event no longer exists, is an explicit error that says where to continue, never a silent skip.
 */
export async function locateReader(db: Queryable, accountId: string, after: string | undefined): Promise<FeedPosition> {
  if (after === undefined) return oldestPosition(db, accountId);
  if (after === "latest") return latestPosition(db, accountId);
  const position = readCursor(after);
  if (position.number === 0) {
    const oldest = await oldestPosition(db, accountId);
    if (oldest.number > 0) throw eventsGone(oldest);
    return position;
  }
  const { oldest, existing } = await findMarks(db, accountId, [position, ...position.earlier]);
  if (position.number < oldest.number) throw eventsGone(oldest);
  if (existing.includes(0)) return position;
  // Everything before an event that still exists was there before the changes were lost.
  const common = existing[0];
  const mark = common === undefined ? undefined : position.earlier[common - 1];
  throw eventsReplaced(
    mark === undefined || common === undefined ? oldest : { ...mark, earlier: position.earlier.slice(common) },
  );
}

async function oldestPosition(db: Queryable, accountId: string): Promise<FeedPosition> {
  return (await findMarks(db, accountId, [])).oldest;
}

async function latestPosition(db: Queryable, accountId: string): Promise<FeedPosition> {
  const oldest = await oldestPosition(db, accountId);
  const { rows } = await db.query<Parameters<typeof positionOf>[0]>(
    `select d.id, d.event_number, ${earlierEvents} from (select $1::uuid as account_id) w cross join lateral ${newestOf}`,
    [accountId],
  );
  const head = rows[0];
  return head === undefined || head.event_number < oldest.number ? oldest : positionOf(head);
}

/** The start of the retained history, and the indexes of the marks whose events exist in it, in their order. */
async function findMarks(
  db: Queryable,
  accountId: string,
  marks: readonly EventMark[],
): Promise<{ oldest: FeedPosition; existing: number[] }> {
  // Index: deliveries_events and account_events_number, one lookup for each mark.
  const { rows } = await db.query<{ pruned_to: number; pruned_id: string | null; index: number; id: string | null }>(
    `select w.events_pruned_to as pruned_to, w.events_pruned_id as pruned_id, m.index, coalesce(d.id, a.id) as id
       from webhooks w
       left join unnest($2::bigint[]) with ordinality as m(number, index) on true
       left join deliveries d on d.account_id = w.account_id and d.event_number = m.number
       left join account_events a on a.account_id = w.account_id and a.number = m.number
      where w.account_id = $1 order by m.index`,
    [accountId, marks.map(({ number }) => number)],
  );
  const { pruned_to: prunedTo, pruned_id: prunedId } = rows[0] ?? { pruned_to: 0, pruned_id: null };
  const existing = marks.flatMap((mark, index) => {
    const id = rows[index]?.id ?? null;
    if (id !== null) return isSameEvent(mark, mark.number, id) ? [index] : [];
    if (mark.number !== prunedTo) return [];
    return prunedId === null || isSameEvent(mark, prunedTo, prunedId) ? [index] : [];
  });
  const oldest = { number: prunedTo, identity: prunedId === null ? null : identityOf(prunedId), earlier: [] };
  return { oldest: prunedTo === 0 ? startOfFeed : oldest, existing };
}

function eventsGone(oldest: FeedPosition): ProblemError {
  const resumeAfter = writeCursor(oldest);
  return new ProblemError(
    "gone",
    `Events after this cursor have been deleted. Continue after \`${resumeAfter}\`, the start of the stored events. \`GET /v1/tasks\` finds what was missed.`,
    { resumeAfter, headers: { link: `</v1/events?after=${resumeAfter}>; rel="first"` } },
  );
}

function eventsReplaced(common: FeedPosition): ProblemError {
  const resumeAfter = writeCursor(common);
  return new ProblemError(
    "events_replaced",
    `The last event of this cursor no longer exists: the service's database was restored from a backup, or failed over without its latest changes. Continue after \`${resumeAfter}\`, and skip the events whose \`deliveryId\` you have already processed. No event that exists now is missed.`,
    { resumeAfter, headers: { link: `</v1/events?after=${resumeAfter}>; rel="next"` } },
  );
}
