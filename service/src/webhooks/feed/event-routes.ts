import { api, eventTypes, type EventType } from "@querent/contract";
import type { AccountSemaphore } from "../../api/account-semaphore.ts";
import { negotiate } from "../../api/negotiate.ts";
import { route, type Route } from "../../api/route.ts";
import type { EventFeed } from "./event-feed.ts";
import {
  writeCursor,
  identityOf,
  isSameEvent,
  readCursor,
  startOfFeed,
  type FeedPosition,
  type EventMark,
  defaultTypes,
  readEvents,
  earlierEvents,
  newestOf,
  positionOf,
  type EventSlice,
  type ReadEventsDeps,
} from "./read-events.ts";
import { ProblemError } from "../../api/problem-error.ts";
import type { Queryable } from "../../db/index.ts";

/** Limit on a page's events together: a page of large results has fewer events than requested. */
const pageBytesMax = 4 * 1024 * 1024;

export function eventRoutes(deps: ReadEventsDeps & { feed: EventFeed; streams: AccountSemaphore }): Route[] {
  return [
    route(api.listEvents, async ({ caller, query, headers, signal }) => {
      const isLive = negotiate(headers["accept"], ["application/json", "text/event-stream"]) === "text/event-stream";
      // A browser that reconnects requests the original URL, with its position in this header.
      const lastEventId = isLive ? (headers["last-event-id"] ?? "") : "";
      const types = typesOf(query.types);
      const locate = () =>
        locateReader(deps.database, caller.accountId, lastEventId === "" ? query.after : lastEventId);
      if (isLive) {
        // Before the database is asked: one stream too many costs nothing but its refusal.
        const release = await deps.streams.acquire(caller.accountId);
        const after = await locate().catch((error: unknown) => {
          release();
          throw error;
        });
        const stream = deps.feed.open(caller.accountId, after, signal, { accessId: caller.accessId, types });
        stream.once("close", release);
        return {
          status: 200,
          headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
          body: stream,
        };
      }
      const slice = await readPage(deps, { accountId: caller.accountId, types }, await locate(), query.limit ?? 50);
      const events = slice.entries.map(
        ({ cursor, deliveryId, createdAt, payload }) =>
          `{"cursor":"${cursor}","deliveryId":"${deliveryId}","createdAt":"${createdAt}","notification":${payload}}`,
      );
      return {
        status: 200,
        headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
        body: `{"events":[${events.join(",")}],"nextCursor":"${writeCursor(slice.next)}","hasMore":${slice.hasMore}}`,
      };
    }),
  ];
}

async function readPage(
  deps: ReadEventsDeps,
  of: { readonly accountId: string; readonly types: readonly EventType[] },
  after: FeedPosition,
  limit: number,
): Promise<EventSlice> {
  const slice = await readEvents(deps, of, after, { limit, bytesMax: pageBytesMax });
  if (slice !== null) return slice;
  // The position was deleted after it had been located: this throws the error that says where to continue.
  await locateReader(deps.database, of.accountId, writeCursor(after));
  throw new Error("the start of the event feed moved while a page was read");
}

/** The types in the order of the contract, so that readers of the same types share their reads. */
function typesOf(text: string | undefined): readonly EventType[] {
  if (text === undefined) return defaultTypes;
  const named = new Set(text.split(","));
  return eventTypes.filter((type) => named.has(type));
}

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
